"""Encoders: the hashing vectors, records, tables, and models that carry one."""

import copy
import pickle

import numpy as np
import pytest
import sparselin
from conftest import vectors
from sparselin import Encoder, Text


def plain(field):
    """Undoes the escapes of a field."""
    return field.encode("latin-1").decode("unicode_escape").encode("latin-1")


def replay(name):
    options, fields, cases = {}, [], []
    for line in vectors(name):
        kind, *words = line.split("\t")
        if kind == "option":
            options[words[0]] = words[1]
        elif kind == "row":
            wanted = [word.split(":") for word in words if word]
            cases.append((options, fields, [int(i) for i, _ in wanted], [float(v) for _, v in wanted]))
            options, fields = {}, []
        else:
            fields.append((kind, plain(words[0]), plain(words[1])))
    return cases


@pytest.mark.parametrize("name, count", [("hashing.txt", 200), ("hashing-spark.txt", 50)])
def test_hashing_vectors(name, count):
    cases = replay(name)
    assert len(cases) == count
    for options, fields, indices, values in cases:
        encoder = Encoder(options)
        record = {}
        for kind, key, value in fields:
            getattr(encoder, kind)(key, float(value) if kind == "number" else value)
            text = value.decode(errors="surrogateescape")
            record[key.decode(errors="surrogateescape")] = {"number": float, "text": Text, "category": str}[kind](
                value if kind == "number" else text
            )
        rows = [encoder.row()]
        if len(record) == len(fields):
            rows.append(encoder.row(record))
        if len(fields) == 1 and fields[0][0] == "text":
            rows.append(encoder.texts([b"", fields[0][2]], name=fields[0][1]).row(1)[:2])
        for got in rows:
            assert got[0].tolist() == indices and got[1].tolist() == values


def named(encoder, fields):
    indices, values = encoder.row(fields)
    return {encoder.name(int(i)): v for i, v in zip(indices, values)}


def test_records():
    encoder = Encoder(features="dictionary")
    record = {
        "age": 34,
        "city": "Delft",
        "happy": True,
        "about": Text("good Good day"),
        "none": None,
        "tags": ["a", "b"],
        "n": np.float32(2),
    }
    assert named(encoder, record) == {
        "age": 34, "city=Delft": 1, "happy=true": 1, "about=good": 2, "about=day": 1, "tags=a": 1, "tags=b": 1, "n": 2,
    }  # fmt: skip
    assert encoder.dimension == 8 and encoder.name(0) == "age"
    crossed = Encoder(features="dictionary")
    crossed.cross("a", "b")
    assert named(crossed, {"a": 2, "b": "x"}) == {"a": 2, "b=x": 1, "a*b=x": 2}
    with pytest.raises(sparselin.StateError):
        crossed.cross("a", "c")
    for wrong, kind in (
        (object(), TypeError),
        (float("nan"), sparselin.InvalidDataError),
        ("a\0b", ValueError),
        (b"x", TypeError),
    ):
        with pytest.raises(kind):
            encoder.row({"x": wrong})
    encoder.freeze()
    assert named(encoder, {"age": 1, "new": 2}) == {"age": 1}
    with pytest.raises(sparselin.InvalidArgumentError):
        encoder.name(99)


def test_data_of_records():
    encoder = Encoder()
    records = [{"a": 1, "b": "x"}, {"a": 2}]
    data = encoder.records(records, [1, -1], [2, 3])
    for r, record in enumerate(records):
        indices, values = encoder.row(record)
        row = data.row(r)
        assert (row.indices == indices).all() and (row.values == values).all()
    assert data.row(1).label == -1 and data.row(1).weight == 3
    for labels in ([1], [1, 2, 3]):
        with pytest.raises(sparselin.InvalidArgumentError, match="labels has . entries, but records 2"):
            encoder.records(records, labels)
    with pytest.raises(sparselin.InvalidDataError, match="below 0"):
        encoder.row({"a": 1}) and sparselin.Model().feed([-1], None, 1)


