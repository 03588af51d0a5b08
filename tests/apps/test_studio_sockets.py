#!/usr/bin/python3
"""A socket of the studio that is spoken to wrongly: frames cut, damaged, too long, repeated, out of order. Whoever
does so is closed with the right code, and nobody else notices."""

import json
import os
import random
import select
import socket
import struct
import time
import unittest

from studio_client import Closed, Frame, Page, parts_of
from support import SCENE
from test_studio import StudioTest

MOST = 8 << 20  # bytes of a message
ROUNDS = int(os.environ.get("ELECTRET_SOCKET_ROUNDS", "150"))
TEXT, BINARY, GOING_ON, CLOSE, PING = 1, 2, 0, 8, 9


def frame(payload, opcode=TEXT, last=True, reserved=0, key=b"\x12\x34\x56\x78", said_key=None, length=None, width=None):
    """A frame of the WebSocket protocol, as wrong as it is wished: another key than that of the mask (none: no mask), another length,
    a length in more bytes than it needs."""
    length = len(payload) if length is None else length
    width = width or (1 if length < 126 else 3 if length < 65536 else 9)
    mark = 0x80 if key else 0
    head = bytes([(0x80 if last else 0) | reserved | opcode])
    head += bytes([mark | length]) if width == 1 else bytes([mark | 126]) + struct.pack(">H", length) if width == 3 else bytes([mark | 127]) + struct.pack(">Q", length)
    if not key:
        return head + payload
    return head + (said_key or key) + bytes(byte ^ key[k % 4] for k, byte in enumerate(payload))


def message(own_id, kind="pause", **fields):
    return json.dumps({"t": kind, "id": own_id, **fields}).encode()


