"""Models and predictors: what goes in, what comes out, how they are kept."""

import copy
import pickle
import threading

import numpy as np
import pytest
import scipy.sparse as sparse
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


@pytest.mark.parametrize("integers", [np.uint32, np.int32, np.int64, np.uint8, list])
@pytest.mark.parametrize("floats", [np.float64, np.float32, np.int16, list])
def test_one_example_of_any_numbers(integers, floats):
    def of(kind, numbers):
        return numbers if kind is list else np.array(numbers, kind)

    model, wanted = sparselin.Model(), sparselin.Model()
    for label in (1, -1):
        model.feed(of(integers, [2, 7]), of(floats, [3, -label]), label)
        wanted.feed(np.array([2, 7], np.uint32), np.array([3.0, -label]), label)
    assert model.to_bytes() == wanted.to_bytes()
    assert model.predict(of(integers, [2]), of(floats, [2])) == wanted.predict([2], [2.0])


def matrices(rows):
    """The same matrix in every form."""
    pointers, indices, values = rows
    shape = len(pointers) - 1, int(indices.max()) + 1
    csr = sparse.csr_matrix((values, indices.astype(np.int32), pointers.astype(np.int32)), shape)
    long = csr.copy()
    long.indptr, long.indices = long.indptr.astype(np.int64), long.indices.astype(np.int64)
    forms = {
        "tuple": rows,
        "lists": tuple(part.tolist() for part in rows),
        "csr": csr,
        "csr, int64": long,
        "csr array": sparse.csr_array(csr),
        "csc": csr.tocsc(),
        "coo": csr.tocoo(),
        "dense": csr.toarray(),
        "dense, columns first": np.asfortranarray(csr.toarray()),
        "strided": (np.repeat(pointers, 2)[::2], np.repeat(indices, 2)[::2], np.repeat(values, 2)[::2]),
    }
    return forms.items()


def test_matrices_of_every_form(rows):
    matrix, labels = rows
    wanted = sparselin.Model()
    assert wanted.feed_csr(matrix, labels) == 300
    scores = wanted.predict_csr(matrix)
    fitted = sparselin.Model(epochs=2).fit(sparselin.Dataset(matrix, labels))
    for name, form in matrices(matrix):
        model = sparselin.Model()
        assert model.feed_csr(form, labels.astype(int)) == 300, name
        assert model.to_bytes() == wanted.to_bytes(), name
        assert (model.predict_csr(form) == scores).all(), name
        assert sparselin.Model(epochs=2).fit(sparselin.Dataset(form, labels)).to_bytes() == fitted.to_bytes(), name


def test_values_of_float32(rows):
    (pointers, indices, values), labels = rows
    narrow = values.astype(np.float32)
    a, b = sparselin.Model(), sparselin.Model()
    a.feed_csr((pointers, indices, narrow), labels)
    b.feed_csr((pointers, indices, narrow.astype(np.float64)), labels)
    assert a.to_bytes() == b.to_bytes()


def test_arrays_are_not_copied(rows):
    """What is of the very type is the caller's memory."""
    from sparselin._arrays import rows_of

    (pointers, indices, values), _ = rows
    csr = sparse.csr_matrix((values, indices.astype(np.int32), pointers.astype(np.int32)))
    taken = rows_of(csr)
    assert np.shares_memory(taken.values, csr.data) and np.shares_memory(taken.indices, csr.indices)
    taken = rows_of((pointers, indices, values))
    assert all(np.shares_memory(a, b) for a, b in zip(taken, (pointers, indices, values)))


def test_values_may_be_absent():
    ones, absent = sparselin.Model(), sparselin.Model()
    ones.feed_csr(([0, 2, 3], [1, 2, 2], [1.0, 1.0, 1.0]), [1, -1], [1, 2])
    absent.feed_csr(([0, 2, 3], [1, 2, 2], None), [1, -1], [1, 2])
    assert ones.to_bytes() == absent.to_bytes()


