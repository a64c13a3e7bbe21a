package org.sparselin;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Text on its way to the library. */
final class Text {
    private Text() {}

    static void needNoNul(String text) {
        if (text.indexOf('\0') >= 0) throw new IllegalArgumentException("a NUL in \"" + text.replace("\0", "\\0") + "\"");
    }

    static byte[] utf8(String text) {
        needNoNul(text);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Refuses paths that are not the system's own, such as those inside an archive. */
    static String path(Path path) {
        return path.toFile().getPath();
    }
}
