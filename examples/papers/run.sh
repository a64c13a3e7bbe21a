#!/bin/sh
# run.sh TARBALL [PAPER...]: installs the R package into a temporary library and runs the papers' scripts, all of them or those named.
# They draw the pictures of their folders anew and put their numbers into the READMEs there.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
tarball=$1
shift
[ $# -gt 0 ] || set -- $(cd "$here" && ls */run.R | xargs -n 1 dirname)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
R CMD INSTALL --library="$work" "$tarball" >"$work/install.txt" 2>&1 || { cat "$work/install.txt" && exit 1; }
for paper; do
    echo "== $paper"
    (cd "$here/$paper" && LC_ALL=C.UTF-8 R_LIBS="$work" Rscript --vanilla run.R)
done
