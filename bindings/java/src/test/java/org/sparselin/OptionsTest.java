package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void everyOptionReadsBackItsDefault() {
        List<Options.Description> all = Options.all();
        assertTrue(all.size() > 20);
        Options options = new Options();
        for (Options.Description option : all) {
            assertEquals(option.standard(), options.get(option.name()), option.name());
            assertFalse(option.kind().isEmpty());
            assertFalse(option.help().isEmpty());
        }
    }

    @Test
    void setsTextNumbersAndTruth() {
        Options options = new Options().set("loss", "hinge").set("l1", 1e-5).set("epochs", 7).set("seed", Long.MAX_VALUE).set("bias", false);
        assertEquals("hinge", options.get("loss"));
        assertEquals(1e-5, Double.parseDouble(options.get("l1")));
        assertEquals("7", options.get("epochs"));
        assertEquals(Long.toString(Long.MAX_VALUE), options.get("seed"));
        assertEquals("false", options.get("bias"));
        options.set("l2", 1);
        assertEquals(1, Double.parseDouble(options.get("l2")));
    }

    @Test
    void aModelKeepsACopy() {
        Options options = new Options().set("loss", "hinge");
        try (Model model = new Model(options)) {
            options.set("loss", "log");
            assertEquals("hinge", model.option("loss"));
        }
    }

    @Test
    void errorsSayWhatIsWrong() {
        Options options = new Options();
        Fixtures.assertFails(Status.INVALID_OPTION, "epochs", () -> options.set("epoch", 3));
        // A word of the field that is no option, misspelt: the option that it stands for is named, not one that is spelt alike.
        Fixtures.assertFails(Status.INVALID_OPTION, "eta0", () -> options.set("learning_rate", 0.1));
        Fixtures.assertFails(Status.INVALID_OPTION, "eta0", () -> options.set("lerning_rate", 0.1));
        Fixtures.assertFails(Status.INVALID_OPTION, "l1", () -> options.set("l1", -1.0));
        Fixtures.assertFails(Status.INVALID_OPTION, "loss", () -> options.set("loss", "\uD83D\uDE00 smile"));
        Fixtures.assertFails(Status.INVALID_OPTION, "", () -> options.get("no such"));
        Fixtures.assertFails(Status.INVALID_OPTION, "", () -> new Model(new Options().set("schedule", "inverse_lambda").set("l2", 0)));
        assertThrows(NullPointerException.class, () -> options.set(null, "1"));
        assertThrows(NullPointerException.class, () -> options.set("l1", (String) null));
        assertThrows(IllegalArgumentException.class, () -> options.set("l1", "1\0002"));
        assertThrows(NullPointerException.class, () -> new Model(null));
        String longText = "x".repeat(100_000);
        Fixtures.assertFails(Status.INVALID_OPTION, "xxx", () -> options.set(longText, longText));
    }

    @Test
    void statusesAreThoseOfC() {
        NativeLibrary.need();
        for (Status status : Status.values())
            assertEquals(status == Status.OK ? "SL_OK" : "SL_ERROR_" + status, Native.statusName(status.ordinal()));
        assertEquals("SL_ERROR_UNKNOWN", Native.statusName(Status.values().length));
    }
}
