package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
            Path library = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            Files.copy(library, folder.resolve(library.getFileName()));
        }
        System.setProperty(NativeLibrary.FOLDER_PROPERTY, folder.toString());
        try (URLClassLoader loader = loader()) {
            assertEquals(Model.libraryVersion(), version(loader));
        }
    }

    @Test
    void platformAndCauseAreNamed(@TempDir Path folder) throws IOException {
        System.setProperty(NativeLibrary.FOLDER_PROPERTY, folder.toString());
        assertCannotLoad(folder.toString());
        Files.writeString(folder.resolve(System.mapLibraryName("sparselin_java")), "not a library");
        assertCannotLoad("too short");
        System.clearProperty(NativeLibrary.FOLDER_PROPERTY);
        String machine = System.setProperty("os.arch", "pdp11");
        try {
            assertCannotLoad("linux-pdp11/");
        } finally {
            System.setProperty("os.arch", machine);
        }
    }

    private static void assertCannotLoad(String cause) throws IOException {
        try (URLClassLoader loader = loader()) {
            UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> version(loader));
            assertTrue(error.getMessage().startsWith("sparselin cannot load its native library for linux-"), error.getMessage());
            assertTrue(error.getMessage().contains(cause), error.getMessage());
        }
    }
}
