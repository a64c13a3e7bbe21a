# Spam from raw text: the lines of the first file, after its heading, are learned, those of the second told apart.
import pathlib
import sys

import sparselin

encoder = sparselin.Encoder(hash_bits=20)


def mail(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").split("\n")[1:-1]
    labels, texts = zip(*(line.split("\t", 1) for line in lines))
    return encoder.texts(texts, [float(label) for label in labels])


model = sparselin.Model().fit(mail(sys.argv[1]))
print(f"{100 * model.evaluate(mail(sys.argv[2]), 'error_rate'):.2f} % wrong")
