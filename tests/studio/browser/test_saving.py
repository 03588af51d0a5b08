#!/usr/bin/python3
"""Scenes are saved under other names, by the keyboard: what has no file becomes one, what has one gets a copy."""

import unittest

from browser import TORUS, BrowserCase

FIELD = "document.querySelector('input[aria-label=\"Name of the file\"]')"
FAULT = "(document.querySelector('#save-fault') || {}).innerText"
CONTROL, SHIFT = 2, 8


class Saving(BrowserCase):
    def control_s(self, modifiers=CONTROL):
        self.page.run("document.activeElement.blur()")
        for kind in ("rawKeyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key="s", code="KeyS", windowsVirtualKeyCode=83, modifiers=modifiers)
        self.page.until(f"{FIELD} && document.activeElement === {FIELD}")

    def type_name(self, name):
        """In the place of the name, and Enter."""
        self.page.run(f"{FIELD}.select()")
        self.page.do("Input.insertText", text=name)
        self.page.key("\ue007")

    def test_a_new_scene_becomes_a_file_and_what_is_typed_stays(self):
        (self.folder / "other.toml").write_text(TORUS)
        (self.folder / "project.toml").write_text("[project]\n")
        self.opened()
        page = self.page
        page.until("[...document.querySelectorAll('.choice')].some((each) => each.innerText === 'chain')")
        page.run("[...document.querySelectorAll('.choice')].find((each) => each.innerText === 'chain').click()")
        page.shown(step=0, state="paused")
        page.press("One step")
        page.shown(step=1, state="paused")
        page.run("document.querySelector('#tab-text').click()")
        page.until("document.querySelector('.text-says')?.innerText === 'Not in a file' && electret.text.shown === electret.document.text")
        page.until("document.querySelector('.editor')?.shadowRoot.querySelector('.cm-content')?.offsetParent")
        page.run("document.querySelector('.editor').shadowRoot.querySelector('.cm-content').focus()")
        page.do("Input.insertText", text="# being typed\n")
        page.until("electret.text.draft && electret.text.draft.text.startsWith('# being typed')")
        self.control_s()
        self.assertEqual(page.get(f"{FIELD}.value"), "chain.toml")
        # Wrong names: said beside the field, and what was typed stays in it.
        for name, said in (("../up", "no /"), (".hidden", "hidden"), (" ", "missing"), ("project", "no scene"), ("other", "there already")):
            self.type_name(name)
            page.until(f"{FAULT} && {FAULT}.includes({said!r})")
            self.assertEqual(page.get(f"{FIELD}.value"), name)
            self.assertEqual(page.get(f"{FIELD}.ariaInvalid"), "true")
            self.assertEqual(page.get("[...document.querySelectorAll('dialog[open] button')].some((each) => each.innerText === 'Write over it')"), name == "other")
        self.type_name("mine")
        page.until("electret.document.path === 'mine.toml' && !electret.document.unsaved && !document.querySelector('dialog[open]')")
        self.assertEqual((self.folder / "mine.toml").read_text(), page.get("electret.document.text"))
        self.assertEqual((self.folder / "other.toml").read_text(), TORUS)
        # The session and the draft are those of before.
        self.assertEqual((page.step, page.get("electret.text.draft.text.slice(0, 13)")), (1, "# being typed"))
        self.assertEqual(page.get("electret.system.folder"), "runs/mine.studio")
        page.press("Apply")
        page.until("electret.document.text.startsWith('# being typed') && electret.document.unsaved && !electret.text.draft")
        page.press("Save")
        page.until("!electret.document.unsaved")
        self.assertTrue((self.folder / "mine.toml").read_text().startswith("# being typed\n"))
        self.electret("check", self.folder / "mine.toml")

    def test_a_copy_is_offered(self):
        self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        self.control_s(CONTROL | SHIFT)
        self.assertEqual(page.get(f"{FIELD}.value"), "scene-2.toml")
        page.key("\ue007")
        page.until("[...document.querySelectorAll('.band')].some((each) => each.innerText.includes('scene-2.toml') && each.innerText.includes('still scene.toml')) && !document.querySelector('dialog[open]')")
        self.assertEqual((self.folder / "scene-2.toml").read_text(), TORUS)
        # Again: there is one now, which is written over only if that is said.
        self.control_s(CONTROL | SHIFT)
        page.key("\ue007")
        page.until(f"{FAULT} && {FAULT}.includes('there already')")
        page.press("Write over it")
        page.until("!document.querySelector('dialog[open]')")
        page.press("Open it")
        page.until("electret.document.path.endsWith('/scene-2.toml') && electret.state.state === 'paused' && electret.system")
        page.until("!document.querySelector('.bands').innerText.includes('Saved as')")


if __name__ == "__main__":
    unittest.main()
