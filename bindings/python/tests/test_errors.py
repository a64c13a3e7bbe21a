"""Options and exceptions."""

import pickle
import re

import pytest
import sparselin


def test_options():
    table = {option.name: option for option in sparselin.options()}
    assert table["loss"].default == "log" and "hinge" in table["loss"].kind and table["l2"].help
    model = sparselin.Model({"l2": 1e-4}, loss="hinge", bias=False, epochs=3, seed=2**60 + 1, eta0=0.1)
    assert [model.option(x) for x in ("loss", "bias", "epochs", "seed", "eta0", "l2")] == [
        "hinge", "false", "3", str(2**60 + 1), "0.1", "1e-04",
    ]  # fmt: skip
    for wrong in (
        {"lose": "log"},
        {"l2": -1},
        {"loss": "none"},
        {"epochs": 1.5},
        {"l2": None},
        {"bias": 2},
        {"l2": [1]},
        {"quantile": 0.3},
    ):
        with pytest.raises(sparselin.InvalidOptionError) as caught:
            sparselin.Model(wrong)
        assert next(iter(wrong)) in str(caught.value)
    with pytest.raises(sparselin.InvalidOptionError, match="nearest name is 'loss'"):
        sparselin.Model(lose="log")


EXPECTED = {
    sparselin.InvalidArgumentError: ValueError,
    sparselin.InvalidOptionError: ValueError,
    sparselin.InvalidDataError: ValueError,
    sparselin.StateError: RuntimeError,
    sparselin.OutOfMemoryError: MemoryError,
    sparselin.FileError: OSError,
    sparselin.FormatError: ValueError,
    sparselin.VersionError: ValueError,
    sparselin.DivergedError: ArithmeticError,
    sparselin.CancelledError: sparselin.SparselinError,
    sparselin.InternalError: RuntimeError,
}


def test_one_class_a_status():
    from sparselin import _native
    from sparselin.errors import failure

    for number, (kind, base) in enumerate(EXPECTED.items(), 1):
        error = failure(number, "row 3: why", 3, 0, -1)
        assert type(error) is kind and isinstance(error, (base,)) and isinstance(error, sparselin.SparselinError)
        name = (
            "SL_ERROR_IO"
            if kind is sparselin.FileError
            else "SL_ERROR_" + re.sub("(?<=[a-z])(?=[A-Z])", "_", kind.__name__[:-5]).upper()
        )
        assert _native.status_name(number) == name
        assert error.row == 3 and error.rows_done is None and str(error) == error.message == "row 3: why"
    assert _native.status_name(len(EXPECTED) + 1) == "SL_ERROR_UNKNOWN"


def test_exceptions_are_pickled(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        sparselin.Model.load(tmp_path / "absent")
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, FileNotFoundError) and isinstance(again, sparselin.FileError)
    assert str(again) == str(caught.value) and again.errno == 2 and again.strerror == "No such file or directory"
    with pytest.raises(sparselin.InvalidDataError) as bad:
        sparselin.Model().feed_csr(([0, 1], [1], [float("inf")]), [1])
    again = pickle.loads(pickle.dumps(bad.value))
    assert type(again) is sparselin.InvalidDataError and again.row == 0 and again.rows_done == 0
    with pytest.raises(IsADirectoryError):
        sparselin.Model.load(tmp_path)


def test_diverged():
    model = sparselin.Model(loss="squared", l2=0, eta0=1e200, schedule="constant", average="none")
    with pytest.raises(sparselin.DivergedError):
        for _ in range(10):
            model.feed([1], [1e100], 1e200)


def test_version():
    assert sparselin.version() == sparselin.__version__ == "1.0.0"


def test_what_is_no_data_set_is_named(data):
    model = sparselin.Model().fit(data)
    for call in (model.fit, model.predict_dataset, model.scores_dataset, model.confusion, model.fit_state, model.feed_dataset):
        for wrong, name in ((None, "NoneType"), (model, "Model"), ([1], "list")):
            with pytest.raises(TypeError, match=f"expected Dataset, not {name}"):
                call(wrong)
    with pytest.raises(TypeError, match="expected LinearModel, not Dataset"):
        sparselin.Model.merge([model, data])
    with pytest.raises(TypeError, match="expected Encoder, not str"):
        model.set_encoder("words")
