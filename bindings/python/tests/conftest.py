"""What the tests share: data of the library's tests, whose folder is SL_TEST_DATA, and models that C trained, in
SL_GOLDEN_MODELS."""

import os
from pathlib import Path

import numpy as np
import pytest
import sparselin

DATA = Path(os.environ.get("SL_TEST_DATA", Path(__file__).parents[3] / "tests/data"))


def vectors(name):
    """The lines of a file of vectors, without comments."""
    return [line for line in (DATA / name).read_text().splitlines() if line and not line.startswith("#")]


def random_rows(rows, features, nonzeros, seed=1):
    """(pointers, indices, values) with no index twice in a row, and labels of -1 and 1 that they partly explain."""
    random = np.random.default_rng(seed)
    indices = np.sort(np.array([random.choice(features, nonzeros, replace=False) for _ in range(rows)]), axis=1)
    values = random.normal(size=indices.shape)
    truth = random.normal(size=features)
    scores = (values * truth[indices]).sum(axis=1) + random.normal(size=rows)
    pointers = np.arange(rows + 1, dtype=np.int64) * nonzeros
    return (pointers, indices.reshape(-1).astype(np.uint32), values.reshape(-1)), np.where(scores > 0, 1.0, -1.0)


@pytest.fixture
def rows():
    return random_rows(300, 200, 10)


@pytest.fixture
def data(rows):
    return sparselin.Dataset(*rows)
