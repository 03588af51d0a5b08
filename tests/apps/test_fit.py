#!/usr/bin/python3
"""`electret fit`: what a job recovers, the files it leaves, and what is told of bad jobs."""

import csv
import json
import shutil
import signal
import textwrap
import unittest

from support import CommandTest

NET = textwrap.dedent("""\
    # A net of charged points.
    [time]
    step = 0.02
    steps = 20

    [integrator]
    tolerance = 1e-11

    [coulomb]

    [[body]]
    name = "net"
    mesh = "meshes/net.obj"
    mass = 0.4
    charge = 2e-6

      [[body.springs]]
      stiffness = 15.0
      rest_length_scale = 0.8
    """)

OBJ = "".join(f"v {x} {y} {0.1 * x * y}\n" for y in range(3) for x in range(4)) + "".join(
    f"f {a} {a + 1} {a + 5} {a + 4}\n" for row in (1, 5) for a in range(row, row + 3))

JOB = textwrap.dedent("""\
    [fit]
    scene = "../scenes/net.toml"
    set = ["integrator.tolerance=1e-12"]

    [[parameter]]
    name = "body.net.charge"
    start = 1.2e-6

    [[parameter]]
    name = "body.net.stiffness"
    start = 6.0
    maximum = 100.0

    [[loss]]
    of = "trajectory:target/trajectory.h5"
    """)


