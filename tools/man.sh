#!/bin/sh
# man.sh PROGRAM HEADER OUT: writes the manual pages OUT/sparselin.1 and OUT/sparselin.3. Commands and options are what the program says of
# itself, and functions those of the header; what neither says stands here.
set -eu
program=$1 header=$2 out=$3
version=$("$program" --version | sed 's/.* //')
commands=$("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p')
test -n "$commands"

# What --help says of a command, as text for man: options are named in the first columns, and explained behind them and below.
page_of() {
    "$program" "$1" --help | LC_ALL=C awk -v command="$1" '
        function plain(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); return text }
        function say(text) { text = plain(text); if (text ~ /^[.\x27]/) text = "\\&" text; print text }
        function entry(name, text) {
            if (listed) { known = known (known == "" ? "" : ", ") "\\fB" plain(substr(name, 1, index(name " ", " ") - 1)) "\\fR"; return }
            print heading ".TP"
            heading = ""
            name = plain(name)
            if (name ~ / /) sub(/ [^ ]*$/, " \\fI&\\fR", name); else name = name "\\fR"
            sub(/ \\fI /, "\\fR \\fI", name)
            print "\\fB" name
            if (text != "") say(text)
        }
        function close_list() { if (listed && known != "") print known "."; listed = 0; known = "" }
        NR == 1 { about = $0; next }
        NR == 2 {
            sub(/^Usage: /, "")
            print ".SS \"" plain($0) "\""
            print toupper(substr(about, 1, 1)) plain(substr(about, 2)) "."
            next
        }
        /^$/ { close_list(); after_blank = 1; next }
        /^[^ ].*:$/ && after_blank && !/^Example:/ {
            # They are the same for all commands, and told of once.
            listed = command != "train" && /^Options of the library/
            heading = ".PP\n" plain($0) "\n"
            if (listed) print ".PP\n" plain(substr($0, 1, length($0) - 1)) ", as of train:"
            group = 1; after_blank = 0; next
        }
        /^Example:/ { close_list(); print ".PP"; print "Example:"; group = 0; after_blank = 0; next }
        !group && /^  / { print ".PP"; print ".RS 4"; print ".nf"; say(substr($0, 3)); print ".fi"; print ".RE"; next }
        group && /^  [^ ]/ {
            if (substr($0, 31, 1) == " ") { name = substr($0, 3, 28); text = substr($0, 32) } else { name = substr($0, 3); text = "" }
            sub(/ +$/, "", name)
            if (name != "-h, --help") entry(name, text)
            skipped = name == "-h, --help"
            after_blank = 0; next
        }
        group && /^    / { sub(/^ +/, ""); if (!listed && !skipped) say($0); next }
        { if (after_blank) print ".PP"; group = 0; after_blank = 0; say($0) }
        END { close_list() }'
}

{
    cat <<EOF
.TH SPARSELIN 1 "" "sparselin $version" "User Commands"
.SH NAME
sparselin \- linear predictors on sparse data, trained by stochastic gradient descent
.SH SYNOPSIS
.B sparselin
.I COMMAND
[\fIOPTIONS\fR] \fIFILE\fR...
.br
.B sparselin
\fICOMMAND\fR \fB\-\-help\fR
.br
.B sparselin \-\-version
.SH DESCRIPTION
.B sparselin
learns linear models from labelled sparse examples, in svmlight text or tables, and applies them.
A step costs what the nonzeros of an example cost, whatever the number of features, and penalties and averages are exact nonetheless.
Results go to standard output, progress and errors to standard error.
The same data and options give the same bits on every machine, and models are files that the library
.BR sparselin (3)
reads in every language.
.SH COMMANDS
EOF
    for command in $commands; do page_of "$command"; done
    cat <<'EOF'
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Bad data, or a file that could not be read or written.
.TP
.B 2
Bad usage: an unknown command or option, or a value out of range.
.TP
.BI 128+ n
Stopped by signal
.IR n ;
SIGINT and SIGTERM let
.B train
save what it has learned.
.SH EXAMPLES
Learn a model of few weights, see how well it does on other data, and which words it goes by:
.PP
.RS 4
.nf
sparselin train mail.svm.gz \-\-l1 1e\-5 \-\-model mail.slm \-\-test other.svm.gz
sparselin inspect mail.slm \-\-names words.txt
.fi
.RE
.PP
Learn from a table, and give the probability that each row of another is spam:
.PP
.RS 4
.nf
sparselin train mails.csv \-\-label class \-\-positive spam \-\-text body \-\-model mails.slm
sparselin predict mails.slm new.csv \-\-probability \-\-with id
.fi
.RE
.SH SEE ALSO
.BR sparselin (3)
EOF
} >"$out/sparselin.1"