class Sockets(StudioTest):
    def setUp(self):
        super().setUp()
        self.scene(SCENE.replace("steps = 20", "steps = 100000000"))
        self.process, self.port, self.token = self.studio("scene.toml")
        self.good = self.page(self.port, self.token)
        self.good.until_state("paused")

    def tearDown(self):
        """The page that behaves is still served, and the studio ends as it should."""
        self.assertTrue(self.good.ask("step", n=1)["ok"])
        self.good.ask("quit")
        self.assertEqual(self.ended(self.process), (0, ""))
        super().tearDown()

    def open(self, hello=True):
        """A page more; as many as there may be at once wait until another one has gone."""
        found = []

        def is_in():
            page = Page(self.port, self.token, hello=False)
            try:
                if hello:
                    page.ask("hello", protocol=1)
                else:
                    page.say("fly")
                    page.receive()
                found.append(page)
            except Closed as closed:
                self.assertEqual(closed.code, 1013)
                page.close()
            return found
        self.wait_until(is_in, "a place for another page")
        self.addCleanup(found[0].close)
        return found[0]

    def code_after(self, *data):
        """The code with which a page is closed that sends this."""
        page = self.open()
        for each in data:
            page.sock.sendall(each)
        return page.until_closed()

    def test_each_fault_has_its_code(self):
        ask = message(7)
        for name, code, data in [
                ("no mask", 1002, [frame(ask, key=b"")]),
                ("another mask than was said", 1007, [frame(ask, said_key=b"\xff\xff\xff\xff")]),
                ("a reserved bit", 1002, [frame(ask, reserved=0x40)]),
                ("a reserved kind", 1002, [frame(ask, opcode=3)]),
                ("a reserved kind of control", 1002, [frame(b"", opcode=11)]),
                ("a control frame in parts", 1002, [frame(b"x", opcode=PING, last=False)]),
                ("a long control frame", 1002, [frame(b"x" * 126, opcode=PING)]),
                ("the end of what has no beginning", 1002, [frame(ask, opcode=GOING_ON)]),
                ("a beginning within another one", 1002, [frame(ask[:4], last=False), frame(ask)]),
                ("a length in more bytes than it needs", 1002, [frame(ask, width=3)]),
                ("a length in many more bytes than it needs", 1002, [frame(ask, width=9)]),
                ("a length of more than 63 bits", 1009, [frame(b"", length=(1 << 63) + 5, width=9)]),
                ("more than a message may have", 1009, [frame(b"", length=MOST + 1)]),
                ("more than any memory has", 1009, [frame(b"", length=(1 << 62))]),
                ("more in parts than a message may have", 1009, [frame(b" " * (MOST // 2), last=False), frame(b" " * (MOST // 2), opcode=GOING_ON, last=False), frame(b"  ", opcode=GOING_ON)]),
                ("a binary message", 1003, [frame(b"\0" * 64, opcode=BINARY)]),
                ("no UTF-8", 1007, [frame(b"\xc3\x28")]),
                ("no UTF-8 across parts", 1007, [frame(b"\"\xc3", last=False), frame(b"\x28\"", opcode=GOING_ON)]),
                ("no JSON", 1008, [frame(ask[:-1])]),
                ("no object", 1008, [frame(b"[1]")]),
                ("no number", 1008, [frame(b'{"t":"pause","id":NaN}')]),
                ("beyond float64", 1008, [frame(b'{"t":"play","id":1,"rate":1e400}')]),
                ("nested deep", 1008, [frame(b'{"t":"pause","id":1,"x":' + b"[" * 100000 + b"]" * 100000 + b"}")]),
                ("a farewell of one byte", 1002, [frame(b"\x03", opcode=CLOSE)]),
                ("a farewell with a code that is none", 1002, [frame(struct.pack(">H", 999), opcode=CLOSE)]),
                ("a farewell with a code that is never sent", 1002, [frame(struct.pack(">H", 1006), opcode=CLOSE)]),
                ("a farewell", 1000, [frame(struct.pack(">H", 1000) + b"bye", opcode=CLOSE)]),
                ("a farewell of its own", 4321, [frame(struct.pack(">H", 4321), opcode=CLOSE)])]:
            with self.subTest(name):
                self.assertEqual(self.code_after(*data), code)

    def test_parts_are_put_together_whatever_is_between_them(self):
        page = self.open()
        page.count = 50
        text = message(50, "seek", step="no")
        parts = [text[k:k + 3] for k in range(0, len(text), 3)]
        for k, part in enumerate(parts):
            page.sock.sendall(frame(b"ping", opcode=PING))
            page.sock.sendall(frame(part, TEXT if k == 0 else GOING_ON, last=k == len(parts) - 1))
        answer = page.until(lambda m: isinstance(m, dict) and m["t"] == "re" and m["re"] == 50)
        self.assertIn('"step"', answer["error"])
        # One byte at a time.
        for byte in frame(message(51)):
            page.sock.sendall(bytes([byte]))
        self.assertTrue(page.until(lambda m: isinstance(m, dict) and m["t"] == "re" and m["re"] == 51)["ok"])

    def test_repeated_and_reordered_messages_are_answered_one_by_one(self):
        dice = random.Random(20261128)
        texts = [message(k, kind, **fields) for k, (kind, fields) in enumerate([
            ("hello", {"protocol": 1}), ("pause", {}), ("step", {"n": 1}), ("seek", {"step": 0}), ("hand", {"hand": 0, "do": "begin", "point": 3}),
            ("hand", {"hand": 0, "do": "move", "to": [0, 0, 1]}), ("hand", {"hand": 0, "do": "end"}), ("ball", {"hand": 1, "do": "move", "to": [0, 0, 0]}),
            ("charge", {"body": 0, "value": 1e-7}), ("undo", {}), ("redo", {}), ("remove-tack", {"number": 9}), ("replay", {}), ("stop", {})])]
        for _ in range(6):
            page = self.open(hello=False)
            sent = [dice.choice(texts) for _ in range(60)]
            page.sock.sendall(b"".join(frame(each) for each in sent))
            expected = [json.loads(each)["id"] for each in sent]
            answered = []

            def is_all(received):
                if isinstance(received, dict) and received["t"] == "re":
                    answered.append(received["re"])
                return len(answered) == len(expected)
            page.until(is_all)
            self.assertCountEqual(answered, expected)
            self.assertIn("hello", {json.loads(each)["t"] for each in sent})
            page.close()

    def test_credits_that_were_never_given_buy_no_frames(self):
        page = self.open(hello=False)
        for number in (0, 5, 4294967295, 3) * 20:
            page.sock.sendall(frame(json.dumps({"t": "drawn", "sequence": number}).encode()))
        page.ask("hello", protocol=1)
        for number in (0, 5, 4294967295, 3) * 20:
            page.sock.sendall(frame(json.dumps({"t": "drawn", "sequence": number}).encode()))
        page.until(lambda m: isinstance(m, Frame) and m.kind == 1)
        page.frames.clear()
        self.assertTrue(self.good.ask("play", rate=None)["ok"])
        begin = page.until(lambda m: isinstance(m, dict) and m["t"] == "state" and m["state"] == "running", draws=False)["step"]
        page.until(lambda m: isinstance(m, dict) and m["t"] == "state" and m["step"] > begin + 50, draws=False)
        self.assertLessEqual(len([each for each in page.frames if each.kind == 1]), 2)
        self.good.ask("pause")

    def test_damaged_bytes_close_their_own_page_alone(self):
        dice = random.Random(1128)
        codes = {}
        for _ in range(ROUNDS):
            page = self.open()
            data = b"".join(frame(message(100 + k, dice.choice(["pause", "step", "undo", "stop", "fly"])), key=dice.randbytes(4)) for k in range(dice.randrange(1, 6)))
            how = dice.randrange(5)
            if how == 0:  # Cut off.
                data = data[:dice.randrange(len(data))]
            elif how == 1:  # A byte is another.
                at = dice.randrange(len(data))
                data = data[:at] + dice.randbytes(1) + data[at + 1:]
            elif how == 2:  # Bytes are missing.
                at = dice.randrange(len(data))
                data = data[:at] + data[at + dice.randrange(1, 9):]
            elif how == 3:  # Bytes are there twice.
                at = dice.randrange(len(data))
                data = data[:at] + data[max(0, at - dice.randrange(1, 40)):]
            else:  # Any bytes.
                data = dice.randbytes(dice.randrange(1, 400))
            self.send(page, data)
            if dice.random() < 0.3:  # Gone without a word, with what was received not read: a reset.
                page.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                page.close()
                continue
            try:
                page.sock.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # It was closed before.
            code = page.until_closed()
            codes[code] = codes.get(code, 0) + 1
        self.assertLessEqual(set(codes), {0, 1000, 1002, 1003, 1007, 1008, 1009} | set(range(3000, 5000)), codes)
        self.assertGreater(sum(number for code, number in codes.items() if code), ROUNDS // 5, codes)

    def test_who_does_not_answer_is_closed_and_who_is_not_watched_pauses(self):
        # Another studio, which no page looks at any more.
        alone = self.start("studio", "--no-open", "scene.toml", "-o", "alone")
        self.addCleanup(alone.communicate)
        self.addCleanup(alone.kill)
        where = parts_of(alone.stdout.readline())
        watching = Page(*where)
        watching.until_state("paused")
        self.assertTrue(watching.ask("play", rate=0.1)["ok"])
        watching.close()
        page = self.open()
        begin, received, silent = time.monotonic(), b"", None
        while time.monotonic() - begin < 32.0 or silent is None:
            # The page that behaves answers, and stays.
            self.assertTrue(self.good.ask("pause")["ok"])
            if silent is not None or not select.select([page.sock], [], [], 0.5)[0]:
                time.sleep(0.0 if silent is None else 0.5)
                continue
            try:
                chunk = page.sock.recv(65536)
            except ConnectionResetError:
                chunk = b""
            received += chunk
            silent = silent if chunk else time.monotonic() - begin
            self.assertLess(time.monotonic() - begin, 120.0, "it is not closed")
        self.assertIn(b"\x89\x00", received, "it was not asked")
        self.assertGreater(silent, 15.0)
        again = self.page(*where)
        state = again.until_state("paused")
        self.assertEqual(state["reason"], "no page was open for 30 s")
        self.assertGreater(state["step"], 0)
        self.assertTrue(again.ask("play", rate=0.1)["ok"])
        again.until_state("running")
        again.ask("quit")
        self.assertEqual(self.ended(alone), (0, ""))

    def send(self, page, data):
        """In pieces, so that each of them may be read by itself."""
        at = 0
        while at < len(data):
            to = at + random.Random(at + len(data)).randrange(1, 200)
            try:
                page.sock.sendall(data[at:to])
            except OSError:
                return
            at = to


if __name__ == "__main__":
    unittest.main()
