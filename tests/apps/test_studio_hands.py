#!/usr/bin/python3
"""Hands through the socket: none of many random pulls diverges, what is pinned keeps its bits, and a kill in the midst of a
pull leaves a session that repeats it."""

import json
import random
import re
import unittest

import h5py
import numpy as np
from studio_client import Frame, Page
from test_studio import StudioTest

PULLS = 20  # a scene
HEAD = '[time]\nstep = 0.01\nsteps = 1000000\n[integrator]\nmethod = "imex"\n'
PINNED = '  [[body.group]]\n  name = "held"\n  {}\n  [[body.pin]]\n  group = "held"\n'
SCENES = {
    "torus": HEAD + """[coulomb]
[[body]]
name = "torus"
generate = { shape = "torus", major_radius = 1.0, minor_radius = 0.4, vertices = 145, sampling = "best_candidate" }
mass = 1.0
charge = 6e-6
  [[body.springs]]
  from = "nearest"
  neighbours = 24
  stiffness = 10.0
""",
    "cloth": HEAD + """[damping]
drag = 0.2
[[body]]
name = "cloth"
generate = { shape = "grid", width = 1.0, height = 1.0, rows = 12, columns = 12 }
mass = 0.005
  [[body.springs]]
  from = "edges"
  stiffness = 20.0
""" + PINNED.format("indices = [0, 11]"),
    "blob": HEAD + """[damping]
drag = 0.1
[[body]]
name = "blob"
generate = { shape = "blob", vertices = 150 }
mass = 0.05
  [[body.springs]]
  from = "nearest"
  neighbours = 16
  stiffness = 2000.0
""",
    "jelly": HEAD + """[gravity]
acceleration = [0.0, 0.0, -1.0]
[[body]]
name = "jelly"
generate = { shape = "box", cells = [8, 3, 3], cell_size = 0.1, element = "hex" }
density = 1000.0
  [[body.material]]
  model = "corotated"
  youngs_modulus = 2e4
  poissons_ratio = 0.4
""" + PINNED.format('attribute = "left"'),
    "chain": HEAD + """[gravity]
acceleration = [0.0, 0.0, -9.81]
[damping]
drag = 0.1
[[body]]
name = "chain"
generate = { shape = "chain", length = 1.0, vertices = 141 }
mass = 0.01
  [[body.springs]]
  from = "edges"
  stiffness = 1e4
""" + PINNED.format("indices = [0]"),
}


def is_frame_of(message, step):
    return isinstance(message, Frame) and (message.kind, message.step) == (1, step)


