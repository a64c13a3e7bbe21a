#!/bin/sh
# run.sh BUILD TARGET SECONDS: fuzzes one target, beginning with its corpus and what earlier runs found. What fails is kept as
# BUILD/crash-TARGET-...; give such a file to BUILD/tests/fuzz/fuzz_TARGET to see why.
set -eu
here=$(dirname "$0") build=$1 target=$2 seconds=$3
mkdir -p "$build/corpus/$target"
case $target in
    model) cp "$here"/../data/*.slm "$build/corpus/model" ;;
    data) cp "$here"/../data/*.sld "$build/corpus/data" ;;
esac
# A call may ask for any amount of memory, and is told that there is none.
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=256
echo "fuzz_$target, $seconds seconds"
"$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -malloc_limit_mb=0 -rss_limit_mb=4096 -timeout=60 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix="$build/crash-$target-" "$build/corpus/$target" "$here/corpus/$target" 2>&1 |
    tee "$build/fuzz_$target.log" | grep -E 'executed_units|\.(cpp|h):[0-9]+: |ERROR:|runtime error|written to' || true
! grep -q 'SUMMARY' "$build/fuzz_$target.log"
