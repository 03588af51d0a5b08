"""Where Python computes the field: `device=` of fields, `coulomb.device` of scenes, `el.devices`.

On OpenCL's CPU device (PoCL's, or the one that ELECTRET_TEST_DEVICE names); skipped where there is none.
"""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import electret as el
from conftest import SOURCE, jelly

DEVICE = os.environ.get("ELECTRET_TEST_DEVICE") or "gpu:Portable"


def why_no_device():
    try:
        el.FieldSolver(2, device=DEVICE)
    except el.InputError as error:
        return str(error)
    return ""


WHY_NOT = why_no_device()
needs_device = pytest.mark.skipif(bool(WHY_NOT), reason=f"no OpenCL device {DEVICE}: {WHY_NOT}")


def cloud(count=200):
    rng = np.random.default_rng(8)
    return rng.uniform(-1, 1, (count, 3)), rng.uniform(-1e-6, 1e-6, count)


def torus(device, steps=12):
    return el.Scene.load(SOURCE / "examples/charged_torus.toml", {"time.duration": 0.03 * steps, "coulomb.device": device})


def relative(a, b):
    return np.linalg.norm(np.subtract(a, b)) / np.linalg.norm(b)


@needs_device
def test_devices_are_listed_and_chosen():
    found = el.devices()
    assert found and all(device.choose_by.startswith("gpu:") for device in found)
    assert all(device.kind in ("discrete", "integrated", "cpu") for device in found)
    x, q = cloud()
    for device in found:
        assert device.driver in el.field(x, q, device=device.choose_by).choice


@needs_device
def test_fields_are_right_and_say_where():
    x, q = cloud()
    exact = el.field(x, q)
    found = el.field(x, q, accuracy=1e-5, device=DEVICE)
    assert 1e-12 < relative(found.field, exact.field) < 1e-5
    assert 1e-12 < relative(found.potential, exact.potential) < 1e-5
    assert f'requested by device = "{DEVICE}"' in found.choice
    assert "on the CPU" in exact.choice
    at = x[:20] + 3.0
    assert relative(el.field(x, q, at, accuracy=1e-5, device=DEVICE).field, el.field(x, q, at).field) < 1e-5


@needs_device
def test_products_and_adjoints_are_right():
    x, q = cloud()
    z = np.random.default_rng(9).normal(size=x.shape)
    solvers = [el.FieldSolver(len(q), accuracy=accuracy, device=device) for accuracy, device in ((None, "cpu"), (1e-5, DEVICE))]
    for solver in solvers:
        solver.prepare(x)
    exact, found = (solver.field_and_products(q, z) for solver in solvers)
    for a, b in zip(found, exact):
        assert relative(a, b) < 1e-4
    exact, found = (solver.adjoint(q, z, q) for solver in solvers)
    for a, b in zip(found, exact):
        assert relative(a, b) < 1e-4


@needs_device
def test_a_scene_runs_steps_and_resumes_there(tmp_path):
    cpu, device = el.Simulator(torus("cpu")), el.Simulator(torus(DEVICE))
    cpu.run(steps=12)
    device.run(steps=12)
    assert 0.0 < np.linalg.norm(device.positions - cpu.positions) < 1e-3 * np.linalg.norm(cpu.positions)
    assert device.choices["field_device"].endswith(f'requested by device = "{DEVICE}"')
    assert cpu.choices["field_device"] == "cpu: requested"
    el.run(torus(DEVICE, 5), tmp_path / "cut")
    el.run(torus(DEVICE, 12), tmp_path / "cut", resume=True)
    np.testing.assert_array_equal(el.Trajectory(tmp_path / "cut").positions[12], device.positions)
    el.run(torus(DEVICE, 5), tmp_path / "moved")
    with pytest.warns(el.ElectretWarning, match="until here and is computed on cpu from here on"):
        el.run(torus("cpu", 12), tmp_path / "moved", resume=True)
    assert el.Run(tmp_path / "moved").summary["field_device"] == "cpu"


