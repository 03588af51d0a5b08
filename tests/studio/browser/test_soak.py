#!/usr/bin/python3
"""The studio for a while: two pages and a socket send every command at random, connections break, the server is killed. Memory
and descriptors stay, steps never fall by themselves, and the session repeats bit for bit. ELECTRET_SOAK_SECONDS says how long."""

import os
import pathlib
import shutil
import socket
import struct
import sys
import time
import unittest

from browser import NOTE_SOCKETS, SOURCE, BrowserCase, told, until

sys.path.insert(0, str(pathlib.Path(SOURCE) / "tests/apps"))
import session_bits  # noqa: E402
import studio_client  # noqa: E402
from soak_commands import SCENE, VIEW, Commands  # noqa: E402

SECONDS = float(os.environ.get("ELECTRET_SOAK_SECONDS", "40"))
SEED = int(os.environ.get("ELECTRET_SOAK_SEED", "20261128"))
RECONNECTS = 20
MOST_SERVER, MOST_HEAP = 10e6, 20e6  # bytes more than after the first minute
BYTES_A_STEP = 8e3  # of the past, at most: 80 vertices have places and velocities

# Sends a message as the page does, and counts the answers to what was sent so.
SEND = """const open = sockets.at(-1);
if (!open || open.readyState !== WebSocket.OPEN || electret.link !== "open") return false;
if (!open.tally) {
  open.tally = { sent: 0, answered: 0 };
  open.addEventListener("message", ({ data }) => {
    if (typeof data !== "string") return;
    const message = JSON.parse(data);
    if (message.t === "re" && message.re >= 1e6) open.tally.answered++;
  });
}
open.send(JSON.stringify({ t: arguments[0], id: 1e6 + ++open.tally.sent, ...arguments[1] }));
return true;"""
ANSWERED = "sockets.at(-1).readyState !== WebSocket.OPEN || !sockets.at(-1).tally || sockets.at(-1).tally.answered === sockets.at(-1).tally.sent"


