#!/usr/bin/python3
"""A scene in the page: it opens, runs, pauses, steps, goes back, and keeps its rates. Checks 1-6, 28, 32 and 39 of the studio."""

import csv
import time
import unittest

import numpy as np

import pictures
from browser import TORUS, BrowserCase, chromium, Page, require_browser, told, until

HEAP = 80e6  # bytes, at 100000 vertices
FIRST_LOAD = 0.8e6  # bytes

# Moves at 60 steps a second; discs and surface are shown.
SPHERE = """[scene]
name = "sphere"
[time]
step = 0.016666666666666666
steps = 100000000
[integrator]
method = "symplectic_euler"
[[body]]
name = "sphere"
generate = { shape = "sphere", vertices = VERTICES }
mass = 1e-3
velocity = [0.01, 0.0, 0.0]
charge = 1e-9
[[body.springs]]
from = "edges"
stiffness = 1e-3
"""


def gyration(x):
    return float(np.sqrt(((x - x.mean(axis=0)) ** 2).sum(axis=1).mean()))


class Opens(BrowserCase):
    def test_torus_is_seen_whole_and_first_load_is_small(self):
        begin = time.monotonic()
        studio = self.opened(self.scene(TORUS))
        self.page.shown(step=0, state="paused")
        seconds = time.monotonic() - begin
        self.assertIn("charged torus", self.driver.title)
        self.page.settle()
        # The body alone: no grid, nothing that lies over the view.
        self.page.press("Ground grid")
        self.page.run("document.querySelector('.ornaments').style.display = 'none'")
        self.page.settle()
        mask = pictures.unlike_ground(self.page.picture("#view"))
        _, top, _, bottom = pictures.bounding_box(mask)
        self.assertTrue(0.15 <= bottom - top <= 0.70, f"the torus takes {bottom - top:.2f} of the height")
        self.page.key("3")
        self.page.until("electret.camera().elevation > 1.57")
        self.page.settle()
        parts, holes = pictures.parts_and_holes(pictures.unlike_ground(self.page.picture("#view")))
        self.assertEqual((parts, holes), (1, 1), "from above the torus is one part with one hole")
        self.assertEqual(self.page.get("location.hash"), "", "the token stays in the address bar")
        sizes = dict(self.page.run("""return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
            .map((each) => [new URL(each.name).pathname, each.decodedBodySize])"""))
        self.assertLessEqual(sum(sizes.values()), FIRST_LOAD, sizes)
        self.assertGreater(sum(sizes.values()), 0.3e6, sizes)
        told({"first load, bytes": sum(sizes.values()), "address to picture, s": round(seconds, 2)})
        self.page.driver.get("about:blank")
        studio.end()
        _, out, _ = studio.wait()
        self.assertEqual(out, "", "the address is the only line")

    def test_runs_as_the_command_does(self):
        scene = self.scene(TORUS)
        self.electret("run", scene, "--set", "time.duration=3.0", "-o", "run")
        with open(self.folder / "run/observables.csv") as file:
            rows = list(csv.DictReader(file))
        self.opened(scene)
        page = self.page
        page.shown(step=0, state="paused")
        rest = page.positions()
        page.key(" ")
        page.until("electret.shown.step >= 40")
        page.key(" ")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
        # Paused: positions stand, frames stop.
        step, positions, origin = page.positions()
        page.settle()
        frames = page.get("electret.counters.frames")
        page.settle()
        self.assertEqual(page.get("electret.counters.frames"), frames)
        self.assertEqual(page.positions()[1].tobytes(), positions.tobytes())
        self.assertLess(step, len(rows))
        column = next(name for name in rows[0] if "gyration" in name)
        self.assertAlmostEqual(gyration(positions.astype(float) + origin), float(rows[step][column]), delta=3e-6)
        self.assertGreater(abs(float(rows[step][column]) - float(rows[0][column])), 0.01, "nothing moves")
        # → makes exactly one step.
        page.key("\ue014")
        page.shown(step=step + 1, state="paused")
        next_step, next_positions, origin = page.positions()
        self.assertAlmostEqual(gyration(next_positions.astype(float) + origin), float(rows[step + 1][column]), delta=3e-6)
        # ← goes back by one, to the same bits.
        page.key("\ue012")
        page.shown(step=step)
        self.assertEqual(page.positions()[1].tobytes(), positions.tobytes())
        # Home: the rest positions exactly.
        page.key("\ue011")
        page.shown(step=0, state="paused")
        self.assertEqual(page.positions()[1].tobytes(), rest[1].tobytes())

    def test_shown_rates_are_the_counted_ones(self):
        self.opened(self.scene(TORUS.replace("duration = 15.0", "duration = 15000.0")))
        page = self.page
        page.shown(step=0, state="paused")
        for wanted in ("¼ ×", "1 ×", "max"):
            page.run("""const list = document.querySelector('[aria-label="Wanted rate, times real time"]');
                list.selectedIndex = [...list.options].findIndex((each) => each.text === arguments[0]);
                list.dispatchEvent(new Event("change", { bubbles: true }));""", wanted)
            if page.state != "running":
                page.key(" ")
            page.until("electret.state.state === 'running' && electret.state.reached !== null")
            shown, counted = until(f"the counted rate at {wanted}", self.agreeing_rates)
            told({"rate wanted": wanted, "shown": round(shown, 3), "counted": round(counted, 3)})
            if wanted == "¼ ×":
                self.assertLess(shown, 0.5)

    def agreeing_rates(self):
        """The shown and the counted rate, where they agree to a tenth over about two seconds."""
        samples = self.driver.execute_async_script("""
            const done = arguments[0], samples = [], until = performance.now() + 2000;
            const look = () => {
              samples.push([performance.now() / 1000, electret.shown.time, electret.state.reached]);
              if (performance.now() < until) requestAnimationFrame(look); else done(samples);
            };
            look();""")
        (begin, first, _), (end, last, _) = samples[0], samples[-1]
        counted = (last - first) / (end - begin)
        shown = float(np.mean([each[2] or 0.0 for each in samples[len(samples) // 2:]]))
        return (shown, counted) if counted > 0 and abs(shown / counted - 1) <= 0.1 else None

    def test_too_slow_a_scene_says_so_and_frames_do_not_pile_up(self):
        scene = self.scene(TORUS.replace("step = 0.03", "step = 1e-5").replace("duration = 15.0", "steps = 100000000"))
        self.opened(scene)
        page = self.page
        page.shown(step=0, state="paused")
        page.key(" ")
        page.until("electret.state.state === 'running' && electret.state.reached !== null && electret.state.reached > 0 && electret.state.reached < 0.9")
        self.assertRegex(page.get("document.querySelector('[aria-label=\"Reached rate\"]').innerText"), r"^0\.\d\d ×$")
        # The page slowed sixfold still shows what is new: after it was blocked, the next frame is of now.
        page.do("Emulation.setCPUThrottlingRate", rate=6)
        page.until("electret.counters.drawn > 20")
        # Blocked for two seconds, it gets but the frames that it had credits for, and the next one is of now.
        frames, first, steps = self.driver.execute_async_script("""
            const done = arguments[0], counters = electret.counters, end = performance.now() + 2000;
            const [frames, drawn, step] = [counters.frames, counters.drawn, electret.shown.step];
            while (performance.now() < end);
            let first = null;
            const look = () => {
              if (first === null && counters.drawn > drawn) first = counters.frames - frames;
              if (first !== null && electret.shown.step > step + 10) done([counters.frames - frames, first, electret.shown.step - step]);
              else setTimeout(look, 0);
            };
            setTimeout(look, 0);""")
        page.do("Emulation.setCPUThrottlingRate", rate=1)
        told({"blocked 2 s": {"frames at the first picture": first, "frames until it was new": frames, "steps meanwhile": steps}})
        self.assertLessEqual(first, 4, "frames piled up")
        self.assertLessEqual(frames, 8, "old frames were shown after the block")

    def test_rewound_and_replayed_equals_never_rewound(self):
        scene = self.scene(TORUS)
        page = self.page
        ends = []
        for goes_back in (False, True):
            studio = self.opened(scene, "-o", f"session{goes_back}")
            page.shown(step=0, state="paused")
            for _ in range(6):
                page.key("\ue014")
            page.shown(step=6, state="paused")
            if goes_back:
                for _ in range(4):
                    page.key("\ue012")
                page.shown(step=2, state="paused")
                for _ in range(4):
                    page.key("\ue014")
                page.shown(step=6, state="paused")
            ends.append(page.positions()[1].tobytes())
            page.driver.get("about:blank")
            studio.end()
        self.assertEqual(ends[0], ends[1])

    def test_step_back_goes_from_the_newest_step_though_drawing_lags(self):
        self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        page.run("""
            window.held = [];
            window.plainly = window.requestAnimationFrame;
            window.requestAnimationFrame = (callback) => window.held.push(callback);""")
        for _ in range(4):
            page.key("\ue014")
        page.until("electret.state.step === 4 && electret.state.state === 'paused'")
        self.assertLess(page.get("electret.shown.drawn"), 4, "it was drawn all the same")
        page.key("\ue012")
        page.until("electret.state.step === 3 && electret.state.state === 'paused'")
        page.run("""
            window.requestAnimationFrame = window.plainly;
            for (const each of window.held) requestAnimationFrame(each);""")
        page.shown(step=3, state="paused")

    def draws(self, vertices, least):
        """Waits until `least` frames are drawn in a second, a third of what is asked for on two free cores."""
        rate = until(f"{least} frames a second of {vertices} vertices", lambda: (lambda found: found if found >= least else None)(
            self.driver.execute_async_script("""
                const done = arguments[0], begin = performance.now(), drawn = electret.counters.drawn;
                setTimeout(() => done((1000 * (electret.counters.drawn - drawn)) / (performance.now() - begin)), 1500);""")))
        told({"vertices": vertices, "drawn a second": round(rate, 1), "asked for": 3 * least})

    def test_drawn_rates_are_a_third_of_what_is_asked_for(self):
        for vertices, least in ((1000, 45 / 3), (20000, 20 / 3)):
            studio = self.opened(self.scene(SPHERE.replace("VERTICES", str(vertices))))
            self.page.shown(step=0, state="paused")
            self.page.key(" ")
            self.draws(vertices, least)
            self.driver.get("about:blank")
            studio.end()

    def test_many_vertices_are_drawn_within_their_memory(self):
        scene = self.scene("""[scene]
name = "cloud"
[time]
step = 0.01
steps = 1000000
[integrator]
method = "verlet"
[[body]]
name = "cloud"
generate = { shape = "sphere", vertices = 100000 }
mass = 1.0
velocity = [0.1, 0.0, 0.0]
""")
        self.opened(scene)
        page = self.page
        page.shown(step=0, state="paused")
        page.key(" ")
        page.until("electret.counters.drawn >= 25")
        self.draws(100000, 8 / 3)
        page.key(" ")
        page.do("HeapProfiler.collectGarbage")
        heap = page.get("performance.memory.usedJSHeapSize")
        times = page.get("electret.counters.draw_ms")
        told({"heap at 100000, bytes": heap, "drawing, ms (median)": round(float(np.median(times)), 1)})
        self.assertLessEqual(heap, HEAP)


class WithoutWebGl(unittest.TestCase):
    """Chromium has no WebGL where it knows no GPU: the page says so, and what to do."""

    def test_says_what_to_do(self):
        require_browser()
        driver = chromium("--disable-gpu", "--disable-software-rasterizer")
        self.addCleanup(driver.quit)
        case = Opens("test_torus_is_seen_whole_and_first_load_is_small")
        case.page = Page(driver)
        case.driver = driver
        case.setUp()
        self.addCleanup(case.doCleanups)
        case.opened(case.scene(TORUS))
        case.page.until("window.electret && document.querySelector('.centre') && document.querySelector('.centre').innerText.includes('WebGL 2')")
        text = case.page.get("document.querySelector('.centre').innerText")
        self.assertIn("hardware acceleration", text)
        case.page.press("Text")
        case.page.until("document.querySelector('.editor') && document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line').length > 5")
        driver.get("about:blank")


if __name__ == "__main__":
    unittest.main()