class Hands(StudioTest):
    def radius_of(self, places, count):
        """That of a ball about the middle vertex which has this many vertices."""
        way = np.linalg.norm(places - places[len(places) // 2], axis=1)
        return float(np.sort(way)[min(count, len(way)) - 1] * 1.001)

    def pulled_about(self, name, step):
        """Random pulls, by hands that hold one vertex and about fifty; the session's run has the same end."""
        dice = random.Random(f"{name} {step}")
        folder = f"{name}-{step}"
        self.scene(SCENES[name])
        process, port, token = self.studio("scene.toml", "-o", folder, "--set", f"time.step={step}")
        page = self.page(port, token)
        page.until_state("paused")
        frame = page.frame_at(0)
        places = np.reshape(frame.positions(), (-1, 3)) + frame.origin
        size = float(np.linalg.norm(np.ptp(places, axis=0)))
        pinned = next(m for m in reversed(page.texts) if m["t"] == "system")["pins"]
        at = 0
        for k in range(PULLS):
            brush = self.radius_of(places, 50) if k % 2 else 0.0
            point = dice.choice([each for each in range(len(places)) if each not in pinned])
            self.assertTrue(page.ask("hand", hand=0, do="begin", point=point, brush=brush, strength=dice.choice([0.3, 1.0]))["ok"])
            for _ in range(2):
                to = [float(places[point][axis] + size * dice.uniform(-1.5, 1.5)) for axis in range(3)]
                self.assertTrue(page.ask("hand", hand=0, do="move", to=to)["ok"])
                self.assertTrue(page.ask("step", n=3)["ok"])
                at += 3
                # What diverges never comes there.
                frame = page.until(lambda m: is_frame_of(m, at) or (isinstance(m, dict) and m.get("state") == "diverged"))
                self.assertIsInstance(frame, Frame, (name, step, k, brush, frame))
                now = np.reshape(frame.positions(), (-1, 3)) + frame.origin
                self.assertLess(float(np.abs(now - places.mean(axis=0)).max()), 8 * size, (name, step, k, brush))
            self.assertTrue(page.ask("hand", hand=0, do="end")["ok"])
        self.assertTrue(page.ask("quit")["ok"])
        self.assertEqual(self.ended(process)[0], 0)
        self.electret("run", f"{folder}/session.toml", "-o", f"{folder}-again", check=0)
        with h5py.File(self.folder / f"{folder}-again" / "trajectory.h5") as file:
            positions = file["positions"][()]
        end = self.checkpoint(folder)[1]["positions"]
        self.assertEqual(positions[-1].tobytes(), end.tobytes())
        self.assertEqual(len(positions), at + 1)
        for vertex in pinned:
            self.assertEqual({row.tobytes() for row in positions[:, vertex]}, {positions[0, vertex].tobytes()}, (name, vertex))
        self.assertEqual(len(pinned) > 0, "held" in SCENES[name])
        # They were pulled indeed.
        self.assertGreater(float(np.abs(end - positions[0]).max()), 0.05 * size if name != "blob" else 0.01 * size)

    def test_no_random_pull_diverges_and_what_is_pinned_keeps_its_bits(self):
        for name in SCENES:
            for step in (0.01, 0.1):
                with self.subTest(scene=name, step=step):
                    self.pulled_about(name, step)

    def test_a_kill_in_the_midst_of_a_pull_leaves_what_repeats_it(self):
        self.scene(SCENES["torus"])
        process, port, token = self.studio("scene.toml", "-o", "out", "--threads", "2")
        page = self.page(port, token)
        page.until_state("paused")
        page.ask("play", rate=1.0)
        page.ask("hand", hand=0, do="begin", point=20, brush=0.2)
        session = self.folder / "out" / "session.toml"
        moves, seen, texts = 0, [], []

        def moved_on():
            """Drags the hand a bit on, notes the step that is shown, and reads what is written."""
            nonlocal moves
            moves += 1
            page.ask("hand", hand=0, do="move", to=[1.0 + 0.01 * moves, 0.2 * (moves % 5), 0.3])
            step = page.until(lambda m: isinstance(m, Frame) and m.kind == 1).step
            text = session.read_text() if session.exists() else ""
            if "[[grab]]" in text and (not texts or text != texts[-1]):
                texts.append(text)
                seen.append(step)
            return len(texts) == 3
        self.wait_until(moved_on, "a session that is renewed while a hand pulls")
        process.kill()
        process.communicate()
        text = session.read_text()
        steps = int(re.search(r"^steps = (\d+)$", text, re.MULTILINE).group(1))
        # Of what was shown before the last renewal but one, nothing is lost.
        self.assertGreaterEqual(steps, seen[1])
        self.assertIn("[[grab]]", text)
        self.assertFalse((self.folder / "out" / "checkpoint.h5").exists())
        frames = {each.step: each for each in page.frames if each.kind == 1 and each.step <= steps}
        self.assertGreater(len(frames), 10)
        ends = []
        for threads in (1, 3):
            self.electret("run", "out/session.toml", "-o", f"again{threads}", "--threads", threads, check=0)
            with h5py.File(self.folder / f"again{threads}" / "trajectory.h5") as file:
                positions = file["positions"][()]
            for step, frame in frames.items():
                np.testing.assert_array_equal((positions[step] - frame.origin).astype("<f4").ravel(), np.array(frame.positions(), "<f4"), f"step {step}")
            ends.append(positions[-1].tobytes())
        self.assertEqual(ends[0], ends[1])
        # It is offered, and the hand has let go.
        process, port, token = self.studio("scene.toml", "-o", "out")
        page = Page(port, token)
        self.addCleanup(page.close)
        page.until_state("paused")
        # A page that comes while the scene is read is told first that there is none.
        offers = [m for m in page.texts if m["t"] == "earlier" and m["path"]]
        offer = offers[-1] if offers else page.until(lambda m: isinstance(m, dict) and m["t"] == "earlier" and m["path"])
        self.assertEqual((offer["steps"], offer["cut"]), (steps, True), json.dumps(offer))
        self.assertTrue(page.ask("take-up")["ok"])
        page.state_at("paused", steps)
        hands = [m for m in page.texts if m["t"] == "hands"]
        self.assertEqual([each for each in (hands[-1]["hands"] if hands else []) if each["kind"] == "held"], [])
        page.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)
        self.assertEqual(self.checkpoint("out")[1]["positions"].tobytes(), ends[0])


if __name__ == "__main__":
    unittest.main()
