#!/bin/sh
# peers.sh FOLDER: puts the newest of what `bars` compares with there, a virtual environment of Python's, and installs LIBLINEAR. What may
# not be installed is left out, which `bars` then says.
tools/need.sh python liblinear || true
test -x "$1/bin/pip" || python3 -m venv "$1" || exit 0
"$1/bin/pip" install --quiet --disable-pip-version-check --upgrade scikit-learn vowpalwabbit || true
