"""Fitting: progress, stopping, going on."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import sparselin
from conftest import random_rows


@pytest.fixture(scope="module")
def much():
    """What takes a while to fit."""
    (pointers, indices, values), labels = random_rows(500, 200, 10)
    times = 200
    return sparselin.Dataset(
        (np.arange(500 * times + 1) * 10, np.tile(indices, times), np.tile(values, times)), np.tile(labels, times)
    )


def test_fit_takes_the_labels(rows):
    matrix, labels = rows
    model = sparselin.Model().fit(sparselin.Dataset(matrix, np.where(labels > 0, 7, 2)))
    assert list(model.labels) == [2, 7] and model.steps == 300


def test_progress(much):
    seen = []
    model = sparselin.Model(epochs=3)
    model.fit(much, seen.append)
    assert seen[-1].rows == seen[-1].rows_total == 300_000 and seen[-1].epoch == 3
    assert [x.rows for x in seen] == sorted(x.rows for x in seen)
    assert seen[-1].steps == model.steps and seen[-1].mean_loss == model.mean_loss


def test_resumed_to_the_bit(much):
    wanted = sparselin.Model(epochs=3, l1=1e-5).fit(much).to_bytes()
    model = sparselin.Model(epochs=3, l1=1e-5)
    assert model.fit_state(much) is sparselin.FitState.NEW
    stops = 0
    while model.fit_state(much) is not sparselin.FitState.DONE:
        try:
            model.fit(much, lambda at: at.rows < at.rows_total)
        except sparselin.CancelledError:
            stops += 1
            assert model.fit_state(much) is sparselin.FitState.STOPPED
            model = sparselin.Model.from_bytes(model.to_bytes())
    assert stops > 0 and model.to_bytes() == wanted


def test_exceptions_of_progress_come_out(much):
    model = sparselin.Model(epochs=1000)

    def fail(at):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        model.fit(much, fail)
    assert model.fit_state(much) is sparselin.FitState.STOPPED


def test_calls_within_progress_are_refused(much):
    model, caught = sparselin.Model(), []

    def meddle(at):
        for call in (lambda: model.steps, lambda: model.feed([1], None, 1), lambda: model.fit(much)):
            with pytest.raises(sparselin.StateError, match="the model is in use by a call that changes it"):
                call()
            caught.append(1)

    model.fit(much, meddle)
    assert len(caught) >= 3 and model.steps == 100_000


def test_closed_while_it_fits(much):
    """The memory stays until the call returns; other threads run meanwhile."""
    model = sparselin.Model(epochs=2)

    def close(at):
        model.close()

    with pytest.raises(ValueError, match="closed"):
        model.fit(much, close)
        model.steps


def test_other_threads_run_meanwhile(much):
    started, counted = threading.Event(), []

    def count():
        started.wait()
        counted.append(time.monotonic())

    thread = threading.Thread(target=count)
    thread.start()
    ended = []

    def fit():
        sparselin.Model(epochs=20).fit(much)
        ended.append(time.monotonic())

    fitting = threading.Thread(target=fit)
    fitting.start()
    started.set()
    thread.join()
    fitting.join()
    assert counted[0] < ended[0]


INTERRUPTED = """
import os, signal, sys, threading, time
sys.path.insert(0, {tests!r})
import sparselin
from conftest import random_rows
data = sparselin.Dataset(*random_rows(1000, 200, 10))
model = sparselin.Model(epochs=5000)
wanted = sparselin.Model(epochs=5000).fit(data).to_bytes()

def interrupt():
    while True:
        try:
            model.steps
        except sparselin.StateError:  # it is being fitted
            return os.kill(os.getpid(), signal.SIGINT)

stops = 0
while stops < 2:
    try:
        thread = threading.Thread(target=interrupt)
        thread.start()
        model.fit(data)
        time.sleep(600)
    except KeyboardInterrupt:
        stops += model.fit_state(data) is sparselin.FitState.STOPPED
    thread.join()
model.fit(data)
print(model.to_bytes() == wanted)
"""


def test_interrupted_by_the_keyboard(tmp_path):
    code = INTERRUPTED.format(tests=os.path.dirname(__file__))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.stdout == "True\n", done.stderr


def test_signals_between_the_parts_of_long_calls(much):
    """An exception that a signal raises comes out of feed_dataset and leaves whole rows."""

    class Now(Exception):
        pass

    def raise_now(*_):
        raise Now

    old = signal.signal(signal.SIGALRM, raise_now)
    try:
        model = sparselin.Model()
        with pytest.raises(Now):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            while True:
                model.feed_dataset(much)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert model.steps > 0


def test_a_bar_of_tqdm(much, capsys):
    tqdm = pytest.importorskip("tqdm")
    assert tqdm
    sparselin.Model(epochs=2).fit(much, progress=True)
    shown = capsys.readouterr().err
    assert "100%" in shown and "200k/200k" in shown and "loss=" in shown
