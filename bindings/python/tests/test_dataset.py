"""Data sets, readers and builders."""

import copy
import gzip
import io
import pickle
import tracemalloc

import numpy as np
import pytest
import sparselin

TEXT = b"1 1:0.5 3:2\n-1 2:1 # comment\n1\n"


def held(data):
    return [(r.indices.tolist(), r.values.tolist(), r.label, r.weight) for r in map(data.row, range(data.rows))]


ROWS = [([0, 2], [0.5, 2.0], 1.0, 1.0), ([1], [1.0], -1.0, 1.0), ([], [], 1.0, 1.0)]


@pytest.mark.parametrize("words", [["a", "b"], np.array(["a", "b"], object), np.array(["a", "b"]), [1, "b"], [b"a", b"b"]])
def test_words_are_no_labels_and_the_message_says_what_to_do(words):
    matrix, encoder = np.eye(2), sparselin.Encoder()
    for call in (
        lambda: sparselin.Dataset(matrix, words),
        lambda: sparselin.Dataset([[0.0], [0.0]], [1, 2]).with_labels(words),
        lambda: sparselin.Dataset.from_csc([0, 1, 2], [0, 1], None, words),
        lambda: sparselin.Model().feed_csr(matrix, words),
        lambda: encoder.texts(["x", "y"], words),
        lambda: encoder.records([{}, {}], words),
        lambda: encoder.table({"x": [1, 2]}, words),
        lambda: sparselin.Model().set_labels(words),
    ):
        with pytest.raises(TypeError, match="labels are numbers: numpy.unique"):
            call()


def test_rows_are_canonical():
    data = sparselin.Dataset.from_csr([0, 4, 4], [7, 2, 7, 5], [1, 2, 3, 0], [1, 0], [0.5, 2])
    assert held(data) == [([2, 7], [2.0, 4.0], 1.0, 0.5), ([], [], 0.0, 2.0)]
    assert (data.rows, len(data), data.nonzeros, data.dimension) == (2, 2, 2, 8)
    assert repr(data) == "sparselin.Dataset(rows 2, nonzeros 2, dimension 8)"
    by_column = sparselin.Dataset.from_csc([0, 1, 1, 3], [1, 0, 1], [1.0, 2.0, 3.0], [1, -1])
    assert held(by_column) == [([2], [2.0], 1.0, 1.0), ([0, 2], [1.0, 3.0], -1.0, 1.0)]


def test_text(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_bytes(TEXT)
    zipped = tmp_path / "rows.svm.gz"
    zipped.write_bytes(gzip.compress(TEXT))
    for data in (
        sparselin.Dataset.load(path),
        sparselin.Dataset.load(str(zipped), threads=2),
        sparselin.Dataset.read(io.BytesIO(TEXT)),
        sparselin.Dataset.read(gzip.open(zipped)),
    ):
        assert held(data) == ROWS
    zero = sparselin.Dataset.read(io.BytesIO(TEXT), index_base="zero")
    assert zero.row(0).indices.tolist() == [1, 3]
    with pytest.raises(sparselin.FormatError, match="line 2"):
        sparselin.Dataset.read(io.BytesIO(b"1 1:1\nnonsense\n"))
    with pytest.raises(FileNotFoundError) as caught:
        sparselin.Dataset.load(tmp_path / "absent")
    assert isinstance(caught.value, sparselin.FileError) and caught.value.errno == 2


def test_sources_that_fail():
    class Bad:
        def __init__(self, answer):
            self.answer = answer

        def read(self, size):
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer(size)

    for answer, kind in (
        (OSError("broken"), OSError),
        (KeyError("mine"), KeyError),
        (lambda size: "text", TypeError),
        (lambda size: None, TypeError),
        (lambda size: b" " * (size + 1), ValueError),
    ):
        with pytest.raises(kind):
            sparselin.Dataset.read(Bad(answer))
        with pytest.raises(kind):
            sparselin.Reader(Bad(answer)).next(10)


def test_kept(data, tmp_path):
    data.save(tmp_path / "d")
    for again in (
        sparselin.Dataset.load(tmp_path / "d"),
        pickle.loads(pickle.dumps(data)),
        copy.copy(data),
        copy.deepcopy(data),
    ):
        assert held(again) == held(data)
    copied = copy.copy(data)
    data.close()
    assert copied.rows == 300


def test_labels_and_weights_leave_the_rows_alone():
    wide = sparselin.Dataset((np.array([0, 100000, 100001]), np.r_[np.arange(100000), 5], None), [1, -1], [1, 0.5])
    tracemalloc.start()
    assert list(wide.labels) == [1, -1] and list(wide.weights) == [1, 0.5]
    assert tracemalloc.get_traced_memory()[1] < 100000
    tracemalloc.stop()


def test_with_labels(data):
    other = data.with_labels(np.arange(300))
    assert other.row(7).label == 7 and (other.row(7).values == data.row(7).values).all()
    weighted = other.with_labels(weights=np.arange(300))
    assert weighted.row(7).weight == 7 and weighted.row(7).label == 7
    with pytest.raises(sparselin.InvalidArgumentError, match="labels has 2 entries, but rows 300"):
        data.with_labels([1, 2])


def test_rows_that_are_not_there(data):
    with pytest.raises(IndexError, match="-1"):
        data.row(-1)
    with pytest.raises(sparselin.InvalidArgumentError, match="300"):
        data.row(300)


def test_readers():
    text = b"".join(b"1 %d:1\n" % (i + 1) for i in range(1000))
    with sparselin.Reader(io.BytesIO(text)) as reader:
        rows = [index for data in reader.chunks(64) for indices, *_ in held(data) for index in indices]
        assert rows == list(range(1000)) and reader.next(5) is None
    with pytest.raises(sparselin.InvalidArgumentError, match="the reader is closed"):
        reader.next(5)
    with pytest.raises(ValueError):
        sparselin.Reader(io.BytesIO(text)).next(0)
    broken = sparselin.Reader(io.BytesIO(text + b"nonsense\n"))
    with pytest.raises(sparselin.FormatError, match="line 1001"):
        for _ in broken.chunks(64):
            pass
    model, wanted = sparselin.Model(), sparselin.Model()
    with sparselin.Reader(io.BytesIO(text)) as reader:
        for data in reader.chunks(100):
            model.feed_dataset(data)
    wanted.feed_dataset(sparselin.Dataset.read(io.BytesIO(text)))
    assert model.to_bytes() == wanted.to_bytes()


def test_builders():
    with sparselin.Builder(2, 3) as builder:
        builder.add([2, 0], [2.0, 0.5], 1).add([1], None, -1, weight=3)
        first = builder.build()
        with pytest.raises(sparselin.InvalidDataError, match="row 0"):
            builder.add([1], [np.inf], 1)
        builder.add([], [], 5)
        assert held(builder.build()) == [([], [], 5.0, 1.0)]
    assert held(first) == [([0, 2], [0.5, 2.0], 1.0, 1.0), ([1], [1.0], -1.0, 3.0)]
    with pytest.raises(sparselin.InvalidArgumentError, match="the builder is closed"):
        builder.add([1], None, 1)
