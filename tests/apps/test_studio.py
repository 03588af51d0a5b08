#!/usr/bin/python3
"""`electret studio` from outside: who may come in, what is sent when, how it ends, and that a session replays."""

import json
import os
import pathlib
import re
import select
import signal
import socket
import time
import unittest

import h5py
import numpy as np
from studio_client import Closed, Frame, Page, answer, connect, parts_of, read_all, request, status, upgrade
from support import SCENE, CommandTest

LONG = SCENE.replace("steps = 20", "steps = 100000000")


class StudioTest(CommandTest):
    def setUp(self):
        super().setUp()
        if "this build has no studio" in self.electret("studio", "--no-open", "none.toml").stderr:
            self.skipTest("this build has no studio")

    def studio(self, *arguments):
        """Starts it: the process, port and token."""
        process = self.start("studio", "--no-open", "--keep-running", *map(str, arguments))
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        port, token = parts_of(process.stdout.readline())
        return process, port, token

    def page(self, port, token, **options):
        page = Page(port, token, **options)
        self.addCleanup(page.close)
        return page

    def ended(self, process):
        out, err = process.communicate(timeout=120)
        self.assertEqual(out, "")
        return process.returncode, err

    def checkpoint(self, folder):
        with h5py.File(self.folder / folder / "checkpoint.h5") as file:
            arrays = {}
            file.visititems(lambda name, item: arrays.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
            return dict(file.attrs), arrays


class Playing(StudioTest):
    def test_a_scene_is_opened_played_and_repeated_by_run(self):
        self.scene(LONG)
        process, port, token = self.studio("scene.toml", "-o", "out", "--threads", "1")
        page = self.page(port, token)
        page.until_state("paused")
        kinds = [m["t"] for m in page.texts]
        self.assertEqual(kinds[0], "welcome")
        topology = next(f for f in page.frames if f.kind == 2)
        frame = page.frame_at(0)
        self.assertEqual((frame.points, frame.step, topology.generation), (60, 0, frame.generation))
        self.assertTrue(frame.flags & 1)
        self.assertTrue(page.ask("play", rate=None)["ok"])
        page.until(lambda m: isinstance(m, Frame) and m.step >= 30)
        self.assertTrue(page.ask("pause")["ok"])
        last = page.until_state("paused")
        self.assertTrue(page.ask("seek", step=last["step"] - 11)["ok"])
        page.state_at("paused", last["step"] - 11)
        self.assertTrue(page.ask("step", n=14)["ok"])
        steps = last["step"] + 3
        page.frame_at(steps)
        self.assertTrue(page.ask("quit")["ok"])
        self.assertEqual(page.until_closed(), 1001)
        self.assertEqual(page.texts[-1]["t"], "bye")
        self.assertEqual(self.ended(process), (0, ""))
        self.electret("run", "out/session.toml", "-o", "again", "--threads", "3", check=0)
        played, again = self.checkpoint("out"), self.checkpoint("again")
        self.assertEqual(self.summary("again")["steps"], steps)
        self.assertTrue(np.any(played[1]["velocities"]))
        for name in ["positions", "velocities"]:
            self.assertTrue(np.array_equal(played[1][name], again[1][name]), name)
        for name in ["step", "memory", "field_work", "keyframe_work", "pin_work", "dissipation"]:
            self.assertEqual(played[0][name], again[0][name], name)

    def test_frames_wait_for_credits_and_the_newest_goes_next(self):
        self.scene(LONG)
        _, port, token = self.studio("scene.toml")
        page = self.page(port, token)
        page.until_state("paused")
        page.ask("play", rate=None)
        page.until(lambda m: isinstance(m, Frame) and m.step > 5)
        # Nothing is drawn any more: at most two frames come, however long it runs.
        page.frames.clear()
        step = page.until(lambda m: isinstance(m, dict) and m["t"] == "state", draws=False)["step"]
        later = page.until(lambda m: isinstance(m, dict) and m["t"] == "state" and m["step"] > step + 50, draws=False)
        self.assertLessEqual(len(page.frames), 2)
        page.send(b'{"t":"drawn","sequence":0}')
        newest = page.until(lambda m: isinstance(m, Frame), draws=False)
        self.assertGreaterEqual(newest.step, later["step"])

    def test_several_pages_see_one_session_and_a_fifth_none(self):
        self.scene()
        process, port, token = self.studio("scene.toml")
        pages = [self.page(port, token) for _ in range(4)]
        pages[0].until_state("paused")  # While the scene is read it makes no steps.
        self.assertTrue(pages[0].ask("step", n=3)["ok"])
        seen = [page.frame_at(3) for page in pages]
        for frame in seen:
            self.assertEqual(frame.positions(), seen[0].positions())
        fifth = self.page(port, token, hello=False)
        self.assertEqual(fifth.until_closed(), 1013)
        # A page that comes back is given everything.
        pages[1].close()
        deadline = time.monotonic() + 60
        while True:
            try:
                page = self.page(port, token)
                break
            except Closed:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
        frame = page.frame_at(3)
        self.assertEqual((frame.step, frame.positions()), (3, seen[0].positions()))
        self.assertTrue({"welcome", "state", "document", "system", "energies"} <= {m["t"] for m in page.texts})
        self.assertTrue(frame.flags & 1)
        pages[0].ask("quit")
        for each in [pages[0], pages[2], pages[3], page]:
            self.assertEqual(each.until_closed(), 1001)
            self.assertEqual(each.texts[-1]["t"], "bye")
        self.assertEqual(self.ended(process)[0], 0)

    def test_a_scalar_is_sent_once_chosen(self):
        self.scene()
        _, port, token = self.studio("scene.toml")
        page = self.page(port, token)
        page.until_state("paused")  # While the scene is read there is nothing to choose from.
        self.assertTrue(page.ask("select-view", scalar="height")["ok"])
        frame = next((f for f in page.frames if f.flags & 2), None) or page.until(lambda m: isinstance(m, Frame) and m.flags & 2)
        self.assertEqual(len(frame.data), 64 + 4 * 60 * (3 + 1 + (frame.flags & 1)))
        self.assertFalse(page.ask("select-view", scalar="beauty")["ok"])

    def test_nothing_is_opened_and_then_an_example(self):
        process, port, token = self.studio()
        page = self.page(port, token)
        page.until_state("empty")
        choices = next(m for m in page.texts if m["t"] == "choices")["entries"]
        self.assertIn("example:charged_torus", [c["name"] for c in choices])
        self.assertFalse(page.ask("open", name="/etc/passwd")["ok"])
        self.assertTrue(page.ask("open", name="new:chain")["ok"])
        page.until_state("paused")
        page.ask("step", n=2)
        page.frame_at(2)
        page.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)
        self.electret("run", "runs/chain.studio/session.toml", check=0)

    def test_a_run_is_looked_at(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "run", check=0)
        process, port, token = self.studio("run")
        page = self.page(port, token)
        page.until_state("viewing")
        self.assertTrue(page.ask("seek", step=13)["ok"])
        frame = page.frame_at(13)
        with h5py.File(self.folder / "run" / "trajectory.h5") as file:
            positions = file["positions"][13]
        self.assertTrue(np.array_equal(np.float32(positions - frame.origin).ravel(), np.float32(frame.positions())))
        page.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)

    def test_a_run_is_continued_and_repeated_with_what_came_then(self):
        self.scene()
        self.electret("run", "scene.toml", "-o", "run", check=0)
        attributes, arrays = self.checkpoint("run")
        process, port, token = self.studio("run", "--threads", "1")
        page, other = self.page(port, token), self.page(port, token)
        page.until_state("viewing")
        self.assertTrue(page.ask("continue")["ok"])
        last = int(attributes["step"])
        page.state_at("paused", last)
        other.state_at("paused", last)
        self.assertFalse(other.ask("continue")["ok"])
        self.assertTrue(page.ask("step", n=15, beyond=True)["ok"])
        page.state_at("paused", last + 15)
        page.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)
        self.electret("run", "runs/scene.studio/session.toml", "-o", "again", "--threads", "2", check=0)
        _, played = self.checkpoint("runs/scene.studio")
        _, again = self.checkpoint("again")
        _, untouched = self.checkpoint("run")
        for name in ("positions", "velocities"):
            self.assertTrue(np.array_equal(played[name], again[name]), name)
            self.assertTrue(np.array_equal(untouched[name], arrays[name]), name)
            self.assertFalse(np.array_equal(played[name], arrays[name]), name)

    def test_a_run_is_played_at_the_wanted_speed(self):
        """Never sooner than is wanted, and later only where the machine is."""
        self.scene()
        self.electret("run", "scene.toml", "-o", "run", check=0)
        process, port, token = self.studio("run")
        page = self.page(port, token)
        page.until_state("viewing")
        for seconds in (0.8, 0.2):
            page.ask("seek", step=0)
            page.state_at("viewing", 0)
            begin = time.monotonic()
            page.ask("play", rate=0.2 / seconds)  # 20 steps of 10 ms
            early = []

            def is_there(message):
                if isinstance(message, Frame) and message.kind == 1 and message.time > 0.2 / seconds * (time.monotonic() - begin) + 1e-6:
                    early.append((message.step, time.monotonic() - begin))
                return isinstance(message, dict) and message["t"] == "state" and (message["state"], message["step"]) == ("viewing", 20)
            page.until(is_there)
            self.assertEqual(early, [])
            self.assertGreaterEqual(time.monotonic() - begin, 0.95 * seconds)
        page.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)


