"""Models and predictors: what comes out, and how they are kept."""

import copy
import pickle
import threading

import numpy as np
import pytest
import sparselin
from conftest import random_rows


def test_looks_inside():
    model = sparselin.Model(average="none", l2=0)
    assert model.steps == 0 and model.dimension == 0
    model.feed([3, 17], None, +1)
    model.feed([5, 17], None, -1)
    assert model.steps == 2 and model.dimension == 18 and model.classes == 1
    assert list(model.labels) == [-1, 1]
    weights = model.weights
    assert set(weights.indices) <= {3, 5, 17} and weights.bias == model.bias == model.class_bias(0)
    assert all(
        model.weight(int(i)) == model.class_weight(0, int(i)) == w for i, w in zip(weights.indices, weights.values)
    )
    score = model.predict([3, 17])
    assert score == pytest.approx(model.bias + model.weight(3) + model.weight(17))
    assert model.probability(score) == pytest.approx(1 / (1 + np.exp(-score)))
    assert model.label(score) == (1 if score > 0 else -1)
    assert model.option("average") == "none" and model.memory > 0 and 0 < model.mean_loss < 2
    assert repr(model) == "sparselin.Model(loss log, steps 2, dimension 18)"


def test_results_go_where_they_are_asked_to(rows, data):
    matrix, labels = rows
    model = sparselin.Model().fit(data)
    out = np.empty(300)
    assert model.predict_csr(matrix, out) is out and (out == model.predict_dataset(data)).all()
    for wrong in (np.empty(300, np.float32), np.empty(600)[::2]):
        with pytest.raises(TypeError, match="contiguous and of the very type"):
            model.predict_csr(matrix, wrong)
    with pytest.raises(sparselin.InvalidArgumentError, match="scores has 299 entries, but rows 300"):
        model.predict_csr(matrix, np.empty(299))
    locked = np.empty(300)
    locked.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        model.predict_csr(matrix, locked)


def test_feeding_of_a_data_set_is_that_of_its_rows(rows, data):
    a, b = sparselin.Model(), sparselin.Model()
    a.feed_csr(*rows)
    assert b.feed_dataset(data) == 300
    assert a.to_bytes() == b.to_bytes()
    observed = sparselin.Model(scale="rms")
    assert observed.observe_dataset(data) == 300
    observed.feed_dataset(data)


@pytest.mark.parametrize("labels", [lambda r: np.where(r % 3, 1, -1), lambda r: r % 3])
def test_threads_give_the_same_bits(labels):
    matrix, _ = random_rows(5000, 50, 20)
    model = sparselin.Model().fit(sparselin.Dataset(matrix, labels(np.arange(5000))))
    one, data = model.scores_csr(matrix), sparselin.Dataset(matrix, labels(np.arange(5000)))
    model.set_threads(3)
    assert (model.scores_csr(matrix) == one).all() and (model.scores_dataset(data) == one).all()
    signed = (matrix[0], matrix[1].astype(np.int32), matrix[2])
    assert (model.scores_csr(signed) == one).all()
    signed[1][77] = -1
    with pytest.raises(sparselin.InvalidDataError, match="^row 3: an index is -1"):
        model.scores_csr(signed)
    with pytest.raises(sparselin.InvalidArgumentError):
        model.set_threads(5000)
    predictor = model.predictor()
    assert (predictor.scores_csr(matrix) == one).all()


