#!/usr/bin/python3
"""What the studio's page draws and how soon it answers, in a headless Chromium of this machine. Run it on an idle machine.

    ./dev bench studio [--json] [--quick] [--part starts|hands|pictures]

Each picture is measured in three windows of six seconds (--quick: one of two), the camera still and the scene at its own pace, 60
steps a second. `drawn` counts frames of the simulation, `CPU` is the processor time of all processes of the browser for one of
them. `drag` is the time from a pointer's move that turns the camera of a paused scene to the end of its drawing. The page leaves
out springs and discs where drawing is slow: `left out` tells what at the end. Medians are printed.

The server's memory is what `electret run` takes at its peak, the past that it keeps (HISTORY), and what is
beyond both. A hand presses a paused body: how many steps later it has a force. It presses a running one three times: how long that
takes, and until its grip is measured.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SCENE = """\
[scene]
name = "sphere"
[time]
step = 0.016666666666666666
steps = STEPS
[integrator]
method = "symplectic_euler"
[[body]]
name = "sphere"
generate = { shape = "sphere", vertices = VERTICES }
mass = 1e-3
velocity = [0.01, 0.0, 0.0]
charge = 1e-9
[[body.springs]]
from = "edges"
stiffness = 1e-3
"""
# Vertices and what is shown of them, with what the studio is asked for on two free cores: frames a second, and the median
# and 95 % of a drag, ms.
PICTURES = [
    (1000, ("discs",), None, None),
    (1000, ("discs", "surface"), 45, (60, 90)),
    (1000, ("discs", "surface", "springs"), None, None),
    (20000, ("discs",), None, None),
    (20000, ("surface",), None, None),
    (20000, ("discs", "surface"), 20, (110, 180)),
    (20000, ("springs",), None, None),
    (100000, ("discs",), 8, (300, 450)),
    (100000, ("surface",), None, None),
]
# Bytes of a vertex in a step of the past: places as floats, and places and velocities of the state. Each has a limit, at which every
# other step is forgotten; the allocator keeps what they took.
HISTORY, LIMIT = (3 * 4, 6 * 8), 256 << 20
LABELS = {"discs": "Vertices", "surface": "Surface", "springs": "Springs"}
COUNT_DRAWINGS = """window.noted = 0;
const times = electret.counters.draw_ms;
if (!times.noting) {
  times.noting = true;
  times.push = function (ms) { window.noted++; return Array.prototype.push.call(this, ms); };
}"""
DRAG = """const done = arguments[1], canvas = document.querySelector("#view canvas") || document.querySelector("canvas");
const box = canvas.getBoundingClientRect(), y = box.top + 0.12 * box.height, times = [];
const send = (kind, x, buttons) => canvas.dispatchEvent(new PointerEvent(kind, { clientX: x, clientY: y, buttons, button: kind === "pointermove" ? -1 : 0,
  pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true }));
canvas.setPointerCapture = () => {};
canvas.releasePointerCapture = () => {};
let x = box.left + 0.1 * box.width, k = 0;
send("pointerdown", x, 1);
const move = () => {
  if (k++ === arguments[0]) { send("pointerup", x, 0); done(times); return; }
  const start = performance.now(), before = window.noted;
  send("pointermove", (x += 3), 1);
  const wait = () => {
    if (window.noted > before) { times.push(performance.now() - start); setTimeout(move, 30); }
    else if (performance.now() - start > 5000) { send("pointerup", x, 0); done(times); }
    else setTimeout(wait, 0);
  };
  wait();
};
move();"""


def descendants(pid):
    """Processes that `pid` started, and theirs."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += [int(child), *descendants(int(child))]
    return found


def history(vertices, steps):
    """Bytes that the past has taken at most."""
    return sum(min(steps * each * vertices, LIMIT) for each in HISTORY)


