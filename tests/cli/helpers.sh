# What the tests of the program share. $1 is the program, $2 the folder of the data.
sparselin=$(realpath "$1") data=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# So that memory can be told under AddressSanitizer too, which keeps what was freed.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:quarantine_size_mb=1"

failures=0
failed() {
    failures=$((failures + 1))
    echo "FAILED: $*" >&2
}

# run ARGUMENT...: leaves the exit code in $code, and out and err with what was written.
run() {
    "$sparselin" "$@" >out 2>err
    code=$?
}

# refuses CODE PATTERN ARGUMENT...: ends with the code, and with a message that begins with the program's name and has the pattern.
refuses() {
    local wanted=$1 pattern=$2
    shift 2
    run "$@"
    [ "$code" = "$wanted" ] || failed "exit code $code, not $wanted: $*"
    { head -n 1 err | grep -q '^sparselin: '; } && grep -q -e "$pattern" err || failed "no message about '$pattern': $*: $(cat err)"
}

works() {
    run "$@"
    [ "$code" = 0 ] || failed "exit code $code: $*: $(cat err)"
}

# value NAME: the value of a line of a report in out.
value() {
    awk -v name="$1" '{ found = substr($0, 1, 18); sub(/ *$/, "", found); text = substr($0, 19); sub(/ .*/, "", text) }
                      found == name { print text }' out
}
between() { awk "BEGIN { exit !($1 < $2 && $2 < $3) }"; }
same() { cmp -s "$1" "$2" || failed "$1 and $2 differ: $3"; }