class FitTest(CommandTest):
    def setUp(self):
        super().setUp()
        for folder in ("scenes/meshes", "jobs"):
            (self.folder / folder).mkdir(parents=True)
        (self.folder / "scenes/net.toml").write_text(NET)
        (self.folder / "scenes/meshes/net.obj").write_text(OBJ)
        self.electret("run", "scenes/net.toml", "-o", "jobs/target", check=0)

    def fit(self, text=JOB, *more, check=0, name="net.toml"):
        (self.folder / "jobs" / name).write_text(text)
        return self.electret("fit", f"jobs/{name}", *more, check=check)

    def result(self, directory="fits/net"):
        return json.loads((self.folder / directory / "fit.json").read_text())

    def test_recovers_what_the_target_was_made_with(self):
        done = self.fit()
        self.assertIn("body.net.stiffness", done.stdout)
        result = self.result()
        self.assertEqual(result["status"], "done")
        self.assertAlmostEqual(result["values"]["body.net.charge"][0] / 2e-6, 1.0, delta=1e-4)
        self.assertAlmostEqual(result["values"]["body.net.stiffness"][0] / 15.0, 1.0, delta=1e-4)
        names = {path.name for path in (self.folder / "fits/net").iterdir()}
        self.assertEqual(names, {"fit.csv", "fit.json", "fit.svg", "fit.png", "fitted.toml"})
        with open(self.folder / "fits/net/fit.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        losses = [float(row["loss"]) for row in rows]
        self.assertEqual(min(losses), result["loss"])
        self.assertLess(min(losses), 1e-6 * losses[0])
        self.assertEqual(float(rows[0]["body.net.charge"]), 1.2e-6)
        told = result["identifiability"]
        self.assertTrue(told["is_whole"] and 0 < told["smallest_curvature"] < told["largest_curvature"])
        self.assertIn("weakest combination's curvature", done.stdout)
        # The fitted scene runs as it is, where it lies, and moves as the target did.
        self.electret("run", "fits/net/fitted.toml", "-o", "again", check=0)
        compared = self.electret("compare", "again", "jobs/target")
        self.assertIn("positions", compared.stdout)
        self.assertIn('mesh = "../../scenes/meshes/net.obj"', (self.folder / "fits/net/fitted.toml").read_text())

    def test_an_end_that_is_not_a_small_gradient_is_told(self):
        done = self.fit(JOB + "[optimiser]\nevaluations = 1\n", check=1)
        self.assertRegex(done.stdout, r"not converged +after 1 run: the number of evaluations is used up\n")
        self.assertRegex(done.stderr, r"electret: the fit has not converged after 1 run: .*; allow more optimiser.evaluations")
        self.assertEqual((self.result()["status"], self.result()["converged"]), ("done", False))
        self.assertEqual(self.result()["starts"][0]["converged"], False)
        done = self.fit(JOB)
        self.assertRegex(done.stdout, r"ended +after \d+ runs: the gradient is small\n")
        self.assertEqual((done.stderr.count("not converged"), self.result()["converged"]), (0, True))

    def test_no_unit_of_the_loss_matters_within_limits(self):
        text = JOB.replace("maximum = 100.0", "minimum = 1.0\nmaximum = 100.0")
        for weight in ("1e-8", "1", "1e8"):
            self.fit(text + f"weight = {weight}\n[optimiser]\ngradient_tolerance = 1e-10\n", "--overwrite")
            values = self.result()["values"]
            self.assertAlmostEqual(values["body.net.charge"][0] / 2e-6, 1.0, delta=1e-6)
            self.assertAlmostEqual(values["body.net.stiffness"][0] / 15.0, 1.0, delta=1e-6)

    def test_what_a_kill_left_of_the_first_file_is_no_fit(self):
        for mode in ([], ["--resume"], ["--overwrite"]):
            folder = self.folder / ("cut" + "".join(mode))
            folder.mkdir()
            for name in ("fit.json.123-0.part", "fitted.toml.123-1.part"):
                (folder / name).write_text("")
            self.fit(JOB, "-o", folder.name, *mode)
            names = {path.name for path in folder.iterdir()}
            self.assertEqual(names, {"fit.csv", "fit.json", "fit.svg", "fit.png", "fitted.toml"})

    def test_warnings_are_those_of_a_run_of_the_scene_as_it_starts(self):
        # The scene's own stiffness gives no cause; the start's does.
        text = JOB.replace("start = 6.0\nmaximum = 100.0", "start = 6e9") + "[optimiser]\nevaluations = 1\n"
        run = self.electret("run", "scenes/net.toml", "-o", "none", "--set", "body.0.springs.0.stiffness=6e9",
                            "integrator.tolerance=1e-12", "body.0.charge=1.2e-6", "--stop-on-warning", check=2).stderr
        self.assertRegex(run, "net.toml:3:8: error: the step of 0.02 s is .* times")
        self.assertEqual(self.fit(text, "--stop-on-warning", check=2).stderr.split(": error: ")[1],
                         run.split(": error: ")[1])
        self.assertFalse((self.folder / "fits").exists(), "nothing is written")
        said = self.fit(text, check=1).stderr
        self.assertIn(": warning: the step of 0.02 s is ", said)
        self.assertNotIn("warning", self.fit(JOB + "[optimiser]\nevaluations = 1\n", "--overwrite", check=1).stderr)

    def test_names_cannot_steer_the_terminal_nor_break_the_table(self):
        (self.folder / "scenes/net.toml").write_text(NET.replace('"net"', r'"n\u001b[31m\""'))
        done = self.fit(JOB.replace('"body.net.', r'"body.n\u001b[31m\".'))
        self.assertIn(r'body.n\x1b[31m".charge', done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        with open(self.folder / "fits/net/fit.csv", newline="") as file:
            self.assertEqual(next(csv.reader(file))[5:], [r'body.n\x1b[31m".charge', r'body.n\x1b[31m".stiffness'])

    def test_other_optimisers_starts_horizons_and_a_scan(self):
        text = JOB + textwrap.dedent("""\
            [optimiser]
            method = "mma"
            evaluations = 150
            loss_tolerance = 1e-10
            [starts]
            count = 2
            spread = 1.3
            [horizons]
            durations = [0.1]
            [[scan]]
            parameter = "body.net.charge"
            from = 1e-6
            to = 3e-6
            points = 5
            [[scan]]
            parameter = "body.net.stiffness"
            from = 5.0
            to = 25.0
            points = 3
            """)
        self.fit(text)
        self.assertEqual(len(self.result()["starts"]), 2)
        self.assertAlmostEqual(abs(self.result()["values"]["body.net.charge"][0]) / 2e-6, 1.0, delta=1e-2)
        with open(self.folder / "fits/net/scan.csv", newline="") as file:
            rows = [list(map(float, row)) for row in list(csv.reader(file))[1:]]
        self.assertEqual(len(rows), 15)
        best = min(rows, key=lambda row: row[2])
        self.assertAlmostEqual(best[0], 2e-6, delta=1e-18)
        self.assertEqual(best[1], 15.0)
        self.assertLess(best[2], 1e-18)
        for name in ("scan.svg", "scan.png"):
            self.assertTrue((self.folder / "fits/net" / name).stat().st_size > 1000)

    def test_goes_on_after_an_interruption_to_the_same_result(self):
        text = JOB.replace('tolerance=1e-12"', 'tolerance=1e-12", "time.steps=600"') + "[starts]\ncount = 3\n"
        self.electret("run", "scenes/net.toml", "-o", "jobs/target", "--set", "time.steps=600", "--overwrite", check=0)
        self.fit(text, "-o", "whole")
        for _ in range(10):
            started = self.start("fit", "jobs/net.toml", "-o", "cut")
            while started.stderr.readline().count("run ") == 0:
                pass
            started.send_signal(signal.SIGINT)
            _, said = started.communicate()
            # Where this test gets no processor for a while, the fit is done before the signal, or hears none any more.
            if started.returncode not in (0, -signal.SIGINT):
                break
            shutil.rmtree(self.folder / "cut")
        self.assertEqual(started.returncode, 130, said)
        self.assertIn("--resume", said)
        self.assertIn("holds an unfinished fit", self.electret("fit", "jobs/net.toml", "-o", "cut", check=2).stderr)
        self.electret("fit", "jobs/net.toml", "-o", "cut", "--resume", check=0)
        self.assertEqual(self.result("cut")["values"], self.result("whole")["values"])
        self.assertEqual((self.folder / "cut/fit.csv").read_text(), (self.folder / "whole/fit.csv").read_text())

    def test_a_fit_that_has_ended_has_nothing_left_to_do(self):
        self.fit()
        before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in (self.folder / "fits/net").iterdir()}
        done = self.fit(JOB, "--resume")
        self.assertIn("the fit in fits/net has finished already; nothing was left to do", done.stderr)
        self.assertNotIn("run 1", done.stderr)
        self.assertRegex(done.stdout, r"body.net.stiffness +15(\.0*\d)? N/m\n")
        self.assertRegex(done.stdout, r"ended +the gradient is small\n")
        self.assertEqual({path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in (self.folder / "fits/net").iterdir()}, before)
        (self.folder / "fits/net/fitted.toml").unlink()
        self.assertIn("has finished already and has lost fitted.toml", self.fit(JOB, "--resume", check=2).stderr)
        self.fit(JOB.replace("start = 6.0", "start = 7.0"))
        self.assertIn("began before its job", self.fit(JOB, "--resume", check=2).stderr)
        self.fit(JOB + "[optimiser]\nevaluations = 1\n", check=1)
        self.assertRegex(self.fit(JOB + "[optimiser]\nevaluations = 1\n", "--resume", check=1).stdout, "not converged +the number of evaluations is used up")

    def test_nothing_is_replaced_in_silence(self):
        self.fit()
        self.fit()  # A finished fit of the same job is.
        done = self.fit(JOB, "-o", "fits/net", check=2, name="other.toml")
        self.assertIn("holds a fit of another job", done.stderr)
        self.fit(JOB, "-o", "fits/net", "--overwrite", name="other.toml")
        done = self.fit(JOB, "-o", "scenes", check=2)
        self.assertIn("holds something other than a fit", done.stderr)

    def test_bad_jobs_are_told_before_anything_runs(self):
        for text, said in [
                (JOB.replace("body.net.charge", "body.net.chare"), 'jobs/net.toml:6:8: error: the scene has no parameter'),
                (JOB.replace("start = 6.0", "start = -6.0"), 'jobs/net.toml:11:9: error: "start" = -6 is out of range'),
                (JOB.replace("start = 6.0", "begin = 6.0"), 'unknown key "begin"'),
                (JOB.replace("maximum = 100.0", "maximum = 5.0"),
                 'jobs/net.toml:11:9: error: "start" = 6 is outside its limits; allowed: -inf … 5'),
                (JOB.replace("start = 6.0\nmaximum = 100.0", "maximum = 5.0"),
                 'jobs/net.toml:11:11: error: "body.net.stiffness" starts at the scene\'s value, 15, which is outside its '
                 'limits; allowed: -inf … 5; "start" sets another start'),
                (JOB + "weight = 0.0\n", "jobs/net.toml:16:10: error: a weight of 0"),
                (JOB.replace("maximum = 100.0", "maximum = 1.0\nminimum = 2.0"), "is more than maximum"),
                (JOB.replace("trajectory:target/trajectory.h5", "final_position:none.obj"), "none.obj"),
                (JOB.replace("../scenes/net.toml", "net2.toml"), "net2.toml"),
                (JOB.replace("[[loss]]", "[[los]]"), "[[loss]] is missing"),
                (JOB + "[horizons]\ndurations = [0.05]\n", "whole numbers of steps"),
                (JOB + '[[scan]]\nparameter = "gravity"\nfrom = 0\nto = 1\n', "is not fitted"),
                (JOB.replace("body.net.stiffness", "body.net.charges"), "fitted under another name, too"),
                (JOB + '[[scan]]\nparameter = "body.net.charge"\nfrom = 2e-6\nto = 1e-6\n',
                 'jobs/net.toml:18:8: error: "from" = 2e-06 is not less than "to" = 1e-06'),
                (JOB.replace("charge", "mass") + "[signs]\ntrials = 3\n",
                 "jobs/net.toml:17:10: error: no fitted value can change its sign"),
                ("x = [", "net.toml:1")]:
            done = self.fit(text, check=2)
            self.assertIn(said, done.stderr)
            self.assertFalse((self.folder / "fits").exists(), said)

    def test_types_names_ranges_and_pairs_are_told_at_once(self):
        text = (JOB.replace("maximum = 100.0", "maximum = 1.0\nminimum = 2.0").replace("body.net.charge", "body.net.chare") +
                'weight = "much"\n[[parameter]]\nname = "body.net.stiffnesses"\n[[loss]]\nof = "enrgy"\n'
                '[horizons]\ndurations = [0.05]\n[starts]\ncount = 0\nsigns = "random"\n'
                '[[scan]]\nparameter = "gravity"\nfrom = 3\nto = "x"\n')
        said = self.fit(text, check=2).stderr.splitlines()
        places = [line.split(": error: ")[0] for line in said]
        self.assertEqual(places, [f"jobs/net.toml:{place}" for place in (
            "6:8", "10:8", "17:10", "19:8", "21:6", "23:13", "25:9", "28:13", "30:6")], said)
        for what in ("no parameter", "is more than maximum", "weight", "fitted under another name", "there is no loss",
                     "whole numbers of steps", "count", "is not fitted", '"to"'):
            self.assertEqual(sum(what in line for line in said), 1, (what, said))

    def test_a_scene_that_is_wrong_is_told_with_the_job(self):
        (self.folder / "scenes/net.toml").write_text(NET.replace("step = 0.02", "step = -1"))
        said = self.fit(JOB + "weight = true\n", check=2).stderr
        self.assertIn("jobs/net.toml:16:10: error", said)
        self.assertIn("jobs/../scenes/net.toml:3:8: error", said)

    def test_a_job_is_a_file(self):
        done = self.electret("fit", "-", check=2)
        self.assertIn("JOB: error: a job is not read from standard input; give a file", done.stderr)

    def test_steps_that_missed_their_tolerance_are_told_as_by_run(self):
        limited = '"integrator.max_iterations=1", "integrator.elastic_solver=lbfgs", "integrator.tolerance=1e-12"'
        said = self.fit(JOB.replace('"integrator.tolerance=1e-12"', limited) + "[optimiser]\nevaluations = 2\n",
                        check=1).stderr
        self.assertIn("electret: 40 of 40 steps ended before integrator.tolerance was met, within integrator.max_iterations = 1",
                      said)
        self.assertNotIn("integrator.max_iterations", self.fit(JOB, "--overwrite").stderr)

    def test_signs_are_searched_for_and_told(self):
        charges = [3e-6, 2e-6, -1e-6, -2e-6, 3e-6, -2e-6, -3e-6, 1e-6, 3e-6, 1e-6, -1e-6, -1e-6]
        self.electret("run", "scenes/net.toml", "-o", "jobs/target", "--overwrite", "--unset", "body.0.charge", "--set",
                      f"body.0.charges={charges}", check=0)
        text = JOB.split("[[parameter]]")[0] + textwrap.dedent("""\
            [[parameter]]
            name = "body.net.charges"
            start = 2e-6
            [[loss]]
            of = "trajectory:target/trajectory.h5"
            """)
        alone = self.fit(text)
        result = self.result()
        self.assertGreater(len(result["signs"]["ambiguous"]), 0)
        self.assertEqual(len(result["signs"]["reversed"]), 12)
        self.assertRegex(alone.stdout, r"signs not determined by the loss +\d+ of 12 tried: body.net.charges\[")
        self.assertIn("this may be a valley of wrong signs", alone.stdout)
        searched = self.fit(text + "[signs]\ntrials = 200\n", "-o", "searched")
        result = self.result("searched")
        found = result["values"]["body.net.charges"]
        sign = 1.0 if found[0] > 0 else -1.0
        for value, charge in zip(found, charges):
            self.assertAlmostEqual(sign * value, charge, delta=1e-9)
        self.assertEqual(result["signs"]["ambiguous"], [])
        self.assertLessEqual(result["sign_search"]["loss"], 1e-6 * result["starts"][0]["loss"])
        self.assertIn("search for signs", searched.stdout)
        self.assertRegex(searched.stdout, "signs not determined by the loss +all of them reversed together")
        self.assertNotIn("this may be", searched.stdout)
        with open(self.folder / "searched/fit.csv", newline="") as file:
            self.assertEqual({row["start"] for row in csv.DictReader(file)}, {"0", "1"})
        # Starts of random signs have the sizes of the scene's values, times a factor, and every sign.
        self.fit(text + '[starts]\ncount = 4\nsigns = "random"\nspread = 1.5\n', "-o", "random")
        with open(self.folder / "random/fit.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["evaluation"] == "1"]
        starts = [[float(row[f"body.net.charges[{k}]"]) for k in range(12)] for row in rows]
        self.assertEqual(len(starts), 4)
        self.assertEqual(starts[0], [2e-6] * 12)
        for start in starts[1:]:
            self.assertTrue(all(2e-6 / 1.51 < abs(value) < 2e-6 * 1.51 for value in start), start)
            self.assertTrue(0 < sum(value > 0 for value in start) < 12)

    def test_random_starts_that_diverge_are_counted(self):
        text = JOB.replace("start = 1.2e-6", "minimum = 1e-6\nmaximum = 1.001e-6").replace("start = 6.0\nmaximum = 100.0",
                                                                                  "minimum = 1.0\nmaximum = 1e9")
        text = text.replace('set = ["', 'set = ["integrator.method=verlet", "time.steps=200", "')
        done = self.fit(text + '[optimiser]\nevaluations = 1\n[starts]\nsample = "limits"\nbest_of = 8\n', check=1)
        samples = self.result()["samples"]
        self.assertTrue(0 < samples["diverged"] < samples["count"] == 8, samples)
        self.assertIn(f", of 8 random starts, {samples['diverged']} of which diverged, the others of mean loss ", done.stdout)

    def test_a_flat_loss_is_told(self):
        text = JOB.replace("trajectory:target/trajectory.h5", "centre_of_mass:1,0,0").replace("start = 1.2e-6",
                                                                                               "start = 0.0")
        done = self.fit(text, check=2)
        self.assertIn("the derivative of the loss with respect to it is 0", done.stderr)


if __name__ == "__main__":
    unittest.main()
