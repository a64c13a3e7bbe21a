#!/bin/sh
# demo.sh FOLDER: runs examples/r with the package of the tarball FOLDER/sparselin_*.tar.gz, installed into a library beside it.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
library=$1/library
tarball=$(ls "$1"/sparselin_*.tar.gz)
if [ ! -e "$library/made" ] || [ "$tarball" -nt "$library/made" ]; then
    mkdir -p "$library"
    R CMD INSTALL --library="$library" "$tarball" >"$library/install.txt" 2>&1 || { cat "$library/install.txt" && exit 1; }
    touch "$library/made"
fi
R_LIBS="$library" Rscript --vanilla "$here/../../examples/r/spam_filter.R" "$here/../../examples/data"
