"""A forked child after torch's OpenMP threads were at work in the parent.

Acceptance point 12: a factorisation that asks OpenMP for a team would wait in the child for ever, for its threads
stayed behind.
"""

import numpy as np
import pytest

from with_torch import torch

import electret as el
import electret.torch as et
from conftest import jelly
from forked import in_child


@pytest.fixture(scope="module", autouse=True)
def team():
    """torch's OpenMP threads, which have been at work."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    torch.rand(3_000_000).exp().sum()
    torch.rand(400, 400) @ torch.rand(400, 400)
    yield
    torch.set_num_threads(before)


def cloth():
    """Large enough that CHOLMOD asks OpenMP for a team to factorise its matrix."""
    scene = el.Scene(time={"step": 0.02, "steps": 5}, gravity={"acceleration": (0, 0, -9.81)}, integrator={"elastic_solver": "lbfgs"})
    scene.body(name="cloth", generate={"shape": "grid", "rows": 100, "columns": 100}, mass=1e-4).springs("edges", stiffness=100.0)
    return scene


def test_a_fork_after_torchs_openmp():
    def answers():
        sims = [el.Simulator(scene) for scene in (jelly(steps=3), cloth())]
        for sim in sims:
            sim.run(2)
        return [sim.positions.copy() for sim in sims] + [el.field(sims[0].positions, sims[0].charges).field]

    before = answers()
    for one, other in zip(in_child(answers), before):
        assert np.array_equal(one, other)


def test_steps_of_autograd_of_before_are_refused():
    sim = el.Simulator(jelly(steps=3), controls=["body.jelly.charge"])
    u = torch.tensor([1e-7], dtype=torch.float64, requires_grad=True)
    state = et.step(sim, et.state(sim), u)

    def said():
        texts = []
        for call in (lambda: et.step(sim, state, u), lambda: et.rollout(sim, lambda o: u, observe=lambda f: f.time[None], inputs=[u], steps=2),
                     lambda: et.state(sim)):
            try:
                call()
                texts.append("nothing")
            except RuntimeError as error:
                texts.append(str(error))
        return texts

    assert all("was made before the process forked" in text for text in in_child(said))
    state.positions.sum().backward()
    assert torch.isfinite(u.grad).all()
