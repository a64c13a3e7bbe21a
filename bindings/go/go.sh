#!/bin/sh
# go.sh ARGUMENTS: the go command, for work on the library itself. Go's cache does not see changes of src and include, of which C is told a
# checksum here, as a define that nothing reads: where that is another, all is compiled anew.
set -eu
sources=$(cd "$(dirname "$0")/../.." && cat src/*.cpp src/*.h include/sparselin.h | cksum | cut -d ' ' -f 1)
export PATH="$PATH:/usr/local/go/bin" CGO_CPPFLAGS="${CGO_CPPFLAGS:-} -DSL_SOURCES=$sources"
exec go "$@"
