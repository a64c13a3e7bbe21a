#!/bin/sh
# legacy.sh ROOT LIBRARY_FOLDER LANGUAGE...: the programs of examples/legacy compile, in c89, c++98, cobol and fortran, and all say the same.
set -eu
root=$(cd "$1" && pwd) libraries=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export LD_LIBRARY_PATH="$libraries"
cp "$root"/examples/legacy/late.* .
for language in "$@"; do
    case $language in
        c89) ${CC:-cc} -std=c89 -pedantic -Wall -Wextra -Werror "-I$root/include" late.c "-L$libraries" -lsparselin -o c89 ;;
        c++98) ${CXX:-c++} -std=c++98 -pedantic -Wno-long-long -Wall -Wextra -Werror "-I$root/include" -x c++ late.c -x none "-L$libraries" -lsparselin -o c++98 ;;
        cobol) cobc -x -fstatic-call late.cob "-L$libraries" -lsparselin -o cobol ;;
        fortran) gfortran -std=f2008 -Wall -Wextra -Werror late.f90 "-L$libraries" -lsparselin -o fortran ;;
        *) echo "no example for $language" >&2 && exit 2 ;;
    esac
    ./"$language" >"said.$language"
    grep -Eq '^The next delivery is late with a chance of [0-9]+ %$' "said.$language"
    cmp "said.$1" "said.$language"
done
echo "$*: $(cat "said.$1")"
