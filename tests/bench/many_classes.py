#!/usr/bin/env python3
"""many_classes.py PROGRAM SET...: several classes beside LIBLINEAR and scikit-learn, where they are installed: test error, log loss and the
seconds of learning, of one core. SET: sections (Debian's package descriptions by section: what `apt-cache dumpavail` says), letters (20,000
of UCI that R's package mlbench has, each of 16 measures from 0 to 15 a category), digits (scikit-learn's). Every fifth row is for testing. A
parameter in brackets is the best of three on the test rows: a bound, not a method."""
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import numpy
from scipy.sparse import csr_matrix
from sklearn.datasets import dump_svmlight_file, load_digits
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import log_loss


def sections():
    texts, labels, seen = [], [], set()
    for paragraph in subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, check=True).stdout.split("\n\n"):
        name = re.search(r"^Package: (.*)", paragraph, re.M)
        section = re.search(r"^Section: (?:.*/)?(.*)", paragraph, re.M)
        text = re.search(r"^Description(?:-en)?: (.*)", paragraph, re.M)
        if name and section and text and name[1] not in seen:
            seen.add(name[1])
            labels.append(section[1])
            texts.append(text[1])
    kept = {label for label in set(labels) if labels.count(label) >= 25}
    rows = [(text, label) for text, label in zip(texts, labels) if label in kept]
    random.Random(1).shuffle(rows)
    names = sorted(kept)
    x = HashingVectorizer(n_features=2**18, alternate_sign=False, norm="l2").transform(text for text, _ in rows)
    return x, numpy.array([names.index(label) for _, label in rows])


def digits():
    x, y = load_digits(return_X_y=True)
    order = numpy.random.RandomState(1).permutation(len(y))
    return x[order] / 16, y[order]


def letters():
    script = 'data(LetterRecognition, package = "mlbench"); write.table(LetterRecognition, sep = ",", quote = FALSE, row.names = FALSE)'
    out = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, check=True).stdout
    rows = [line.split(",") for line in out.splitlines()[1:]]
    random.Random(1).shuffle(rows)
    columns = numpy.array([[16 * k + int(value) for k, value in enumerate(row[1:])] for row in rows])
    x = csr_matrix((numpy.ones(columns.size), columns.ravel(), numpy.arange(0, columns.size + 1, 16)), shape=(len(rows), 256))
    return x, numpy.array([ord(row[0]) - ord("A") for row in rows])


def say(name, error, loss, seconds):
    shown = "" if loss is None or numpy.isnan(loss) else f"{loss:.3f}"
    print(f"  {name:45s}{100 * error:7.2f} %{shown:>9}{seconds:9.2f} s", flush=True)


def sparselin(program, folder, name, *options):
    model = os.path.join(folder, "model.slm")
    out = subprocess.run([program, "train", folder + "/train", "--index_base", "zero", "--model", model, "--quiet", *options],
                         capture_output=True, text=True, check=True).stdout
    seconds = float(re.search(r"^seconds +([0-9.e-]+)", out, re.M)[1])
    out = subprocess.run([program, "evaluate", model, folder + "/test", "--index_base", "zero"], capture_output=True, text=True, check=True).stdout
    value = lambda metric: float((re.search(rf"^{metric} +([0-9.e-]+)", out, re.M) or [0, "nan"])[1])
    say(name, value("error_rate"), value("log_loss"), seconds)


def liblinear(folder, solver, costs, y):
    best = None
    for cost in costs:
        start = os.times().children_user
        subprocess.run(["liblinear-train", "-q", "-s", str(solver), "-c", str(cost), folder + "/train1", folder + "/model"], check=True)
        seconds = os.times().children_user - start
        probabilities = ["-b", "1"] if solver == 0 else []
        subprocess.run(["liblinear-predict", *probabilities, folder + "/test1", folder + "/model", folder + "/out"], check=True, stdout=subprocess.DEVNULL)
        lines = open(folder + "/out").read().split("\n")[:-1]
        loss = None
        if solver == 0:
            order = [int(label) for label in lines[0].split()[1:]]
            table = numpy.array([[float(p) for p in line.split()[1:]] for line in lines[1:]])
            table = table[:, numpy.argsort(order)]
            loss = log_loss(y, table / table.sum(axis=1, keepdims=True), labels=sorted(order))
            lines = lines[1:]
        error = numpy.mean(numpy.array([int(line.split()[0]) for line in lines]) != y)
        if best is None or error < best[1]:
            best = (f"LIBLINEAR -s {solver} [-c {cost}]", error, loss, seconds)
    say(*best)


def scikit(model, name, train, test):
    start = time.process_time()
    model.fit(*train)
    seconds = time.process_time() - start
    loss = log_loss(test[1], model.predict_proba(test[0]), labels=model.classes_) if hasattr(model, "predict_proba") else None
    say(name, 1 - model.score(*test), loss, seconds)


def main():
    program = os.path.abspath(sys.argv[1])
    for name in sys.argv[2:] or ["sections", "letters", "digits"]:
        x, y = {"sections": sections, "letters": letters, "digits": digits}[name]()
        held = numpy.arange(len(y)) % 5 == 0
        train, test = (x[~held], y[~held]), (x[held], y[held])
        print(f"{name}: {len(train[1])} rows to learn, {len(test[1])} to test, {len(set(y))} classes")
        with tempfile.TemporaryDirectory() as folder:
            for part, rows in (("train", train), ("test", test)):
                dump_svmlight_file(*rows, folder + "/" + part, zero_based=True)
                dump_svmlight_file(*rows, folder + "/" + part + "1", zero_based=False)
            sparselin(program, folder, "sparselin, one pass")
            sparselin(program, folder, "sparselin, 5 passes", "--epochs", "5")
            sparselin(program, folder, "sparselin, one_vs_rest, one pass", "--multiclass", "one_vs_rest")
            sparselin(program, folder, "sparselin, one_vs_rest, 5 passes", "--multiclass", "one_vs_rest", "--epochs", "5")
            sparselin(program, folder, "sparselin, hinge, 5 passes", "--loss", "hinge", "--epochs", "5")
            for solver in (0, 1, 4):
                liblinear(folder, solver, (1, 3, 10) if solver == 0 else (0.1, 0.3, 1), test[1])
        scikit(SGDClassifier(loss="log_loss", random_state=1), "scikit-learn SGDClassifier, log_loss", train, test)
        if hasattr(x, "indices"):  # columns that no row to learn has take most of its time, and change nothing
            seen = numpy.unique(train[0].indices)
            train, test = (train[0][:, seen], train[1]), (test[0][:, seen], test[1])
        scikit(LogisticRegression(max_iter=1000), "scikit-learn LogisticRegression", train, test)


main()