class Keeping(StudioTest):
    VIEW = {"eye": [3, -3, 1], "target": [0, 0, 0], "low": -1e-6, "high": 1e-6}

    def binary(self, page, kind, number):
        """The binary message of this kind that has the page's number."""
        found = next((f for f in page.frames if (f.kind, f.sequence) == (kind, number)), None)
        return found or page.until(lambda m: isinstance(m, Frame) and (m.kind, m.sequence) == (kind, number))

    def told(self, page, kind, number, is_it):
        def is_there(message):
            return isinstance(message, dict) and message["t"] == kind and message["number"] == number and is_it(message)
        return next((m for m in page.texts if is_there(m)), None) or page.until(is_there)

    def test_what_is_kept_goes_to_who_asks(self):
        self.scene()
        process, port, token = self.studio("scene.toml", "-o", "out")
        one, other = self.page(port, token), self.page(port, token)
        one.until_state("paused")
        one.ask("step", n=5)
        shown = one.frame_at(2) if any(f.step == 2 for f in one.frames) else None
        one.state_at("paused", 5)
        self.assertTrue(one.ask("frame", step=2, number=9)["ok"])
        frame = self.binary(one, 3, 9)
        self.assertEqual((frame.step, frame.points), (2, 60))
        if shown:
            self.assertEqual(frame.positions(), shown.positions())
        self.assertTrue(one.ask("trace", number=4, width=48, height=32, **self.VIEW)["ok"])
        self.assertEqual(self.binary(one, 4, 4).data[64:72], b"\x89PNG\r\n\x1a\n")
        self.assertTrue(one.ask("gradient", number=5, loss="energy")["ok"])
        gradient = self.binary(one, 5, 5)
        self.assertEqual(len(gradient.data), 64 + 4 * (60 + 180))
        done = self.told(one, "gradient", 5, lambda m: "table" in m or "error" in m)
        self.assertEqual(done.get("error"), None)
        command = self.electret("gradient", "scene.toml", "--set", "time.steps=5", "--loss", "energy", "--wrt", "body.ball.charges", check=0)
        expected = json.loads(command.stdout)
        self.assertEqual(done["loss"], expected["loss"])
        np.testing.assert_array_equal(np.frombuffer(gradient.data[64:64 + 240], "<f4"), np.array(expected["gradient"]["body.ball.charges"], "<f4"))
        other.ask("frame", step=0, number=1)
        self.assertEqual([f.kind for f in other.frames if f.kind > 2], [3], "what one page asks for is not the other's")
        for wrong in ({"width": 0}, {"height": 100000}, {"width": 8192, "height": 8192}, {"eye": [0, 0, 0]}, {"eye": "there"}):
            self.assertFalse(one.ask("trace", **{"number": 6, "width": 48, "height": 32, **self.VIEW, **wrong})["ok"], wrong)
        self.assertFalse(one.ask("frame", step=-1, number=1)["ok"])
        self.assertFalse(one.ask("gradient", number=7)["ok"])
        # A page that is gone in the middle of its picture keeps nobody from having one.
        self.assertTrue(one.ask("trace", number=8, width=4000, height=4000, **self.VIEW)["ok"])
        self.assertIn("another page", other.ask("trace", number=2, width=48, height=32, **self.VIEW)["error"])
        one.close()
        deadline = time.monotonic() + 120
        while not other.ask("trace", number=3, width=48, height=32, **self.VIEW)["ok"]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.binary(other, 4, 3)
        other.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)
        self.assertEqual(sorted(each.name for each in (self.folder / "out").iterdir()),
                         ["checkpoint.h5", "session.start.toml", "session.text.toml", "session.toml"])

    def test_a_kill_while_a_picture_is_traced_leaves_nothing(self):
        self.scene()
        process, port, token = self.studio("scene.toml", "-o", "out")
        page = self.page(port, token)
        page.until_state("paused")
        page.ask("trace", number=1, width=4000, height=4000, **self.VIEW)
        process.kill()
        process.communicate()
        self.assertEqual(list((self.folder / "out").iterdir()), [])
        process, port, token = self.studio("scene.toml", "-o", "out")
        self.page(port, token).until_state("paused")


