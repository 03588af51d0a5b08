#!/usr/bin/python3
"""`electret gradient`: the JSON's shapes, its numbers against differences, and what is told of bad arguments."""

import json
import os
import subprocess
import textwrap
import unittest

import h5py
import numpy as np

from support import ELECTRET, CommandTest, without_sanitizers

NET = textwrap.dedent("""\
    [time]
    step = 0.02
    steps = 10

    [integrator]
    tolerance = 1e-12

    [coulomb]

    [gravity]
    acceleration = [0.0, 0.0, -9.81]

    [[body]]
    name = "net"
    generate = { shape = "grid", columns = 4, rows = 3 }
    mass = 0.5
    charge = 2e-6
    velocity = [0.1, 0.0, 0.0]

      [[body.springs]]
      stiffness = 30.0
      rest_length_scale = 0.9

      [[body.group]]
      name = "one"
      indices = [5]

      [[body.group_charge]]
      group = "one"
      times = [0.0, 0.1]
      values = [1e-6, -2e-6]
    """)


def flat(value):
    return np.asarray(value, dtype=float).reshape(-1)


class GradientTest(CommandTest):
    def gradient(self, loss, parameters, *more, check=0):
        done = self.electret("gradient", self.scene(NET), "--loss", loss, "--wrt", ",".join(parameters), *more,
                             check=check)
        return json.loads(done.stdout) if check == 0 else done

    def test_shapes_are_those_of_the_scene(self):
        got = self.gradient("energy", ["body.net.charge", "body.net.charges", "body.net.velocity", "gravity",
                                       "body.net.velocities", "body.net.charge[one].values", "body.net.stiffnesses"])
        gradient = got["gradient"]
        self.assertIsInstance(got["loss"], float)
        self.assertIsInstance(gradient["body.net.charge"], float)
        shapes = {name: np.shape(value) for name, value in gradient.items()}
        self.assertEqual(shapes, {"body.net.charge": (), "body.net.charges": (12,), "body.net.velocity": (3,),
                                  "gravity": (3,), "body.net.velocities": (12, 3),
                                  "body.net.charge[one].values": (2,), "body.net.stiffnesses": (17,)})
        # A value in common has the sum of its vertices' derivatives; the group's charge is not the body's.
        np.testing.assert_allclose(np.delete(gradient["body.net.charges"], 5).sum(), gradient["body.net.charge"],
                                   rtol=1e-12)
        self.assertEqual(gradient["body.net.charges"][5], 0.0)
        np.testing.assert_allclose(np.sum(gradient["body.net.velocities"], axis=0), gradient["body.net.velocity"],
                                   rtol=1e-12)

    def test_warnings_are_those_of_a_run(self):
        scene = self.scene(NET)
        arguments = ["--set", "time.step=5.0", "body.0.springs.0.stiffness=3e4", "--unset", "coulomb", "--stop-on-warning"]
        run = self.electret("run", scene, *arguments, check=2).stderr.splitlines()
        self.assertGreater(len(run), 1)
        asked = ["gradient", scene, "--loss", "energy", "--wrt", "body.net.stiffness"]
        done = self.electret(*asked, *arguments, check=2)
        self.assertEqual((done.stdout, done.stderr.splitlines()), ("", run))
        # Without the option they are warnings, and the JSON is alone on stdout.
        done = self.electret(*asked, *arguments[:-1], check=0)
        self.assertEqual(list(json.loads(done.stdout)), ["loss", "gradient"])
        for line in run:
            what = line.replace(": error: ", ": warning: ").split("; with --stop-on-warning")[0]
            self.assertIn(what, done.stderr)
        self.assertNotIn("warning", self.electret(*asked, check=0).stderr)

    def test_memory_is_a_finite_number_above_0(self):
        scene = self.scene(NET)
        for memory in ("nan", "inf", "-inf", "-1", "0", "1e999", "much"):
            for command in (["gradient", scene, "--loss", "energy", "--wrt", "gravity"], ["fit", "none.toml"]):
                with self.subTest(memory=memory, command=command[0]):
                    done = self.electret(*command, f"--memory={memory}", check=2)
                    self.assertEqual(done.stdout, "")
                    self.assertRegex(done.stderr, "^electret: error: --memory: .*a finite number above 0\n")

    def test_a_derivative_of_0_has_no_large_relative_error(self):
        # Inner forces do not move the centre of mass: its derivative by the charge is rounding.
        got = self.gradient("centre_of_mass:1,0,0", ["body.net.charge", "body.net.velocity"], "--check")
        self.assertLess(abs(got["gradient"]["body.net.charge"]), 1e-6 * got["loss"] / 2e-6)
        self.assertLess(got["relative_error"]["body.net.charge"], 1e-6)
        self.assertLess(max(got["relative_error"]["body.net.velocity"]), 1e-6)

    def test_rounding_at_a_loss_of_0_is_no_error(self):
        # A chain at rest has no energy, and none of its derivatives is other than 0.
        chain = """[time]
step = 0.01
steps = 5
[integrator]
tolerance = 1e-12
[[body]]
name = "c"
generate = { shape = "chain", vertices = 4 }
mass = 0.1
[[body.springs]]
stiffness = 100.0
"""
        done = self.electret("gradient", self.scene(chain), "--loss", "energy", "--check", "--wrt",
                             "body.c.rest_lengths,body.c.velocity", check=0)
        got = json.loads(done.stdout)
        self.assertEqual((got["loss"], got["gradient"]["body.c.rest_lengths"]), (0.0, [0.0] * 3))
        self.assertNotEqual(got["finite_difference"]["body.c.rest_lengths"], [0.0] * 3)
        self.assertLess(max(got["relative_error"]["body.c.rest_lengths"]), 1e-6)
        self.assertLess(max(got["relative_error"]["body.c.velocity"]), 1e-6)

    def test_differences_that_cannot_be_made_are_told(self):
        # A bead without a size rests on the floor: any step of the floor's place upwards has it start inside.
        bead = (NET.replace('generate = { shape = "grid", columns = 4, rows = 3 }',
                            'mesh = "bead.obj"')
                .split("  [[body.springs]]")[0].replace("charge = 2e-6\n", "").replace("[coulomb]\n", "")
                + '[[obstacle]]\nname = "floor"\nshape = "plane"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n')
        (self.folder / "bead.obj").write_text("v 0 0 0\n")
        done = self.electret("gradient", self.scene(bead), "--loss", "centre_of_mass:1,0,1", "--check",
                             "--wrt", "obstacle.floor.point,body.net.velocity", check=0)
        got = json.loads(done.stdout)
        self.assertEqual(got["finite_difference"]["obstacle.floor.point"][2], None)
        self.assertEqual(got["relative_error"]["obstacle.floor.point"][2], None)
        self.assertNotEqual(got["gradient"]["obstacle.floor.point"][2], 0.0)
        self.assertLess(max(got["relative_error"]["obstacle.floor.point"][:2]), 1e-6)
        self.assertLess(got["relative_error"]["body.net.velocity"][0], 1e-6)
        self.assertIn("no difference can be made by 1 of the 3 values of obstacle.floor.point", done.stderr)

    def test_derivatives_that_do_not_exist_are_told(self):
        # The exponent of a negative number.
        field = NET + '[[electric_field]]\nexpression = ["1e3*(x - 10)^n", "0", "0"]\nconstants = { n = 2.0 }\n'
        done = self.electret("gradient", self.scene(field), "--loss", "energy", "--wrt", "electric_field.0.n,gravity", check=1)
        got = json.loads(done.stdout)["gradient"]
        self.assertIsNone(got["electric_field.0.n"])
        self.assertTrue(np.isfinite(flat(got["gravity"])).all())
        self.assertIn("the loss has no derivative with respect to electric_field.0.n: a formula of the scene is not smooth there",
                      done.stderr)

    def test_the_groups_of_a_loss_are_used(self):
        scene = NET + '\n  [[body.group]]\n  name = "two"\n  indices = [3]\n'
        for loss, status in (("speed:1,0,0,0,net.two", 0), ("energy", 2)):
            done = self.electret("gradient", self.scene(scene), "--loss", loss, "--wrt", "gravity", "--stop-on-warning", check=status)
            self.assertEqual("is not used" in done.stderr, status == 2)

    def test_every_loss_agrees_with_differences(self):
        names = ["body.net.charge", "body.net.stiffness", "body.net.masses", "body.net.positions"]
        self.electret("run", self.scene(NET), "-o", "target", "--set", "body.0.charge=1e-6", check=0)
        with h5py.File(self.folder / "target" / "trajectory.h5") as file:
            places = file["positions"][-1]
        np.savetxt(self.folder / "goal.csv", places, delimiter=",", header="x,y,z", comments="", fmt="%.17g")
        (self.folder / "goal.obj").write_text("".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in places.tolist()))
        losses = ["energy", "centre_of_mass:0.5,0,1", "final_position:goal.csv", "final_position:goal.obj",
                  "trajectory:target/trajectory.h5"]
        found = {}
        for loss in losses:
            # Forces between vertices do not move the centre of mass.
            asked = ["gravity", *names[2:]] if loss.startswith("centre") else names
            got = found[loss] = self.gradient(loss, asked, "--check")
            for name in asked:
                self.assertEqual(np.shape(got["finite_difference"][name]), np.shape(got["gradient"][name]))
                error = flat(got["gradient"][name]) - flat(got["finite_difference"][name])
                size = np.abs(flat(got["finite_difference"][name])).max()
                np.testing.assert_allclose(flat(got["relative_error"][name]), np.abs(error) / size, rtol=1e-12)
                self.assertLess(flat(got["relative_error"][name]).max(), 1e-6, (loss, name))
        self.assertEqual(found["final_position:goal.csv"], found["final_position:goal.obj"])

    def test_losses_are_what_their_names_say(self):
        self.electret("run", self.scene(NET), "-o", "run", check=0)
        with h5py.File(self.folder / "run" / "trajectory.h5") as file:
            x = file["positions"][...]
        np.savetxt(self.folder / "zero.csv", np.zeros((12, 3)), delimiter=",", header="x,y,z", comments="")
        loss = self.gradient("final_position:zero.csv", ["gravity"])["loss"]
        np.testing.assert_allclose(loss, (x[-1] ** 2).sum(axis=1).mean(), rtol=1e-13)
        loss = self.gradient("trajectory:run/trajectory.h5", ["gravity"])
        self.assertEqual(loss["loss"], 0.0)
        centre = x[-1].mean(axis=0)
        loss = self.gradient("centre_of_mass:0,0,0", ["gravity"])["loss"]
        np.testing.assert_allclose(loss, (centre ** 2).sum(), rtol=1e-12)

    def test_bits_do_not_depend_on_memory_or_threads(self):
        names = ["body.net.charges", "body.net.positions"]
        whole = self.gradient("energy", names)
        self.assertEqual(whole, self.gradient("energy", names, "--memory", "1e-6"))
        self.assertEqual(whole, self.gradient("energy", names, "--threads", "3"))

    @without_sanitizers
    def test_peak_memory_is_within_the_budget(self):
        # A state of 40,000 vertices takes 1.9 MB, or 2.9 with a stage of its own, as kick_trbdf2 has.
        scene = self.scene(textwrap.dedent("""\
            [time]
            step = 0.01
            steps = 30
            [integrator]
            method = "kick_trbdf2"
            [gravity]
            acceleration = [0.0, 0.0, -9.81]
            [[body]]
            name = "net"
            generate = { shape = "grid", columns = 200, rows = 200 }
            mass = 0.5
            """))

        def peak(*more):
            child = subprocess.Popen([os.path.abspath(ELECTRET), "gradient", scene, "--loss", "energy", "--wrt", "gravity",
                                      "--threads", "1", *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            text = child.stdout.read()
            child.stdout.close()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(child.returncode, 0)
            return usage.ru_maxrss / 1024, text

        state, slack = 40000 * 72 / 2 ** 20, 6.0
        one_step, _ = peak("--set", "time.steps=1")  # Two states.
        whole, gradient = peak()
        # 29 states more, were it not for what the allocator keeps: it differs by some MB from run to run.
        self.assertGreater(whole - one_step, 22 * state, "what is measured has the states in it")
        for states in (3, 8, 20):
            with self.subTest(states=states):
                megabytes, same = peak("--memory", f"{states * 40000 * 72.1 / 1e9:.9f}")
                self.assertEqual(same, gradient)
                self.assertLess(megabytes - one_step, (states - 2) * state + slack)

    def test_all_that_is_wrong_with_the_arguments_is_told_at_once(self):
        done = self.gradient("enrgy", ["body.net.chare", "body.net.charge"], check=2)
        self.assertEqual(done.stdout, "")
        self.assertIn('--wrt: error: the scene has no parameter "body.net.chare"; did you mean "body.net.charge"',
                      done.stderr)
        self.assertIn('--loss: error: there is no loss "enrgy"', done.stderr)
        done = self.gradient("energy", ["gravity", "body.net.charge", "gravity"], check=2)
        self.assertEqual(done.stderr, '--wrt: error: "gravity" is named twice; name each parameter once\n')

    def test_without_parameters_it_is_the_loss_alone(self):
        scene = self.scene(NET)
        for loss in ("energy", "speed:1,0,0,0,net.one"):
            with self.subTest(loss=loss):
                alone = self.electret("gradient", scene, "--loss", loss, check=0)
                whole = self.electret("gradient", scene, "--loss", loss, "--wrt", "gravity", check=0)
                self.assertEqual(json.loads(alone.stdout), {"loss": json.loads(whole.stdout)["loss"]})
                self.assertNotIn("group", alone.stderr)  # The loss uses it.
        refused = self.electret("gradient", scene, "--loss", "energy", "--check", check=2)
        self.assertEqual(refused.stdout, "")
        self.assertIn("--check: error: there are no derivatives to compare; name parameters with --wrt", refused.stderr)

    def test_how_the_way_back_was_solved_is_said(self):
        asked = ["gradient", self.scene(NET), "--loss", "energy", "--wrt", "gravity"]
        self.assertRegex(self.electret(*asked, check=0).stderr,
                         r"^electret: backward solves: 10 by conjugate gradients; \d+\.\d iterations each, "
                         r"residuals up to \S+\n$")
        published = self.electret(*asked, "--set", "integrator.elastic_solver=local_global", check=0).stderr
        self.assertIn("10 by the quasi-Newton iteration", published)
        self.assertEqual(self.electret(*asked, "--set", "integrator.method=verlet", check=0).stderr, "")

    def test_systems_of_what_slips_on_obstacles_are_solved_by_gmres(self):
        sliding = """
[time]
step = 0.01
steps = 5
[gravity]
acceleration = [9.0, 0.0, -9.81]
[[body]]
name = "dust"
generate = { shape = "chain", vertices = 2 }
mass = 1.0
[[obstacle]]
name = "floor"
shape = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
friction = %s
"""
        for friction, method in (("0.3", "GMRES"), ("\"stick\"", "conjugate gradients")):
            asked = ["gradient", self.scene(sliding % friction), "--loss", "energy", "--wrt", "gravity"]
            self.assertIn(f"backward solves: 5 by {method};", self.electret(*asked, check=0).stderr)

    def test_steps_that_missed_their_tolerance_are_told_as_by_run(self):
        limited = ["--set", "integrator.max_iterations=1", "integrator.elastic_solver=lbfgs"]
        run = self.electret("run", self.scene(NET), *limited, check=0).stderr
        line = next(line for line in run.splitlines() if "max_iterations" in line)
        said = self.electret("gradient", self.scene(NET), "--loss", "energy", "--wrt", "gravity", *limited, check=0).stderr
        self.assertIn(line, said.splitlines())
        self.assertIn("the gradient is only as exact as these steps", said)

    def test_bad_targets_are_told(self):
        (self.folder / "few.csv").write_text("x,y,z\n1,2,3\n")
        (self.folder / "nan.csv").write_text("x,y,z\n" + "1,nan,3\n" * 12)
        (self.folder / "columns.csv").write_text("x,y\n" + "1,2\n" * 12)
        self.electret("run", self.scene(NET), "-o", "coarse", "--set", "time.step=0.03", check=0)
        for loss, said in [("final_position:few.csv", "few.csv: error: has 1 vertex, the scene has 12"),
                           ("final_position:nan.csv", "nan.csv:2:3: error"),
                           ("final_position:columns.csv", 'there is no column "z"'),
                           ("final_position:goal.txt", "is no file of vertices; allowed: .obj, .ply, .msh, "),
                           ("final_position:", "names no file"),
                           ("trajectory:none.h5", "none.h5"),
                           ("centre_of_mass:1,2", "does not name a place")]:
            done = self.gradient(loss, ["gravity"], check=2)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stdout, "")
        # Frames between steps do not count; none at a step but the start: that one alone.
        got = self.gradient("trajectory:coarse/trajectory.h5", ["gravity"])
        self.assertGreater(got["loss"], 0.0)

    def test_a_loose_tolerance_is_said(self):
        done = self.electret("gradient", self.scene(NET), "--loss", "energy", "--wrt", "gravity", "--set",
                             "integrator.tolerance=1e-6", check=0)
        self.assertIn("set integrator.tolerance = 1e-10", done.stderr)
        self.assertIn("loss", json.loads(done.stdout))

    def test_a_run_that_diverges_fails(self):
        done = self.electret("gradient", self.scene(NET), "--loss", "energy", "--wrt", "gravity", "--set",
                             "integrator.method=explicit_euler", "time.step=30", "time.steps=900", check=1)
        self.assertIn("diverged", done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