class Soak(BrowserCase):
    expected = ("WebSocket connection to", "net::ERR_CONNECTION_REFUSED")

    def setUp(self):
        super().setUp()
        self.commands = Commands(SEED)
        self.tally = {}
        self.backs = self.falls = self.last_step = self.diverged = 0
        self.last_frame = None
        self.server_memory, self.heaps = [], {}

    def begin_server(self):
        """A server on the session's folder, with both pages and the socket."""
        self.running = self.studio(self.folder / "scene.toml", "-o", "session", "--threads", "2")
        self.last_frame, self.longest = None, 0
        self.client = self.client_in()
        for handle in self.tabs:
            self.driver.switch_to.window(handle)
            self.page.open(self.running.url)
            self.page.until("window.electret && electret.link === 'open' && electret.state && electret.state.state === 'paused'")
        self.client.until_state("paused")

    def client_in(self):
        """The socket's connection; while its place is not free, it asks again."""
        def is_in():
            try:
                found = studio_client.Listening(*studio_client.parts_of(self.running.url))
            except (studio_client.Closed, ConnectionError):
                return None
            found.listens = self.listen
            return found
        client = until("a place for the socket", is_in)
        self.addCleanup(client.close)
        return client

    def listen(self, message):
        """Numbers of frames rise, and steps fall only after what leads back."""
        if isinstance(message, dict):
            self.commands.hear(message)
            if message["t"] == "state" and message["state"] == "diverged":
                self.diverged += 1
            return
        if message.kind != 1:
            return
        if self.last_frame and self.last_frame[1] == message.generation:
            self.assertGreaterEqual(message.sequence, self.last_frame[0])
            if message.step < self.last_step:
                self.falls += 1
                self.assertTrue(message.flags & 4, (message.step, self.last_step))
                self.assertLessEqual(self.falls, self.backs + self.diverged, f"step {self.last_step} became {message.step}")
        self.last_frame, self.last_step = (message.sequence, message.generation), message.step
        self.longest = max(self.longest, message.step)

    def act(self):
        kind, fields = self.commands.next()
        if kind in Commands.GO_BACK:
            # It may show a kept frame first, and then the state that it begins from.
            self.backs += 2
        if self.commands.chance(0.4):
            done = self.page.run(SEND, kind, fields)
        else:
            done = self.client.ask(kind, **fields)["ok"]
        counts = self.tally.setdefault(kind, [0, 0])
        counts[0 if done else 1] += 1

    def resources(self):
        """Bytes of the server and of the visible page's heap."""
        self.page.do("HeapProfiler.collectGarbage")
        return self.running.resident, self.page.get("performance.memory.usedJSHeapSize")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.running.process.pid}/fd"))

    def connections_end(self):
        """Descriptors once nothing is under way: the least that are seen in a while."""
        seen = []
        for _ in range(20):
            seen.append(self.descriptors())
            time.sleep(0.02)
        return min(seen)

    def fill(self):
        """The longest past, with a gradient over all of it and a picture: what they take at most is no growth."""
        # Nothing is to wait for a reset: there is no gradient then.
        self.backs += 2
        self.client.ask("pause")
        self.assertTrue(self.client.ask("reset")["ok"])
        last = self.client.state_at("paused", 0)["last_step"]
        self.client.ask("play", rate=None)
        end = self.client.state_where(lambda m: m["state"] == "diverged" or (m["state"] == "paused" and m["step"] >= last))
        for ask, kind, fields in (("gradient", 5, {"loss": "energy"}), ("trace", 4, {"width": 48, "height": 32, **VIEW})):
            answer = self.client.ask(ask, number=7, **fields)
            self.assertTrue(answer["ok"] or end["state"] == "diverged", (ask, answer))
            if answer["ok"]:
                self.client.until(lambda m: isinstance(m, studio_client.Frame) and (m.kind, m.sequence) == (kind, 7))

    def sample(self):
        """After a reset, so that the past is as short whenever it is looked."""
        self.backs += 2
        self.client.ask("pause")
        if self.client.ask("reset")["ok"]:
            self.client.until_state("paused")
        server, heap = self.resources()
        self.server_memory.append(server)
        self.heaps.setdefault(self.driver.current_window_handle, []).append(heap)

    def reconnect(self, number):
        page = self.page
        page.until(ANSWERED)
        if number % 5 == 4:  # The socket's own.
            if number % 2:  # With what it was sent not read: a reset.
                self.client.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.client.close()
            self.client = self.client_in()
            return
        if number % 5 in (1, 3):  # The other page comes to the front.
            there = self.driver.current_window_handle
            self.driver.switch_to.window(next(each for each in self.tabs if each != there))
        if number % 5 in (0, 1):
            before = page.get("electret.counters.reconnects")
            page.run("sockets.at(-1).close()")
            page.until(f"electret.counters.reconnects > {before}")
        else:
            self.driver.refresh()
        page.until("window.electret && electret.link === 'open' && electret.state && electret.system")

    def settled(self):
        """Waits for what is under way, and pauses."""
        def is_still():
            self.client.ask("pause")
            return self.client.state["state"] in ("paused", "diverged")
        until("a state in which nothing is under way", is_still)

    def repeated(self, folder, threads):
        """Attributes and arrays of the checkpoint of a run of the session."""
        out = f"{folder}-{threads}"
        self.electret("run", f"{folder}/session.toml", "-o", out, "--threads", threads)
        return session_bits.checkpoint(self.folder / out)

    def assert_same(self, one, other, what):
        self.assertEqual(session_bits.differing(one, other), [], what)

    def kill(self):
        """Without a word; what was written repeats, and the session goes on."""
        session = self.folder / "session/session.toml"
        self.client.ask("play", rate=1.0)
        until("a session that is written", lambda: session.exists() and "steps = 0\n" not in session.read_text() and self.client.ask("stop"))
        self.running.process.kill()
        self.running.process.communicate()
        shutil.copytree(self.folder / "session", self.folder / "killed")
        one, three = self.repeated("killed", 1), self.repeated("killed", 3)
        self.assert_same(one, three, "killed")
        self.begin_server()
        self.backs += 2
        self.assertTrue(self.client.ask("take-up")["ok"])
        self.client.state_at("paused", one[0]["step"])
        self.settled()

    def test_nothing_grows_and_the_session_repeats(self):
        self.scene(SCENE)
        self.driver.switch_to.new_window("tab")
        self.page.do("Page.addScriptToEvaluateOnNewDocument", source=NOTE_SOCKETS)
        self.tabs = self.driver.window_handles
        self.begin_server()
        begin = time.monotonic()
        events = [((0.03 + 0.94 * k / RECONNECTS) * SECONDS, self.reconnect, k) for k in range(RECONNECTS)]
        events += [(part * SECONDS, self.sample, None) for part in [0.25 + 0.03 * k for k in range(20)] + [0.88]]
        events += [(0.2 * SECONDS, self.kill, None)]
        events.sort(key=lambda each: each[0])
        done, descriptors, warm = 0, None, None
        for at, happens, number in events:
            while time.monotonic() - begin < at:
                self.act()
                done += 1
            for _ in range(5):
                self.act()
            happens() if number is None else happens(number)
            if happens == self.kill:
                descriptors = self.connections_end()
                self.fill()
                self.sample()
                warm_from = time.monotonic()
            # What the first minute after it has taken, and in a short soak the first quarter.
            if warm is None and descriptors and self.server_memory and time.monotonic() - warm_from > min(60.0, 0.25 * SECONDS):
                warm = len(self.server_memory), {each: len(rows) for each, rows in self.heaps.items()}, self.longest
            self.commands.may_reset = at < 0.88 * SECONDS
        while time.monotonic() - begin < SECONDS:
            self.act()
            done += 1
        self.settled()
        self.client.ask("step", n=20, beyond=True)
        self.settled()
        until("the answers to all that the page has sent", lambda: self.page.get(ANSWERED))
        told({"soak, s": SECONDS, "commands": done, "taken and refused": self.tally, "steps fell": self.falls, "diverged": self.diverged,
              "server, MB": [round(each / 1e6, 1) for each in self.server_memory],
              "heaps, MB": [[round(each / 1e6, 1) for each in rows] for rows in self.heaps.values()]})
        self.resources_stay(warm)
        until(f"{descriptors} descriptors", lambda: self.connections_end() <= descriptors)
        told({"steps of the session that repeats": self.session_repeats()})
        for kind in Commands.KINDS:
            self.assertIn(kind, self.tally, "a command that was never sent")

    def resources_stay(self, warm):
        count, heaps, longest = warm
        # A past that went farther beyond the end than any before took more memory, which the allocator keeps.
        past = BYTES_A_STEP * (self.longest - longest)
        self.assertLessEqual(max(self.server_memory[count:]), max(self.server_memory[:count]) + MOST_SERVER + past, (past, self.server_memory))
        for handle, rows in self.heaps.items():
            first = max(1, heaps.get(handle, 0))
            self.assertLessEqual(max(rows[first:], default=0), max(rows[:first]) + MOST_HEAP, rows)

    def session_repeats(self):
        self.client.ask("quit")
        for handle in self.tabs:
            self.driver.switch_to.window(handle)
            self.driver.get("about:blank")
        status, out, error = self.running.wait()
        self.assertEqual((status, out, error), (0, "", ""))
        played = session_bits.checkpoint(self.folder / "session")
        for threads in (1, 3):
            self.assert_same(self.repeated("session", threads), played, f"on {threads} threads")
        self.assertGreater(played[0]["step"], 0)
        return int(played[0]["step"])


if __name__ == "__main__":
    unittest.main()
