"""Balls that push each other and cameras that film them, beside a small numpy program of both."""

import numpy as np
import pytest

import electret as el

STEP, RADIUS = 1e-3, 0.03429


def pair_force(x, v, count, radius, stiffnesses, frictions):
    """[DiffPD] section 7.5: on i k δ (-n + c t), on j k δ (n - c t), spread evenly over each ball's vertices."""
    f = np.zeros_like(x)
    balls = [slice(b * count, (b + 1) * count) for b in range(len(stiffnesses))]
    for i in range(len(balls)):
        for j in range(i + 1, len(balls)):
            apart = x[balls[j]].mean(axis=0) - x[balls[i]].mean(axis=0)
            distance = np.sqrt(apart @ apart)
            overlap = 2 * radius - distance
            if overlap <= 0:
                continue
            n = apart / distance
            w = v[balls[i]].mean(axis=0) - v[balls[j]].mean(axis=0)
            sign = 1 if w[0] * n[1] - w[1] * n[0] > 0 else -1
            t = sign * np.array([-n[1], n[0], 0])
            f[balls[i]] += stiffnesses[i] * overlap * (-n + frictions[i] * t) / count
            f[balls[j]] += stiffnesses[j] * overlap * (n - frictions[j] * t) / count
    return f


def turn(axis, degrees):
    angle, matrix = np.deg2rad(degrees), np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[i, j], matrix[j, i] = -np.sin(angle), np.sin(angle)
    return matrix


def picture(x, rotate, translate, zoom, *, position, towards, up, focal_length):
    back = -np.asarray(towards, float) / np.linalg.norm(towards)
    right = np.cross(up, back) / np.linalg.norm(np.cross(up, back))
    axes = np.array([right, np.cross(back, right), back])
    own = turn(2, rotate[2]) @ turn(1, rotate[1]) @ turn(0, rotate[0]) @ axes @ x + translate - axes @ np.asarray(position, float)
    return zoom * focal_length * own[:2] / -own[2]


def balls(places, velocities, method="symplectic_euler", steps=8, numbers=None):
    scene = el.Scene(time={"step": STEP, "steps": steps}, integrator={"method": method})
    for name, place, velocity in zip("abc", places, velocities):
        body = scene.body(name=name, generate={"shape": "icosphere_fan", "radius": RADIUS, "subdivisions": 0}, mass=5e-4,
                          translate=place, velocity=velocity)
        body.group(name="all", box=[[-9, -9, -9], [9, 9, 9]])
    scene.ball_contact(bodies=list("abc")[:len(places)], radius=RADIUS, **(numbers or {}))
    return scene


@pytest.mark.parametrize("method", ["symplectic_euler", "explicit_euler"])
def test_the_force_is_that_of_the_formula(method, random):
    numbers = {"stiffnesses": [50.0, 70.0, 90.0], "frictions": [0.3, 0.6, 0.5]}
    touched = 0
    for _ in range(20):
        places, velocities = random.normal(scale=0.03, size=(3, 3)), random.normal(size=(3, 3))
        sim = el.Simulator(balls(places, velocities, method, numbers=numbers))
        for _ in range(8):
            x, v = sim.positions.copy(), sim.velocities.copy()
            f = pair_force(x, v, 13, RADIUS, numbers["stiffnesses"], numbers["frictions"])
            touched += np.any(f != 0)
            sim.step()
            np.testing.assert_allclose(sim.velocities, v + STEP * f / 5e-4, rtol=0, atol=1e-12)
    assert touched > 80


CAMERA = {"position": (0.3, -0.6, 0.8), "towards": (-0.2, 0.9, -1.0), "up": (0.1, 0.0, 1.0), "focal_length": 900.0}
PLACES, VELOCITIES = [(0, 0, 0), (0.05, 0.02, 0.01)], [(0.6, 0.1, 0.2), (-0.3, 0.4, 0.0)]


def test_pictures_and_their_gradient_are_those_of_numpy(tmp_path, random):
    """The loss of a camera's numbers alone, whose motion numpy takes from the run, to 1e-8."""
    seen = random.normal(scale=100.0, size=(2, 2, 2))
    rows = [f"{step * STEP},{name}.all,{float(seen[k, b, 0])!r},{float(seen[k, b, 1])!r},{1 + b}"
            for k, step in enumerate((3, 8)) for b, name in enumerate("ab")]
    (tmp_path / "clip.csv").write_text("\n".join(["time,marker,u,v,weight", *rows]) + "\n")
    start = {"rotate": (3.0, -4.0, 5.0), "translate": (0.02, 0.01, -0.05), "zoom": 1.1}
    scene = balls(PLACES, VELOCITIES, "imex", numbers={"stiffnesses": [50.0, 60.0], "frictions": [0.4, 0.5]})
    scene.camera(name="c", **CAMERA, **start)
    names = ["camera.c.rotate", "camera.c.translate", "camera.c.zoom"]
    got = el.gradient(scene, el.loss.pixels(tmp_path / "clip.csv"), names)

    sim = el.Simulator(scene)
    centres = []
    for step in range(1, 9):
        sim.step()
        if step in (3, 8):
            centres.append([sim.positions[:13].mean(axis=0), sim.positions[13:].mean(axis=0)])

    def loss(numbers):
        total = 0.0
        for k in range(2):
            for b in range(2):
                total += (1 + b) * np.sum((picture(centres[k][b], numbers[:3], numbers[3:6], numbers[6], **CAMERA) - seen[k, b]) ** 2)
        return total / 4

    at = np.array([*start["rotate"], *start["translate"], start["zoom"]])
    assert got.loss == pytest.approx(loss(at), rel=1e-12)
    slopes = np.concatenate([np.ravel(got[name]) for name in names])
    for k, reach in enumerate([0.1] * 3 + [1e-3] * 3 + [1e-2]):
        step = reach * np.eye(7)[k]
        difference = (8 * (loss(at + step) - loss(at - step)) - (loss(at + 2 * step) - loss(at - 2 * step))) / (12 * reach)
        assert slopes[k] == pytest.approx(difference, rel=1e-8)


def test_the_gradient_of_balls_and_camera_is_that_of_differences(tmp_path):
    (tmp_path / "clip.csv").write_text("time,marker,u,v,weight\n0.004,a.all,10,20,1\n0.008,b.all,,-30,2\n0.008,a.all,40,,1\n")
    scene = balls(PLACES, VELOCITIES, "imex", numbers={"stiffnesses": [50.0, 60.0], "frictions": [0.4, 0.5]})
    scene.camera(name="c", **CAMERA, rotate=(3.0, -4.0, 5.0))
    names = ["ball_contact.0.radius", "ball_contact.0.stiffnesses", "ball_contact.0.frictions", "body.a.velocity", "camera.c.rotate",
             "camera.c.translate", "camera.c.zoom"]
    got = el.gradient(scene, el.loss.pixels(tmp_path / "clip.csv"), names, check=True)
    for name in names:
        assert np.max(np.abs(got[name])) > 0
        assert np.max(got.check[name][1]) < 1e-6, name


def test_a_marker_behind_the_camera_has_no_value(tmp_path):
    (tmp_path / "clip.csv").write_text("time,marker,u,v,weight\n0.004,a.all,10,20,1\n")
    scene = balls(PLACES, VELOCITIES, numbers={"stiffnesses": [50.0, 60.0]})
    scene.camera(name="c", **{**CAMERA, "towards": (0.2, -0.9, 1.0)})
    with pytest.raises(el.DivergenceError, match="behind camera.c"):
        el.gradient(scene, el.loss.pixels(tmp_path / "clip.csv"), "camera.c.zoom")
