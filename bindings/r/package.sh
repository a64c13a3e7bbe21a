#!/bin/sh
# package.sh FOLDER: makes the tarball FOLDER/sparselin_VERSION.tar.gz of this folder, the library's sources, what SWIG writes, and the mail.
# Whoever installs it needs R and a C++ compiler, and neither SWIG nor CMake nor anything else from here.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..
package=$1/sparselin
version=$(sed -n 's/^#define SL_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$root/include/sparselin.h" | paste -s -d .)

rm -rf "$package"
mkdir -p "$package/src/core/src" "$package/src/core/include" "$package/inst/extdata"
cp -R "$here/NAMESPACE" "$here/R" "$here/man" "$here/tests" "$here/vignettes" "$package"
cp "$here/src/"* "$package/src"
sed "s/@VERSION@/$version/" "$here/DESCRIPTION" >"$package/DESCRIPTION"
printf 'YEAR: 2026\nCOPYRIGHT HOLDER: the sparselin authors; Arm Limited\n' >"$package/LICENSE"

cp "$root"/src/*.cpp "$root"/src/*.h "$package/src/core/src"
cp "$root/include/sparselin.h" "$package/src/core/include"
# Packages should be small, and R reads xz as it reads gzip.
Rscript --vanilla - "$root/examples/data" "$package/inst/extdata" <<'END'
folders <- commandArgs(TRUE)
for (name in c("spam.train.svm", "spam.test.svm", "words.txt")) {
    from <- gzfile(file.path(folders[1], paste0(name, ".gz")))
    to <- xzfile(file.path(folders[2], paste0(name, ".xz")), "w", compression = -9)
    writeLines(readLines(from), to)
    close(from)
    close(to)
}
END
for name in golden golden_multi hashing hashing-spark; do gzip -9 -n -c "$root/tests/data/$name.txt" >"$package/tests/testthat/$name.txt.gz"; done

# Of the R code that SWIG writes only the calls are taken, by their registered symbols; what is not registered R shall not look for, which
# SWIG does not tell it.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
swig -r -I"$root/bindings/swig" -outdir "$work" -o "$work/sparselin_wrap.c" "$root/bindings/swig/r.i"
sed '/^    R_registerRoutines(dll,/a\    R_useDynamicSymbols(dll, FALSE);' "$work/sparselin_wrap.c" >"$package/src/sparselin_wrap.c"
{
    echo "# Written by SWIG from r.i and what it includes: the library's calls."
    sed -n '/^# Start of slw_/,$p' "$work/sparselin.R" |
        sed -e '/^# Start of/d' -e '/^attr(/d' -e '/^class(/d' -e "s/\.Call('\(R_swig_[a-z_]*\)'/.Call(\1/" -e "s/, PACKAGE='sparselin'//"
} >"$package/R/native.R"

cd "$1"
rm -f sparselin_*.tar.gz
# What R says about its building is of interest only if it fails.
R CMD build sparselin >build.txt 2>&1 || { cat build.txt && exit 1; }
