package org.sparselin.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparselin.Model;
import org.sparselin.Options;

class PatchTest {
    private static Patch checked(byte[] before, byte[] after) {
        Patch patch = new Patch(before, after);
        assertArrayEquals(after, patch.applyTo(before));
        return patch;
    }

    @Test
    void givesAnyBytes() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; ++i) {
            byte[] before = new byte[random.nextInt(300)], after = new byte[random.nextInt(3) == 0 ? random.nextInt(300) : before.length];
            random.nextBytes(before);
            System.arraycopy(before, 0, after, 0, Math.min(before.length, after.length));
            for (int changes = random.nextInt(6), at = 0; changes > 0 && at < after.length; --changes, at += random.nextInt(60))
                after[at] = (byte) random.nextInt(3);
            checked(before, after);
        }
        byte[] large = new byte[3 << 20], other = large.clone();
        other[large.length - 1] = other[2_200_000] = 1;
        assertTrue(checked(large, other).size() < 20);
        checked(other, new byte[0]);
    }

    /** A part that has met a hundredth of the features says little. */
    @Test
    void ofAModelIsWhatItHasMet() {
        try (Model all = new Model(new Options().set("loss", "log"))) {
            for (int i = 0; i < 20_000; ++i) all.observe(new int[] {i * 7}, null, 1);
            for (int i = 0; i < 20_000; ++i) all.feed(new int[] {i * 7}, null, i % 2);
            try (Model part = all.copy()) {
                for (int i = 0; i < 200; ++i) part.feed(new int[] {i * 700}, null, i % 2);
                byte[] bytes = part.toBytes();
                int size = checked(all.toBytes(), bytes).size();
                assertTrue(size < bytes.length / 40, () -> size + " of " + bytes.length + " bytes");
            }
        }
    }
}
