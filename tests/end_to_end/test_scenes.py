#!/usr/bin/python3
"""Checks that scenes.py is a fair and a sharp test: rounding does not grow into visible errors, imex's minimiser is
unique, and whatever a scene contains changes its result by far more than the comparison's tolerance.
"""
import copy
import dataclasses
import tempfile
import unittest
from pathlib import Path

import numpy as np

from compare_with_oracle import generated_scenes
from oracle import load_scene, simulate
from oracle.forces import elastic_hessian
from oracle.keyframes import KeyFrames

VISIBLE = 1e-6  # a hundred times the tolerance on positions


def difference(a, b):
    """The largest of the relative differences that compare_with_oracle.py looks at."""
    size = np.linalg.norm(np.ptp(a.positions[0], axis=0))
    moved = np.max(np.linalg.norm(a.positions - a.positions[0], axis=2))
    energies = np.array(list(a.energies.values()))
    return max(
        np.max(np.abs(a.positions - b.positions)) / (size + moved),
        np.max(np.abs(a.velocities - b.velocities)) / np.max(np.linalg.norm(a.velocities, axis=2)),
        np.max(np.abs(energies - np.array(list(b.energies.values())))) / np.max(np.abs(energies)),
    )


def faults(scene):
    """(what, scene): the scene with one of its contents left out or slightly wrong."""

    def replaced(**changes):
        return dataclasses.replace(scene, **changes)

    yield "masses", replaced(masses=scene.masses * 1.001)
    for name in ("drag", "spring_damping", "softening"):
        if getattr(scene, name):
            yield name, replaced(**{name: 0.0})
    if np.any(scene.gravity):
        yield "gravity", replaced(gravity=scene.gravity[::-1])
    if scene.coulomb:
        yield "coulomb", replaced(coulomb=False)
    if scene.coulomb or scene.external_charges:
        yield "constant", replaced(constant=scene.constant * 1.001)
    if np.any(scene.velocities):
        yield "velocities", replaced(velocities=1.01 * scene.velocities)
    if len(scene.springs):
        yield "last spring", replaced(stiffness=np.append(scene.stiffness[:-1], scene.stiffness[-1] * 1.01))
        yield "rest length", replaced(rest_length=np.append(scene.rest_length[:-1], scene.rest_length[-1] * 1.001))
    if np.any(scene.body_charges):
        yield "charges", replaced(body_charges=0.99 * scene.body_charges)
    yield from _listed_faults(scene)


def _listed_faults(scene):
    for name in ("pins", "group_charges", "external_charges", "electric_fields", "loads", "grabs", "changes"):
        for index in range(len(getattr(scene, name))):
            shorter = list(getattr(scene, name))
            del shorter[index]
            yield f"{name}[{index}]", dataclasses.replace(scene, **{name: shorter})
    for what, keys in _key_frames(scene):
        for other in ("linear", "step", "cubic"):
            same = other == keys.interpolation or (len(keys.times) == 2 and "step" not in (other, keys.interpolation))
            if keys.moves and not same:
                wrong = copy.deepcopy(scene)
                dict(_key_frames(wrong))[what].interpolation = other
                yield f"{what} as {other}", wrong
    for index, external in enumerate(scene.external_charges):
        if external.width:
            wrong = copy.deepcopy(scene)
            wrong.external_charges[index].width = 0.99 * external.width
            yield f"width {index}", wrong
    for index, grab in enumerate(scene.grabs):
        for name in ("stiffness", "damping"):
            wrong = copy.deepcopy(scene)
            setattr(wrong.grabs[index], name, 1.02 * getattr(grab, name))
            if getattr(grab, name) > 0.0:
                yield f"{name} {index}", wrong


def _key_frames(scene):
    for index, (_, keys) in enumerate(scene.group_charges):
        yield f"group charge {index}", keys
    for index, (_, keys) in enumerate(scene.pins):
        if isinstance(keys, KeyFrames):
            yield f"pin {index}", keys
    for index, (_, _, factor) in enumerate(scene.loads):
        yield f"load {index}", factor
    for index, grab in enumerate(scene.grabs):
        yield f"target {index}", grab.target
    for index, external in enumerate(scene.external_charges):
        yield f"external charge {index}", external.charge
        yield f"external position {index}", external.position


class Scenes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cases = generated_scenes(Path(cls.folder.name))
        cls.scenes = {label: load_scene(path) for label, path in cases if not label.startswith("generated")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_rounding_stays_small(self):
        rng = np.random.default_rng(5)
        for label, scene in self.scenes.items():
            with self.subTest(label):
                held = np.zeros(len(scene.masses), dtype=bool)
                for members, _ in scene.pins:
                    held[members] = True
                shake = 1e-13 * rng.standard_normal(scene.positions.shape) * ~held[:, None]
                if "zero_length" in label:
                    shake[:] = shake[0]  # the coincident ends must stay so
                shaken = simulate(dataclasses.replace(scene, positions=scene.positions + shake))
                self.assertLess(difference(simulate(scene), shaken), 1e-10)

    def test_imex_minimiser_is_unique_near_the_path(self):
        for label, scene in self.scenes.items():
            if scene.method != "imex":
                continue
            mass = np.diag(np.repeat(scene.masses, 3))
            lowest = []

            def look(_, x, __, scene=scene, mass=mass, lowest=lowest):
                hessian = mass + scene.step**2 * elastic_hessian(scene, x).toarray()
                lowest.append(np.linalg.eigvalsh(hessian)[0] / np.min(scene.masses))

            simulate(scene, after_step=look)
            with self.subTest(label):
                self.assertGreater(min(lowest), 0.3)

    def test_every_content_is_visible(self):
        for label, scene in self.scenes.items():
            if scene.method != "verlet" and label != "stiff/imex":
                continue
            right = simulate(scene)
            for what, wrong in faults(scene):
                with self.subTest(label, what=what):
                    self.assertGreater(difference(right, simulate(wrong)), VISIBLE)


if __name__ == "__main__":
    unittest.main()
