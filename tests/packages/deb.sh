#!/bin/sh
# deb.sh ROOT WORK DEBS: installs the Debian packages in the folder DEBS into a root file system of Debian that debootstrap makes in WORK/root
# and that has a compiler besides (static linking takes C++'s runtime), uses them, and removes them. Only root can enter another root file system.
set -eu
root=$1 work=$2 debs=$3
test "$(id -u)" = 0 || { echo "deb.sh: only root can enter another root file system" >&2 && exit 1; }

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root chroot "$work/root" "$@"; }

mkdir -p "$work"
if ! [ -e "$work/root/ready" ]; then
    rm -rf "$work/root"
    debootstrap --variant=minbase bookworm "$work/root" >"$work/root.log" 2>&1 || { tail "$work/root.log" >&2 && exit 1; }
    inside sh -c 'apt-get update && apt-get install -y --no-install-recommends g++ pkg-config' >"$work/root.log" 2>&1 ||
        { tail "$work/root.log" >&2 && exit 1; }
    touch "$work/root/ready"
fi
rm -rf "$work/root/debs" "$work/root/use"
mkdir "$work/root/debs" "$work/root/use"
cp "$debs"/*.deb "$work/root/debs"
# Whatever they brought along goes with them; an earlier test may have ended before that.
remove() {
    inside sh -c 'dpkg --purge sparselin libsparselin-dev libsparselin1 && apt-get autoremove -y --purge' >"$work/log" 2>&1 ||
        { tail "$work/log" >&2 && exit 1; }
}
remove
cp "$root/tests/install/app.c" "$root"/examples/data/spam.*.svm.gz "$work/root/use"
inside find / -xdev -path /proc -prune -o ! -path '/var/*' ! -path /debs/\* -print | sort >"$work/before"
# A minimal Debian leaves manuals out when it installs.
inside sh -c 'apt-get install -y --no-install-recommends -o Dpkg::Options::=--path-include=/usr/share/man/\* /debs/*.deb' >"$work/log" 2>&1 ||
    { tail "$work/log" >&2 && exit 1; }
inside sh -euc 'cd /use
    cc app.c $(pkg-config --cflags --libs sparselin) -o /tmp/app
    /tmp/app
    ldd /tmp/app | grep -q "libsparselin.so.1 => /"
    cc -static app.c $(pkg-config --static --cflags --libs sparselin) -o /tmp/app
    /tmp/app
    rm /tmp/app
    sparselin train spam.train.svm.gz --quiet --model /tmp/model >/dev/null
    sparselin evaluate /tmp/model spam.test.svm.gz --metric error_rate
    rm /tmp/model
    ls /usr/share/man/man1/sparselin.1.gz /usr/share/man/man3/sparselin.3.gz /usr/share/doc/sparselin/copyright >/dev/null'
remove
inside find / -xdev -path /proc -prune -o ! -path '/var/*' ! -path /debs/\* -print | sort >"$work/after"
diff "$work/before" "$work/after"
echo "$(cd "$debs" && echo *.deb): installed, used and removed"
