#!/usr/bin/python3
"""Everybody can use it: roles and names, order, contrast, zoom, colours, motion. Checks 35-37 of the studio."""

import unittest

import numpy as np

import pictures
from browser import TORUS, BrowserCase

CONTROLS = {"button", "checkbox", "combobox", "slider", "tab", "searchbox", "textbox", "link", "menuitem", "option", "radio", "switch", "spinbutton", "PopUpButton", "application"}
REGIONS = ["header", ".outline", ".middle", ".inspector", ".bottom"]

# All texts that are seen: [text, colour, background], each as [r, g, b] of 0 … 255. Backgrounds are looked for upwards.
TEXTS = """
const numbers = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const over = ([r, g, b, a = 1], [x, y, z]) => [a * r + (1 - a) * x, a * g + (1 - a) * y, a * b + (1 - a) * z];
const behind = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) layers.push(numbers(getComputedStyle(at).backgroundColor));
  let colour = numbers(getComputedStyle(document.body).backgroundColor);
  for (const layer of layers.reverse()) if (layer.length >= 3) colour = over(layer, colour);
  return colour;
};
const result = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const element = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
  if (!text || !element.getClientRects().length || element.closest(".unseen, noscript, script, :disabled, option")) continue;
  const style = getComputedStyle(element);
  if (style.visibility === "hidden" || element.closest("svg")) continue;
  result.push([text.slice(0, 40), over(numbers(style.color), behind(element)), behind(element)]);
}
return result;"""


