package org.sparselin;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

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
            return failure(reason(e) + "; the system property " + FOLDER_PROPERTY
                    + (folder != null ? " names the folder it was sought in" : " may name a folder to load it from"), e);
        }
    }

    private static String reason(Throwable e) {
        return e instanceof UnsatisfiedLinkError || e instanceof FileNotFoundException ? e.getMessage() : e.toString();
    }

    private static UnsatisfiedLinkError failure(String reason, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError("sparselin cannot load its native library for " + platform() + ": " + reason);
        error.initCause(cause);
        return error;
    }

    /** Where temporary files may not be made or not be executed, those of the user's own folder may. */
    private static void loadCopy(String resource) throws IOException {
        List<String> refused = new ArrayList<>();
        for (String property : new String[] {"java.io.tmpdir", "user.home"}) {
            String folder = System.getProperty(property);
            try {
                loadCopy(resource, Path.of(folder));
                return;
            } catch (FileNotFoundException e) {
                throw e;
            } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
                refused.add("from a copy in " + property + " (" + folder + "): " + reason(e));
            }
        }
        throw new UnsatisfiedLinkError(String.join("; ", refused));
    }

    /** The system holds a file that is loaded under its path, so every class loader needs a copy of its own. */
    private static void loadCopy(String resource, Path parent) throws IOException {
        Path folder = null;
        Path copy = null;
        try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
            if (in == null) throw new FileNotFoundException("the jar has libraries for " + platforms() + " alone");
            folder = Files.createTempDirectory(parent, "sparselin");
            copy = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
            Files.copy(in, copy);
            System.load(copy.toString());
        } finally {
            // What is loaded stays loaded. Where a file in use cannot be removed, which is so on Windows until its process has ended, later
            // processes remove it.
            if (copy != null && !copy.toFile().delete() && Files.exists(copy)) removeLeft(parent, copy.getFileName());
            if (folder != null) folder.toFile().delete();
        }
    }

    /** Removes what processes left that loaded a library from a copy in the folder: those in use stay, and new ones, which may not yet be. */
    static void removeLeft(Path parent, Path file) {
        long old = System.currentTimeMillis() - 3_600_000;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "sparselin[0-9]*")) {
            for (Path folder : folders) {
                if (folder.toFile().lastModified() < old && folder.resolve(file).toFile().delete()) folder.toFile().delete();
            }
        } catch (IOException | DirectoryIteratorException e) {
            // What cannot be seen stays; the library is loaded all the same.
        }
    }

    /** What the jar holds, as the build wrote it down: the folders of a jar cannot be listed by a class loader. */
    private static String platforms() throws IOException {
        try (InputStream in = NativeLibrary.class.getResourceAsStream("/native/platforms")) {
            return in == null ? "no platform" : String.join(", ", new String(in.readAllBytes(), StandardCharsets.UTF_8).trim().split("\\s+"));
        }
    }

    static String platform() {
        boolean musl = false;
        // What this very process is mapped from: which C libraries are installed besides says nothing about it.
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            musl = maps.anyMatch(NativeLibrary::isMusl);
        } catch (IOException | UncheckedIOException e) {
            // No Linux, or one that does not say; glibc is what most have.
        }
        return platform(System.getProperty("os.name"), System.getProperty("os.arch"), musl);
    }

    /** Whether a line of /proc/self/maps tells of musl, whose C library and loader are one file: libc.so or, where that is a link, its other name. */
    static boolean isMusl(String line) {
        return line.matches(".*/(ld-musl-[^/]*|libc\\.so)");
    }

    /** The folder of the jar, by the system properties os.name and os.arch: system-machine, and -musl on a Linux that has musl for glibc. */
    static String platform(String name, String arch, boolean musl) {
        String system = name.toLowerCase(Locale.ROOT);
        String machine = arch.toLowerCase(Locale.ROOT);
        if (system.startsWith("mac")) system = "macos";
        if (system.startsWith("windows")) system = "windows";
        if (machine.equals("amd64")) machine = "x86_64";
        if (machine.equals("arm64")) machine = "aarch64";
        return system + "-" + machine + (musl ? "-musl" : "");
    }
}
