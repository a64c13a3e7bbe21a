"""Builds the extension: the library's sources, which package.sh puts into core/, and what SWIG makes of python.i."""

import re
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

here = Path(__file__).parent
header = (here / "core/include/sparselin.h").read_text()
version = ".".join(re.findall(r"#define SL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

# An interpreter without the lock has no limited API; it switches the lock on for this module.
limited = not sysconfig.get_config_var("Py_GIL_DISABLED")
native = Extension(
    "sparselin._native",
    ["core/swig/python.i", "core/src/all.cpp"],
    include_dirs=["core/include"],
    swig_opts=["-c++", "-Wall", "-Werror", "-interface", "_native", "-Icore/swig"],
    define_macros=[("Py_LIMITED_API", "0x03090000")] if limited else [],
    py_limited_api=limited,
    # As CMakeLists.txt has it for the library, whatever the flags of this Python: the same bits, as fast.
    extra_compile_args=[
        "-std=c++17",
        "-O2",
        "-g0",
        "-fno-fast-math",
        "-ffp-contract=off",
        "-fstrict-aliasing",
        "-fno-wrapv",
        "-fvisibility=hidden",
        "-pthread",
        "-Wno-unused-function",
    ],
    extra_link_args=["-pthread", "-Wl,--gc-sections"],
    depends=sorted(str(file.relative_to(here)) for file in (here / "core/swig").glob("*.i")),
)

setup(
    version=version,
    ext_modules=[native],
    options={"bdist_wheel": {"py_limited_api": "cp39"} if limited else {}},
)
