#!/usr/bin/python3
"""Random commands of every kind, for each method: a run of session.toml ends in the session's bits on 1 and 3 threads, also after
a kill and after going back. ELECTRET_REPLAY_SECONDS says how long commands come for each method; with ELECTRET_REPLAY_TABLE the
figures are printed as a table, too."""

import os
import time
import tomllib
import unittest

import session_bits
from soak_commands import Commands, scene_of
from studio_client import Closed, Listening
from test_studio import StudioTest

SECONDS = float(os.environ.get("ELECTRET_REPLAY_SECONDS", "1.2"))
SEED = int(os.environ.get("ELECTRET_REPLAY_SEED", "20261128"))
STEPS = 600 if SECONDS < 10 else 6000  # of the scene; some plays go beyond
LEAST = 120 if SECONDS < 10 else 1000  # steps by the method in the session that is compared
LATE = 10.0  # s that a kill may lose on a machine that stalls; a second at most on one that does not
HEAD = """| method | steps | of them by it | rewound | commands, taken / refused | kinds, taken / sent | lost by the kill, s | equal bits on 1, 3 threads |
| --- | --- | --- | --- | --- | --- | --- | --- |"""


class Replays(StudioTest):
    def begin(self, method):
        """What is noted of a method's session."""
        self.scene(scene_of(method, STEPS))
        # What is not to be left for long is chosen more often. Nothing leads back to what `auto` stood for.
        others = {"auto": [], "newton": ["imex"]}.get(method, ["newton"])
        self.commands = Commands(f"{SEED} {method}", method, [method] * 3 + others, scene_of(method, STEPS))
        self.tally, self.rewound, self.folder_of = {}, 0, f"session-{method}"
        self.shown = []

    def serve(self, threads):
        self.process, port, token = self.studio("scene.toml", "-o", self.folder_of, "--threads", threads)
        self.client = Listening(port, token)
        self.addCleanup(self.client.close)
        self.client.listens = self.listen
        self.client.until_state("paused")

    def listen(self, message):
        if isinstance(message, dict):
            self.commands.hear(message)
        elif message.kind == 1:
            if self.shown and message.step < self.shown[-1][1]:
                self.rewound += 1
            self.shown.append((time.monotonic(), message.step))
            del self.shown[:-10000]

    def act_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end or self.commands.due:
            kind, fields = self.commands.next()
            answer = self.client.ask(kind, **fields)
            counts = self.tally.setdefault(kind, [0, 0])
            counts[0 if answer["ok"] else 1] += 1

    def settled(self):
        """Waits for what is under way, and pauses; the state. What diverged goes on from half of what it had."""
        def look():
            self.client.ask("pause")
            last = self.client.state
            if last["state"] == "diverged":
                self.client.ask("seek", step=last["step"] // 2)
            return last if last["state"] == "paused" else None
        found = []
        self.wait_until(lambda: found.append(look()) or found[-1], "a state in which nothing is under way")
        return found[-1]

    def repeated(self, folder, threads):
        out = f"{folder}-{threads}"
        self.electret("run", f"{folder}/session.toml", "-o", out, "--threads", threads, check=0)
        return session_bits.checkpoint(self.folder / out)

    def assert_same(self, one, other, what):
        self.assertEqual(session_bits.differing(one, other), [], what)

    def kill(self):
        """In the midst of a pull that is played: what was written repeats, and the session goes on. How much was lost, s."""
        self.settled()
        session = self.folder / self.folder_of / "session.toml"
        self.client.ask("play", rate=1.0, beyond=True)
        self.client.ask("hand", hand=0, do="begin", point=33, brush=0.3)
        self.shown.clear()
        written = []

        def renewed_twice():
            self.client.ask("hand", hand=0, do="move", to=self.commands.place())
            text = session.read_text() if session.exists() else ""
            if text and text != (written[-1] if written else None):
                written.append(text)
            return len(written) > 2
        self.wait_until(renewed_twice, "a session that is renewed")
        # At any time between two renewals.
        end = time.monotonic() + self.commands.dice.uniform(0.0, 0.9)
        while time.monotonic() < end:
            renewed_twice()
            time.sleep(0.02)
        now = time.monotonic()
        self.process.kill()
        self.process.communicate()
        try:
            while True:
                self.client.receive()
        except Closed:
            pass
        killed = f"{self.folder_of}-killed"
        (self.folder / killed).mkdir()
        for each in (self.folder / self.folder_of).iterdir():
            (self.folder / killed / each.name).write_bytes(each.read_bytes())
        one, three = self.repeated(killed, 1), self.repeated(killed, 3)
        self.assert_same(one, three, "killed")
        steps = int(one[0]["step"])
        lost = max(0.0, now - min([at for at, step in self.shown if step > steps], default=now))
        self.assertLess(lost, LATE)
        return steps, lost

    def take_up(self, steps):
        self.assertTrue(self.client.ask("take-up")["ok"])
        self.client.state_at("paused", steps)

    def step_by(self, method):
        """Steps enough of the method, which commands may have left."""
        before = self.settled()["step"]
        if method != "auto":
            self.assertTrue(self.client.ask("tune", key="integrator.method", toml=f'"{method}"')["ok"])
        self.wait_until(lambda: self.client.ask("step", n=LEAST, beyond=True)["ok"], "a session that steps")
        self.client.state_where(lambda m: m["state"] == "diverged" or (m["state"], m["step"]) == ("paused", before + LEAST))

    def go_back_and_replay(self):
        """To the half of what was recorded, and on to the end."""
        last = self.settled()["recorded"]["last"]
        self.assertTrue(self.client.ask("seek", step=last // 2)["ok"])
        self.client.state_at("paused", last // 2)
        self.assertTrue(self.client.ask("step", n=last - last // 2, beyond=True)["ok"])
        self.client.state_at("paused", last)
        return last

    def steps_by(self, method):
        """How many steps of the session this method has made."""
        session = tomllib.loads((self.folder / self.folder_of / "session.toml").read_text())
        changes = [(0, session["integrator"]["method"])]
        for change in session.get("change", []):
            changes += [(change["step"], each.split("=")[1].strip('"')) for each in change.get("set", []) if each.startswith("integrator.method=")]
        ends = [step for step, _ in changes[1:]] + [session["time"]["steps"]]
        first = changes[0][1] if method == "auto" else method
        return sum(end - begin for (begin, name), end in zip(changes, ends) if name == first)

    def soaked(self, method):
        """A row of figures."""
        self.begin(method)
        self.serve(3)
        self.act_for(0.5 * SECONDS)
        steps, lost = self.kill()
        self.serve(1)
        self.take_up(steps)
        self.act_for(0.2 * SECONDS)
        # What is done from here on is what will be compared.
        self.commands.may_reset = False
        self.act_for(0.3 * SECONDS)
        self.step_by(method)
        last = self.go_back_and_replay()
        self.client.ask("quit")
        self.client.close()
        self.assertEqual(self.ended(self.process), (0, ""))
        played = session_bits.checkpoint(self.folder / self.folder_of)
        self.assertEqual(played[0]["step"], last)
        for threads in (1, 3):
            self.assert_same(self.repeated(self.folder_of, threads), played, f"{method} on {threads} threads")
        self.assertEqual([kind for kind in Commands.KINDS if kind not in self.tally], [], "commands that were never sent")
        taken, refused = (sum(counts[k] for counts in self.tally.values()) for k in (0, 1))
        kinds = sum(1 for counts in self.tally.values() if counts[0])
        return [method, last, self.steps_by(method), self.rewound, f"{taken} / {refused}", f"{kinds} / {len(self.tally)}", f"{lost:.2f}", "yes"]

    def methods(self):
        """All that this version has, as pages are told."""
        self.scene(scene_of())
        process, port, token = self.studio("scene.toml")
        page = self.page(port, token)
        schema = next(m for m in page.texts if m["t"] == "schema")
        page.ask("quit")
        page.close()
        self.assertEqual(self.ended(process)[0], 0)
        rows = next(table["rows"] for table in schema["tables"] if table["table"] == "integrator")
        return next(row["choices"] for row in rows if row["key"] == "method")

    def test_a_run_repeats_whatever_was_done_by_every_method(self):
        rows = []
        try:
            for method in self.methods():
                with self.subTest(method=method):
                    rows.append(self.soaked(method))
        finally:
            if "ELECTRET_REPLAY_TABLE" in os.environ:
                print(HEAD, *("| " + " | ".join(map(str, row)) + " |" for row in rows), sep="\n", flush=True)
        self.assertGreater(len(rows), 8)


if __name__ == "__main__":
    unittest.main()
