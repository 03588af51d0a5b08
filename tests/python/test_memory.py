"""What is held is counted right and given back: reference counts over many calls, no growth with the collector off.

Acceptance point 7, but for torch (test_torch_memory.py); under AddressSanitizer (`./dev sanitize`) with the collector at
threshold 1. `./dev test --long` makes 100000 calls of each function, fewer of those that write files, and
10000 roll-outs.
"""

import gc
import itertools
import shutil
from concurrent.futures import Future

import numpy as np
import pytest

import electret as el
from conftest import jelly
from counted import CALLS, IS_SANITIZED, leaves_nothing, resident
from test_documents import plot, public


def small(**tables):
    scene = el.Scene(time={"step": 0.001, "steps": 10**9}, coulomb={}, **tables)
    body = scene.body(name="b", generate={"shape": "chain", "vertices": 3}, mass=1.0, charge=1e-9)
    body.springs("edges", stiffness=1.0)
    return scene


def short():
    scene = small()
    scene.set("time.steps", 2)
    return scene


class Things:
    """One of each, and arguments of theirs."""

    def __init__(self, folder):
        self.folder, self.numbers = folder, itertools.count()
        self.scene, self.short, self.text = small(), short(), small().to_toml()
        self.options = {"time.step": 0.01}
        self.file = folder / "scene.toml"
        self.scene.save(self.file)
        self.mesh_file = folder / "mesh.obj"
        self.mesh_file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.sim = el.Simulator(self.scene, controls=["body.b.charge"], threads=1)
        self.names = ["body.b.charge"]
        self.action, self.state = np.array([1e-9]), self.sim.state()
        self.x, self.q, self.z = np.random.default_rng(1).uniform(-1, 1, (5, 3)), np.ones(5) * 1e-9, np.ones((5, 3))
        self.indices = np.array([0, 1])
        self.grabs = [el.Grab(self.indices, self.x[0], 1e-9)]
        self.solver = el.FieldSolver(5, threads=1)
        self.solver.prepare(self.x)
        self.out = (np.empty((5, 3)), np.empty(5))
        self.wrt = ["body.b.stiffness"]
        self.roll = el.Rollout(el.Simulator(self.scene, threads=1), wrt=self.wrt, steps=2)
        self.driven = el.Rollout(el.Simulator(self.scene, controls=self.names, threads=1), steps=2)
        self.actions = np.array([[1e-9], [2e-9]])
        self.cotangents = {"positions": np.ones((1, 3, 3)), "energy": 2.0}
        self.target = np.zeros((3, 3))
        self.loss = el.loss.final_position(self.target)
        self.own = lambda traj: (float(traj.positions.sum()), {"positions": np.ones_like(traj.positions)})
        self.scales = {"body.b.stiffness": "log"}
        self.problem = el.Problem(self.roll, self.loss, self.scales)
        self.theta = self.problem.start()
        self.values = {"body.b.stiffness": 1.0}
        self.run = el.run(jelly(steps=2), folder / "run")
        self.trajectory = self.run.trajectory
        self.callback, self.progress = lambda sim: None, lambda done, total: None
        self.field = lambda x, t: 0.0 * x
        self.mesh = el.Mesh(self.x, faces=[[0, 1, 2]])
        self.history = [1.0, 0.5]
        self.job = folder / "job.toml"
        self.job.write_text('[fit]\nscene = "short.toml"\n[[parameter]]\nname = "body.b.velocity"\n[[loss]]\nof = "centre_of_mass:1,2,3"\n'
                            "[optimiser]\nevaluations = 1\n[identifiability]\nproducts = 0\n[signs]\ntried = 0\n")
        self.short.save(folder / "short.toml")
        self.seen = lambda run: None
        self.sweep_job = folder / "sweep.toml"
        self.sweep_job.write_text('[sweep]\nscene = "short.toml"\n[[vary]]\nkey = "body.0.charge"\nvalues = [1e-9, 2e-9]\n'
                                  '[keep]\nquantities = { end = "last of total" }\nframes = 1\nvelocities = true\n')
        self.pool = Inline()
        self.sweep = el.Sweep(self.sweep_job, folder / "sweeps")
        self.sweep.run(self.pool)
        self.called = lambda scene, values, run: {"a": 1.0, "b": [1.0, 2.0]}
        self.rows = [{"body.0.charge": 3e-9}]


