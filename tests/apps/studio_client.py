"""A page without a browser: HTTP by plain sockets, and a WebSocket client of its own, which can also misbehave."""

import base64
import json
import os
import re
import socket
import struct
import time

SECONDS = float(os.environ.get("ELECTRET_TEST_SECONDS", "120"))


def parts_of(url):
    """Port and token of the line that the studio prints."""
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#([0-9a-f]{32})", url.strip())
    if not found:
        raise AssertionError(f"not the studio's line: {url!r}")
    return int(found.group(1)), found.group(2)


def connect(port):
    sock = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
    # Browsers do so, too. Else a message waits for the acknowledgement of the one before it, 40 ms.
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def read_all(sock):
    data = b""
    try:
        while chunk := sock.recv(65536):
            data += chunk
    except ConnectionResetError:
        pass
    return data


def answer(port, head):
    """What the server answers to these bytes, until it hangs up."""
    with connect(port) as sock:
        sock.sendall(head)
        return read_all(sock)


def status(port, head):
    """The status of the answer; 0 if there was none."""
    found = re.match(rb"HTTP/1\.1 (\d+) ", answer(port, head))
    return int(found.group(1)) if found else 0


def request(port, target="/", method="GET", host=None, more=()):
    lines = [f"{method} {target} HTTP/1.1"]
    if host != "":
        lines.append(f"Host: {host or f'127.0.0.1:{port}'}")
    return ("\r\n".join([*lines, *more]) + "\r\n\r\n").encode()


def upgrade(port, token, origin=None, protocols=None, host=None):
    """The head that asks for a socket; an origin of "" is left out."""
    more = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
    if origin != "":
        more.append(f"Origin: {origin or f'http://127.0.0.1:{port}'}")
    if protocols != "":
        more.append(f"Sec-WebSocket-Protocol: {protocols or f'electret.1, token.{token}'}")
    return request(port, "/socket", host=host, more=more)


class Closed(Exception):
    """The server closed the socket, with this code; 0 if it did so without one."""

    def __init__(self, code):
        super().__init__(f"closed with {code}")
        self.code = code


class Frame:
    """A binary message of the server."""

    def __init__(self, data):
        (magic, self.version, self.kind, self.flags, self.generation, self.sequence, self.time, self.step, self.points, _, *self.origin) = struct.unpack_from(
            "<4sHBBIIdQIIddd", data)
        assert magic == b"ELC1" and self.version == 1, data[:8]
        self.data = data

    def positions(self):
        return struct.unpack_from(f"<{3 * self.points}f", self.data, 64)


class Page:
    """A socket that has said hello, unless `hello` is false. Frames are given back only by `drawn`."""

    def __init__(self, port, token, hello=True):
        self.sock = connect(port)
        self.buffer = b""
        self.texts, self.frames = [], []
        self.count = 0
        self.sock.sendall(upgrade(port, token))
        while b"\r\n\r\n" not in self.buffer:
            chunk = self.sock.recv(65536)
            if not chunk:
                raise Closed(0)
            self.buffer += chunk
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101 "), head
        assert b"electret.1" in head, head
        if hello:
            self.ask("hello", protocol=1)

    def close(self):
        self.sock.close()

    def _bytes(self, count):
        while len(self.buffer) < count:
            try:
                chunk = self.sock.recv(1 << 20)
            except ConnectionResetError:
                chunk = b""
            if not chunk:
                raise Closed(0)
            self.buffer += chunk
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send(self, payload, opcode=1, masked=True):
        """One frame of the WebSocket protocol."""
        length = len(payload)
        head = bytes([0x80 | opcode])
        mark = 0x80 if masked else 0
        if length < 126:
            head += bytes([mark | length])
        elif length < 65536:
            head += bytes([mark | 126]) + struct.pack(">H", length)
        else:
            head += bytes([mark | 127]) + struct.pack(">Q", length)
        if masked:
            mask = os.urandom(4)
            whole = mask * (length // 4 + 1)
            payload = (int.from_bytes(payload, "big") ^ int.from_bytes(whole[:length], "big")).to_bytes(length, "big")
            head += mask
        try:
            self.sock.sendall(head + payload)
        except (BrokenPipeError, ConnectionResetError):
            pass  # What was received says how it was closed.

    def say(self, kind, **fields):
        self.count += 1
        self.send(json.dumps({"t": kind, "id": self.count, **fields}).encode())
        return self.count

    def drawn(self, frame):
        self.send(json.dumps({"t": "drawn", "sequence": frame.sequence}).encode())

    def receive(self):
        """The next message: a dict, or a Frame. Throws Closed. Pings alone are no message, however long they come."""
        late = time.monotonic() + SECONDS
        while time.monotonic() < late:
            first, second = self._bytes(2)
            length = second & 0x7F
            if length == 126:
                length, = struct.unpack(">H", self._bytes(2))
            elif length == 127:
                length, = struct.unpack(">Q", self._bytes(8))
            payload = self._bytes(length)
            opcode = first & 0x0F
            if opcode == 8:
                raise Closed(struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 0)
            if opcode == 9:
                self.send(payload, 10)
            elif opcode == 2:
                frame = Frame(payload)
                self.frames.append(frame)
                return frame
            elif opcode == 1:
                message = json.loads(payload)
                self.texts.append(message)
                return message
        raise AssertionError("no message came")

    def until(self, is_there, draws=True):
        """Receives until `is_there(message)` is true; that message."""
        late = time.monotonic() + SECONDS
        while time.monotonic() < late:
            message = self.receive()
            if draws and isinstance(message, Frame) and message.kind == 1:
                self.drawn(message)
            if is_there(message):
                return message
        raise AssertionError("it did not come")

    def ask(self, kind, draws=True, **fields):
        """The answer to a command."""
        number = self.say(kind, **fields)
        return self.until(lambda m: isinstance(m, dict) and m["t"] == "re" and m["re"] == number, draws)

    def frame_at(self, step):
        """The frame of a step, which may have come before the answer to the command."""
        found = next((f for f in reversed(self.frames) if f.kind == 1 and f.step == step), None)
        return found or self.until(lambda m: isinstance(m, Frame) and m.kind == 1 and m.step == step)

    def until_state(self, *states, draws=True):
        last = next((m for m in reversed(self.texts) if m["t"] == "state"), None)
        if last and last["state"] in states:
            return last
        return self.until(lambda m: isinstance(m, dict) and m["t"] == "state" and m["state"] in states, draws)

    def state_where(self, is_there):
        """The state of which this is true, which may have come before the answer to the command."""
        last = next((m for m in reversed(self.texts) if m["t"] == "state"), None)
        return last if last and is_there(last) else self.until(lambda m: isinstance(m, dict) and m["t"] == "state" and is_there(m))

    def state_at(self, state, step):
        """The state at a step."""
        return self.state_where(lambda m: (m["state"], m["step"]) == (state, step))

    def until_closed(self):
        """The code with which the server closes; then this side hangs up, too."""
        try:
            while True:
                self.receive()
        except Closed as closed:
            self.close()
            return closed.code


class Listening(Page):
    """A page that lasts: it tells `listens` of all that comes, and keeps the last of it."""

    listens = state = None

    def receive(self):
        message = super().receive()
        if isinstance(message, dict) and message["t"] == "state":
            self.state = message
        del self.texts[:-50], self.frames[:-5]
        # The state counts until there is another one, however long ago it was told.
        if self.state and not any(each is self.state for each in self.texts):
            self.texts.insert(0, self.state)
        if self.listens:
            self.listens(message)
        return message
