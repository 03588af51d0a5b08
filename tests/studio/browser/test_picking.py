#!/usr/bin/python3
"""Vertices are picked by box and lasso, become a group, are charged and key-framed, and the file says so. Checks 12, 13, 15 and
16 of the studio."""

import tomllib
import unittest

import numpy as np
from scipy.spatial import ConvexHull

from browser import BrowserCase

SCENE = """[scene]
name = "ball"
[time]
step = 0.05
steps = 200
[integrator]
method = "imex"
[coulomb]
[damping]
drag = 1.0
[[body]]
name = "ball"  # convex
generate = { shape = "sphere", vertices = 162 }
mass = 1.0
charge = 1e-7
  [[body.springs]]
  from = "edges"
  stiffness = 10.0

  [[body.group]]
  name = "some"
  indices = [3, 5, 8]

  [[body.group_charge]]
  group = "some"
  value = 2e-7
"""
SHIFT, ALT = 8, 1


def projected(places, camera):
    """Pixels of the view, from where the camera is said to be: z is upwards, and the picture is 30 degrees high."""
    a, e = camera["azimuth"], camera["elevation"]
    back = np.array([np.cos(e) * np.sin(a), -np.cos(e) * np.cos(a), np.sin(e)])
    eye = np.array(camera["target"]) + camera["distance"] * back
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    seen = places - eye
    scale = camera["height"] / 2 / np.tan(np.radians(15.0)) / -(seen @ back)
    return np.stack([camera["width"] / 2 + scale * (seen @ right), camera["height"] / 2 - scale * (seen @ up)], axis=1), eye


def looking(places, eye):
    """Which vertices of a convex body have a face that looks at the eye."""
    hull = ConvexHull(places)
    shown = np.zeros(len(places), bool)
    shown[np.unique(hull.simplices[hull.equations[:, :3] @ eye + hull.equations[:, 3] > 0])] = True
    return shown


def within(outline, pixels):
    """How often the outline goes round each pixel, by the sum of the angles: whether it is odd."""
    way = np.array(outline)[None] - pixels[:, None]
    angle = np.arctan2(way[..., 1], way[..., 0])
    turns = np.diff(np.concatenate([angle, angle[:, :1]], axis=1), axis=1)
    turns = (turns + np.pi) % (2 * np.pi) - np.pi
    return np.round(turns.sum(axis=1) / (2 * np.pi)).astype(int) % 2 != 0


