#!/bin/sh
# need.sh NAME...: sees to it that the named tools and libraries are there. Silent if they are. What is missing is installed with apt-get
# where this user may do that without being asked for a password; otherwise, or with SL_NO_INSTALL=1, it says how to install it and fails.
# `tmp` is a folder for temporary files from which programs may be run.
set -u

package_of() {
    case $1 in
        c++) echo g++ ;;
        cmake | pkg-config | locales) echo "$1" ;;
        cli11) echo libcli11-dev ;;
        zlib) echo zlib1g-dev ;;
        libcsv) echo libcsv-dev ;;
        clang) echo clang libclang-rt-14-dev ;;
        abidiff) echo abigail-tools ;;
        clang-tidy | gcovr | valgrind) echo "$1" ;;
        cmocka) echo libcmocka-dev ;;
        m32) echo g++-i686-linux-gnu libcmocka-dev:i386 libstdc++6:i386 ;;
        s390x) echo g++-s390x-linux-gnu libcmocka-dev:s390x libstdc++6:s390x qemu-user ;;
        aarch64) echo g++-aarch64-linux-gnu libcmocka-dev:arm64 libstdc++6:arm64 qemu-user ;;
        mingw) echo g++-mingw-w64-x86-64-posix libz-mingw-w64-dev ;;
        wine) echo wine wine64 ;;
        musl-arm64) echo musl:arm64 ;;
        debhelper) echo debhelper dpkg-dev ;;
        debootstrap | lintian | musl) echo "$1" ;;
        liblinear) echo liblinear-tools ;;
        cobol) echo gnucobol ;;
        fortran) echo gfortran ;;
        pip) echo python3-pip ;;
        python) echo python3-venv python3-dev ;;
        swig | maven | npm) echo "$1" ;;
        jdk) echo openjdk-17-jdk-headless ;;
        go) echo golang-go ;;
        r) echo r-base-core r-cran-matrix r-cran-testthat r-cran-knitr r-cran-glmnet r-cran-ggplot2 ;;
        r-papers) echo r-cran-kernlab r-cran-mlbench ;;
        tmp) ;;
        *) echo "need.sh: do not know '$1'" >&2 && exit 2 ;;
    esac
}

has_header() { printf '#if !__has_include(<%s>)\n#error missing\n#endif\n' "$1" | ${CXX:-c++} -E -x c++ - >/dev/null 2>&1; }

is_there() {
    case $1 in
        c++) has_header stdlib.h && command -v cc >/dev/null ;;
        locales) test -e /usr/share/i18n/locales/de_DE ;;
        cli11) has_header CLI/CLI.hpp ;;
        zlib) has_header zlib.h ;;
        libcsv) has_header csv.h ;;
        cmocka) has_header cmocka.h ;;
        m32) command -v i686-linux-gnu-g++ >/dev/null && test -e /usr/lib/i386-linux-gnu/libcmocka.so -a -e /usr/lib/i386-linux-gnu/libstdc++.so.6 ;;
        s390x)
            command -v s390x-linux-gnu-g++ >/dev/null && command -v qemu-s390x >/dev/null &&
                test -e /usr/lib/s390x-linux-gnu/libcmocka.so -a -e /usr/lib/s390x-linux-gnu/libstdc++.so.6
            ;;
        aarch64)
            command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null &&
                test -e /usr/lib/aarch64-linux-gnu/libcmocka.so -a -e /usr/lib/aarch64-linux-gnu/libstdc++.so.6
            ;;
        mingw) command -v x86_64-w64-mingw32-g++-posix >/dev/null && test -e /usr/x86_64-w64-mingw32/lib/libz.a ;;
        liblinear) command -v liblinear-train >/dev/null ;;
        cobol) command -v cobc >/dev/null ;;
        fortran) command -v gfortran >/dev/null ;;
        pip) python3 -m pip --version >/dev/null 2>&1 ;;
        python) python3 -c 'import ensurepip, os, sysconfig, venv; open(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null ;;
        musl) test -e /lib/ld-musl-x86_64.so.1 ;;
        musl-arm64) test -e /lib/ld-musl-aarch64.so.1 ;;
        debhelper) command -v dh >/dev/null && command -v dpkg-buildpackage >/dev/null ;;
        jdk) javac --release 17 -version >/dev/null 2>&1 ;;
        maven) command -v mvn >/dev/null ;;
        go) command -v go >/dev/null || test -x /usr/local/go/bin/go ;;
        r) Rscript -e 'for (p in c("Matrix", "testthat", "knitr", "glmnet", "ggplot2")) find.package(p)' >/dev/null 2>&1 ;;
        r-papers) Rscript -e 'for (p in c("kernlab", "mlbench")) find.package(p)' >/dev/null 2>&1 ;;
        tmp)
            probe=$(mktemp) && echo '#!/bin/sh' >"$probe" && chmod +x "$probe" && "$probe" 2>/dev/null
            runs=$?
            rm -f "$probe"
            return $runs
            ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

missing= packages=
for name in "$@"; do
    package=$(package_of "$name") || exit 2
    is_there "$name" || { missing="$missing $name" packages="$packages $package"; }
done
[ -z "$missing" ] && exit 0
case " $missing " in *" tmp "*)
    echo "Programs may not run in ${TMPDIR:-/tmp}, where some are built for a moment: TMPDIR=FOLDER names one where they may." >&2
    exit 1
    ;;
esac

if ! command -v apt-get >/dev/null; then
    echo "Missing:$missing. Please install them (on Debian they are called$packages) and try again." >&2
    exit 1
fi

if [ "$(id -u)" = 0 ]; then as_root=; else as_root="sudo "; fi
install="apt-get install -y --no-install-recommends$packages"
# Libraries for programs of another kind of machine: Debian's dpkg has to be told of it.
architectures=$(echo "$packages" | tr ' ' '\n' | sed -n 's/.*://p' | sort -u)
prepare=
for architecture in $architectures; do prepare="$prepare${as_root}dpkg --add-architecture $architecture && "; done
if [ "${SL_NO_INSTALL:-0}" != 1 ] && { [ -z "$as_root" ] || sudo -n true 2>/dev/null; }; then
    echo "Installing$packages"
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp) || exit 1
    trap 'rm -f "$log"' EXIT
    # A package list that cannot be brought up to date may still be good enough.
    eval "$prepare:" && ${as_root}apt-get update >"$log" 2>&1
    # A machine that has just been started may be at its own updates.
    if ${as_root}env DEBIAN_FRONTEND=noninteractive $install -o DPkg::Lock::Timeout=300 >>"$log" 2>&1; then exit 0; fi
    cat "$log" >&2
fi
echo "Missing:$missing. To install them:" >&2
echo "$prepare${as_root}apt-get update && ${as_root}$install" >&2
exit 1
