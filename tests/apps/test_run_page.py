#!/usr/bin/python3
"""index.html of a run: well formed, of the run's own words, and whatever a scene says nothing in it acts."""

import html.parser
import resource
import urllib.parse

from support import SCENE, CommandTest, unittest

VOID = {"meta", "img", "br", "link"}
HOSTILE = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>\u202e &amp; \" ' ]]>"


class Page(html.parser.HTMLParser):
    """Tags, their attributes and texts, each tag closed in its order."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.texts = [], [], {}
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)

    def named(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


class RunPage(CommandTest):
    def page(self, run="run"):
        path = self.folder / run / "index.html"
        page = Page(path)
        self.assertTrue(path.read_text().startswith("<!doctype html>\n"))
        self.assertEqual(page.named("script"), [])
        for tag, attributes in page.tags:
            self.assertFalse([name for name in attributes if name.startswith("on")], tag)
            for name in ("src", "href", "xlink:href"):
                if name in attributes and not attributes[name].startswith("#"):
                    self.assertRegex(attributes[name], r"^\./")
                    target = path.parent / urllib.parse.unquote(attributes[name])
                    self.assertTrue(target.exists(), target)
        policy, = (meta["content"] for meta in page.named("meta") if meta.get("http-equiv") == "Content-Security-Policy")
        self.assertIn("default-src 'none'", policy)
        return page

    def test_of_a_run(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "run", "--set", "time.steps=7", check=0)
        page = self.page()
        self.assertIn("done", page.texts["td"])
        self.assertIn("7, 8", page.texts["td"])
        self.assertEqual(page.texts["h1"], ["test"])
        self.assertEqual(page.texts["pre"], ["time.steps=7\n", SCENE])
        plot = (self.folder / "run" / "energy.svg").read_text()
        self.assertIn(plot[plot.index("<svg"):], (self.folder / "run" / "index.html").read_text())
        self.assertEqual({link["href"] for link in page.named("a")},
                         {"./checkpoint.h5", "./summary.json", "./energy.csv", "./observables.csv", "./energy.svg", "./trajectory.h5"})

    def test_nothing_of_a_hostile_scene_acts(self):
        name = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
        text = SCENE.replace('name = "test"', f'name = "{name}"').replace('name = "ball"', f'name = "{name}"') + f"# {HOSTILE}\n"
        self.scene(text, name="<b>.toml")
        self.electret("run", "<b>.toml", "-o", "run", check=0)
        page = self.page()
        self.assertEqual(page.texts["h1"][0], HOSTILE.replace("\u202e", "\\xe2\\x80\\xae"))
        self.assertEqual(page.texts["pre"], [text.replace("\u202e", "\\xe2\\x80\\xae")])
        self.assertEqual(page.named("img"), [])
        self.assertEqual(page.named("b"), [])

    def test_of_a_run_that_diverged(self):
        self.scene(SCENE.replace('method = "imex"', 'method = "explicit_euler"').replace("step = 0.01", "step = 100.0"))
        self.electret("run", "scene.toml", "-o", "run", check=1)
        page = self.page()
        self.assertIn("diverged", page.texts["span"])
        cause = self.summary("run")["failure"]["cause"]
        self.assertTrue([text for text in page.texts["td"] if cause in text])

    def test_of_a_run_that_failed(self):

        self.scene(SCENE.replace("steps = 20", "steps = 2000"))
        self.electret("run", "scene.toml", "-o", "run", check=1,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000)))
        page = self.page()
        self.assertIn("failed", page.texts["span"])

    def test_a_new_run_and_a_resumed_one_have_no_old_page(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "run", check=0)
        (self.folder / "run" / "index.html").write_text("old")
        self.electret("run", "scene.toml", "-o", "run", "--set", "time.steps=40", "--resume", check=0)
        self.assertIn("40, 41", self.page().texts["td"])

    def test_render_puts_its_pictures_in(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "run", check=0)
        self.electret("render", "run", "--size", "64x48", "--frames", "0,10", "--strip", check=0)
        self.assertEqual([image["src"] for image in self.page().named("img")], ["./pictures/strip.png"])
        self.electret("render", "run", "--size", "64x48", "--frames", "0,10", "-o", "run/a b%#?", check=0)
        self.assertEqual(len(self.page().named("img")), 2)
        self.electret("render", "run", "--size", "64x48", "--frames", "3", "-o", "elsewhere", check=0)
        self.assertEqual([image["src"] for image in self.page().named("img")], ["./../elsewhere/frame_0003.png"])
        self.assertIn("done", self.page().texts["td"])

    def test_render_makes_the_page_of_a_killed_run(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "run", check=0)
        for name in ("index.html", "summary.json", "energy.csv"):
            (self.folder / "run" / name).unlink()
        self.electret("render", "run", "--size", "64x48", "--frames", "0", check=0)
        self.assertIn("running, or killed", self.page().texts["span"])


if __name__ == "__main__":
    unittest.main()