@needs_device
def test_a_gradient_agrees_with_the_cpu():
    loss = el.loss.final_position(np.zeros((32, 3)))
    scene = jelly(steps=3)
    expected = el.gradient(scene, loss, ["body.jelly.charge"])
    scene.set("coulomb.device", DEVICE)
    found = el.gradient(scene, loss, ["body.jelly.charge"])
    assert 0.0 < relative(found["body.jelly.charge"], expected["body.jelly.charge"]) < 1e-3


@needs_device
def test_torch_fields_are_differentiable_there():
    torch = pytest.importorskip("torch")
    import electret.torch as et
    x, q = (torch.tensor(part, requires_grad=True) for part in cloud(50))
    gradients = []
    for device, accuracy in (("cpu", None), (DEVICE, 1e-5)):
        field, potential = et.field(x, q, accuracy=accuracy, device=device)
        gradients.append(torch.autograd.grad((field ** 2).sum() + potential.sum(), (x, q)))
    for a, b in zip(*gradients):
        assert relative(a.numpy(), b.numpy()) < 1e-4


@needs_device
def test_what_a_device_cannot_do_is_refused():
    with pytest.raises(el.InputError, match="1e-6 or more"):
        el.FieldSolver(10, device=DEVICE, solver="fmm", accuracy=1e-8)
    with pytest.raises(el.InputError, match='no device has this name.*"gpu:'):
        el.FieldSolver(10, device="gpu:no such device")


@needs_device
def test_a_forked_process_is_told_that_it_cannot_use_opencl():
    x, q = cloud(20)
    el.field(x, q, device=DEVICE)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            el.field(x, q, device=DEVICE)
        except el.InputError as error:
            status = 0 if "forked" in str(error) and el.field(x, q, device="cpu").field.shape == x.shape else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


def test_words_that_are_no_device():
    for word in ["tpu", "gpu:", "", "GPU"]:
        with pytest.raises(el.InputError, match="is no device; allowed: auto, cpu, gpu, gpu:NAME"):
            el.FieldSolver(10, device=word)
    with pytest.raises(TypeError, match="device"):
        el.FieldSolver(10, device=3)
    with pytest.raises(el.InputError, match='for a GPU: device = "gpu"'):
        el.FieldSolver(10, solver="cuda")


def test_without_opencl():
    code = """
import electret as el
assert el.devices() == ()
for device in ("gpu", "gpu:radeon"):
    try:
        el.field([[0, 0, 0]], [1e-9], device=device)
    except el.InputError as error:
        assert "OpenCL" in str(error) and '"cpu"' in str(error), error
    else:
        raise SystemExit(1)
assert el.field([[0, 0, 0]], [1e-9], device="auto").coincident_pairs == 0
"""
    environment = {**os.environ, "ELECTRET_OPENCL_LIBRARY": "libabsent-opencl.so.1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_a_device_error_is_a_runtime_error_that_says_how_to_go_on():
    error = el.DeviceError("the device failed while launching")
    assert isinstance(error, el.Error) and isinstance(error, RuntimeError)
    assert str(error) == 'the device failed while launching; compute with device="cpu": coulomb.device in a scene'
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is el.DeviceError and str(again) == str(error)


@needs_device
def test_a_device_that_fails_leaves_the_last_good_step():
    library = os.environ.get("ELECTRET_FAILING_OPENCL")
    if not library:
        pytest.skip("no OpenCL library to fail was built")
    code = f"""
import numpy as np, electret as el
sim = el.Simulator(el.Scene.load({str(SOURCE / "examples/charged_torus.toml")!r}, {{"coulomb.device": {DEVICE!r}}}))
try:
    for _ in range(1000):
        sim.step()
except el.DeviceError as error:
    assert "the device failed" in str(error) and "cpu" in error.advice, error
else:
    raise SystemExit("no error")
assert sim.steps_done > 2 and np.isfinite(sim.positions).all()
"""
    environment = {**os.environ, "ELECTRET_OPENCL_LIBRARY": library, "ELECTRET_TEST_LAUNCHES": "60"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
