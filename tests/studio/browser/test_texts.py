#!/usr/bin/python3
"""The scene's text is edited, saved and followed on disk; a killed session goes on. Checks 20 to 22, 29 and 31 of the studio, in part."""

import signal
import unittest

import numpy as np

from browser import TORUS, BrowserCase, until

SCENE = "# mine\n" + TORUS.replace("charge = 6e-6\n", "charge = 1e-7  # each\n")
CONTENT = "document.querySelector('.editor').shadowRoot.querySelector('.cm-content')"
SAID = "[...document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-said')].map((each) => each.textContent)"


class Texts(BrowserCase):
    expected = ("WebSocket connection to",)

    def opened_text(self, text=SCENE, *arguments):
        running = self.opened(self.scene(text), *arguments)
        self.page.shown(step=0, state="paused")
        self.text_pane()
        return running

    def text_pane(self):
        self.page.run("document.querySelector('#tab-text').click()")
        self.page.until(f"document.querySelector('.editor') && {CONTENT}.offsetParent && {CONTENT}.innerText.includes('[scene]') && electret.text.shown === "
                        "electret.document.text.replace(/^\\uFEFF/, '').replaceAll('\\r\\n', '\\n')")

    def focus(self):
        self.page.run(f"{CONTENT}.focus();")

    def control(self, key, code, number):
        for kind in ("rawKeyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number, modifiers=2)

    def type_all(self, text):
        """Takes the place of the whole text, as typed by hand."""
        self.focus()
        self.control("a", "KeyA", 65)
        self.page.do("Input.insertText", text=text)
        until("the text that was typed", lambda: self.page.get("electret.text.shown") == text)

    def apply(self):
        """By the keyboard."""
        self.focus()
        self.control("Enter", "Enter", 13)

    def test_a_text_is_typed_checked_applied_undone_and_saved(self):
        self.opened_text()
        page = self.page
        page.press("One step")
        page.shown(step=1, state="paused")
        # Wrong: said beside its line in the checker's words, and nothing is applied.
        wrong = SCENE.replace("neighbours = 24", "neighbours = 24\n  stifness = 3")
        self.type_all(wrong)
        page.until("electret.text.checked && electret.text.checked.effect === 'wrong'")
        (self.folder / "wrong.toml").write_text(wrong)
        checked = self.electret("check", self.folder / "wrong.toml", check=2)
        told = next(line for line in (checked.stdout + checked.stderr).splitlines() if ": error: " in line)
        page.until(f"{SAID}.length > 0")
        said = page.get(SAID)
        self.assertIn(told.split(": ", 1)[1], said)
        number = wrong.splitlines().index("  stifness = 3") + 1
        self.assertIn(f"wrong.toml:{number}:", told)
        page.until("document.querySelector('.bands').innerText.includes('last good scene')")
        page.until("document.querySelector('.text-says').innerText.includes('nothing is applied')")
        self.apply()
        page.until("!electret.text.checked || electret.text.checked.effect === 'wrong'")
        page.press("One step")
        page.shown(step=2, state="paused")
        self.assertEqual(page.get("electret.document.text"), SCENE)
        self.assertEqual(page.get("electret.text.shown"), wrong)
        # Mended, with a charge that is live: at the next step, in the session.
        self.type_all(SCENE.replace("charge = 1e-7", "charge = 3e-7"))
        page.until("electret.text.checked && electret.text.checked.effect === 'live'")
        page.until("document.querySelector('.text-says').innerText.includes('Live')")
        self.apply()
        page.until("electret.document.text.includes('charge = 3e-7  # each') && !electret.text.draft && electret.document.unsaved")
        page.until("Math.abs(electret.charges()[5] - 3e-7) < 1e-12")
        self.assertEqual(page.step, 2)
        # Pins and vertices come at Reset, which is said before.
        pinned = page.get("electret.document.text") + "  [[body.group]]\n  name = \"held\"\n  indices = [0]\n  [[body.pin]]\n  group = \"held\"\n"
        self.type_all(pinned)
        page.until("electret.text.checked && electret.text.checked.effect === 'reset'")
        page.until("document.querySelector('.text-says').innerText.includes('At reset') && document.querySelector('.text-says').innerText.includes('body.0.pin')")
        page.press("Apply")
        page.until("electret.document.waiting.includes('body.0.pin') && !electret.text.draft")
        self.assertEqual(page.get("electret.system.pins.length"), 0)
        page.press("Reset now")
        page.until("electret.system.pins.length === 1 && electret.state.step === 0 && electret.state.state === 'paused' && electret.document.waiting.length === 0")
        page.press("Undo")
        page.until("!electret.document.text.includes('held') && electret.text.shown === electret.document.text")
        # Saved from the editor, which applies what was typed before: only that is other, comments are there.
        self.type_all(page.get("electret.document.text") + "# last\n")
        self.focus()
        self.control("s", "KeyS", 83)
        page.until("!electret.document.unsaved")
        self.assertEqual((self.folder / "scene.toml").read_text(), SCENE.replace("charge = 1e-7", "charge = 3e-7") + "# last\n")

    def test_files_of_windows_keep_their_bytes(self):
        start = "\ufeff" + SCENE.replace("\n", "\r\n")
        (self.folder / "scene.toml").write_bytes(start.encode())
        self.opened(self.folder / "scene.toml")
        self.page.shown(step=0, state="paused")
        self.text_pane()
        shown = self.page.get("electret.text.shown")
        self.assertEqual(shown, SCENE)
        self.type_all(shown.replace("charge = 1e-7", "charge = 3e-7"))
        self.apply()
        self.page.until("!electret.text.draft && electret.document.unsaved")
        self.page.press("Save")
        self.page.until("!electret.document.unsaved")
        self.assertEqual((self.folder / "scene.toml").read_bytes(), start.replace("charge = 1e-7", "charge = 3e-7").encode())

    def test_what_is_typed_outlives_breaks_and_other_edits(self):
        self.opened_text()
        page = self.page
        mine = SCENE + "# being typed\n"
        self.type_all(mine)
        page.until("electret.text.checked && electret.text.checked.effect === 'nothing'")
        page.run("sockets.forEach((each) => each.close())")
        page.until("electret.link === 'open' && electret.counters.reconnects >= 1")
        page.until("electret.state.state === 'paused'")
        self.assertEqual(page.get("electret.text.shown"), mine)
        # Something else has edited the text meanwhile.
        page.run("""const slider = document.querySelector("input[aria-label^='Slider of the charge']");
            slider.value = 30; slider.dispatchEvent(new Event("input", {bubbles: true})); slider.dispatchEvent(new Event("change", {bubbles: true}));""")
        page.until("electret.document.unsaved")
        page.until("document.querySelector('.text-says').innerText.includes('changed since')")
        self.assertEqual(page.get("electret.text.shown"), mine)
        self.assertTrue(page.get("[...document.querySelectorAll('.text-bar button')].find((each) => each.innerText === 'Apply').disabled"))
        page.press("Keep mine")
        page.until("electret.text.checked && electret.text.checked.effect === 'live'")
        self.apply()
        page.until(f"electret.document.text.endsWith('# being typed\\n') && electret.document.text.includes('charge = 1e-7  # each')")
        # A page that is loaded again has it, too.
        self.type_all(mine + "# more\n")
        page.until("electret.text.checked")
        page.run("location.reload()")
        page.until("window.electret && electret.text.draft && electret.text.draft.text.endsWith('# more\\n')")
        self.text_pane_of_draft()
        # Of an earlier start of the studio, the page does not take it for made from this text.
        page.run("""const kept = JSON.parse(sessionStorage.getItem("electret-draft"));
            sessionStorage.setItem("electret-draft", JSON.stringify({ ...kept, start: "00000000" }));
            location.reload();""")
        page.until("window.electret && electret.text.draft && electret.text.draft.revision === -1")
        self.text_pane_of_draft()
        page.until("document.querySelector('.text-says').innerText.includes('changed since')")
        page.press("Keep mine")
        page.until("electret.text.checked && electret.text.checked.effect !== 'wrong'")
        page.press("Discard")
        page.until("!electret.text.draft && electret.text.shown === electret.document.text")
        # What no message can carry is a finding, and the connection stays.
        page.run(f"""const field = {CONTENT};
            field.focus();
            document.execCommand("insertText", false, "#" + "x".repeat(9 << 20));""")
        page.until("electret.text.checked && electret.text.checked.findings[0].message.includes('8 MiB')")
        self.assertEqual(page.get("electret.link"), "open")
        page.press("Discard")
        page.until("!electret.text.draft")

    def text_pane_of_draft(self):
        self.page.shown(state="paused")
        self.page.until("document.querySelector('#tab-text')")
        self.page.run("document.querySelector('#tab-text').click()")
        self.page.until(f"document.querySelector('.editor') && {CONTENT}.innerText.includes('# more')")

    def test_files_that_change_are_said_and_followed(self):
        self.opened_text()
        page = self.page
        page.press("One step")
        page.shown(step=1, state="paused")
        scene = self.folder / "scene.toml"
        scene.write_text(SCENE.replace("mass = 1.0", "mass = 2.0"))
        page.until("document.querySelector('.bands').innerText.includes('Changed on disk: scene.toml')")
        page.press("Keep what is open")
        page.until("electret.files.length === 0 && !document.querySelector('.bands').innerText.includes('Changed on disk')")
        self.assertEqual(page.step, 1)
        self.assertEqual(page.get("electret.document.text"), SCENE)
        scene.write_text(SCENE.replace("mass = 1.0", "mass = 3.0"))
        page.until("electret.files.length === 1")
        page.press("Reload")
        page.until("electret.document.text.includes('mass = 3.0') && electret.state.state === 'paused' && electret.state.step === 0 && electret.files.length === 0")
        page.until("electret.text.shown === electret.document.text")
        # Untouched, it is followed at once, into findings and out of them.
        scene.write_text(SCENE.replace("mass = 1.0", "mass = -3.0"))
        page.until("electret.state.state === 'broken'")
        scene.write_text(SCENE)
        page.until("electret.state.state === 'paused' && electret.document.findings.every((each) => each.severity !== 'error')")

    def test_a_file_that_something_else_has_changed_is_written_over_when_asked(self):
        self.opened_text()
        page, scene = self.page, self.folder / "scene.toml"
        mine, theirs = SCENE.replace("charge = 1e-7", "charge = 3e-7"), SCENE.replace("mass = 1.0", "mass = 2.0")
        self.type_all(mine)
        self.apply()
        page.until("!electret.text.draft && electret.document.unsaved")
        scene.write_text(theirs)
        said = "document.querySelector('.bands').innerText.includes('Something else has changed the file')"
        page.press("Save")
        page.until(said)
        self.assertEqual(scene.read_text(), theirs)
        page.press("Leave it")
        page.until(f"!{said}")
        self.assertEqual(scene.read_text(), theirs)
        self.assertTrue(page.get("electret.document.unsaved"))
        page.press("Save")
        page.until(said)
        page.press("Write over it")
        page.until(f"!electret.document.unsaved && !{said}")
        self.assertEqual(scene.read_text(), mine)
        page.until("electret.files.length === 0")

    def test_a_broken_scene_is_mended_in_the_page(self):
        wrong = SCENE.replace("mass = 1.0", "mass = -1.0")
        self.opened(self.scene(wrong))
        page = self.page
        page.until("window.electret && electret.state && electret.state.state === 'broken' && document.querySelector('button.finding')")
        page.run("document.querySelector('button.finding').click()")
        line = wrong.splitlines().index("mass = -1.0") + 1
        page.until(f"document.querySelector('.editor') && electret.text.line === {line}")
        page.until("document.activeElement.classList.contains('editor')")
        self.type_all(SCENE)
        page.until("electret.text.checked && electret.text.checked.effect === 'load'")
        self.apply()
        page.shown(step=0, state="paused")
        page.press("Save")
        page.until("!electret.document.unsaved")
        self.assertEqual((self.folder / "scene.toml").read_text(), SCENE)

    def test_a_killed_session_goes_on(self):
        running = self.opened_text(SCENE, "-o", "session")
        page = self.page
        self.type_all(SCENE.replace("charge = 1e-7", "charge = 3e-7"))
        self.apply()
        page.until("!electret.text.draft && electret.document.unsaved")
        page.press("Play")
        page.until("electret.shown.step > 5")
        page.press("Pause")
        page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
        step, positions, _ = page.positions()
        written = self.folder / "session/session.toml"
        until("the session is written", lambda: written.exists() and f"steps = {step}\n" in written.read_text()
              and (self.folder / "session/session.text.toml").exists())
        self.driver.get("about:blank")
        running.signal(signal.SIGKILL)
        running.wait()
        again = self.studio(self.folder / "scene.toml", "-o", "session")
        page.open(again.url)
        page.shown(step=0, state="paused")
        page.until(f"electret.earlier && electret.earlier.steps === {step} && electret.earlier.cut && electret.earlier.edited")
        page.until("document.querySelector('.bands').innerText.includes('was cut off')")
        page.press("Go on with it")
        page.shown(step=step, state="paused")
        page.until("!electret.earlier && electret.document.text.includes('charge = 3e-7  # each') && electret.document.unsaved")
        self.assertTrue((np.asarray(page.positions()[1]) == positions).all())
        # Damaged: named, and it stays.
        self.driver.get("about:blank")
        again.end()
        (self.folder / "session/session.start.toml").write_text("# other\n")
        third = self.studio(self.folder / "scene.toml", "-o", "session")
        page.open(third.url)
        page.shown(step=0, state="paused")
        page.until("document.querySelector('.bands').innerText.includes('damaged') && document.querySelector('.bands').innerText.includes('session.start.toml')")
        page.press("Close")
        page.until("!electret.earlier")
        before = written.read_text()
        page.press("One step")
        page.shown(step=1, state="paused")
        aside = self.folder / "session/session.before.toml"
        until("it is moved aside", aside.exists)
        self.assertEqual(aside.read_text(), before)


if __name__ == "__main__":
    unittest.main()