class Picking(BrowserCase):
    def setUp(self):
        super().setUp()
        self.opened(self.scene(SCENE), "-o", "session")
        self.page.shown(step=0, state="paused")
        self.page.until("electret.camera() && electret.charges()")
        self.page.settle()

    def drag(self, places, modifiers=0):
        left, top, _, _ = self.page.box("#view")
        at = [(left + x, top + y) for x, y in places]
        for kind, (x, y), buttons in [("mouseMoved", at[0], 0), ("mousePressed", at[0], 1), *[("mouseMoved", each, 1) for each in at[1:]], ("mouseReleased", at[-1], 0)]:
            self.page.do("Input.dispatchMouseEvent", type=kind, x=x, y=y, buttons=buttons, clickCount=1, modifiers=modifiers,
                         button="none" if kind == "mouseMoved" and not buttons else "left")

    def picked(self, wanted):
        """Waits until exactly these are picked."""
        self.page.until(f"(electret.picked ? electret.picked.vertices : []).join() === '{','.join(map(str, sorted(wanted)))}'")

    def type_in(self, name, text):
        self.page.until(f"document.querySelector(`[aria-label='{name}']`) && !document.querySelector(`[aria-label='{name}']`).disabled")
        self.page.run("const field = document.querySelector(`[aria-label='${arguments[0]}']`); field.focus(); field.select();", name)
        self.page.do("Input.insertText", text=text)
        for kind in ("keyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, **({"text": "\r"} if kind == "keyDown" else {}))

    def saved(self):
        self.page.press("Save")
        self.page.until("!electret.document.unsaved")
        self.electret("check", "scene.toml")
        return tomllib.loads((self.folder / "scene.toml").read_text())

    def test_box_and_lasso_are_those_of_an_independent_projection(self):
        page = self.page
        self.assertGreater(page.get("electret.system.bodies[0].faces[1]"), 100)
        _, relative, origin = page.positions()
        places = relative.astype(float) + origin
        camera = page.get("electret.camera()")
        pixels, eye = projected(places, camera)
        shown = looking(places, eye)
        self.assertTrue(30 < shown.sum() < 132, shown.sum())
        width, height = camera["width"], camera["height"]
        page.press("Box")
        box = lambda low, high: ((pixels > [low[0] * width, low[1] * height]) & (pixels < [high[0] * width, high[1] * height])).all(axis=1)
        corner = lambda at: (at[0] * width, at[1] * height)
        first, second = ((0.413, 0.307), (0.547, 0.611)), ((0.481, 0.273), (0.633, 0.489))
        # What looks away is not picked: that is much of what is within.
        self.drag([corner(first[0]), corner(first[1])])
        now = box(*first) & shown
        self.assertGreater((box(*first) & ~shown).sum(), 3)
        self.picked(np.flatnonzero(now))
        self.drag([corner(second[0]), corner(second[1])], SHIFT)
        now |= box(*second) & shown
        self.picked(np.flatnonzero(now))
        self.drag([corner(second[1]), corner(second[0])], ALT)
        now &= ~(box(*second) & shown)
        self.picked(np.flatnonzero(now))
        # A lasso that crosses itself, by Esc of none and then of what it holds.
        page.press("Lasso")
        outline = [corner(each) for each in ((0.42, 0.33), (0.57, 0.36), (0.61, 0.62), (0.47, 0.58), (0.59, 0.44), (0.44, 0.61))]
        left, top, _, _ = page.box("#view")
        page.do("Input.dispatchMouseEvent", type="mousePressed", x=left + outline[0][0], y=top + outline[0][1], buttons=1, clickCount=1, button="left")
        for x, y in outline[1:]:
            page.do("Input.dispatchMouseEvent", type="mouseMoved", x=left + x, y=top + y, buttons=1, button="left")
        page.until("document.querySelector('.hands .outline')")
        page.key("\ue00c")
        page.do("Input.dispatchMouseEvent", type="mouseReleased", x=left + x, y=top + y, buttons=0, clickCount=1, button="left")
        page.until("!document.querySelector('.hands .outline')")
        self.picked(np.flatnonzero(now))
        self.drag(outline)
        inside = within(outline, pixels)
        self.assertGreater((inside & shown).sum(), 3)
        self.picked(np.flatnonzero(inside & shown))
        # Through the body: those behind, too.
        page.press("Paint")
        page.press("Through the body")
        page.press("Lasso")
        self.drag(outline)
        self.picked(np.flatnonzero(inside))
        # It becomes a group: the file has these indices.
        self.type_in("Name of the new group", "mine")
        page.press("Make a group")
        page.until("electret.system.groups.some((each) => each.name === 'mine')")
        groups = {each["name"]: each.get("indices") for each in self.saved()["body"][0]["group"]}
        self.assertEqual(groups, {"some": [3, 5, 8], "mine": np.flatnonzero(inside).tolist()})

    def test_a_slider_is_seen_within_two_frames(self):
        page = self.page
        page.run("[...document.querySelectorAll('.outline .entry')].find((each) => each.querySelector('.name').innerText === 'some').click()")
        slider = "document.querySelector(\"input[aria-label='Slider of the charge of some of ball']\")"
        page.until(slider)
        for value in (-40, 30, -70):
            frames = self.driver.execute_async_script(f"""
                const done = arguments[0], slider = {slider}, before = electret.counters.frames, old = electret.charges()[3];
                slider.value = {value}; slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
                const look = () => (electret.charges()[3] !== old ? done(electret.counters.frames - before) : setTimeout(look, 0));
                look();""")
            self.assertLessEqual(frames, 2)
            page.run(f"{slider}.dispatchEvent(new Event('change', {{ bubbles: true }}))")
        others = np.delete(np.frombuffer(page.bytes_of("charges"), "<f4")[:162], [3, 5, 8])
        self.assertTrue((others == np.float32(1e-7)).all())

    def test_keys_are_in_the_file_and_charges_are_theirs_at_every_time(self):
        page = self.page
        table = "electret.keys.tables.find((each) => each.label === 'some of ball')"
        times = lambda *wanted: page.until(f"{table} && {table}.times.map((each) => Number(each.toFixed(9))).join() === '{','.join(map(str, wanted))}'")
        page.press("some of ball")
        page.press("Key at the play head")
        times(0)
        for _ in range(32):
            page.key("\ue014")
        page.shown(step=32, state="paused")
        page.press("Key at the play head")
        times(0, 1.6)
        self.type_in("values of key 2", "9e-7")
        page.until(f"{table}.lanes[0].values[1] === 9e-7")
        # Moved by its field, copied back to the play head, and the first one there deleted.
        self.type_in("Time of key 2", "0.8 s")
        times(0, 0.8)
        page.run("document.querySelector(\"[aria-label^='Key 1 of some of ball']\").click()")
        page.press("Copy to the play head")
        times(0, 0.8, 1.6)
        self.type_in("values of key 3", "-5e-7")
        page.until(f"{table}.lanes[0].values[2] === -5e-7")
        self.type_in("Time of key 1", "0.2")
        times(0.2, 0.8, 1.6)
        page.press("Delete key 1")
        times(0.8, 1.6)
        page.press("Undo")
        times(0.2, 0.8, 1.6)
        page.press("Replay to here")
        page.until("electret.keys.stale === null && electret.state.state === 'paused' && electret.state.step === 32")
        keys, values = [0.2, 0.8, 1.6], [2e-7, 9e-7, -5e-7]
        for interpolation in ("linear", "step"):
            if interpolation == "step":
                page.run("""const list = document.querySelector("[aria-label='Interpolation']");
                    list.value = "step"; list.dispatchEvent(new Event("change", { bubbles: true }));""")
                page.until(f"{table}.interpolation === 'step'")
                page.press("Replay to here")
                page.until("electret.keys.stale === null && electret.state.state === 'paused' && electret.state.step === 32")
            (charge,) = self.saved()["body"][0]["group_charge"]
            self.assertEqual((charge["group"], charge["times"], charge["values"]), ("some", keys, values))
            self.assertEqual(charge.get("interpolation", "linear"), interpolation)
            self.assertNotIn("value", charge)
            for step in (0, 2, 4, 7, 11, 16, 20, 29, 32):
                time = 0.05 * step
                expected = np.interp(time, keys, values) if interpolation == "linear" else values[max(0, np.searchsorted(keys, time + 1e-9) - 1)]
                page.run("document.querySelector('[role=slider][aria-label=\"Play head\"]').focus()")
                now = page.step
                while now != step:
                    now = page.step
                    if now == step:
                        break
                    page.key("\ue012" if now > step else "\ue014")
                    page.until(f"electret.state.state === 'paused' && electret.shown.step === electret.state.step && electret.shown.step !== {now}")
                page.until(f"Math.abs(electret.charges()[5] - {expected}) <= 1e-6 * {abs(expected)}")
                self.assertEqual(len({page.get(f"electret.charges()[{k}]") for k in (3, 5, 8)}), 1)


if __name__ == "__main__":
    unittest.main()