class Access(BrowserCase):
    SCENE = TORUS + """
[[external_charge]]
position = [2.0, 0.0, 0.0]
charge = -1e-5
width = 0.2
[[body.group]]
name = "left"
indices = [0, 1, 2, 3]
""".replace("""[[body.group]]
name = "left"
indices = [0, 1, 2, 3]
""", "")

    def setUp(self):
        super().setUp()
        self.opened(self.scene(self.SCENE))
        self.page.shown(step=0, state="paused")

    def test_controls_have_roles_and_names(self):
        self.page.do("Accessibility.enable")
        nodes = self.page.do("Accessibility.getFullAXTree")["nodes"]
        seen = 0
        for node in nodes:
            role = node.get("role", {}).get("value")
            focusable = any(each["name"] == "focusable" and each["value"].get("value") for each in node.get("properties", []))
            if node.get("ignored") or not (role in CONTROLS or focusable) or role in ("RootWebArea", "listitem"):
                continue
            seen += 1
            self.assertTrue(node.get("name", {}).get("value", "").strip(), f"{role} has no name: {node}")
            self.assertNotIn(role, ("generic", "none", None), f"{node.get('name')} can be focused and has no role")
        self.assertGreater(seen, 20)
        self.page.do("Accessibility.disable")

    def test_one_order_and_a_visible_focus(self):
        page = self.page
        page.run("document.activeElement.blur()")
        visited, names = [], []
        for _ in range(80):
            page.key("\ue004")
            region = page.run("return arguments[0].findIndex((each) => document.activeElement.closest(each))", REGIONS)
            if region < 0:
                break
            visited.append(region)
            names.append(page.get("document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"))
            outline = page.get("getComputedStyle(document.activeElement).outlineStyle")
            self.assertNotEqual(outline, "none", f"no focus is seen on {names[-1]}")
        self.assertEqual(visited, sorted(visited), f"the order is not that of the page: {names}")
        self.assertEqual(set(visited), set(range(len(REGIONS))), f"not all regions are reached: {names}")

    def test_contrast_and_targets_in_both_themes(self):
        page = self.page
        page.run("""const list = document.querySelector('[aria-label="Loss of the gradient"]');
            list.selectedIndex = 2; list.dispatchEvent(new Event("change", { bubbles: true }));""")
        for dark in (False, True):
            page.media(dark=dark)
            page.settle()
            for tab in ("Timeline", "Energies", "Text", "Picture", "Movie", "Ray-traced"):
                if tab == "Picture":
                    page.press("Export")
                    page.until("document.querySelector('dialog.export[open] .kinds')")
                if tab in ("Picture", "Movie", "Ray-traced"):
                    page.press(tab)
                else:
                    page.run("document.querySelector(`#tab-${arguments[0].toLowerCase()}`).click()", tab)
                page.settle()
                texts = page.run(TEXTS)
                self.assertGreater(len(texts), 20)
                for text, colour, ground in texts:
                    ratio = pictures.contrast(np.array(colour) / 255, np.array(ground) / 255)
                    self.assertGreaterEqual(ratio, 4.5, f"'{text}' has a contrast of {ratio:.2f} ({'dark' if dark else 'light'})")
                small = page.run("""return [...document.querySelectorAll("button, select, input, [role=tab], [role=slider]")]
                    .filter((each) => each.offsetParent !== null).map((each) => [each.closest("label.check") || each, each])
                    .map(([target, each]) => [each.outerHTML.slice(0, 80), target.getBoundingClientRect()])
                    .filter(([, box]) => box.width < 24 || box.height < 24).map(([name, box]) => [name, box.width, box.height])""")
                self.assertEqual(small, [])
            page.press("Close")

    def test_twice_the_size(self):
        page = self.page
        page.size(640, 400, scale=2)
        page.settle()
        self.assertLessEqual(page.get("document.documentElement.scrollWidth"), 640, "one has to scroll sideways")
        for selector in REGIONS:
            page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", selector)
            left, top, width, height = page.box(selector)
            self.assertTrue(left >= -1 and left + width <= 641 and top < 400 and top + height > 0 and height > 30, f"{selector} cannot be seen")
        hidden = page.run("""return [...document.querySelectorAll("button, select, input")].filter((each) => each.offsetParent !== null && !each.disabled)
            .filter((each) => { each.scrollIntoView({ block: "center" }); const b = each.getBoundingClientRect();
              const top = document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2);
              return !top || !(each.contains(top) || top.contains(each) || (each.closest("label") && each.closest("label").contains(top))); })
            .map((each) => each.outerHTML.slice(0, 80))""")
        self.assertEqual(hidden, [])
        meet = page.run("""const [a, b] = [".scalebar", ".legend"].map((each) => document.querySelector(each).getBoundingClientRect());
            return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;""")
        self.assertFalse(meet, "the scale of lengths is on that of colours")

    def test_signs_are_told_apart_by_all_eyes(self):
        page = self.page
        page.settle()
        try:
            for kind in ("none", "deuteranopia", "protanopia", "tritanopia"):
                page.do("Emulation.setEmulatedVisionDeficiency", type=kind)
                page.settle()
                ramp = pictures.pixels(page.picture(".ramp"))
                column = ramp[:, ramp.shape[1] // 2]
                plus, none, minus = (pictures.oklab(column[at]) for at in (3, len(column) // 2, -4))
                for one, other in ((plus, none), (minus, none), (plus, minus)):
                    self.assertGreaterEqual(float(np.linalg.norm(one - other)), 0.15, f"{kind}: {plus}, {none}, {minus}")
            page.do("Emulation.setEmulatedVisionDeficiency", type="achromatopsia")
            page.settle()
            plain = pictures.pixels(page.picture("#view"))
            self.assertLess(float(np.abs(plain.max(axis=2) - plain.min(axis=2)).max()), 0.05, "the picture is not grey")
            page.press("Signs + and − in the vertices")
            page.settle()
            signs = pictures.pixels(page.picture("#view"))
            self.assertGreater(float((np.abs(plain - signs).max(axis=2) > 0.2).mean()), 0.001, "in grey no sign is seen")
        finally:
            page.do("Emulation.setEmulatedVisionDeficiency", type="none")

    def test_themes_and_motion(self):
        page = self.page
        grounds = {}
        for dark in (False, True):
            page.media(dark=dark)
            page.settle()
            picture = pictures.pixels(page.picture())
            grounds[dark] = float(np.median(picture))
            view = pictures.pixels(page.picture("#view"))
            self.assertGreater(float(pictures.body_mask(page.picture("#view")).mean()), 0.01, "no body is seen")
            self.assertLess(abs(float(np.median(view)) - grounds[dark]), 0.25, "view and page differ in theme")
        self.assertGreater(grounds[False], 0.8)
        self.assertLess(grounds[True], 0.25)
        # With reduced motion the camera is there at once; else it flies.
        page.media(reduced=True)
        page.run("document.querySelector('#view').focus()")
        page.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '3', bubbles: true }))")
        self.assertAlmostEqual(page.get("electret.camera().elevation"), np.pi / 2, places=6)
        page.media(reduced=False)
        page.key("2")
        page.until("Math.abs(electret.camera().elevation) < 1e-6")

    def test_view_turns_pans_zooms_and_reads_values(self):
        """In View nothing is ever sent but what asks for pictures."""
        page = self.page
        page.run("window.sent = []; sockets.forEach((each) => { const plain = each.send.bind(each); each.send = (data) => { window.sent.push(data); plain(data); }; })")
        left, top, width, height = page.box("#view")
        middle = (left + width / 2, top + height / 2)
        before = page.get("electret.camera()")
        page.key("v")
        page.pointer(middle, (middle[0] + 120, middle[1] + 30))
        page.until(f"electret.camera().azimuth !== {before['azimuth']}")
        self.assertEqual(page.get("electret.camera().target"), before["target"])
        # The wheel keeps what is under the pointer there.
        point = page.until("(() => { for (let k = 0; k < electret.system.vertices; k++) { const p = electret.pixel(k); if (p && electret.pick(p[0], p[1]) === k) return [k, ...p]; } return null; })()")
        page.wheel(left + point[1], top + point[2], -240)
        page.until(f"electret.camera().distance < {before['distance']} - 1e-9")
        # The value under the pointer.
        at = page.get(f"electret.pixel({point[0]})")
        page.pointer((left + at[0], top + at[1]), button=False)
        text = page.until("document.querySelector('.under').innerText.includes('µC') && document.querySelector('.under').innerText")
        self.assertIn("6.00 µC", text)
        self.assertIn("torus vertex", text)
        kinds = set(page.get("sent.map((each) => JSON.parse(each).t)"))
        self.assertLessEqual(kinds, {"drawn"}, "the View tool touched something")


if __name__ == "__main__":
    unittest.main()
