"""The estimators for scikit-learn: its own checks, and what they do not look at."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sparse
import sparselin

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_digits, make_classification, make_regression
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from sparselin.sklearn import EXPECTED_FAILED_CHECKS, SparselinClassifier, SparselinRegressor, SparselinVectorizer

NEW = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "estimator", [SparselinClassifier(), SparselinRegressor(), SparselinVectorizer()], ids=lambda e: type(e).__name__
)
def test_checks_of_scikit_learn(estimator):
    if NEW:
        results = check_estimator(estimator, expected_failed_checks=EXPECTED_FAILED_CHECKS, on_skip=None)
        assert {x["status"] for x in results} <= {"passed", "skipped", "xfail"}
        assert {x["check_name"] for x in results if x["status"] == "xfail"} <= set(EXPECTED_FAILED_CHECKS)
        count = len(results)
    else:
        checks = list(check_estimator(estimator, generate_only=True))
        count = len(checks)
        for instance, check in checks:
            try:
                check(instance)
            except pytest.skip.Exception as reason:
                assert "one step of twice the slope" in str(reason)
    assert count >= 40 or isinstance(estimator, SparselinVectorizer)


def test_every_option_is_a_parameter():
    table = [option.name for option in sparselin.options()]
    of_models = {"threads", *table[: table.index("index_base")]} - {
        "classes",
        "balance",
        "positive_weight",
        "dimension",
    }
    of_encoders = set(table[table.index("index_base") + 1 :])
    regression = {"huber_delta", "epsilon", "quantile"}
    assert set(SparselinClassifier().get_params()) == of_models - regression | {"class_weight"}
    assert set(SparselinRegressor().get_params()) == of_models - {"multiclass"}
    assert set(SparselinVectorizer().get_params()) == of_encoders | {"text", "crosses", "sparse_output"}
    for kind in (SparselinClassifier, SparselinRegressor, SparselinVectorizer):
        given = {name: object() for name in kind().get_params()}
        assert kind(**given).get_params() == given


@pytest.mark.parametrize("names", [[-1, 1], [0, 1], [3, 8], ["ham", "spam"], [False, True]])
def test_the_model_is_the_librarys(names):
    X, y = make_classification(300, 10, random_state=1)
    y = np.array(names)[y]
    classifier = SparselinClassifier(l2=1e-3, epochs=2, seed=4).fit(X, y)
    numbers = names if not isinstance(names[0], str) else [0, 1]
    model = sparselin.Model(l2=1e-3, epochs=2, seed=4).fit(
        sparselin.Dataset(X, np.array(numbers)[np.searchsorted(names, y)])
    )
    assert (classifier.decision_function(X) == model.predict_csr(X)).all()
    assert (classifier.predict_proba(X)[:, 1] == model.probabilities(model.predict_csr(X))).all()
    assert list(classifier.model_.labels) == [float(number) for number in numbers]
    assert (classifier.predict(X) == np.array(names)[(model.predict_csr(X) > 0).astype(int)]).all()
    assert classifier.predict(X).dtype == y.dtype and list(classifier.classes_) == names
    assert np.allclose(np.exp(classifier.predict_log_proba(X)), classifier.predict_proba(X))


def test_several_classes():
    X, y = load_digits(return_X_y=True)
    classifier = SparselinClassifier(epochs=10).fit(X[:1200], y[:1200])
    assert classifier.score(X[1200:], y[1200:]) > 0.85
    assert classifier.decision_function(X).shape == classifier.predict_proba(X).shape == (1797, 10)
    assert (
        classifier.coef_.shape == (10, 64)
        and sparse.issparse(classifier.coef_)
        and classifier.intercept_.shape == (10,)
    )
    assert np.allclose(X @ classifier.coef_.toarray().T + classifier.intercept_, classifier.decision_function(X))
    assert np.allclose(np.exp(classifier.predict_log_proba(X)), classifier.predict_proba(X))


def test_labels_that_no_double_holds():
    X, y = load_digits(return_X_y=True)
    wanted = SparselinClassifier().fit(X, y).predict(X)
    for names in (2**60 + np.arange(10), np.arange(10, dtype=np.uint64) + np.uint64(2**64 - 10), np.arange(10) - 2**53 - 9):
        classifier = SparselinClassifier().fit(X, names[y])
        assert (classifier.predict(X) == names[wanted]).all()
        assert list(classifier.model_.labels) == list(range(10))
    classifier = SparselinClassifier().fit(X, y + 2**53 - 10)
    assert list(classifier.model_.labels) == [2**53 - 10 + k for k in range(10)]


@pytest.mark.parametrize("multiclass", ["softmax", "one_vs_rest", None])
@pytest.mark.parametrize("scale", [1, 1e6])
def test_logarithms_of_probabilities_that_vanish(multiclass, scale):
    X, y = load_digits(return_X_y=True)
    classifier = SparselinClassifier(multiclass=multiclass, epochs=3).fit(X, y)
    logs, probabilities = classifier.predict_log_proba(X * scale), classifier.predict_proba(X * scale)
    assert np.isfinite(logs).all() and (scale == 1 or logs.min() < -1e4)
    assert np.allclose(np.exp(logs), probabilities)


def test_a_fit_that_fails_leaves_no_model():
    X, y = load_digits(return_X_y=True)
    weights = np.where(np.arange(1797) == 7, -1.0, 1.0)
    for estimator in (SparselinClassifier(), SparselinRegressor()):
        for call in (
            lambda: estimator.fit(X, y, weights),
            lambda: estimator.partial_fit(X, y, **of, sample_weight=weights),
        ):
            of = {"classes": np.arange(10)} if isinstance(estimator, SparselinClassifier) else {}
            with pytest.raises(ValueError, match="row 7: the weight is -1"):
                call()
            assert not hasattr(estimator, "model_") and not hasattr(estimator, "classes_")
    classifier = SparselinClassifier().fit(X, y)
    before = dict(classifier.__dict__), classifier.model_.to_bytes(), classifier.predict(X)
    for wrong in (
        lambda: classifier.fit(X[:, :9], y > 3, weights),
        lambda: classifier.fit(X[:, :9], y > 3, -np.ones(1797)),
        lambda: classifier.partial_fit(X, y, sample_weight=weights),
        lambda: classifier.fit(X[:, :9] * 1e160, y > 3),
    ):
        with pytest.raises((ValueError, ArithmeticError), match="the weight is -1|overflow"):
            wrong()
        assert classifier.__dict__ == before[0] and classifier.model_.to_bytes() == before[1]
        assert (classifier.predict(X) == before[2]).all()


def test_weights_look_as_in_scikit_learn():
    X, y = make_classification(300, 10, random_state=1)
    classifier = SparselinClassifier(l1=0.01, sparse_average=True).fit(X, y)
    assert classifier.coef_.shape == (1, 10) and classifier.intercept_.shape == (1,)
    assert 0 < classifier.coef_.nnz < 10
    assert np.allclose(X @ classifier.coef_.toarray()[0] + classifier.intercept_, classifier.decision_function(X))
    for untrained in (SparselinClassifier(), SparselinRegressor()):
        with pytest.raises(AttributeError, match="before fit"):
            untrained.coef_


@pytest.mark.parametrize(
    "form", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array, np.asarray, np.float32]
)
def test_rows_of_every_form(form):
    X, y = make_classification(300, 10, random_state=1)
    X = np.round(X, 2).astype(np.float32).astype(np.float64)
    wanted = SparselinClassifier().fit(X, y)
    got = SparselinClassifier().fit(form(X), y)
    assert got.model_.to_bytes() == wanted.model_.to_bytes()
    assert (got.decision_function(form(X)) == wanted.decision_function(X)).all()


def test_partial_fit():
    X, y = make_classification(400, 10, n_informative=5, n_classes=3, random_state=1)
    parts = SparselinClassifier()
    for first in range(0, 400, 100):
        parts.partial_fit(X[first : first + 100], y[first : first + 100], classes=[0, 1, 2])
    whole = SparselinClassifier().partial_fit(X, y, classes=[0, 1, 2])
    assert parts.model_.to_bytes() == whole.model_.to_bytes() and parts.model_.steps == 400
    fresh = SparselinClassifier()
    with pytest.raises(ValueError, match="classes must be passed"):
        fresh.partial_fit(X, y)
    with pytest.raises(ValueError, match="is not the same as on last call"):
        parts.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match=r"^a label is 5, which is none of the classes: \[0, 1, 2\]$"):
        parts.partial_fit(X, y + 5)
    for weight, said in (("balanced", "balanced"), ("even", "class_weight"), ({7: 2.0}, "are not in class_weight")):
        with pytest.raises(ValueError, match=said):
            SparselinClassifier(class_weight=weight).partial_fit(X, y, classes=[0, 1, 2])
    scaled = SparselinClassifier(scale="rms").partial_fit(X, y, classes=[0, 1, 2])
    assert scaled.model_.steps == 400
    regression = SparselinRegressor().partial_fit(X, X[:, 0]).partial_fit(X, X[:, 0])
    assert regression.model_.steps == 800
    fitted = SparselinClassifier().fit(X, y)
    assert fitted.partial_fit(X[:7], y[:7]).model_.steps == 407
    assert fitted.fit(X, y).model_.steps == 400


def test_weights_of_classes():
    X, y = make_classification(400, 10, weights=[0.9], flip_y=0.1, random_state=1)
    plain = SparselinClassifier().fit(X, y)
    balanced = SparselinClassifier(class_weight="balanced").fit(X, y)
    assert (balanced.predict(X) == 1).sum() > (plain.predict(X) == 1).sum()
    weights = np.where(y == 1, 3.0, 1.0)
    by_class = SparselinClassifier(class_weight={1: 3.0}).fit(X, y)
    by_row = SparselinClassifier().fit(X, y, sample_weight=weights)
    assert by_class.model_.to_bytes() == by_row.model_.to_bytes()
    squared = SparselinClassifier().fit(X, y, sample_weight=weights**2)
    assert (
        SparselinClassifier(class_weight={1: 3.0}).fit(X, y, sample_weight=weights).model_.to_bytes()
        == squared.model_.to_bytes()
    )
    both = SparselinClassifier(class_weight={1: 3.0}).partial_fit(X, y, classes=[0, 1], sample_weight=weights)
    assert (
        both.model_.to_bytes()
        == SparselinClassifier().partial_fit(X, y, classes=[0, 1], sample_weight=weights**2).model_.to_bytes()
    )
    with pytest.raises(ValueError, match="weight"):
        SparselinClassifier().fit(X, y, sample_weight=-weights)
    with pytest.raises(ValueError, match="one class"):
        SparselinClassifier().fit(X, y, sample_weight=(y == 1).astype(float))


def test_losses_without_probabilities():
    X, y = make_classification(100, 5, random_state=1)
    classifier = SparselinClassifier(loss="hinge").fit(X, y)
    assert not hasattr(classifier, "predict_proba") and not hasattr(classifier, "predict_log_proba")
    assert classifier.score(X, y) > 0.8
    with pytest.raises(ValueError, match="use SparselinClassifier"):
        SparselinRegressor(loss="hinge").fit(X, y)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"loss": "huber", "huber_delta": 5.0},
        {"loss": "absolute"},
        {"loss": "quantile", "quantile": 0.5},
        {"center": True},
    ],
)
def test_regression(options):
    X, y = make_regression(500, 10, noise=5, bias=40, random_state=1)
    regressor = SparselinRegressor(epochs=20, **options).fit(X, y)
    assert regressor.score(X, y) > 0.95
    assert np.allclose(X @ regressor.coef_.toarray()[0] + regressor.intercept_, regressor.predict(X))


def test_within_scikit_learn():
    X, y = make_classification(300, 10, random_state=1)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SparselinClassifier()), {"sparselinclassifier__l2": [1e-4, 1e-1]}, cv=3
    ).fit(X, y)
    assert search.best_score_ > 0.8
    assert cross_val_score(SparselinRegressor(epochs=5), X, X[:, 0], cv=3).min() > 0.9
    classifier = SparselinClassifier(l2=1e-3).fit(X, y)
    again = pickle.loads(pickle.dumps(classifier))
    assert (again.decision_function(X) == classifier.decision_function(X)).all()
    threaded = pickle.loads(pickle.dumps(SparselinClassifier(threads=2).fit(X, y)))
    assert threaded.model_._threads == 2
    assert not hasattr(clone(classifier), "model_") and clone(classifier).l2 == 1e-3
    with pytest.raises(sparselin.InvalidOptionError):
        SparselinClassifier(l2=-1).fit(X, y)


def test_frames():
    pandas = pytest.importorskip("pandas")
    X, y = make_classification(100, 3, n_redundant=0, random_state=1)
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    classifier = SparselinClassifier().fit(frame, y)
    assert list(classifier.feature_names_in_) == ["a", "b", "c"] and classifier.n_features_in_ == 3
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(frame[["c", "b", "a"]])
    mail = pandas.DataFrame({"n": [1.0, 2.0], "k": ["x", "y"], "t": ["good day", "day"]})
    vectorizer = SparselinVectorizer(features="dictionary", text=["t"], crosses=[("n", "k")], sparse_output=False)
    vectorizer.set_output(transform="pandas")
    out = vectorizer.fit_transform(mail)
    assert list(out.columns) == ["n", "k=x", "t=good", "t=day", "n*k=x", "k=y", "n*k=y"]
    assert out["n*k=y"].tolist() == [0, 2]
    both = make_column_transformer((SparselinVectorizer(), "t"), remainder="drop").fit_transform(mail)
    assert both.shape[1] == 2**20


TEXTS = ["Good day, good man", "a bad night", "", "day and night"]


def test_vectorizer_is_that_of_scikit_learn():
    wanted = HashingVectorizer(norm=None).transform(TEXTS)
    got = SparselinVectorizer(hash_sign=True).fit_transform(TEXTS)
    assert got.shape == wanted.shape and abs(got - wanted).nnz == 0
    records = [{"a": 1.5, "b": "x"}, {}, {"a": -2}]
    wanted = FeatureHasher(2**12).transform(records)
    got = SparselinVectorizer(hash_sign=True, hash_bits=12).fit(records).transform(records)
    assert abs(got - wanted).nnz == 0


def test_vectorizer_learns_names():
    vectorizer = SparselinVectorizer(features="dictionary", ngram_max=2)
    matrix = vectorizer.fit_transform(TEXTS)
    assert list(vectorizer.get_feature_names_out())[:3] == ["good", "day", "man"]
    assert matrix[0, 0] == 2 and (vectorizer.transform(TEXTS) != matrix).nnz == 0
    assert vectorizer.transform(["unheard of"]).nnz == 0
    with pytest.raises(ValueError, match="a single text"):
        vectorizer.fit("text")
    with pytest.raises(ValueError, match="were expected"):
        vectorizer.fit([3])
    wide = SparselinVectorizer(hash_bits=32).fit_transform(TEXTS)
    assert wide.shape == (4, 2**32)
    classifier = SparselinClassifier().fit(wide, [1, 0, 1, 0])
    assert classifier.coef_.shape == (1, 2**32) and (classifier.predict(wide) == [1, 0, 1, 0]).all()
    pipeline = make_pipeline(SparselinVectorizer(), SparselinClassifier(epochs=20)).fit(TEXTS, ["a", "b", "a", "b"])
    assert list(pipeline.predict(TEXTS)) == ["a", "b", "a", "b"]
    assert (pickle.loads(pickle.dumps(vectorizer)).transform(TEXTS) != matrix).nnz == 0


def test_data_sets_as_matrices(data):
    pointers, indices, values = data.to_csr()
    again = sparselin.Dataset((pointers, indices, values), data.labels, data.weights)
    assert pickle.dumps(again) == pickle.dumps(data)
    assert sparselin.Dataset([[0.0]], [3], [2]).weights.tolist() == [2]