def test_several_classes():
    matrix, _ = random_rows(300, 50, 5)
    labels = np.arange(300) % 3 + 4
    data = sparselin.Dataset(matrix, labels)
    model = sparselin.Model(epochs=3).fit(data)
    assert model.classes == 3 and list(model.labels) == [4, 5, 6]
    scores = model.scores_dataset(data)
    assert scores.shape == (300, 3) and (model.scores_csr(matrix) == scores).all()
    probabilities = model.probabilities(scores)
    assert probabilities.shape == (300, 3) and np.allclose(probabilities.sum(axis=1), 1)
    assert (model.predicted_labels(scores) == 4 + scores.argmax(axis=1)).all()
    for shape in ((900,), (30, 10, 3)):
        reshaped = scores.reshape(shape)
        assert (model.probabilities(reshaped) == probabilities.reshape(shape)).all()
        assert (model.predicted_labels(reshaped) == model.predicted_labels(scores)).all()
    for call in (model.probabilities, model.predicted_labels):
        assert (call(np.asfortranarray(scores)) == call(scores)).all()
        with pytest.raises(sparselin.InvalidArgumentError, match=r"\(450, 2\), but rows have 3 each"):
            call(scores.reshape(450, 2))
    counts = model.confusion(data)
    assert counts.sum() == 300 and 1 - np.trace(counts) / 300 == pytest.approx(model.evaluate(data, "error_rate"))
    assert (model.scores(matrix[1][:5], matrix[2][:5]) == scores[0]).all()
    for k in range(3):
        weights = model.class_weights(k)
        assert (
            weights.bias == model.class_bias(k) and model.class_weight(k, int(weights.indices[0])) == weights.values[0]
        )
    for call, name in (
        (lambda: model.predict([1]), "use scores"),
        (lambda: model.predict_csr(matrix), "use scores_csr"),
        (lambda: model.predict_dataset(data), "use scores_dataset"),
        (lambda: model.probability(0), "use probabilities"),
        (lambda: model.label(0), "use predicted_labels"),
        (lambda: model.bias, "use class_bias"),
        (lambda: model.weight(1), "use class_weight"),
        (lambda: model.weights, "use class_weights"),
        (lambda: model.encoder, "set_encoder gives it one"),
        (lambda: model.feed([1], None, 9), "(set_labels)"),
        (lambda: sparselin.Model(hash_bits=9), "give it to Encoder"),
        (lambda: sparselin.Encoder(classes=3), "give it to Model"),
    ):
        with pytest.raises(sparselin.SparselinError) as caught:
            call()
        assert str(caught.value).endswith(name)
    with pytest.raises(sparselin.InvalidArgumentError, match="class"):
        model.class_bias(3)
    stream = sparselin.Model()
    stream.set_labels([2, 7, 5])
    stream.feed([1], None, 5)
    assert list(stream.labels) == [2, 5, 7]


