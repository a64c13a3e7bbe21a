#!/bin/sh
# test.sh FOLDER [GOLDEN_MODELS]: has R check the tarball FOLDER/sparselin_*.tar.gz, installed alone into a library of its own: code, help,
# examples, vignette, and the tests, which compare with the models that C trained where these are given. Then the package that R has installed
# for that has to run the README's example and those in examples/r, and to heed Ctrl-C in a terminal.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
folder=$1
export SPARSELIN_GOLDEN_MODELS="${2-}" LC_ALL=C.UTF-8
# R asks a repository for packages that are suggested, and who keeps those that are not there. This one is empty, and at hand.
mkdir -p "$folder/none/src/contrib" "$folder/none/web/packages"
: >"$folder/none/src/contrib/PACKAGES"
Rscript --vanilla -e 'saveRDS(cbind(Package = character(), Maintainer = character()), commandArgs(TRUE))' "$folder/none/web/packages/packages.rds"
export R_CRAN_WEB="file://$folder/none"
export _R_CHECK_XREFS_REPOSITORIES_="file://$folder/none" _R_CHECK_FORCE_SUGGESTS_=false _R_CHECK_CRAN_INCOMING_=false

cd "$folder"
R CMD check --as-cran --no-manual --no-build-vignettes sparselin_*.tar.gz >check.txt 2>&1 || true
# That it cannot ask the net for the time is none of the package's faults, nor is a lone WARNING that a tool for PDFs is missing, nor that a package
# is suggested which is not there: what needs it is left out.
faults=$(awk 'held != "" && !/^Packages? suggested but not available/ { print held } { held = /(^| )(NOTE|ERROR)$|\.\.\. WARNING$/ ? $0 : "" }' check.txt |
    grep -v -e '^Status: ' -e '^\* checking for future file timestamps \.\.\. NOTE$' || true)
if [ -n "$faults" ] || ! grep -q '^\* DONE$' check.txt; then
    cat check.txt
    cat sparselin.Rcheck/tests/*.fail 2>/dev/null || true
    exit 1
fi

export R_LIBS="$folder/sparselin.Rcheck"
sed -n '/^```r$/,/^```$/p' "$here/README.md" | sed '1d; /^```$/,$d' >readme.R
Rscript --vanilla readme.R | tee readme.txt
grep -qx '\[1\] 0\.011.*' readme.txt
grep -qx ' *0\.012[0-9]*  *0\.99[0-9]*  *0\.045[0-9]* *' readme.txt
Rscript --vanilla "$here/../../examples/r/spam_filter.R" "$here/../../examples/data" | tee example.txt
grep -q '^1\.14 % of the 1225 test messages' example.txt
Rscript --vanilla "$here/../../examples/r/help_pages.R" "Fit a Linear Model" | tee titles.txt
grep -q '^New data: [1-4][0-9]' titles.txt
grep -q '^Fit a Linear Model: stats' titles.txt
"$here/test_terminal.sh" "$PWD"
