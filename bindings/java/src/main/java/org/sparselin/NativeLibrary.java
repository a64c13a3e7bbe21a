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

    /** Why it could not be loaded; null if it could. */
    private static final UnsatisfiedLinkError FAILURE = load();

    private NativeLibrary() {}

    /** Sees to it that it is loaded; comes before the first native call of whoever may be the first. */
    static void need() {
        if (FAILURE != null) throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(FAILURE.getMessage()).initCause(FAILURE);
    }

    private static UnsatisfiedLinkError load() {
        String file = System.mapLibraryName("sparselin_java");
        String folder = System.getProperty(FOLDER_PROPERTY);
        String moved = NativeLibrary.class.getPackageName();
        // Shading would change the name of the package here, too, if it stood here in one piece.
        if (!moved.equals(String.join(".", "org", "sparselin")))
            return failure("its classes were moved to the package " + moved + ", where native code does not find them; exclude the package of "
                    + "sparselin from the relocation", null);
        try {
            if (folder != null) System.load(Path.of(folder, file).toAbsolutePath().toString());
            else loadCopy("/native/" + platform() + "/" + file);
            return null;
        } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
            return failure((e instanceof UnsatisfiedLinkError ? e.getMessage() : e.toString()) + "; the system property " + FOLDER_PROPERTY
                    + (folder != null ? " names the folder it was sought in" : " may name a folder to load it from"), e);
        }
    }

    private static UnsatisfiedLinkError failure(String reason, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError("sparselin cannot load its native library for " + platform() + ": " + reason);
        error.initCause(cause);
        return error;
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
}