def test_copies_go_their_own_way(rows, data):
    model = sparselin.Model(l1=1e-4).fit(data)
    for copied in (model.copy(), copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert copied.to_bytes() == model.to_bytes()
        copied.feed([1], None, 1)
        assert copied.to_bytes() != model.to_bytes()
    model.feed([1], None, 1)
    assert copied.to_bytes() == model.to_bytes()


def test_predictors(rows, data, tmp_path):
    matrix, _ = rows
    model = sparselin.Model().fit(data)
    predictor = model.predictor()
    scores = predictor.predict_csr(matrix)
    assert (model.predict_csr(matrix) == scores).all()
    model.save(tmp_path / "p", predictor=True)
    predictor.save(str(tmp_path / "q"))
    assert (
        (tmp_path / "p").read_bytes()
        == (tmp_path / "q").read_bytes()
        == predictor.to_bytes()
        == model.to_bytes(predictor=True)
    )
    model.feed_csr(*rows)
    model.close()
    others = (
        sparselin.Predictor.load(tmp_path / "p"),
        pickle.loads(pickle.dumps(predictor)),
        copy.copy(predictor),
        copy.deepcopy(predictor),
    )
    for other in others:
        assert (other.predict_csr(matrix) == scores).all()
    only = sparselin.Model.load(tmp_path / "q")
    assert pickle.loads(pickle.dumps(only)).to_bytes(predictor=True) == predictor.to_bytes()
    with pytest.raises(sparselin.StateError, match="cannot be trained on"):
        only.feed([1], None, 1)
    copied = copy.copy(predictor)
    copied.close()
    assert predictor.predict([1]) == others[0].predict([1])


def test_files(data, tmp_path):
    model = sparselin.Model(seed=7).fit(data)
    path = tmp_path / "modèle.slm"
    model.save(path)
    with sparselin.Model.load(path) as loaded:
        assert loaded.to_bytes() == model.to_bytes() == path.read_bytes()
        assert loaded.option("seed") == "7"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(sparselin.FormatError):
        sparselin.Model.load(path)
    with pytest.raises(ValueError):
        sparselin.Model.from_bytes(b"")


def test_merging_and_starting(rows):
    (pointers, indices, values), labels = rows
    parts = [sparselin.Model(), sparselin.Model()]
    for part, first in zip(parts, (0, 150)):
        part.feed_csr((pointers[first : first + 151], indices, values), labels[first : first + 150])
    merged = sparselin.Model.merge(parts)
    assert merged.steps == 300
    assert merged.bias == pytest.approx((parts[0].bias + parts[1].bias) / 2)
    begun = sparselin.Model(eta0=0.01)
    begun.start(merged)
    assert begun.predict([3]) == merged.predict([3])
    for wrong in ([], [parts[0], sparselin.Model(l1=1)]):
        with pytest.raises(sparselin.InvalidArgumentError):
            sparselin.Model.merge(wrong)
    with pytest.raises(sparselin.InvalidArgumentError, match="parts is 2, which goes with begin"):
        sparselin.Model.merge(parts, parts=2)


def test_rounds_count_once_what_they_began_with(rows):
    (pointers, indices, values), labels = rows
    begin = sparselin.Model(average="none")
    begin.observe_dataset(sparselin.Dataset((pointers, indices, values), labels))
    begin.feed_csr((pointers[:101], indices, values), labels[:100])
    parts = [begin.copy(), begin.copy()]
    for part, first in zip(parts, (100, 200)):
        part.feed_csr((pointers[first : first + 101], indices, values), labels[first : first + 100])
    mean, farther = (sparselin.Model.merge(parts, begin=begin, parts=count) for count in (1, None))
    assert mean.steps == farther.steps == 300
    weights = np.array([[model.weight(i) for i in range(20)] for model in (begin, *parts, mean, farther)])
    assert weights[3] == pytest.approx(weights[1:3].mean(axis=0))
    moved = np.abs(weights[3] - weights[0]) > 1e-6
    assert moved.any() and (np.abs(weights[4] - weights[0])[moved] > np.abs(weights[3] - weights[0])[moved]).any()
    with pytest.raises(sparselin.InvalidArgumentError, match="parts is 0.5"):
        sparselin.Model.merge(parts, begin=begin, parts=0.5)
    with pytest.raises(sparselin.InvalidArgumentError, match="number 0, of 100 steps, is no copy"):
        sparselin.Model.merge([begin], begin=begin)


def test_closed():
    model, data = sparselin.Model(), sparselin.Dataset([[1.0]], [1])
    with model, data:
        model.fit(data)
    assert model.closed and data.closed
    model.close()
    for call in (
        lambda: model.feed([1], None, 1),
        lambda: model.steps,
        lambda: model.copy(),
        lambda: pickle.dumps(model),
        lambda: model.predict_csr([[1.0]]),
        lambda: sparselin.Model.merge([model]),
    ):
        with pytest.raises(sparselin.InvalidArgumentError, match="the model is closed"):
            call()
    for call in (lambda: data.rows, lambda: data.row(0), lambda: sparselin.Model().fit(data)):
        with pytest.raises(sparselin.InvalidArgumentError, match="the data set is closed"):
            call()
    assert repr(model) == "sparselin.Model(closed)" and repr(data) == "sparselin.Dataset(closed)"


def test_handles_are_told_apart(data):
    model = sparselin.Model()
    for call in (
        lambda: model.fit(model),
        lambda: model.set_encoder(data),
        lambda: model.start(data),
        lambda: sparselin.Model.merge([data]),
    ):
        with pytest.raises((ValueError, TypeError, AttributeError)):
            call()


def test_what_is_in_use_says_so(data):
    model, said = sparselin.Model(epochs=2), []
    model.fit(data, lambda at: said.append(repr(model)))
    assert set(said) == {"sparselin.Model(in use)"} and repr(model).startswith("sparselin.Model(loss log, steps 600")
    assert repr(sparselin.Builder()) == "sparselin.Builder(open)"


def test_threads_predict_at_the_same_time(rows, data):
    matrix, _ = rows
    model = sparselin.Model().fit(data)
    wanted = model.predict_csr(matrix)
    wrong = []

    def ask():
        for _ in range(200):
            if (
                not (model.predict_csr(matrix) == wanted).all()
                or model.predict(matrix[1][:10], matrix[2][:10]) != wanted[0]
            ):
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_scoring_in_threads_changes_no_bit(rows, data):
    matrix, _ = rows
    model = sparselin.Model().fit(data)
    pointers, indices, values = matrix
    many = (
        np.concatenate([pointers[:-1] + k * pointers[-1] for k in range(400)] + [[400 * pointers[-1]]]),
        np.tile(indices, 400),
        np.tile(values, 400),
    )
    alone = model.predict_csr(many)
    model.set_threads(3)
    assert (model.predict_csr(many) == alone).all()
    with pytest.raises(sparselin.InvalidArgumentError, match="1025"):
        model.set_threads(1025)


def test_forgotten_models_are_freed():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    indices = np.arange(100_000, dtype=np.uint32)

    def make(count):
        for _ in range(count):
            model = sparselin.Model(storage="dense")
            model.feed(indices, None, 1)
            model.predictor().predict(indices)
            sparselin.Dataset((np.array([0, 100_000]), indices, None), [1.0]).row(0)
            with pytest.raises(ValueError):
                model.feed(indices, None, float("nan"))

    make(10)
    before = resident()
    make(100)  # of 2.4 MB and more each
    assert resident() - before < 50_000_000
