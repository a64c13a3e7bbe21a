#!/bin/sh
# test.sh VENV WHEEL GOLDEN_MODELS PROGRAM [CACHE]: installs the wheel into VENV, and runs all tests there; with a folder for mypy's cache the types
# are checked, too.
set -eu
venv=$1 wheel=$2 cache=${5:-}
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
export SL_TEST_DATA="$here/../../tests/data" SL_GOLDEN_MODELS="$3" SL_PROGRAM="$4"
unset PYTHONPATH
"$venv/bin/python" -m pip install --quiet --no-deps --force-reinstall "$wheel"
cd "$here"
if [ -n "$cache" ]; then "$venv/bin/mypy" --cache-dir "$cache"; fi
"$venv/bin/pytest" -p no:cacheprovider tests
