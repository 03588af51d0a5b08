"""Arrays that come out never change, arrays that go in are converted exactly or refused.

Acceptance points 5, 6 and 8.
"""

import gc
import os
import tracemalloc
import warnings

import numpy as np
import pytest

import electret as el
from electret import _core
from conftest import jelly


STEPS = 1000


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Positions of every step, as a run on the disk has them."""
    folder = tmp_path_factory.mktemp("recorded")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", el.ElectretWarning)
        return np.asarray(el.run(jelly(steps=STEPS), folder / "run", threads=1).trajectory.positions)


def tensor(x):
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns of arrays that may not be written to.
        return torch.from_numpy(x)


@pytest.mark.parametrize("hold", [lambda x: x, lambda x: x[3:], memoryview, tensor, lambda x: x.T, np.asarray], ids=["array", "slice", "memoryview", "tensor", "transposed", "again"])
def test_held_frames_are_a_history(hold, recorded):
    sim, held = el.Simulator(jelly(steps=STEPS), threads=1), []
    for _ in range(STEPS):
        x = hold(sim.positions)
        held.append(x)
        del x
        sim.step()
    for step, frame in enumerate(held):
        array, wanted = np.asarray(frame), np.asarray(hold(recorded[step]))
        assert np.array_equal(array.copy(), wanted)
    # Reads that AddressSanitizer sees: a copy, and the compiled part's own.
    assert array.T.flags.c_contiguous or _core.is_plain(array, -1, 3)
    assert len({np.asarray(frame).__array_interface__["data"][0] for frame in held}) == STEPS


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_nothing_held_means_nothing_copied():
    """One address; no memory that Python counts, and none that it does not."""
    sim = el.Simulator(jelly(steps=2 * STEPS, count=1000), threads=1)  # Each copy would be 24 kB.
    sim.run(3)
    address = sim.positions.__array_interface__["data"][0]

    def look():
        for _ in range(STEPS // 2):
            assert sim.positions.__array_interface__["data"][0] == address
            sim.step()

    look()
    tracemalloc.start()
    before, pages = tracemalloc.get_traced_memory()[0], resident()
    look()
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] - before < 2000
    tracemalloc.stop()
    if "ELECTRET_SANITIZED" not in os.environ:  # It holds freed memory back.
        assert resident() - pages < 1_000_000


def test_asking_twice_shows_one_memory(scene):
    sim = el.Simulator(scene)
    first, second = sim.positions, sim.positions
    assert np.shares_memory(first, second)
    before = first.copy()
    sim.step()
    assert np.array_equal(first, before) and np.array_equal(second, before)
    assert not np.array_equal(sim.positions, before)


@pytest.mark.parametrize("change", ["del", "close", "restore", "set", "reset", "diverge", "callback"])
def test_arrays_survive(change):
    scene = jelly()
    sim = el.Simulator(scene, controls=["body.jelly.charge"])
    start = sim.state()
    sim.run(2)
    x, v = sim.positions, sim.velocities
    kept = x.copy(), v.copy()
    if change == "close":
        sim.close()
    elif change == "restore":
        sim.restore(start)
    elif change == "set":
        sim.set({"body.jelly.stiffness": 99.0})
        sim.step()
    elif change == "reset":
        sim.reset()
    elif change == "diverge":
        with pytest.raises(el.DivergenceError):
            sim.run(5, action=[1e9])
    elif change == "callback":
        with pytest.raises(ZeroDivisionError):
            sim.run(callback=lambda sim: 1 / 0)
    del sim
    gc.collect()
    np.zeros((32, 3)) + 1.0  # Whatever was freed is used again.
    assert np.array_equal(x.copy(), kept[0]) and np.array_equal(v.copy(), kept[1]) and _core.is_plain(x, 32, 3) and _core.is_plain(v, 32, 3)


def test_arrays_cannot_be_written(scene):
    sim = el.Simulator(scene)
    for array in (sim.positions, sim.velocities, sim.charges, sim.masses):
        assert not array.flags.writeable and array.flags.c_contiguous and array.dtype == np.float64
        with pytest.raises(ValueError):
            array[0] = 1.0
        if array is not sim.charges:
            with pytest.raises(ValueError):
                array.setflags(write=True)
        with pytest.raises(ValueError):
            array[1:].setflags(write=True)


def field(positions, charges):
    return el.field(positions, charges, threads=1)


GOOD = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 1.0, 3.0]])
CHARGES = np.array([1e-9, 2e-9, -1e-9, 3e-9])


@pytest.mark.parametrize("form", [
    lambda x: x.astype(np.float32), lambda x: x.astype(np.int32), lambda x: np.asfortranarray(x), lambda x: x[::-1][::-1],
    lambda x: np.repeat(x, 2, axis=0)[::2], lambda x: x.tolist(), lambda x: x.astype(">f8"),
    lambda x: np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(np.float64).reshape(x.shape),
    lambda x: np.lib.stride_tricks.as_strided(x, writeable=False)])
def test_every_layout_is_taken_exactly(form):
    given = form(GOOD)
    before = np.array(given, copy=True)
    assert np.array_equal(field(given, CHARGES).field, field(GOOD, CHARGES).field)
    assert np.array_equal(np.array(given), before)
    assert np.array_equal(field(GOOD, CHARGES.tolist()).potential, field(GOOD, CHARGES).potential)


def test_strided_zero_is_taken():
    one = np.broadcast_to(np.array([1e-9]), (4,))
    assert np.array_equal(field(GOOD, one).field, field(GOOD, np.full(4, 1e-9)).field)


def test_empty_is_taken():
    result = el.field(np.zeros((0, 3)), np.zeros(0), at=GOOD)
    assert result.field.shape == (4, 3) and not result.field.any()
    assert el.field(GOOD, CHARGES, at=np.zeros((0, 3))).potential.shape == (0,)


@pytest.mark.parametrize("bad, error, words", [
    (GOOD.astype(complex), TypeError, "complex"), (GOOD > 0, TypeError, "bool"), (GOOD.astype(object), TypeError, "object"),
    (GOOD.astype(str), TypeError, "positions"), (np.ma.masked_array(GOOD), TypeError, "masked"),
    (GOOD.T, ValueError, r"\(3, 4\)"), (GOOD.reshape(-1), ValueError, r"\(12,\)"), (1.0, ValueError, "positions"),
    (np.where(GOOD == 3.0, np.nan, GOOD), ValueError, r"nan at index \(3, 2\)"),
    (np.where(GOOD == 2.0, np.inf, GOOD), ValueError, r"inf at index \(2, 1\)"), ([[1, 2, 3], [1, 2]], TypeError, "positions")])
def test_what_is_no_array_of_vectors_is_refused(bad, error, words):
    with pytest.raises(error, match=words):
        field(bad, CHARGES)
    with pytest.raises(error, match="positions"):
        el.FieldSolver(4).prepare(bad)


def test_wrong_count_is_named():
    with pytest.raises(ValueError, match=r"charges must have shape \(4,\), not \(3,\)"):
        field(GOOD, CHARGES[:3])


def test_out_is_filled_in_place():
    f = el.FieldSolver(4)
    f.prepare(GOOD)
    e, phi = np.full((4, 3), 7.0), np.full(4, 7.0)
    result = f.field(CHARGES, out=(e, phi))
    assert result.field is e and result.potential is phi
    fresh = f.field(CHARGES)
    assert np.array_equal(e, fresh.field) and np.array_equal(phi, fresh.potential)


def bad_outs():
    read_only = np.zeros((4, 3))
    read_only.flags.writeable = False
    shared = np.zeros(16)
    shared[:4] = CHARGES
    return {"float32": np.zeros((4, 3), np.float32), "strided": np.zeros((4, 6))[:, ::2], "shape": np.zeros((3, 3)),
            "fortran": np.asfortranarray(np.zeros((4, 3))), "read-only": read_only, "list": [[0.0] * 3] * 4,
            "overlap": shared[1:13].reshape(4, 3)}, shared


@pytest.mark.parametrize("name", bad_outs()[0])
def test_a_wrong_out_is_refused_with_nothing_written(name):
    outs, shared = bad_outs()
    out, before = outs[name], np.array(outs[name])
    f = el.FieldSolver(4)
    f.prepare(GOOD)
    phi = np.full(4, 7.0)
    charges = shared[:4] if name == "overlap" else CHARGES
    with pytest.raises(ValueError, match=r"out\[0\]"):
        f.field(charges, out=(out, phi))
    assert np.array_equal(np.array(out), before) and (phi == 7.0).all()


@pytest.mark.parametrize("charges", [[True, 2.0], (1e-9, False), [2, np.True_], [np.array(True), 2.0]], ids=repr)
def test_a_bool_among_numbers_is_refused(charges):
    places = [[0, 0, 0], [0, 0, 1]]
    with pytest.raises(TypeError, match="charges must be real numbers; it holds True or False"):
        el.field(places, charges)
    for rows in ([places[0], [0, True, 1]], [np.zeros(3), (np.bool_(False), 0.0, 1.0)], [np.zeros(3), np.array([False, False, True])]):
        with pytest.raises(TypeError, match="positions must be real numbers; it holds True or False"):
            el.field(rows, [1e-9, 1e-9])
    wanted = el.field(places, [1.0, 2.0]).field
    for numbers in ([1, 2.0], [np.int32(1), np.float32(2)], [np.array(1), 2]):
        assert np.array_equal(el.field([places[0], np.array(places[1])], numbers).field, wanted)
