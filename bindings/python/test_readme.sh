#!/bin/sh
# test_readme.sh PYTHON WHEEL: in an empty virtual environment and an empty folder, the wheel installs, and the examples of both READMEs run as
# printed and print what is printed there.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$2[sklearn]"
cd "$work"
for readme in "$here/README.md" "$here/../../README.md"; do
    rm -f ./*.python ./*.text
    # The blocks of a kind one after another in files 1.KIND, 2.KIND, ...
    for kind in python text; do
        awk -v kind="$kind" '/^```/ { inside = $0 == "```" kind; n += inside; next } inside { print > n "." kind }' "$readme"
    done
    test -s 1.python
    for code in *.python; do
        "$work/venv/bin/python" "$code" >actual
        if [ -e "${code%.python}.text" ]; then diff "${code%.python}.text" actual; fi
    done
done
