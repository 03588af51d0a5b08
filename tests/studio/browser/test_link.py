#!/usr/bin/python3
"""The link between page and studio: several pages, breaks, a page that is hidden. Checks 30, 31 and 33 of the studio."""

import signal
import unittest

from browser import NOTE_SOCKETS, TORUS, BrowserCase, until

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
        studio.signal(signal.SIGSTOP)
        page.run("sockets.forEach((each) => each.close())")
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