class Safety(StudioTest):
    def test_who_may_come_in(self):
        self.scene()
        process, port, token = self.studio("scene.toml")
        own, wrong = f"http://localhost:{port}", "0" * 32
        for head, expected in [
                (request(port), 200),
                (request(port, host=f"localhost:{port}"), 200),
                (request(port, host="evil.example"), 403),
                (request(port, host=f"evil.example:{port}"), 403),
                (request(port, host=""), 403),
                (request(port, "/../../etc/passwd"), 404),
                (request(port, "/%2e%2e/etc/passwd"), 404),
                (request(port, "/scene.toml"), 404),
                (request(port, "/socket"), 400),
                (request(port, method="POST", more=["Content-Length: 5"]) + b"hello", 400),
                (request(port, method="HEAD"), 400),
                (request(port, more=["Content-Length: 5"]) + b"hello", 400),
                (request(port, more=["X: " + "x" * 20000]), 400),
                (request(port, "/" + "x" * 20000), 400),
                (b"garbage\r\n\r\n", 400),
                (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(300) + b"\r\n\r\n", 400),
                (upgrade(port, wrong), 401),
                (upgrade(port, token, protocols=""), 401),
                (upgrade(port, token, protocols="electret.1"), 401),
                (upgrade(port, token, protocols=f"token.{token}"), 401),
                (upgrade(port, token, origin="http://evil.example"), 403),
                (upgrade(port, token, origin="null"), 403),
                (upgrade(port, token, origin=""), 403),
                (upgrade(port, token, host="evil.example", origin=own), 403),
        ]:
            self.assertEqual(status(port, head), expected, head[:80])
        text = answer(port, request(port)).decode("latin-1")
        for field in ["Content-Security-Policy: default-src 'none'; script-src 'self'", "X-Content-Type-Options: nosniff",
                      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin",
                      "Cross-Origin-Resource-Policy: same-origin"]:
            self.assertIn(field, text)
        # Still there, for those who know.
        page = self.page(port, token)
        page.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)

    def test_only_this_machine_is_listened_to(self):
        self.scene()
        _, port, _ = self.studio("scene.toml")
        rows = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        listening = [row.split()[1] for row in rows if row.split()[3] == "0A" and row.split()[1].endswith(f":{port:04X}")]
        self.assertEqual(listening, [f"0100007F:{port:04X}"])
        six = pathlib.Path("/proc/net/tcp6")
        if six.exists():
            self.assertFalse([row for row in six.read_text().splitlines()[1:]
                              if row.split()[3] == "0A" and row.split()[1].endswith(f":{port:04X}")])

    def test_a_seventeenth_connection_is_turned_away(self):
        self.scene()
        _, port, token = self.studio("scene.toml")
        # Those that do not finish speaking are let go after 10 s, which a machine that stalls may exceed.
        for _ in range(20):
            begin = time.monotonic()
            held = [connect(port) for _ in range(16)]
            for sock in held:
                self.addCleanup(sock.close)
                sock.sendall(b"GET / HTTP/1.1\r\n")
            found = status(port, request(port))
            if found == 503 and time.monotonic() - begin < 5:
                break
            self.assertTrue(found == 503 or time.monotonic() - begin > 9, found)
            for sock in held:
                sock.close()
        held[0].sendall(f"Host: 127.0.0.1:{port}\r\n\r\n".encode())
        self.assertIn(b"200 OK", read_all(held[0]))
        held[0].close()
        deadline = time.monotonic() + 60
        while (found := status(port, request(port))) != 200:
            self.assertEqual(found, 503)
            self.assertLess(time.monotonic(), deadline)

    def flooded(self, port, token):
        """The code with which a page is closed that sends as fast as it can."""
        page = self.page(port, token)
        message = b'{"t":"drawn","sequence":123}'
        batch = (b"\x81" + bytes([0x80 | len(message)]) + b"\0\0\0\0" + message) * 500
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                page.sock.sendall(batch)
            except OSError:
                break
            if select.select([page.sock], [], [], 0)[0]:
                try:
                    page.receive()
                except Closed as closed:
                    page.close()
                    return closed.code
        return page.until_closed()

    def test_pages_that_misbehave_are_closed_alone(self):
        self.scene()
        process, port, token = self.studio("scene.toml")
        good = self.page(port, token)
        good.until_state("paused")
        nested = b'{"t":"pause","id":1,"x":' + b"[" * 16 + b"]" * 16 + b"}"
        for payload, opcode, code in [(b"no JSON", 1, 1008), (b"[]", 1, 1008), (nested, 1, 1008), (b'{"t":"pause"}', 1, 1008),
                                      (b'{"t":"pause","id":1e999}', 1, 1008), (b"\x00\x01", 2, 1003), (b"\xff\xfe", 1, 1007),
                                      (b"x", 3, 1002), (b" " * ((8 << 20) + 1), 1, 1009)]:
            page = self.page(port, token)
            page.send(payload, opcode)
            self.assertEqual(page.until_closed(), code, payload[:30])
        unmasked = self.page(port, token)
        unmasked.send(b'{"t":"pause","id":1}', masked=False)
        self.assertEqual(unmasked.until_closed(), 1002)
        # A frame that is cut off in the middle, and a socket that is.
        cut = self.page(port, token)
        cut.sock.sendall(b"\x81\xfe\x10")
        cut.close()
        self.assertEqual(self.flooded(port, token), 1008)
        # What is unknown is answered, and what comes before hello.
        self.assertIn("fly", good.ask("fly")["error"])
        self.assertIn("\"step\"", good.ask("seek", step="x")["error"])
        silent = self.page(port, token, hello=False)
        self.assertIn("hello", silent.ask("pause")["error"])
        self.assertFalse(silent.ask("hello", protocol=99)["ok"])
        self.assertTrue(good.ask("step", n=2)["ok"])
        good.frame_at(2)
        good.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)


