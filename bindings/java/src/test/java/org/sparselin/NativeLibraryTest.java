package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loading, each time by a class loader that has not loaded it before. */
class NativeLibraryTest {
    private static URLClassLoader loader() throws MalformedURLException {
        URL classes = Model.class.getProtectionDomain().getCodeSource().getLocation();
        return new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
    }

    private static Object version(ClassLoader loader) throws Throwable {
        try {
            return loader.loadClass("org.sparselin.Model").getMethod("libraryVersion").invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @AfterEach
    void defaultFolder() {
        System.clearProperty(NativeLibrary.FOLDER_PROPERTY);
    }

    @Test
    void twoClassLoadersOfOneProcess() throws Throwable {
        try (URLClassLoader first = loader(); URLClassLoader second = loader()) {
            assertNotSame(first.loadClass("org.sparselin.Model"), second.loadClass("org.sparselin.Model"));
            assertEquals(Model.libraryVersion(), version(first));
            assertEquals(Model.libraryVersion(), version(second));
            // Exceptions are those of the class loader that called.
            for (URLClassLoader loader : new URLClassLoader[] {first, second}) {
                Object options = loader.loadClass("org.sparselin.Options").getConstructor().newInstance();
                Throwable thrown = assertThrows(InvocationTargetException.class,
                        () -> options.getClass().getMethod("get", String.class).invoke(options, "nonsense")).getCause();
                assertEquals(loader.loadClass("org.sparselin.SparselinException"), thrown.getClass());
            }
        }
    }

    @Test
    void aPropertyNamesTheFolder(@TempDir Path folder) throws Throwable {
        try (var files = Files.walk(Path.of(Objects.requireNonNull(Model.class.getResource("/native")).toURI()))) {
            Path library = files.filter(file -> file.endsWith(NativeLibrary.platform() + "/" + System.mapLibraryName("sparselin_java")))
                    .findFirst().orElseThrow();
            Files.copy(library, folder.resolve(library.getFileName()));
        }
        System.setProperty(NativeLibrary.FOLDER_PROPERTY, folder.toString());
        try (URLClassLoader loader = loader()) {
            assertEquals(Model.libraryVersion(), version(loader));
        }
    }

    @Test
    void platformAndCauseAreNamed(@TempDir Path folder) throws IOException, ClassNotFoundException {
        System.setProperty(NativeLibrary.FOLDER_PROPERTY, folder.toString());
        assertCannotLoad(folder.toString());
        Files.writeString(folder.resolve(System.mapLibraryName("sparselin_java")), "not a library");
        assertCannotLoad("too short");
        System.clearProperty(NativeLibrary.FOLDER_PROPERTY);
        String machine = System.setProperty("os.arch", "pdp11");
        try {
            assertCannotLoad("linux-pdp11: the jar has libraries for ");
            assertCannotLoad(NativeLibrary.platform().replace("pdp11", "amd64".equals(machine) ? "x86_64" : machine));
        } finally {
            System.setProperty("os.arch", machine);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, false, linux-x86_64", "Linux, aarch64, false, linux-aarch64", "Linux, amd64, true, linux-x86_64-musl",
        "Linux, aarch64, true, linux-aarch64-musl", "Mac OS X, x86_64, false, macos-x86_64", "Mac OS X, aarch64, false, macos-aarch64",
        "Mac OS X, arm64, false, macos-aarch64", "Windows Server 2022, amd64, false, windows-x86_64", "Windows 11, amd64, false, windows-x86_64",
        "Linux, riscv64, false, linux-riscv64"})
    void everyPlatformHasItsFolder(String name, String arch, boolean musl, String folder) {
        assertEquals(folder, NativeLibrary.platform(name, arch, musl));
    }

    /** Lines of maps as they are on Alpine, on Void, in Debian's package of musl, and with a new and an old glibc. */
    @ParameterizedTest
    @CsvSource({
        "/lib/ld-musl-x86_64.so.1, true", "/usr/lib/libc.so, true", "/usr/lib/x86_64-linux-musl/libc.so, true", "/lib/ld-musl-aarch64.so.1, true",
        "/usr/lib/x86_64-linux-gnu/libc.so.6, false", "/lib64/libc-2.17.so, false", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2, false",
        "/opt/jdk/lib/libjava.so, false", "'', false"})
    void muslIsToldByWhatIsMapped(String file, boolean musl) {
        assertEquals(musl, NativeLibrary.isMusl("7f7a54a26000-7f7a54a4c000 r--p 00000000 00:1d 1031                       " + file));
    }

    /** On Windows, where each process leaves its copy behind. */
    @Test
    void copiesThatWereLeftAreRemovedLater(@TempDir Path parent) throws IOException {
        for (String name : new String[] {"sparselin1", "sparselin22", "sparselin333", "sparselinx", "other4"}) {
            Path folder = Files.createDirectory(parent.resolve(name));
            if (!name.equals("sparselin333")) Files.createFile(folder.resolve("sparselin_java.dll"));
            if (!name.equals("sparselin22")) assertTrue(folder.toFile().setLastModified(1));
        }
        NativeLibrary.removeLeft(parent, Path.of("sparselin_java.dll"));
        try (var left = Files.list(parent)) {
            assertEquals(List.of("other4", "sparselin22", "sparselin333", "sparselinx"),
                    left.map(path -> path.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void whereTemporaryFilesCannotBeTheUsersOwnFolderServes(@TempDir Path home) throws Throwable {
        String temporary = System.setProperty("java.io.tmpdir", home.resolve("nowhere").toString());
        String own = System.setProperty("user.home", home.toString());
        try {
            try (URLClassLoader loader = loader()) {
                assertEquals(Model.libraryVersion(), version(loader));
            }
            try (var left = Files.list(home)) {
                assertEquals(0, left.count());
            }
            System.setProperty("user.home", home.resolve("neither").toString());
            assertCannotLoad("java.io.tmpdir (" + home.resolve("nowhere") + "): ");
            assertCannotLoad("user.home (" + home.resolve("neither") + "): ");
        } finally {
            System.setProperty("java.io.tmpdir", temporary);
            System.setProperty("user.home", own);
        }
    }

    private static void assertCannotLoad(String cause) throws IOException, ClassNotFoundException {
        try (URLClassLoader loader = loader()) {
            UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> version(loader));
            assertTrue(error.getMessage().startsWith("sparselin cannot load its native library for linux-"), error.getMessage());
            assertTrue(error.getMessage().contains(cause), error.getMessage());
            assertTrue(error.getMessage().contains(NativeLibrary.FOLDER_PROPERTY), error.getMessage());
            // Whoever tries again, and however, hears the same.
            for (String name : new String[] {"Model", "Options"}) {
                Class<?> type = loader.loadClass("org.sparselin." + name);
                Throwable again = assertThrows(InvocationTargetException.class, () -> {
                    Object object = type.getConstructor().newInstance();
                    type.getMethod("set", String.class, String.class).invoke(object, "l1", "1");
                }).getCause();
                assertEquals(error.getMessage(), again.getMessage());
            }
            assertEquals(error.getMessage(), assertThrows(UnsatisfiedLinkError.class, () -> version(loader)).getMessage());
        }
    }

    /** What tools do that put a copy of a library's classes into another package: every place where its name stands is changed. */
    @Test
    void classesThatWereMovedSayWhatToDo() throws IOException {
        try (URLClassLoader origin = loader()) {
            ClassLoader moved = new ClassLoader(ClassLoader.getPlatformClassLoader()) {
                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    try (InputStream in = origin.getResourceAsStream(name.replace('.', '/').replace("abc/", "org/") + ".class")) {
                        if (in == null) throw new ClassNotFoundException(name);
                        byte[] changed = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).replace("org/sparselin", "abc/sparselin")
                                .replace("org.sparselin", "abc.sparselin").getBytes(StandardCharsets.ISO_8859_1);
                        return defineClass(name, changed, 0, changed.length);
                    } catch (IOException e) {
                        throw new ClassNotFoundException(name, e);
                    }
                }
            };
            Throwable thrown = assertThrows(InvocationTargetException.class,
                    () -> moved.loadClass("abc.sparselin.Model").getConstructor().newInstance()).getCause();
            assertTrue(thrown.getMessage().contains("abc.sparselin, where native code does not find them; exclude"), thrown.toString());
        }
    }

    /** What an application has that is replaced while its server runs. */
    static final class Application {
        static final Options OPTIONS = new Options().set("l1", 1e-5);

        private Application() {}

        public static double score() {
            try (Model model = new Model(OPTIONS)) {
                model.feed(new int[] {1}, null, 1);
                return model.predictor().predict(new int[] {1}, null);
            }
        }
    }

    @Test
    void optionsDoNotKeepTheirClassLoader() throws Exception {
        URL tests = NativeLibraryTest.class.getProtectionDomain().getCodeSource().getLocation();
        URL classes = Model.class.getProtectionDomain().getCodeSource().getLocation();
        URLClassLoader loader = new URLClassLoader(new URL[] {classes, tests}, ClassLoader.getPlatformClassLoader());
        Class<?> application = loader.loadClass(Application.class.getName());
        assertNotSame(Application.class, application);
        Method score = application.getDeclaredMethod("score");
        score.setAccessible(true);
        assertTrue((double) score.invoke(null) > 0);
        WeakReference<ClassLoader> kept = new WeakReference<>(loader);
        loader.close();
        loader = null;
        application = null;
        score = null;
        for (int i = 0; i < 200 && kept.get() != null; ++i) {
            System.gc();
            Thread.sleep(10);
        }
        assertNull(kept.get());
    }
}
