package org.sparselin;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Loads the native part, once for every class loader that has these classes. */
final class NativeLibrary {
    static final String FOLDER_PROPERTY = "sparselin.library.path";

    private NativeLibrary() {}

    static void load() {
        String file = System.mapLibraryName("sparselin_java");
        String folder = System.getProperty(FOLDER_PROPERTY);
        try {
            if (folder != null) System.load(Path.of(folder, file).toAbsolutePath().toString());
            else loadCopy("/native/" + platform() + "/" + file);
        } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError("sparselin cannot load its native library for " + platform()
                    + (folder != null ? " from the folder that " + FOLDER_PROPERTY + " names" : "") + ": " + reason(e));
            error.initCause(e);
            throw error;
        }
    }

    /** The system holds a file that is loaded under its path, so every class loader needs a copy of its own. */
    private static void loadCopy(String resource) throws IOException {
        Path folder = Files.createTempDirectory("sparselin");
        Path copy = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
        try {
            try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
                if (in == null) throw new FileNotFoundException("the jar has no " + resource + "; it was built on another platform");
                Files.copy(in, copy);
            }
            System.load(copy.toString());
        } finally {
            // What is loaded stays loaded. Where a file in use cannot be removed it goes at the end, before its folder.
            if (!copy.toFile().delete()) {
                folder.toFile().deleteOnExit();
                copy.toFile().deleteOnExit();
            }
            folder.toFile().delete();
        }
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        if (system.startsWith("mac")) system = "macos";
        if (system.startsWith("windows")) system = "windows";
        return system + "-" + (machine.equals("amd64") ? "x86_64" : machine);
    }

    private static String reason(Throwable e) {
        return e instanceof UnsatisfiedLinkError ? e.getMessage() : e.toString();
    }
}
