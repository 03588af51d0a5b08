#!/usr/bin/python3
"""Where the command computes the field: `electret devices`, `--device` and `coulomb.device`, on OpenCL's CPU device.

The tests that need such a device (PoCL's, or the one that ELECTRET_TEST_DEVICE names) are skipped where there is none.
"""

import csv
import json
import os
import re
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

from support import ELECTRET, SCENE, SOURCE, CommandTest

DEVICE = os.environ.get("ELECTRET_TEST_DEVICE") or "gpu:Portable"
ON_DEVICE = f"coulomb.device={DEVICE}"
TORUS = SOURCE / "examples/charged_torus.toml"
FAILING = os.environ.get("ELECTRET_FAILING_OPENCL", "")


def why_no_device():
    """Why the tests' device is not there; "" if it is."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "charges.csv")
        with open(path, "w") as file:
            file.write("x,y,z,q\n0,0,0,1e-9\n1,0,0,1e-9\n")
        done = subprocess.run([os.path.abspath(ELECTRET), "field", path, "--device", DEVICE], text=True, capture_output=True)
        return "" if done.returncode == 0 else done.stderr.strip()


WHY_NOT = why_no_device()
needs_device = unittest.skipIf(WHY_NOT, f"no OpenCL device {DEVICE}: {WHY_NOT}")


def without_opencl(**more):
    return {**os.environ, "ELECTRET_OPENCL_LIBRARY": "libabsent-opencl.so.1", **more}


class DeviceTest(CommandTest):
    def charges(self, count=60):
        rng = np.random.default_rng(4)
        rows = np.column_stack([rng.uniform(-1, 1, (count, 3)), rng.uniform(-1e-6, 1e-6, count)])
        np.savetxt(self.folder / "charges.csv", rows, delimiter=",", header="x,y,z,q", comments="")

    def field(self, *options, check=0, **more):
        done = self.electret("field", "charges.csv", *options, check=check, **more)
        if check:
            return done
        return np.array([[float(x) for x in row] for row in list(csv.reader(done.stdout.splitlines()))[1:]]), done.stderr


class WithoutOpenCl(DeviceTest):
    def test_devices_says_why_there_are_none(self):
        (self.folder / "empty").mkdir()
        for environment, words in [(without_opencl(), "no OpenCL on this machine: libabsent-opencl.so.1"),
                                   ({**os.environ, "OCL_ICD_VENDORS": str(self.folder / "empty")}, "no OpenCL on this machine")]:
            done = self.electret("devices", env=environment, check=0)
            self.assertTrue(done.stdout.startswith(words) or "this build has no OpenCL" in done.stdout, done.stdout)
            self.assertEqual(done.stderr, "")

    def test_a_gpu_asked_for_is_refused_with_what_to_do(self):
        self.scene()
        self.charges(3)
        for device in ["gpu", "gpu:radeon"]:
            for command in [["check", "scene.toml"], ["run", "scene.toml", "-o", "out"], ["gradient", "scene.toml", "--loss", "energy", "--wrt", "body.ball.charge"]]:
                done = self.electret(*command, "--set", f"coulomb.device={device}", env=without_opencl(), check=2)
                self.assertRegex(done.stderr, r"--set coulomb.device: error: .*OpenCL.*\"cpu\"")
            done = self.field("--device", device, env=without_opencl(), check=2)
            self.assertRegex(done.stderr, r"^electret: error: .*OpenCL.*\"cpu\"")
        self.assertFalse((self.folder / "out").exists())

    def test_the_finding_is_at_the_key(self):
        self.scene(SCENE.replace("[coulomb]", '[coulomb]\ndevice = "gpu"'))
        done = self.electret("check", "scene.toml", env=without_opencl(), check=2)
        self.assertRegex(done.stderr, r"^scene.toml:12:\d+: error: ")

    def test_auto_and_cpu_need_none(self):
        self.scene()
        self.charges()
        (auto, _), (cpu, _) = (self.field("--device", device, env=without_opencl()) for device in ("auto", "cpu"))
        np.testing.assert_array_equal(auto, cpu)
        done = self.electret("check", "scene.toml", env=without_opencl(), check=0)
        self.assertRegex(done.stdout, r"field device +cpu: auto takes a GPU only where measurements say")

    def test_words_that_are_no_device(self):
        self.charges(3)
        self.scene()
        self.assertIn('--device "tpu" is no device; allowed: auto, cpu, gpu, gpu:NAME', self.field("--device", "tpu", check=2).stderr)
        self.assertIn('--solver "cuda" is no field solver; for a GPU: --device gpu', self.field("--solver", "cuda", check=2).stderr)
        done = self.electret("check", "scene.toml", "--set", "coulomb.solver=cuda", check=2)
        self.assertIn('solver "cuda" is no field solver; for a GPU: device = "gpu"; allowed: "auto"', done.stderr)


@needs_device
class OnDevice(DeviceTest):
    def test_devices_lists_it_and_how_to_choose_it(self):
        done = self.electret("devices", check=0)
        choices = re.findall(r'choose it by +device = "(gpu:[^"]+)"', done.stdout)
        self.assertTrue(choices, done.stdout)
        for words in ["kind", "platform", "driver", "memory", "compute units", "float64", 'device = "auto" takes a discrete GPU from so many charges on']:
            self.assertIn(words, done.stdout)
        self.charges(5)
        for choice in choices:
            self.assertIn("; on ", self.field("--device", choice)[1])

    def test_devices_checks(self):
        done = self.electret("devices", "--check", check=0)
        self.assertRegex(done.stdout, r"self-test +passed: \d+ comparisons")
        self.assertRegex(done.stdout, r"direct sums +[0-9.e+]+ pairs a second")

    def test_field_is_right_and_says_where(self):
        self.charges(300)
        exact, _ = self.field()
        for accuracy in ["1e-2", "1e-5"]:
            found, said = self.field("--device", DEVICE, "--accuracy", accuracy, "--verify", "300")
            error = np.linalg.norm(found[:, :3] - exact[:, :3]) / np.linalg.norm(exact[:, :3])
            self.assertLess(error, float(accuracy))
            self.assertGreater(error, 1e-12)  # It is not the CPU's float64 that computed.
            self.assertRegex(said, r"direct: auto takes it .*; on .*driver .*requested by device = \"" + re.escape(DEVICE))
            self.assertIn("true error on 300 targets", said)

    def test_direct_without_an_accuracy_sums_in_float64_where_there_is_float64(self):
        self.charges(300)
        exact, _ = self.field()
        if re.search(r"float64 +yes", self.electret("devices", check=0).stdout):
            found, said = self.field("--device", DEVICE, "--solver", "direct")
            self.assertIn("it sums in float64, because no accuracy is requested; on ", said)
            np.testing.assert_allclose(found, exact, rtol=1e-11, atol=1e-11 * np.abs(exact).max())
        else:
            self.assertIn("sums in float64, which this device lacks",
                          self.field("--device", DEVICE, "--solver", "direct", check=2).stderr)

    def test_what_it_cannot_do_is_refused_before_anything_runs(self):
        self.charges(300)
        done = self.field("--device", DEVICE, "--solver", "fmm", "--accuracy", "1e-7", check=2)
        self.assertRegex(done.stderr, r'finer than what solver "fmm" on .* computes; allowed there: 1e-6 or more; .*"cpu"')
        done = self.field("--device", "gpu:no such device", check=2)
        self.assertRegex(done.stderr, r'--device "gpu:no such device": no device has this name; allowed: .*"gpu:')

    def test_too_little_memory_is_told_with_both_numbers(self):
        self.charges(300)
        self.scene()
        small = {**os.environ, "ELECTRET_GPU_MEMORY": "200000"}
        self.assertRegex(self.field("--device", DEVICE, env=small, check=2).stderr,
                         r'300 charges with solver "direct" on .* take about \d+ kB, more than the 160 kB that it offers of its 200 kB')
        done = self.electret("check", "scene.toml", "--set", ON_DEVICE, env=small, check=2)
        self.assertRegex(done.stderr, r"take about \d+ kB, more than the 160 kB")

    def test_first_use_is_told_once(self):
        self.charges(5)
        cache = {**os.environ, "ELECTRET_KERNEL_CACHE": str(self.folder / "kernels")}
        self.assertIn("the first use of", self.field("--device", DEVICE, env=cache)[1])
        self.assertNotIn("the first use of", self.field("--device", DEVICE, env=cache)[1])

    def test_check_names_device_driver_solver_and_why(self):
        done = self.electret("check", TORUS, "--set", ON_DEVICE, check=0)
        self.assertRegex(done.stdout, r"field solver +direct: auto takes it .*; on .*driver ")
        self.assertRegex(done.stdout, r'field device +.*driver .*: requested by device = "')


@needs_device
class RunOnDevice(DeviceTest):
    """Runs, gradients and fits of examples/charged_torus.toml."""

    short = ["--unset", "time.duration", "--set", "time.steps=12"]

    def positions(self, run):
        with h5py.File(self.folder / run / "trajectory.h5") as file:
            return file["positions"][()]

    def run_torus(self, name, *more, device=True):
        return self.electret("run", TORUS, "-o", name, *(["--set", ON_DEVICE] if device else []), *more, check=0)

    def test_a_run_has_the_motion_of_the_cpu_and_its_own_bits(self):
        self.run_torus("device", *self.short)
        self.run_torus("again", *self.short)
        self.run_torus("cpu", *self.short, device=False)
        on_device, cpu = self.positions("device"), self.positions("cpu")
        np.testing.assert_array_equal(on_device, self.positions("again"))
        moved = np.linalg.norm(cpu[-1] - cpu[0])
        self.assertLess(np.linalg.norm(on_device - cpu), 1e-3 * moved)
        self.assertGreater(np.linalg.norm(on_device - cpu), 0.0)
        summary = self.summary("device")
        self.assertEqual(summary["solver"], "direct")
        self.assertIn("driver", summary["field_device"])
        self.assertTrue(any(choice.startswith("field device: ") and "requested by" in choice for choice in summary["choices"]))
        self.assertEqual(self.summary("cpu")["field_device"], "cpu")
        self.assertRegex(self.electret("info", "device", check=0).stdout, r"field device +.*driver")

    def test_a_resumed_run_is_bitwise_the_whole_run(self):
        self.run_torus("whole", *self.short)
        self.run_torus("cut", "--unset", "time.duration", "--set", "time.steps=5")
        done = self.run_torus("cut", *self.short, "--resume")
        self.assertNotIn("warning", done.stderr)
        np.testing.assert_array_equal(self.positions("cut"), self.positions("whole"))
        for name in ["energy.csv", "observables.csv"]:
            self.assertEqual((self.folder / "cut" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())

    def test_a_run_resumed_on_another_device_warns_and_goes_on(self):
        self.run_torus("cut", "--unset", "time.duration", "--set", "time.steps=5")
        refused = self.electret("run", TORUS, "-o", "cut", *self.short, "--resume", "--stop-on-warning", check=2)
        self.assertIn("will not have the bits of a run on one device", refused.stderr)
        done = self.run_torus("cut", *self.short, "--resume", device=False)
        self.assertRegex(done.stderr, r"warning: the field was computed on .*driver.* until here and is computed on cpu from here on")
        summary = self.summary("cut")
        self.assertEqual((summary["status"], summary["field_device"]), ("done", "cpu"))
        self.assertTrue(any("until here" in warning for warning in summary["warnings"]))
        self.assertEqual(len(self.positions("cut")), 13)
        # And back, to a longer run.
        done = self.run_torus("cut", "--unset", "time.duration", "--set", "time.steps=14", "--resume")
        self.assertRegex(done.stderr, "computed on cpu until here and is computed on .*driver")

    def test_a_gradient_agrees_with_differences_and_with_the_cpu(self):
        options = ["--loss", "energy", "--wrt", "body.torus.charge,body.torus.stiffness", "--unset", "time.duration", "--set",
                   "time.steps=3", "integrator.tolerance=1e-12"]
        device = json.loads(self.electret("gradient", TORUS, *options, ON_DEVICE, check=0).stdout)
        cpu = json.loads(self.electret("gradient", TORUS, *options, check=0).stdout)
        for name, expected in cpu["gradient"].items():
            np.testing.assert_allclose(device["gradient"][name], expected, rtol=1e-3)
        self.assertNotEqual(device["gradient"], cpu["gradient"])

    def test_a_fit_recovers_the_charge(self):
        self.run_torus("target", *self.short)
        (self.folder / "job.toml").write_text(f"""
            [fit]
            scene = "{TORUS}"
            set = ["time.steps=12", "{ON_DEVICE}"]
            unset = ["time.duration"]
            [[parameter]]
            name = "body.torus.charge"
            start = 5e-6
            [[loss]]
            of = "trajectory:target/trajectory.h5"
            """)
        self.electret("fit", "job.toml", "-o", "fitted", check=0)
        result = json.loads((self.folder / "fitted/fit.json").read_text())
        self.assertAlmostEqual(result["values"]["body.torus.charge"][0] / 6e-6, 1.0, delta=1e-4)

    @unittest.skipUnless(FAILING, "no OpenCL library to fail was built")
    def test_a_device_that_fails_leaves_a_run_that_the_cpu_goes_on_with(self):
        failing = {**os.environ, "ELECTRET_OPENCL_LIBRARY": FAILING, "ELECTRET_TEST_LAUNCHES": "60"}
        self.electret("field", "--help", check=0)
        steps = ["--unset", "time.duration", "--set", "time.steps=400"]
        done = self.electret("run", TORUS, "-o", "lost", *steps, ON_DEVICE, env=failing, check=1)
        self.assertRegex(done.stderr, r"electret: error: the device failed.*--set coulomb.device=cpu")
        self.assertRegex(done.stderr, r"go on on the CPU with: electret run .* --set coulomb.device=cpu --resume")
        summary = self.summary("lost")
        self.assertEqual(summary["status"], "failed")
        self.assertIn("coulomb.device=cpu", summary["failure"]["advice"])
        self.assertGreater(summary["steps"], 0)
        kept = self.positions("lost")
        self.electret("run", TORUS, "-o", "lost", *steps, "coulomb.device=cpu", "--resume", check=0)
        np.testing.assert_array_equal(self.positions("lost")[:len(kept)], kept)
        self.charges(60)
        done = self.field("--device", DEVICE, env={**failing, "ELECTRET_TEST_LAUNCHES": "0"}, check=1)
        self.assertRegex(done.stderr, r"electret: error: the device failed.*--device cpu")


if __name__ == "__main__":
    unittest.main()