def test_no_rows():
    model = sparselin.Model()
    assert model.feed_csr(sparse.csr_matrix((0, 5)), []) == 0
    assert model.predict_csr(np.zeros((0, 3))).shape == (0,)
    assert sparselin.Model().fit(sparselin.Dataset(np.zeros((0, 3)), [])).steps == 0


def test_negative_indices_are_refused(rows):
    (pointers, indices, values), labels = rows
    signed = indices.astype(np.int32)
    signed[1234] = -5  # of row 123
    for kind in (np.int32, np.int64):
        model, matrix = sparselin.Model(), (pointers, signed.astype(kind), values)
        with pytest.raises(sparselin.InvalidDataError, match="an index is -5, below 0") as caught:
            model.feed_csr(matrix, labels)
        assert caught.value.row == (123 if kind is np.int32 else None)
        for call in (model.predict_csr, model.scores_csr, lambda x: sparselin.Dataset(x, labels)):
            with pytest.raises(ValueError, match="below 0"):
                call(matrix)
        with pytest.raises(ValueError, match="below 0"):
            model.feed(signed[1230:1240].astype(kind), None, 1)
    assert model.steps == 0


def test_indices_up_to_the_largest():
    model = sparselin.Model()
    model.feed(np.array([2**32 - 1], np.uint32), None, 1)
    assert model.dimension == 2**32 and model.predict([2**32 - 1]) != model.bias
    with pytest.raises(sparselin.InvalidDataError, match="beyond 4294967295"):
        model.feed([2**32], None, 1)


def test_failures_name_the_row_and_keep_what_was_done(rows):
    (pointers, indices, values), labels = rows
    spoilt = values.copy()
    spoilt[2005] = np.nan
    model, wanted = sparselin.Model(), sparselin.Model()
    with pytest.raises(sparselin.InvalidDataError, match="^row 200: .*nan") as caught:
        model.feed_csr((pointers, indices, spoilt), labels)
    assert caught.value.row == 200 and caught.value.rows_done == 200
    wanted.feed_csr((pointers[:201], indices, values), labels[:200])
    assert model.to_bytes() == wanted.to_bytes()
    with pytest.raises(sparselin.InvalidArgumentError, match="labels has 299 entries, but rows 300"):
        model.feed_csr((pointers, indices, values), labels[1:])
    with pytest.raises(sparselin.InvalidArgumentError, match="values has 2 entries, but indices 1"):
        model.feed([1], [2, 3], 1)
    with pytest.raises(sparselin.InvalidArgumentError, match="ascend"):
        model.predict_csr(([0, 2, 1, 3], [1, 2, 3], None))
    with pytest.raises(sparselin.InvalidArgumentError, match="pointer 1 is 9, but there are 3 indices"):
        model.predict_csr(([0, 9], [1, 2, 3], None))
    assert model.to_bytes() == wanted.to_bytes()


@pytest.mark.parametrize("wrong", ["text", [[1, 2]], [1.5], ["a"], [None], object()])
def test_what_are_no_indices(wrong):
    with pytest.raises((TypeError, ValueError)):
        sparselin.Model().feed(wrong, None, 1)


@pytest.mark.parametrize("wrong", ["text", [[1.0]], ["a"], [None], [1j], object()])
def test_what_are_no_values(wrong):
    with pytest.raises((TypeError, ValueError)):
        sparselin.Model().feed([1], wrong, 1)


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
    counts = model.confusion(data)
    assert counts.sum() == 300 and 1 - np.trace(counts) / 300 == pytest.approx(model.evaluate(data, "error_rate"))
    assert (model.scores(matrix[1][:5], matrix[2][:5]) == scores[0]).all()
    for k in range(3):
        weights = model.class_weights(k)
        assert (
            weights.bias == model.class_bias(k) and model.class_weight(k, int(weights.indices[0])) == weights.values[0]
        )
    with pytest.raises(sparselin.StateError, match="sl_model_scores"):
        model.predict([1])
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
