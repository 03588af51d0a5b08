#!/usr/bin/python3
"""`[[change]]`: run, resume, check, info, gradient and fit of scenes that change while they run."""

import sys
import unittest

import numpy as np

from run_case import RunCase, datasets
from support import SCENE

CHANGES = """
[[change]]
step = 5
set = ["body.0.springs.0.stiffness=80.0", "time.step=0.005"]

[[change]]
step = 12
unset = ["gravity"]
set = ["integrator.method='verlet'", "body.0.charge=2e-6"]
"""


class Changes(RunCase):
    def test_run_makes_them_and_a_stopped_run_goes_on_through_them(self):
        self.scene(SCENE + CHANGES)
        self.electret("run", "scene.toml", "-o", "whole", check=0)
        data = datasets(self.folder / "whole" / "trajectory.h5")
        wanted = np.concatenate([0.01 * np.arange(6), 0.05 + 0.005 * np.arange(1, 16)])
        np.testing.assert_allclose(data["time"], wanted, rtol=0, atol=1e-15)
        self.assertEqual((data["charges"][12, 0], data["charges"][13, 0]), (1e-6, 2e-6))
        self.assertEqual(self.summary("whole")["changes"], 2)
        self.electret("run", "scene.toml", "-o", "short", "--set", "time.steps=13", "--threads", "2", check=0)
        self.electret("run", "scene.toml", "-o", "short", "--resume", "--threads", "1", check=0)
        again = datasets(self.folder / "short" / "trajectory.h5")
        for name in ("time", "positions", "velocities", "charges"):
            np.testing.assert_array_equal(data[name], again[name])
        self.assertEqual((self.folder / "whole/energy.csv").read_bytes(), (self.folder / "short/energy.csv").read_bytes())

    def test_check_and_info_list_them(self):
        self.scene(SCENE + CHANGES)
        said = self.electret("check", "scene.toml", check=0).stdout
        self.assertIn("20 of 0.01 s at the start, 0.125 s in all", said)
        self.assertIn("before the step from state 5: body.0.springs.0.stiffness=80.0, time.step=0.005", said)
        self.assertIn("before the step from state 12: --unset gravity, integrator.method='verlet', body.0.charge=2e-6", said)
        self.electret("run", "scene.toml", check=0)
        said = self.electret("info", "runs/scene", check=0).stdout
        self.assertIn("before the step from state 12: --unset gravity", said)
        self.assertIn("step 0.01 s at the start)", said)
        self.assertRegex(said, r"total mass +\S+ kg at the start\n")

    def test_activations_are_looked_at_where_the_run_goes(self):
        """Each formula at the times of the steps for which it is there."""
        muscle = """
        [time]
        step = 0.01
        duration = 1.0
        [[body]]
        name = "beam"
        generate = { shape = "box", cells = [2, 1, 1], cell_size = 0.05, element = "hex" }
        density = 1000.0
        [[body.material]]
        model = "stable_neo_hookean"
        youngs_modulus = 3e5
        poissons_ratio = 0.4
        [[body.muscle]]
        fibre = [1.0, 0.0, 0.0]
        stiffness = 3e4
        expression = "%s"
        [[change]]
        step = 50
        set = [%s]
        """
        for formula, changes, refused in [("0.2 - t", "'time.step=0.02'", None), ("0.2 - t", "'time.step=0.005'", None),
                                          ("1.6 - t", "'time.step=0.005', 'body.0.muscle.0.expression=-0.1 - t'", "t = 0.905 s"),
                                          ("-0.4 - t", "'body.0.muscle.0.expression=1.6 - t'", None),
                                          ("-0.7 - t", "'body.0.muscle.0.expression=1.6 - t'", "t = 0.31 s")]:
            with self.subTest(formula=formula, changes=changes):
                self.scene(muscle % (formula, changes))
                said = self.electret("check", "scene.toml", check=2 if refused else 0).stderr
                self.assertIn(refused or "", said)

    def test_findings_are_at_the_change(self):
        self.scene(SCENE + CHANGES.replace("80.0", "-80.0").replace("gravity", "gravty"))
        lines = (SCENE + CHANGES).splitlines()
        first = next(n for n, line in enumerate(lines, 1) if "stiffness=80.0" in line)
        said = self.electret("check", "scene.toml", check=2).stderr
        self.assertIn(f'scene.toml:{first}:8: error: the change at step 5: "stiffness"', said)

    def test_gradients_and_fits_are_refused(self):
        self.scene(SCENE + CHANGES)
        line = 1 + (SCENE + CHANGES).splitlines().index("[[change]]")
        said = self.electret("gradient", "scene.toml", "--loss", "energy", "--wrt", "body.ball.charge", check=2).stderr
        self.assertIn(f"scene.toml:{line}:1: error: a gradient cannot pass the change at step 5", said)
        self.assertIn("a gradient cannot pass the change at step 12", said)
        self.electret("gradient", "scene.toml", "--loss", "energy", "--wrt", "body.ball.charge", "--unset", "change", check=0)
        (self.folder / "job.toml").write_text('[fit]\nscene = "scene.toml"\nloss = "energy"\n[[parameter]]\nname = "body.ball.charge"\n')
        said = self.electret("fit", "job.toml", check=2).stderr
        self.assertIn("a fit cannot pass the change at step 5", said)


if __name__ == "__main__":
    sys.exit(unittest.main())
