#!/bin/sh
# deb.sh TARBALL WORK OUT: Debian packages of the sources in TARBALL, for this machine, into OUT: libsparselin1, libsparselin-dev, sparselin.
# lintian finds nothing in them.
set -eu
tarball=$(realpath "$1") work=$2 out=$(realpath "$3")
name=$(basename "$tarball" .tar.gz)
rm -rf "$work"
mkdir -p "$work"
cd "$work"
tar -xzf "$tarball"
cd "$name"
cp -R tools/debian debian
{
    echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    printf '\nFiles: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) \([0-9]* the .*\)/\1/p' LICENSE)"
    printf '\nFiles: src/elementary.cpp src/elementary_tables.h\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) \([0-9]* Arm [A-Za-z]*\).*/\1/p' LICENSE)"
    printf '\nLicense: Expat\n'
    sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
} >debian/copyright
# The time of the commit, by which builds are the same whenever they are made.
cat >debian/changelog <<EOF
sparselin (${name#sparselin-}-1) unstable; urgency=medium

  * See changelog.gz beside this file.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(date -u -R -d "@$(stat -c %Y LICENSE)")
EOF
dpkg-buildpackage -us -uc -b >../log 2>&1 || { tail -n 40 ../log >&2 && exit 1; }
cd ..
# It would have the first version close a bug of Debian's that asks for the package; these are not Debian's.
found=$(lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning --tag-display-limit 0 ./*.changes 2>&1) || { echo "$found" >&2 && exit 1; }
rm -f "$out"/*.deb
find . -maxdepth 1 -name "*.deb" ! -name "*-dbgsym_*" -exec mv {} "$out" \;
