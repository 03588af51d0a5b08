#!/usr/bin/python3
"""The link between page and studio: several pages, breaks, a page that is hidden. Checks 30 to 33 of the studio."""

import json
import signal
import unittest

import h5py

from browser import NOTE_SOCKETS, TORUS, BrowserCase, told, until

MANY_STEPS = TORUS.replace("duration = 15.0", "duration = 30000.0")


class Link(BrowserCase):
    expected = ("WebSocket connection to",)

    def another(self, url):
        """A window more; the driver stays in it."""
        self.driver.switch_to.new_window("tab")
        self.page.do("Page.addScriptToEvaluateOnNewDocument", source=NOTE_SOCKETS)
        self.addCleanup(self.close, self.driver.current_window_handle)
        self.page.open(url)

    def close(self, handle):
        self.driver.switch_to.window(handle)
        self.driver.close()
        self.driver.switch_to.window(self.driver.window_handles[0])

    def tearDown(self):
        self.driver.switch_to.window(self.driver.window_handles[0])
        super().tearDown()

    def test_two_pages_show_the_same(self):
        studio = self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        first = self.driver.current_window_handle
        self.another(studio.url)
        page.shown(step=0, state="paused")
        page.key(*["\ue014"] * 3)
        page.shown(step=3, state="paused")
        second_positions = page.positions()[1].tobytes()
        self.driver.switch_to.window(first)
        page.shown(step=3, state="paused")
        self.assertEqual(page.positions()[1].tobytes(), second_positions)

    def on_both(self, studio):
        """Opens another page; both windows, the first of them in front."""
        first = self.driver.current_window_handle
        self.another(studio.url)
        self.page.shown(step=0, state="paused")
        second = self.driver.current_window_handle
        self.driver.switch_to.window(first)
        return first, second

    def tune(self, name, text):
        self.page.until(f"document.querySelector('[aria-label={json.dumps(name)}]')")
        self.page.run("const field = document.querySelector(`[aria-label='${arguments[0]}']`); field.focus(); field.select();", name)
        self.page.do("Input.insertText", text=text)
        for kind in ("keyDown", "keyUp"):
            self.page.do("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, **({"text": "\r"} if kind == "keyDown" else {}))

    def test_an_edit_is_seen_by_the_other_and_a_stale_one_is_refused(self):
        studio = self.opened(self.scene(TORUS))
        page, field = self.page, "stiffness of springs of torus"
        page.shown(step=0, state="paused")
        first, second = self.on_both(studio)
        # Told at once: by the clock that both pages have.
        self.driver.switch_to.window(second)
        page.run("""sockets.at(-1).addEventListener("message", ({ data }) => {
            if (typeof data === "string" && data.includes("stiffness = 20") && !window.seenAt) window.seenAt = performance.timeOrigin + performance.now(); });""")
        self.driver.switch_to.window(first)
        page.run("""const open = sockets.at(-1), plain = open.send.bind(open);
            open.send = (data) => { if (String(data).includes('"tune"')) window.sentAt = performance.timeOrigin + performance.now(); plain(data); };""")
        self.tune(field, "20")
        page.until("electret.document.text.includes('stiffness = 20')")
        sent = page.get("sentAt")
        self.driver.switch_to.window(second)
        page.until("electret.document.text.includes('stiffness = 20') && window.seenAt")
        took = page.get("seenAt") - sent
        told({"from an edit to the other page, ms": round(took, 1)})
        self.assertLess(took, 2000)  # 200 where the machine is free.
        page.until(f"document.querySelector('[aria-label=\"{field}\"]').value.startsWith('20')")
        # The second page is not told of the next edit: its own is of a text that is no more, and is refused.
        page.run("""const open = sockets.at(-1), plain = open.onmessage;
            window.withheld = [];
            open.onmessage = (event) => (typeof event.data === "string" && event.data.includes('"document"') ? withheld.push(event) : plain(event));
            window.letThrough = () => { open.onmessage = plain; withheld.forEach((event) => plain(event)); };""")
        self.driver.switch_to.window(first)
        self.tune(field, "30")
        page.until("electret.document.text.includes('stiffness = 30')")
        self.driver.switch_to.window(second)
        page.until("withheld.length > 0")
        self.tune("neighbours of springs of torus", "20")
        said = page.until("document.querySelector('.tune-row .fault') && document.querySelector('.tune-row .fault').innerText")
        self.assertRegex(said, "changed")
        page.run("letThrough()")
        page.until("electret.document.text.includes('stiffness = 30') && electret.document.text.includes('neighbours = 24')")
        # Now that it has the newest text, the same edit is taken; both show it.
        self.tune("neighbours of springs of torus", "20")
        page.until("electret.document.text.includes('neighbours = 20')")
        self.driver.switch_to.window(first)
        page.until("electret.document.text.includes('neighbours = 20') && electret.document.text.includes('stiffness = 30')")

    def test_two_pages_pull_at_once(self):
        studio = self.opened(self.scene(TORUS.replace("charge = 6e-6\n", "")), "-o", "session")
        page = self.page
        page.shown(step=0, state="paused")
        first, second = self.on_both(studio)
        for handle, vertex, to in ((first, 5, 3.0), (second, 90, -3.0)):
            self.driver.switch_to.window(handle)
            for name, value in (("Vertex", vertex), ("To x", to), ("To y", 0.0), ("To z", 0.0)):
                page.run("""const field = document.querySelector(`input[aria-label="${arguments[0]}"]`);
                    field.value = arguments[1]; field.dispatchEvent(new Event("input", { bubbles: true }));""", name, value)
            page.press("Pull")
            # A page that is hidden moves no hand: each has gone where its form says before the other comes to the front.
            page.until(f"""(() => {{ const r = electret.rubber(), sides = [];
                for (let k = 0; r && k < r.length; k += 9) sides.push(r[k + 3] - r[k]);
                return sides.some((each) => Math.sign({to}) * each > 0.1); }})()""")
        for handle in (first, second):
            self.driver.switch_to.window(handle)
            page.until("electret.hands.length === 2 && new Set(electret.hands.map((each) => each.page)).size === 2 && electret.hands.every((each) => each.kind === 'held')")
        rest = page.positions()[1]
        page.key(*["\ue014"] * 12)
        page.shown(step=12, state="paused")
        way = page.positions()[1] - rest
        self.assertGreater(way[5][0], 0.05)
        self.assertLess(way[90][0], -0.05)
        # The hand of a page goes with it; the other's stays.
        self.driver.get("about:blank")
        self.driver.switch_to.window(first)
        page.until("electret.hands.length === 1 && electret.hands[0].kind === 'held'")
        page.press("Let go")
        page.until("electret.hands.length === 0")
        self.driver.get("about:blank")
        studio.end()
        self.electret("run", "session/session.toml", "-o", "again")
        with h5py.File(self.folder / "session/checkpoint.h5") as played, h5py.File(self.folder / "again/checkpoint.h5") as again:
            self.assertEqual(played["positions"][()].tobytes(), again["positions"][()].tobytes())

    def test_a_page_that_draws_nothing_costs_neither_steps_nor_memory(self):
        studio = self.opened(self.scene(MANY_STEPS))
        page = self.page
        page.shown(step=0, state="paused")
        page.do("Emulation.setCPUThrottlingRate", rate=6)
        page.key(" ")
        page.until("electret.shown.step > 40 && electret.state.reached !== null && electret.state.reached >= 0.9")
        # From here on nothing is drawn; messages are still read.
        frames, begin = page.run("""window.held = [];
            window.plainly = window.requestAnimationFrame;
            window.requestAnimationFrame = (callback) => window.held.push(callback);
            return [electret.counters.frames, electret.state.step];""")
        memory = studio.resident
        # As many steps as five seconds have, at the rate that was wanted: it does not wait for the page.
        page.until(f"electret.state.step > {begin + 165}")
        page.until("electret.state.reached >= 0.9")
        grown = studio.resident - memory
        # It has two credits, and gives back two by the drawing that it had asked for before.
        self.assertLessEqual(page.get("electret.counters.frames") - frames, 4, "frames were sent to a page that draws none")
        told({"server's growth while a page draws nothing, MB": round(grown / 1e6, 2)})
        # The past of so many steps has 3 MB.
        self.assertLess(grown, 10e6)
        # Drawn again: of what is older than that moment it shows what it had got, and then what is of now.
        page.run("""window.requestAnimationFrame = window.plainly;
            window.old = new Set();
            window.since = null;
            const now = electret.state.step;
            const look = () => {
              if (electret.shown.drawn >= now) window.since = electret.shown.drawn;
              else {
                window.old.add(electret.shown.drawn);
                setTimeout(look, 0);
              }
            };
            look();
            for (const each of window.held) requestAnimationFrame(each);""")
        page.until("window.since !== null")
        page.do("Emulation.setCPUThrottlingRate", rate=1)
        self.assertLessEqual(page.get("window.old.size"), 3, "old frames were shown first")

    def test_all_pages_show_one_quantity(self):
        studio = self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        first = self.driver.current_window_handle
        choose = """const list = document.querySelector('select[aria-label="Colour by"]');
            list.value = arguments[0]; list.dispatchEvent(new Event('change', { bubbles: true }))"""
        page.run(choose, "height")
        page.until("electret.shown.scalar === 'height' && electret.scalar()")
        height = page.get("Array.from(electret.scalar())")
        self.another(studio.url)
        page.shown(step=0, state="paused")
        # What comes later does not bring its own quantity.
        page.until("electret.shown.scalar === 'height' && electret.scalar()")
        self.assertEqual(page.get("Array.from(electret.scalar())"), height)
        page.run(choose, "speed")
        page.until("electret.shown.scalar === 'speed' && electret.scalar()")
        self.driver.switch_to.window(first)
        page.until("electret.shown.scalar === 'speed' && electret.scalar()")
        self.assertEqual(page.get("Math.max(...electret.scalar())"), 0.0, "at rest nothing has speed")
        page.key("\ue014")
        page.shown(step=1, state="paused")
        self.assertEqual(page.get("electret.state.scalar"), "speed")

    def test_fifth_page_waits_and_says_so(self):
        studio = self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        for _ in range(3):
            self.another(studio.url)
            page.shown(step=0, state="paused")
        fourth = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        fifth = self.driver.current_window_handle
        self.addCleanup(self.close, fifth)
        page.driver.get(studio.url)
        page.until("document.body.innerText.includes('Four pages are open already')")
        self.driver.switch_to.window(fourth)
        page.driver.get("about:blank")
        self.driver.switch_to.window(fifth)
        page.shown(step=0, state="paused")
        self.assertNotIn("Four pages", page.get("document.body.innerText"))

    def test_break_is_shown_and_mended(self):
        studio = self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        page.key(*["\ue014"] * 4)
        page.shown(step=4, state="paused")
        before = page.positions()[1].tobytes()
        camera = page.get("electret.camera().azimuth")
        # A page that closes its socket waits a minute for a server that stands still. So the socket is cut first, and the
        # page comes back to a server that stands.
        page.run("""window.late = [];
            const plain = window.setTimeout;
            window.setTimeout = (callback, wait, ...more) => (wait === 250 ? window.late.push(callback) : plain(callback, wait, ...more));
            window.comeBack = () => { window.setTimeout = plain; window.late.forEach((each) => each()); };
            sockets.forEach((each) => each.close());""")
        page.until("window.late.length > 0")
        studio.signal(signal.SIGSTOP)
        page.run("comeBack()")
        page.until("document.body.innerText.includes('Reconnecting')")
        self.assertEqual(page.positions()[1].tobytes(), before, "the last picture went")
        studio.signal(signal.SIGCONT)
        page.until("electret.link === 'open' && electret.counters.reconnects >= 1")
        page.until("!document.body.innerText.includes('Reconnecting')")
        page.shown(step=4, state="paused")
        self.assertEqual(page.positions()[1].tobytes(), before)
        self.assertEqual(page.get("electret.camera().azimuth"), camera)
        page.key("\ue014")
        page.shown(step=5, state="paused")

    def test_hidden_page_costs_nothing(self):
        studio = self.opened(self.scene(MANY_STEPS))
        page = self.page
        page.shown(step=0, state="paused")
        page.key(" ")
        page.until("electret.shown.step > 10")
        hidden = self.driver.current_window_handle
        self.another(studio.url)
        page.shown(state="running")
        begin = page.step
        # Steps of 0.03 s in real time: what takes five seconds where the machine does not stall.
        page.until(f"electret.shown.step > {begin + 165}")
        self.driver.switch_to.window(hidden)
        # It counted when it was hidden and when it was shown again.
        seen = page.get("electret.counters.whileHidden")
        self.assertLessEqual(seen, 8)
        self.assertGreater(page.until(f"electret.shown.step > {begin + 165} && electret.shown.step"), begin + 165)

    def test_quit_ends_with_0(self):
        studio = self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0, state="paused")
        page.press("Quit")
        page.until("document.querySelector('dialog[open]')")
        page.run("[...document.querySelectorAll('dialog[open] button')].find((each) => each.innerText === 'Quit').click()")
        page.until("document.body.innerText.includes('The studio has ended')")
        until("the end of the studio", lambda: studio.process.poll() is not None)
        self.assertEqual(studio.process.returncode, 0)

    def test_wrong_token_is_refused_with_a_sentence(self):
        studio = self.opened(self.scene(TORUS))
        page = self.page
        page.shown(step=0)
        page.run("sessionStorage.clear()")
        page.open(studio.origin + "/#" + "0" * 32)
        page.until("document.body.innerText.includes('may not talk to the studio')")
        page.run("sessionStorage.clear()")


if __name__ == "__main__":
    unittest.main()