def processor_seconds(pid):
    """Of all descendants that still live."""
    ticks = 0
    for each in descendants(pid):
        try:
            fields = pathlib.Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Bench:
    def __init__(self, browser, quick):
        self.browser = browser
        self.windows, self.seconds, self.moves = (1, 2.0, 10) if quick else (3, 6.0, 60)
        self.driver = browser.chromium(browser.UNLISTED)
        self.page = browser.Page(self.driver)
        self.page.size(1280, 720)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="electret-bench-studio-"))
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/apps"))
        import studio_client
        self.client = studio_client

    def scene(self, vertices, steps=100000000):
        path = self.folder / f"sphere{vertices}.toml"
        path.write_text(SCENE.replace("VERTICES", str(vertices)).replace("STEPS", str(steps)))
        return path

    def start(self, vertices):
        """A studio with its page, and how long the address and the picture took."""
        scene = self.scene(vertices)
        begin = time.monotonic()
        studio = self.browser.Studio(scene, "-o", f"out{time.monotonic_ns()}", folder=self.folder)
        printed = time.monotonic() - begin
        begin = time.monotonic()
        self.page.open(studio.url)
        self.page.shown(step=0, state="paused")
        return studio, printed, time.monotonic() - begin

    def show(self, shown):
        self.page.run("""for (const [label, wanted] of Object.entries(arguments[0])) {
            const box = [...document.querySelectorAll("label input[type=checkbox]")].find((each) => each.closest("label").innerText.trim() === label);
            if (!box) throw new Error("no box " + label);
            if (box.checked !== wanted) box.click();
          }""", {label: name in shown for name, label in LABELS.items()})
        self.page.settle()

    def window(self):
        """Frames drawn a second, and the browser's processor time for one, ms."""
        pid = self.driver.service.process.pid
        look = lambda: (time.monotonic(), self.page.get("electret.counters.drawn"), processor_seconds(pid))
        (begin, drawn, busy), _, (end, drawn_then, busy_then) = look(), time.sleep(self.seconds), look()
        frames = max(drawn_then - drawn, 1)
        return (drawn_then - drawn) / (end - begin), 1e3 * (busy_then - busy) / frames

    def picture(self, vertices, shown, rate, drag):
        studio, _, _ = self.start(vertices)
        try:
            self.show(shown)
            self.page.run(COUNT_DRAWINGS)
            times = sorted(self.driver.execute_async_script(DRAG, self.moves))
            self.page.key(" ")
            self.page.until("electret.counters.drawn > 10")
            rows = [self.window() for _ in range(self.windows)]
            thinning = self.page.get("electret.thinning")
        finally:
            self.driver.get("about:blank")
            studio.end()
        return {"vertices": vertices, "shown": list(shown), "drawn_per_s": statistics.median(row[0] for row in rows),
                "cpu_ms": statistics.median(row[1] for row in rows), "drag_ms": times[len(times) // 2] if times else None,
                "drag_95_ms": times[int(0.95 * (len(times) - 1))] if times else None, "drags": len(times),
                "thinning": thinning, "asked_per_s": rate, "asked_drag_ms": drag}

    def starts(self):
        """Address and picture, bytes, memory of page and server, and the run's own memory."""
        rows = []
        for vertices in (1000, 20000, 100000):
            studio, printed, drawn = self.start(vertices)
            try:
                sizes = self.page.run("""return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
                    .reduce((sum, each) => sum + each.decodedBodySize, 0)""")
                self.page.key(" ")
                self.page.until("electret.counters.drawn > 25")
                self.page.do("HeapProfiler.collectGarbage")
                heap = self.page.get("performance.memory.usedJSHeapSize") / 1e6
                # Paused, so that the past stays as long as it was.
                self.page.key(" ")
                self.page.until("electret.state.state === 'paused' && electret.state.step === electret.shown.step")
                server, steps = studio.resident / 1e6, self.page.get("electret.state.recorded.last")
            finally:
                self.driver.get("about:blank")
                studio.end()
            rows.append({"vertices": vertices, "address_s": printed, "drawn_s": drawn, "first_load_bytes": sizes, "page_heap_mb": heap,
                         "server_mb": server, "run_mb": self.memory_of_run(vertices), "history_mb": history(vertices, steps + 1) / 1e6})
        return rows

    def hands(self):
        """By a socket, as a page sends it: steps from the press to the first force, and from there to the measured grip."""
        rows = []
        for vertices, method in ((1000, "imex"), (20000, "imex"), (20000, "symplectic_euler")):
            studio = self.browser.Studio(self.scene(vertices), "-o", f"out{time.monotonic_ns()}", "--set", f"integrator.method={method}", folder=self.folder)
            client = self.client.Page(*self.client.parts_of(studio.url))
            try:
                client.until_state("paused")
                steps = self.steps_to_force(client)
                client.ask("play", rate=1.0)
                client.until(lambda m: isinstance(m, self.client.Frame) and m.step > 20)
                pressed = [self.pressed(client, 7 + 100 * k) for k in range(self.windows)]
            finally:
                client.close()
                studio.end()
            rows.append({"vertices": vertices, "method": method, "first_force_steps": steps, **{name: statistics.median(each[name] for each in pressed) for name in pressed[0]}})
        return rows

    def steps_to_force(self, client):
        """Steps of the paused scene after a press until its hand pulls."""
        client.ask("hand", hand=0, do="begin", point=5, brush=0.0)
        client.ask("hand", hand=0, do="move", to=[0.0, 0.0, 1.5])
        for step in range(1, 10):
            client.ask("step", n=1)
            client.state_at("paused", step)
            client.ask("pause")  # What is told of hands comes before the answer.
            if next(m for m in reversed(client.texts) if m["t"] == "hands")["hands"][0]["number"]:
                client.ask("hand", hand=0, do="end")
                return step
        raise AssertionError("a hand that pulls at nothing")

    def pressed(self, client, point):
        """Presses a vertex of what moves. A hand has a number from its first step on, and another once its strength is measured."""
        seen = []

        def is_measured(message):
            held = [each["number"] for each in message["hands"] if each["kind"] == "held"] if isinstance(message, dict) and message["t"] == "hands" else []
            if held and held[0] and held[0] not in [number for number, _ in seen]:
                seen.append((held[0], time.monotonic() - begin))
            return len(seen) == 2
        begin = time.monotonic()
        client.say("hand", hand=0, do="begin", point=point, brush=0.0)
        client.say("hand", hand=0, do="move", to=[0.0, 0.0, 1.5])
        client.until(is_measured)
        client.ask("hand", hand=0, do="end")
        return {"first_force_s": seen[0][1], "measured_s": seen[1][1]}

    def memory_of_run(self, vertices):
        """The peak of `electret run` of 200 steps, MB."""
        scene = self.scene(vertices, 200)
        command = [self.browser.COMMAND, "run", str(scene), "-o", str(self.folder / f"run{vertices}"), "--overwrite"]
        script = ("import json, resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL,"
                  " stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        return int(subprocess.run([sys.executable, "-c", script, *command], check=True, capture_output=True, text=True).stdout) * 1024 / 1e6


def text_of(value, digits=0):
    return "–" if value is None else f"{value:.{digits}f}"


def left_out(thinning):
    parts = ["springs"] if thinning and thinning["springs"] else []
    if thinning and thinning["every"] > 1:
        parts.append(f"all discs but every {thinning['every']}th")
    return ", ".join(parts) or "–"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--part", choices=PARTS)
    arguments = parser.parse_args()
    os.environ["ELECTRET"] = arguments.command
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/studio/browser"))
    import browser
    if reason := browser.why_not():
        sys.exit(f"bench studio: no browser: {reason}")
    bench = Bench(browser, arguments.quick)
    say = (lambda *_, **__: None) if arguments.json else print
    wanted = [arguments.part] if arguments.part else ["starts", "hands", "pictures"]
    found = {}
    try:
        for part in wanted:
            found[part] = PARTS[part](bench, say)
    finally:
        bench.driver.quit()
    if arguments.json:
        print(json.dumps(found, indent=1))


def tell_starts(bench, say):
    rows = bench.starts()
    say("| vertices | address, s | drawn, s | first load, bytes | page's heap, MB | server, MB | `run`, MB | history, MB | beyond both, MB |")
    say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        say(f"| {row['vertices']} | {row['address_s']:.2f} | {row['drawn_s']:.2f} | {row['first_load_bytes']} | {row['page_heap_mb']:.0f} | {row['server_mb']:.0f} | "
            f"{row['run_mb']:.0f} | {row['history_mb']:.0f} | {row['server_mb'] - row['run_mb'] - row['history_mb']:.0f} |", flush=True)
    return rows


def tell_hands(bench, say):
    rows = bench.hands()
    say("\n| vertices | method | press to force, steps | s | press to measured grip, s |")
    say("| --- | --- | --- | --- | --- |")
    for row in rows:
        say(f"| {row['vertices']} | `{row['method']}` | {row['first_force_steps']:.0f} | {row['first_force_s']:.2f} | {row['measured_s']:.2f} |", flush=True)
    return rows


def tell_pictures(bench, say):
    say("\n| vertices | shown | left out | drawn/s | asked | CPU ms | drag ms, median / 95 % | asked |")
    say("| --- | --- | --- | --- | --- | --- | --- | --- |")
    rows = []
    for vertices, shown, rate, drag in PICTURES:
        row = bench.picture(vertices, shown, rate, drag)
        rows.append(row)
        asked = f"{drag[0]} / {drag[1]}" if drag else "–"
        say(f"| {vertices} | {', '.join(shown)} | {left_out(row['thinning'])} | {row['drawn_per_s']:.1f} | {text_of(rate)} | {row['cpu_ms']:.0f} | "
            f"{text_of(row['drag_ms'])} / {text_of(row['drag_95_ms'])} | {asked} |", flush=True)
    return rows


PARTS = {"starts": tell_starts, "hands": tell_hands, "pictures": tell_pictures}


if __name__ == "__main__":
    main()
