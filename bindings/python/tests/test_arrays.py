"""What models take for indices and values: numbers and matrices of every kind, and what they refuse."""

import numpy as np
import pytest
import scipy.sparse as sparse
import sparselin


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


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint32, np.float32, np.float64, int, float])
def test_numbers_of_every_kind(kind):
    model, wanted = sparselin.Model(), sparselin.Model()
    builder = sparselin.Builder()
    for label in (1, 0):
        model.feed([2, 7], None, kind(label), kind(2))
        builder.add([2, 7], None, kind(label), kind(2))
        wanted.feed([2, 7], None, float(label), 2.0)
    assert model.to_bytes() == wanted.to_bytes()
    assert list(builder.build().labels) == [1, 0]
    assert model.probability(kind(1)) == wanted.probability(1.0)


def test_whole_numbers_of_numpy(data):
    model = sparselin.Model().fit(data)
    indices, values, bias = model.class_weights(np.int64(0))
    assert [model.class_weight(np.uint8(0), i) for i in indices] == [model.weight(i) for i in indices] == list(values)
    assert model.class_bias(np.int32(0)) == bias and data.row(np.int64(3)).label == data.labels[3]
    model.set_threads(np.int16(2))
    for wrong in (1.0, "1", None, np.float64(1), [1]):
        with pytest.raises(TypeError):
            model.class_bias(wrong)


def test_numbers_out_of_range(data):
    model = sparselin.Model().fit(data)
    state = model.to_bytes()
    for call, name in (
        (lambda n: model.class_bias(n), "k"),
        (lambda n: model.class_weights(n), "k"),
        (lambda n: model.class_weight(n, 0), "k"),
        (lambda n: model.set_threads(n), "threads"),
        (lambda n: sparselin.Builder(n), "rows"),
        (lambda n: sparselin.search(data, {}, folds=n), "folds"),
    ):
        for number in (-1, np.int64(-7), 2**64):
            with pytest.raises(sparselin.InvalidArgumentError, match=f"^{name} is {number}, but must be from 0 to "):
                call(number)
    for number in (-1, 2**32):
        with pytest.raises(sparselin.InvalidDataError, match=f"^index is {number}, but must be from 0 to 4294967295$"):
            model.weight(number)
    for wrong in ("1", None, [1.0], 1j, b"1"):
        with pytest.raises(TypeError):
            model.feed([1], None, wrong)
    assert model.to_bytes() == state


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


def test_no_pointers():
    model = sparselin.Model()
    for call in (model.predict_csr, model.scores_csr, lambda x: model.feed_csr(x, []), lambda x: sparselin.Dataset(x, [])):
        with pytest.raises(sparselin.InvalidArgumentError, match="there are no pointers"):
            call(([], [], None))
        with pytest.raises(sparselin.InvalidArgumentError, match="were expected, not 2 of them"):
            call(([0], []))


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
