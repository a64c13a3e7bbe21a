import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

ROOT = os.path.join("..", "..")


class Sparselin(ConanFile):
    """Both forms of the library, as CMake's package of it has them: sparselin::sparselin, shared, and sparselin::static."""

    name = "sparselin"
    description = "Linear predictors on sparse data, trained by stochastic gradient descent"
    license = "MIT"
    author = "The sparselin authors"
    url = homepage = "https://sparselin.org/sparselin"
    topics = ("machine-learning", "linear-models", "sparse")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, ROOT, "include", "sparselin.h"))
        self.version = ".".join(re.findall(r"^#define SL_VERSION_[A-Z]+ (\d+)$", header, re.MULTILINE))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, os.path.join(self.recipe_folder, ROOT), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SL_PROGRAM"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # find_package takes the library's own description of itself.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "sparselin")]
        self.cpp_info.set_property("pkg_config_name", "sparselin")
        self.cpp_info.libs = ["sparselin"]