class Ends(StudioTest):
    def test_signals_keep_the_session(self):
        self.scene(LONG)
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]:
            process, port, token = self.studio("scene.toml", "-o", f"out{code}")
            page = self.page(port, token)
            page.until_state("paused")
            page.ask("play", rate=None)
            page.until(lambda m: isinstance(m, Frame) and m.step > 3)
            process.send_signal(number)
            self.assertEqual(page.until_closed(), 1001)
            self.assertEqual(self.ended(process), (code, ""))
            text = (self.folder / f"out{code}" / "session.toml").read_text()
            self.assertGreater(int(re.search(r"^steps = (\d+)$", text, re.MULTILINE).group(1)), 3)
            self.assertIn("positions", " ".join(self.checkpoint(f"out{code}")[1]))

    def test_a_kill_loses_a_second_at_most(self):
        self.scene(LONG)
        process, port, token = self.studio("scene.toml", "-o", "out")
        page = self.page(port, token)
        page.until_state("paused")
        page.ask("play", rate=1.0)
        session, second = self.folder / "out" / "session.toml", 100  # steps
        renewed, behind = [0], []

        def kept():
            found = re.search(r"^steps = (\d+)$", session.read_text(), re.MULTILINE) if session.exists() else None
            return int(found.group(1)) if found else 0

        def is_late(message):
            """Whether it is long since the last renewal, as renewals go on this machine."""
            if not isinstance(message, Frame) or message.kind != 1:
                return False
            if (steps := kept()) != renewed[-1]:
                renewed.append(steps)
            behind.append(message.step - steps)
            return len(renewed) >= 4 and behind[-1] > 0.6 * (renewed[-1] - renewed[-2])
        page.until(is_late)
        process.kill()
        process.wait()
        page.until_closed()
        frames = {each.step: each for each in page.frames if each.kind == 1}
        behind.append(max(frames) - kept())
        # A slice of steps ends before it is looked whether a second is over.
        self.assertLessEqual(max(behind), 1.05 * second)
        self.assertGreater(max(frames), kept())
        self.electret("run", "out/session.toml", "-o", "again", check=0)
        with h5py.File(self.folder / "again" / "trajectory.h5") as file:
            positions = file["positions"][()]
        self.assertEqual(len(positions), kept() + 1)
        for step in filter(lambda each: each <= kept(), frames):
            shown = (positions[step] - frames[step].origin).astype("<f4")
            np.testing.assert_array_equal(shown.ravel(), np.array(frames[step].positions(), "<f4"), f"step {step}")
        # The next session of the scene may have the folder.
        process, port, token = self.studio("scene.toml", "-o", "out")
        self.page(port, token).ask("quit")
        self.assertEqual(self.ended(process)[0], 0)

    def test_what_cannot_be_had(self):
        self.scene()
        done = self.electret("studio", "--no-open", "none.toml", check=2)
        self.assertIn("none.toml: error: there is no such file or folder", done.stderr)
        self.electret("studio", "--no-open", "--set", "time.step=1", check=2)
        self.electret("studio", "--no-open", "--port", "70000", "scene.toml", check=2)
        self.electret("studio", "--no-open", "--threads", "0", "scene.toml", check=2)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = self.electret("studio", "--no-open", "--port", port, "scene.toml", "-o", "out", check=1)
            self.assertIn(f"port {port} cannot be had", done.stderr)
        self.assertFalse((self.folder / "out").exists())
        (self.folder / "letters").mkdir()
        (self.folder / "letters" / "a").write_text("dear")
        done = self.electret("studio", "--no-open", "scene.toml", "-o", "letters", check=1)
        self.assertIn("not empty", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_two_sessions_do_not_share_a_folder(self):
        self.scene()
        self.studio("scene.toml", "-o", "out")
        done = self.electret("studio", "--no-open", "scene.toml", "-o", "out", check=1)
        self.assertIn("being written", done.stderr)

    def test_a_broken_scene_opens_with_the_lines_of_check(self):
        self.scene(SCENE.replace("mass = 0.1", "mass = -1\ncolour = 3"))
        lines = self.electret("check", "scene.toml", check=2).stderr.splitlines()
        process, port, token = self.studio("scene.toml")
        page = self.page(port, token)
        page.until_state("broken")
        document = [m for m in page.texts if m["t"] == "document"][-1]
        self.assertEqual([f["message"] for f in document["findings"]], lines)
        self.assertTrue(all(f["line"] > 0 and f["file"] == "scene.toml" for f in document["findings"]))
        page.ask("quit")
        self.assertEqual(self.ended(process)[0], 0)

    def test_files_of_the_machine_are_not_shown(self):
        """A scene that a page opens reads only what is beside it, whatever it names."""
        (self.folder / "secret.obj").write_text("v 1 2 3\nthis is a secret\n")
        (self.folder / "inner").mkdir()
        os.mkfifo(self.folder / "inner" / "pipe.obj")
        (self.folder / "inner" / "link.obj").symlink_to(self.folder / "secret.obj")
        _, port, token = self.studio()
        for name in ["/etc/passwd.obj", "../secret.obj", "link.obj", "pipe.obj"]:
            (self.folder / "inner" / "scene.toml").write_text(
                f'[time]\nstep = 0.1\nsteps = 2\n[[body]]\nname = "a"\nmesh = "{name}"\nmass = 1\n')
            page = self.page(port, token)
            self.assertTrue(page.ask("open", name="inner/scene.toml")["ok"], name)
            page.until_state("broken")
            findings = [m for m in page.texts if m["t"] == "document"][-1]["findings"]
            self.assertTrue(findings, name)
            self.assertNotIn("this is a secret", str(findings))
            page.close()


if __name__ == "__main__":
    unittest.main()