{
    cat <<EOF
.TH SPARSELIN 3 "" "sparselin $version" "Library Functions"
.SH NAME
sparselin \- linear predictors on sparse data, trained by stochastic gradient descent
.SH SYNOPSIS
.nf
.B #include <sparselin.h>
.PP
\fBcc\fR \fIprogram.c\fR \fB\$(pkg\-config \-\-cflags \-\-libs sparselin)\fR
.fi
EOF
    cat <<'EOF'
.SH DESCRIPTION
A model is fed labelled sparse examples, or fits a data set, and gives scores w.x + b.
The header is the manual: its comments say of each function what it takes, gives and costs, and how it fails.
This page says what holds for all, and what there is.
.PP
Whoever creates a handle
.RI ( sl_options ", " sl_model ", " sl_dataset ", " sl_reader ", " sl_encoder ", " sl_builder ", " sl_search )
frees it, by the function of its kind that ends in
.BR _free ,
which takes NULL, too.
Arrays that go in are borrowed for the call.
Indices are of type
.I uint32_t
and begin at 0; NULL in place of values or weights means that all are 1.
.PP
A handle belongs to one thread at a time, except that calls which take a
.I const
handle may run in any number of threads while no other call on it does.
The library prints nothing, never exits, reads neither locale nor environment, and starts no thread unless asked to.
.SH RETURN VALUE
A function that can fail returns an
.I sl_status
and takes a last parameter
.IR error ,
which may be NULL.
.B SL_OK
is 0.
After a failure
.I error
holds the status, the row at fault or \-1, and one line of text that names the value and the place.
A call that fails changes nothing; one over many rows may have learned those before the row at fault.
.SH FUNCTIONS
.nh
.ad l
EOF
    # The sections of the header, and under each the names of what it declares.
    LC_ALL=C awk '
        function finish() { if (names != "") print names "." ; names = "" }
        /^\/\* -+ .* \*\/$/ { finish(); gsub(/^\/\* -+ | \*\/$/, ""); section = toupper(substr($0, 1, 1)) substr($0, 2); next }
        /^SL_API/ {
            match($0, /sl_[a-z0-9_]+\(/)
            if (names == "") { print ".SS \"" section "\"" }
            names = names (names == "" ? "" : ",\n") "\\fB" substr($0, RSTART, RLENGTH - 1) "\\fR()"
        }
        END { finish() }' "$header"
    cat <<'EOF'
.hy
.ad b
.SH VERSIONS
The soname, libsparselin.so.1, and the version of its symbols, SPARSELIN_1.0, promise that a program linked with 1.0 runs with every later 1.x.
Functions that come later have a symbol version of their own, so that an older library is refused when the program starts.
.SH EXAMPLES
.nf
EOF
    # The header's own example.
    sed -n '/^ \*     #include <sparselin.h>/,/^ \*     }$/s/^ \* \{0,5\}//p' "$header" | sed 's/\\/\\e/g; s/-/\\-/g'
    cat <<'EOF'
.fi
.SH SEE ALSO
.BR sparselin (1)
EOF
} >"$out/sparselin.3"