def test_texts():
    encoder = Encoder(features="dictionary", threads=2)
    data = encoder.texts(["good day", "good night"], [1, -1])
    assert data.rows == 2 and encoder.dimension == 3
    assert encoder.texts(iter(["night"])).row(0).indices.tolist() == [2]
    encoder.set_threads(1)
    with pytest.raises((TypeError, AttributeError)):
        encoder.texts([3])


TABLE = {
    "n": [1.5, float("nan"), 3],
    "i": [1, 2, 3],
    "c": ["x", None, "y"],
    "b": [True, False, True],
    "t": ["good day", None, "day"],
}
WANTED = [
    {"n": 1.5, "i": 1, "c=x": 1, "b=true": 1, "t=good": 1, "t=day": 1},
    {"i": 2, "b=false": 1},
    {"n": 3, "i": 3, "c=y": 1, "b=true": 1, "t=day": 1},
]


def tables():
    yield "dictionary", lambda: TABLE
    yield "pandas", lambda: pytest.importorskip("pandas").DataFrame(TABLE)
    yield "polars", lambda: pytest.importorskip("polars").DataFrame(TABLE, strict=False)


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in tables()])
def test_tables(make):
    encoder = Encoder(features="dictionary")
    table = make()
    data = encoder.table(table, labels=[1, -1, 1], text=["t"])
    for r, wanted in enumerate(WANTED):
        row = data.row(r)
        assert {encoder.name(int(i)): v for i, v in zip(row.indices, row.values)} == wanted
    with pytest.raises(sparselin.InvalidArgumentError, match="no column 'absent'"):
        encoder.table(table, text=["absent"])


def test_categories_of_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"k": pandas.Categorical([1, 2]), "m": pandas.array([7, None], dtype="Int64"), "s": ["a", pandas.NA]}
    )
    encoder = Encoder(features="dictionary")
    data = encoder.table(frame)
    names = [[encoder.name(int(i)) for i in data.row(r).indices] for r in range(2)]
    assert names == [["k=1", "m", "s=a"], ["k=2"]]


def test_encoders_are_kept(tmp_path):
    encoder = Encoder(features="dictionary", min_count=1)
    encoder.row({"a": 1, "b": 2})
    encoder.save(tmp_path / "e")
    copies = (
        Encoder.load(tmp_path / "e"),
        copy.copy(encoder),
        copy.deepcopy(encoder),
        pickle.loads(pickle.dumps(encoder)),
    )
    for again in copies:
        assert again.name(1) == "b" and again.option("features") == "dictionary"
        assert again.to_bytes() == encoder.to_bytes()
    assert repr(encoder) == "sparselin.Encoder(features dictionary, dimension 2)"


def test_models_carry_their_encoder(tmp_path):
    encoder = Encoder(features="dictionary")
    data = encoder.texts(["good day", "bad night"], [1, -1])
    model = sparselin.Model().fit(data)
    with pytest.raises(sparselin.StateError):
        model.encoder
    model.set_encoder(encoder)
    wanted = model.predict([0])
    assert model.predict_record({"": Text("good")}) == wanted
    assert model.scores_record({"": Text("good unheard of")}).tolist() == [wanted]
    assert model._frozen.dimension == model.encoder.dimension == 4  # asking teaches nothing
    model.save(tmp_path / "m", predictor=True)
    predictor = sparselin.Predictor.load(tmp_path / "m")
    assert predictor.predict_record({"": Text("good")}) == wanted and predictor.encoder.dimension == 4
    model.set_encoder(None)
    with pytest.raises(sparselin.StateError):
        model.predict_record({"": Text("good")})


def test_closed():
    encoder = Encoder()
    encoder.close()
    for call in (lambda: encoder.row({"a": 1}), lambda: encoder.texts(["a"]), lambda: encoder.dimension, encoder.copy):
        with pytest.raises(sparselin.InvalidArgumentError, match="the encoder is closed"):
            call()
    assert repr(encoder) == "sparselin.Encoder(closed)"