class Inline:
    """An executor that does each task at once."""

    def submit(self, function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


def refused(call, error=(ValueError, TypeError)):
    with pytest.raises(error):
        call()


def tables(t):
    """Every table of a body and of a scene."""
    scene = el.Scene(time=t.options)
    scene.external_charge(charge=1e-9, position=t.x[0])
    scene.electric_field(function=t.field)
    scene.field_functions()
    scene.grab(body="b", vertices=t.indices, stiffness=1.0, times=t.q[:1], targets=t.x[:1])
    scene.hydrodynamics(velocity=t.x[0], drag=t.q)
    scene.ball_contact(bodies=["b", "c"], stiffnesses=t.q)
    scene.camera(name="c", position=t.x[0], towards=t.x[1])
    scene.obstacle(shape="plane", normal=t.x[0])
    scene.change(step=3, set=["damping.drag=1"])
    body = scene.body(name="b", mesh=t.mesh, charges=t.q)
    body.springs("nearest", stiffness=3.0)
    body.group(name="g", indices=t.indices)
    body.element_group(name="e", indices=t.indices)
    body.group_charge(group="g", value=1e-9)
    body.load(group="g", force=t.x[0])
    body.material(model="corotated", youngs_modulus=1e3)
    body.muscle(fibre=t.x[0], stiffness=1.0)
    body.pin(group="g")
    body.contact(group="g")


def recorded(t):
    with t.sim.record(t.folder / "walk", overwrite=True) as recording:
        t.sim.step(t.action)
    recording.close()


def ran(t):
    el.run(t.short, t.folder / "again", threads=1, overwrite=True, progress=t.progress)


def fitted(t):
    found = el.fit(t.job, t.folder / "fit", threads=1, overwrite=True, callback=t.seen)
    found.values, found.loss, found.end, found.history, found.scene, found._repr_html_(), el.Fit(found.directory)


def swept(t):
    sweep = el.Sweep(t.sweep_job, t.folder / "swept", overwrite=True)
    sweep.run(t.pool)
    sweep.append(t.rows), sweep.table(), sweep["end"], sweep.positions[0], sweep.velocities[1], sweep.missing, sweep.failures, sweep.merge(), sweep._repr_html_()


def mapped(t):
    sweep = el.Sweep(t.sweep_job, t.folder / "mapped", overwrite=True)
    sweep.map(t.called, t.pool)
    sweep.table()


def read(t):
    run = el.Run(t.run.directory)
    run.energies, run.observables, run.summary, run.status, run.warnings, run._repr_html_()
    with el.Trajectory(t.run.directory) as trajectory:
        trajectory.refresh()
        trajectory.times, trajectory.groups, trajectory.springs, trajectory.bodies, trajectory.scene, np.asarray(trajectory.charges)


def drawn(t):
    import matplotlib.pyplot as plt
    pictures = plot()
    pictures.energies(t.run), pictures.body(t.sim), pictures.fit(t.history)
    plt.close("all")


# What it calls; the call; arguments whose references are counted; cost and whether it is ours (see leaves_nothing).
FUNCTIONS = [
    ("Simulator", lambda t: el.Simulator(t.scene, controls=t.names, threads=1), ["scene", "names"], 10),
    ("Simulator.close", lambda t: el.Simulator(t.scene, threads=1).close(), ["scene"], 10),
    ("Simulator.step", lambda t: t.sim.step(t.action), ["sim", "action"]),
    ("a step with a grab", lambda t: (t.sim.step(t.action, grabs=t.grabs), t.sim.state()), ["sim", "action", "grabs", "indices"]), ("positions", lambda t: (t.sim.positions, t.sim.velocities), ["sim"]),
    ("held", lambda t: (t.sim.positions, t.sim.step(t.action)), ["sim", "action"]),
    ("properties", lambda t: [getattr(t.sim, name) for name in dir(t.sim) if not name.startswith("_") and not callable(getattr(t.sim, name))], ["sim"], 10),
    ("Simulator.run", lambda t: t.sim.run(1, action=t.action, callback=t.callback, progress=t.progress), ["sim", "action", "callback", "progress"]),
    ("Simulator.energies Simulator.observables", lambda t: (t.sim.energies(), t.sim.observables(), t.sim.work), ["sim"]),
    ("Simulator.element_stress", lambda t: t.sim.element_stress(), ["sim"]),
    ("Simulator.state", lambda t: t.sim.restore(t.sim.state()), ["sim"]), ("Simulator.restore", lambda t: t.sim.restore(t.state), ["sim", "state"]),
    ("Simulator.reset", lambda t: t.sim.reset(), ["sim"]), ("Simulator.set", lambda t: t.sim.set(t.values), ["sim", "values"], 10),
    ("Simulator.record Recording Recording.close", recorded, ["sim", "action", "folder"], 50), ("run", ran, ["short", "folder", "progress"], 50),
    ("fit Fit", fitted, ["job", "folder", "seen"], 50),
    ("Sweep Sweep.run Sweep.append Sweep.table Sweep.merge SweepFrames", swept, ["sweep_job", "folder", "pool", "rows"], 200),
    ("Sweep.map", mapped, ["sweep_job", "folder", "pool", "called"], 200),
    ("", lambda t: (t.sweep.table(), t.sweep["end"], t.sweep.positions[1], t.sweep.missing), ["sweep"], 20),
    ("Run Trajectory Trajectory.refresh Trajectory.close EnergyTable", read, ["run"], 20),
    ("FrameContacts", lambda t: refused(lambda: t.trajectory.contact, el.IoError), ["trajectory"]),
    ("FrameContactPairs", lambda t: refused(lambda: t.trajectory.contact_pairs, el.IoError), ["trajectory"]),
    ("FrameArray", lambda t: (t.trajectory.positions[1], t.trajectory.positions[:]), ["trajectory"], 10),
    ("ControlTable ControlTable.pack ControlTable.unpack", lambda t: t.sim.controls.unpack(t.sim.controls.pack({"body.b.charge": t.action[0]})), ["sim", "action"]),
    ("Parameters Parameter", lambda t: [(p.value, p.bounds) for p in t.sim.parameters.values()], ["sim"], 10),
    ("FieldSolver FieldSolver.prepare", lambda t: el.FieldSolver(5, threads=1).prepare(t.x, t.z), ["x", "z"], 10),
    ("FieldSolver.field", lambda t: t.solver.field(t.q), ["solver", "q"]), ("out", lambda t: t.solver.field(t.q, out=t.out), ["solver", "q", "out"]),
    ("FieldSolver.jacobian_product", lambda t: t.solver.jacobian_product(t.q, t.z), ["solver", "q", "z"]),
    ("FieldSolver.charge_gradient", lambda t: t.solver.charge_gradient(t.q, t.z), ["solver", "q", "z"]),
    ("FieldSolver.field_and_products", lambda t: t.solver.field_and_products(t.q, t.z), ["solver", "q", "z"], 10),
    ("FieldSolver.adjoint", lambda t: t.solver.adjoint(t.q, t.z, t.q), ["solver", "q", "z"], 10),
    ("field", lambda t: el.field(t.x, t.q, threads=1), ["x", "q"], 10), ("verify_field", lambda t: el.verify_field(t.x, t.q, t.z, samples=2), ["x", "q", "z"], 10),
    ("Rollout", lambda t: el.Rollout(t.sim, wrt=t.wrt, steps=2), ["sim", "wrt"], 10),
    ("Rollout.forward Frames", lambda t: t.roll.forward(t.values), ["roll", "values"]), ("actions", lambda t: t.driven.forward(actions=t.actions), ["driven", "actions"]),
    ("Rollout.vjp", lambda t: (t.roll.forward(), t.roll.vjp(t.cotangents)), ["roll", "cotangents"]), ("Rollout.value", lambda t: t.roll.value(t.loss), ["roll", "loss"]),
    ("Rollout.value_and_grad Gradient", lambda t: t.roll.value_and_grad(t.loss), ["roll", "loss"]),
    ("a loss of the user's", lambda t: t.roll.value_and_grad(t.own), ["roll", "own"]), ("Rollout.check Check", lambda t: t.roll.check(t.loss), ["roll", "loss"], 20),
    ("gradient", lambda t: el.gradient(t.short, t.loss, t.wrt, threads=1), ["short", "loss", "wrt"], 10),
    ("Problem Problem.start", lambda t: el.Problem(t.roll, t.loss, t.scales).start(), ["roll", "loss", "scales"], 10),
    ("Problem.values", lambda t: (t.problem(t.theta), t.problem.history.clear(), t.problem.values(t.theta), t.problem.bounds), ["problem", "theta"], 10),
    ("loss.Loss loss.energy loss.centre_of_mass loss.final_position loss.trajectory loss.of_text loss.forward loss.speed loss.markers loss.pixels",
     lambda t: (el.loss.energy() * 2.0 - el.loss.centre_of_mass(t.target[0]), el.loss.final_position(t.target), el.loss.trajectory(t.target[None], t.indices[:1]),
                el.loss.of_text("energy"), el.loss.forward(t.target[0] + 1.0), el.loss.speed(t.target[0] + 1.0, 2.0, "a.g"), el.loss.markers("m.csv"), el.loss.pixels("p.csv")), ["target", "indices"]),
    ("Scene.load", lambda t: el.Scene.load(t.file, t.options).assembly(), ["file", "options"], 10),
    ("Scene.parse Scene.assembly", lambda t: el.Scene.parse(t.text, overrides=t.options).assembly(), ["text", "options"], 10),
    ("Scene Scene.body Scene.external_charge Scene.electric_field Scene.field_functions Scene.grab Scene.hydrodynamics Scene.ball_contact Scene.camera Scene.obstacle Scene.change Body Body.springs "
     "Body.group Body.element_group Body.group_charge Body.load Body.material Body.muscle Body.pin Body.contact", tables, ["options", "x", "q", "indices", "mesh", "field"], 10),
    ("Scene.set", lambda t: t.scene.set("body.0.charge", t.q[0]), ["scene", "q"]), ("Scene.check", lambda t: (t.scene.check(), t.scene.warnings()), ["scene"], 10),
    ("Scene.describe Scene.warnings", lambda t: (t.scene.describe(), t.scene.warnings()), ["scene"], 10),
    ("edit", lambda t: el.edit(t.text, {"time.step": 0.5, "body.0.charges": t.q}), ["text", "q"], 10),
    ("Scene.to_toml", lambda t: t.scene.to_toml(), ["scene"], 10), ("Scene.save", lambda t: t.scene.save(t.folder / "saved.toml"), ["scene", "folder"], 20),
    ("Mesh", lambda t: el.Mesh(t.x, faces=[t.indices.tolist() + [2]], attributes={"mass": t.q}), ["x", "q"], 10), ("vertices", lambda t: t.mesh.vertices, ["mesh"]),
    ("Mesh.read", lambda t: el.Mesh.read(t.mesh_file), ["mesh_file"], 10),
    ("build_info", lambda t: el.build_info(), [], 10), ("devices", lambda t: el.devices(), [], 10), ("html", lambda t: (t.sim._repr_html_(), t.scene._repr_html_()), ["sim", "scene"], 10),
    ("plot.body plot.energies plot.fit", drawn, ["run", "sim", "history"], 500, False),
    ("refused", lambda t: refused(lambda: t.sim.step(t.z)), ["sim", "z"], 10), ("not finite", lambda t: refused(lambda: t.sim.step([np.nan])), ["sim"], 10),
    ("diverged", lambda t: refused(lambda: t.sim.step([1e30]), el.DivergenceError), ["sim"], 10),
    ("a callback that raises", lambda t: refused(lambda: t.sim.run(1, callback=lambda sim: 1 / 0), ZeroDivisionError), ["sim"], 10),
    ("a faulty scene", lambda t: refused(lambda: el.Scene.parse("[time]\nstep = -1\n"), el.InputError), [], 10),
]


@pytest.mark.parametrize("names, call, arguments, more", [(*row[:3], row[3:]) for row in FUNCTIONS], ids=[row[0].split()[0] if "." in row[0] else row[0] for row in FUNCTIONS])
def test_reference_counts(names, call, arguments, more, tmp_path):
    if names.startswith("plot"):
        pytest.importorskip("matplotlib")
    things = Things(tmp_path)
    leaves_nothing(lambda: call(things), [getattr(things, argument) for argument in arguments], *more)
    shutil.rmtree(tmp_path)


def test_every_public_function_is_counted():
    """But for errors, warnings and named tuples, which hold what they are given."""
    counted = {name for row in FUNCTIONS for name in row[0].split()}
    wanted = {name for name, thing, _ in public() if callable(thing) and not (isinstance(thing, type) and issubclass(thing, (tuple, BaseException)))}
    assert wanted <= counted, sorted(wanted - counted)


def test_no_growth_with_the_collector_off():
    """Roll-outs and simulators are freed by their counts alone."""
    scene = small()

    def once():
        sim = el.Simulator(scene, threads=1)
        kept = [sim.positions]
        sim.run(3, callback=lambda sim: kept.append(sim.positions))
        roll = el.Rollout(sim, wrt=["body.b.charges"], steps=3, frames="all")
        roll.forward()
        roll.vjp({"positions": np.ones((4, 3, 3))})
        roll.value_and_grad("energy")

    for _ in range(50):
        once()
    gc.collect()
    gc.disable()
    try:
        objects, memory = len(gc.get_objects()), resident()
        for _ in range(max(CALLS // 10, 20)):
            once()
        assert len(gc.get_objects()) - objects < 20
        if not IS_SANITIZED:  # It holds freed memory back.
            assert resident() - memory < 2_000_000
    finally:
        gc.enable()
