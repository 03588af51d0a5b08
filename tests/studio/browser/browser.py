"""What the tests of the studio's page share: a studio, a browser, and a page in it.

Nothing here waits for a fixed time: what is to be seen is waited for, with bounds that a stalled machine keeps.
"""

import base64
import importlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

COMMAND = os.environ.get("ELECTRET", "electret")
SOURCE = pathlib.Path(os.environ.get("ELECTRET_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
REQUIRED = "browser" in os.environ.get("ELECTRET_REQUIRE", "").split(",")
# llvmpipe, which needs no GPU, is on Chromium's list of what not to use.
FLAGS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
         "--use-gl=angle", "--use-angle=gl-egl", "--enable-precise-memory-info"]
UNLISTED = "--ignore-gpu-blocklist"
BOUND = float(os.environ.get("ELECTRET_BROWSER_SECONDS", "240"))  # s; seeing takes far less, unless the machine stalls

# Sockets are noted, so that a test can cut them.
NOTE_SOCKETS = """(() => {
  const Plain = WebSocket;
  window.sockets = [];
  window.WebSocket = class extends Plain {
    constructor(...given) { super(...given); window.sockets.push(this); }
  };
  window.reports = [];
  document.addEventListener("securitypolicyviolation", (e) => window.reports.push(`${e.violatedDirective} ${e.blockedURI}`));
})();"""

# What a busy machine does: drawing and messages come late, by times between these, in order. To try that tests wait for
# states and not for times, set ELECTRET_BROWSER_DELAY, for example to 250-750.
DELAY = os.environ.get("ELECTRET_BROWSER_DELAY", "")
DELAYS = """(() => {
  const [low, high] = [LOW, HIGH], late = () => low + Math.random() * (high - low);
  const draw = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => draw(() => setTimeout(() => draw(callback), late()));
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) { super(...given); this.out = this.in = 0; this.sent = []; this.received = []; }
    at(way) { const now = performance.now(); this[way] = Math.max(this[way], now + late()); return this[way] - now; }
    // Timers count whole milliseconds and can overtake each other; messages cannot.
    send(data) {
      this.sent.push(data);
      setTimeout(() => { const first = this.sent.shift(); if (this.readyState === Plain.OPEN) super.send(first); }, this.at("out"));
    }
    get onmessage() { return super.onmessage; }
    set onmessage(callback) {
      super.onmessage = (event) => { this.received.push(event); setTimeout(() => callback(this.received.shift()), this.at("in")); };
    }
  };
})();"""


def why_not():
    """Why there can be no browser here; nothing where there can."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"{program} is not installed"
    for module in ("selenium.webdriver", "PIL.Image", "numpy", "scipy"):
        try:
            importlib.import_module(module)
        except ImportError as error:
            return f"Python's {error.name} is not installed"
    if missing := os.environ.get("ELECTRET_STUDIO_MISSING"):
        return f"the studio was built without {missing}"
    return None


def require_browser():
    """Skips the tests of a module, with the reason, where there is no browser; fails where one is required."""
    reason = why_not()
    if reason is None:
        return
    if REQUIRED:
        raise RuntimeError(f"a browser is required here, but {reason}")
    raise unittest.SkipTest(f"no browser: {reason}")


def until(what, condition, bound=BOUND):
    """The first true value of `condition()`."""
    end = time.monotonic() + bound
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not seen within {bound:.0f} s: {what}")
        time.sleep(0.03)


class Studio:
    """`electret studio` in a folder of its own; `url` is what it printed."""

    def __init__(self, *arguments, folder):
        self.process = subprocess.Popen([COMMAND, "studio", *map(str, arguments), "--no-open"], cwd=folder, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.url = self.process.stdout.readline().strip()
        if not re.fullmatch(r"http://127\.0\.0\.1:\d+/#[0-9a-f]{32}", self.url):
            self.process.kill()
            raise AssertionError(f"no address but {self.url!r}: {self.process.stderr.read()}")

    @property
    def origin(self):
        return self.url.split("/#")[0]

    @property
    def resident(self):
        """The memory that it has, bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self):
        """Its exit status, and what else it printed."""
        out, error = self.process.communicate(timeout=BOUND)
        return self.process.returncode, out, error

    def end(self):
        if self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGTERM)
            try:
                self.process.communicate(timeout=BOUND)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.communicate()


def chromium(*flags):
    webdriver = importlib.import_module("selenium.webdriver")
    service = importlib.import_module("selenium.webdriver.chrome.service")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=service.Service(shutil.which("chromedriver")), options=options)
    driver.set_script_timeout(BOUND)
    driver.set_page_load_timeout(BOUND)
    return driver


class Page:
    """A window of the browser with a studio's page."""

    def __init__(self, driver):
        self.driver = driver
        self.size(1280, 800)
        self.media()
        self.do("Page.enable")
        self.do("Page.addScriptToEvaluateOnNewDocument", source=NOTE_SOCKETS)
        if DELAY:
            low, high = DELAY.split("-")
            self.do("Page.addScriptToEvaluateOnNewDocument", source=DELAYS.replace("LOW", low).replace("HIGH", high))

    # What the browser is asked.

    def do(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def size(self, width, height, scale=1):
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def media(self, dark=False, reduced=False):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}]
        self.do("Emulation.setEmulatedMedia", features=features)

    def open(self, url):
        self.driver.get("about:blank")
        self.driver.get(url)

    def get(self, expression):
        """The value of a JavaScript expression."""
        return self.driver.execute_script(f"return ({expression});")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, expression, bound=BOUND):
        """Waits until the expression is true, and gives its value."""
        def look():
            try:
                return self.get(expression)
            except Exception as error:  # the page is being replaced, or is not there yet
                last.append(error)
                return None
        last = []
        try:
            return until(expression, look, bound)
        except AssertionError:
            state = self.get("window.electret ? JSON.stringify([electret.link, electret.state, electret.shown, electret.counters]) : document.body.innerText")
            raise AssertionError(f"not seen within {bound:.0f} s: {expression}; {last[-1:]}; the page: {state}") from None

    # The page's counters.

    @property
    def step(self):
        return self.get("electret.shown.step")

    @property
    def state(self):
        return self.get("electret.state && electret.state.state")

    def shown(self, step=None, state=None):
        """Waits for a picture, of `step` and in `state` if they are named."""
        wish = ["window.electret", "electret.counters.drawn > 0", "electret.shown.step >= 0"]
        if step is not None:
            wish.append(f"electret.shown.step === {step} && electret.shown.drawn === {step}")
        if state is not None:
            wish.append(f"electret.state.state === '{state}'")
        self.until(" && ".join(wish))

    def bytes_of(self, name):
        """An array of the page: `name` is one of its functions that give Float32Arrays. As bytes."""
        text = self.run("""
            const found = electret[arguments[0]](), values = ArrayBuffer.isView(found) ? found : found && found.values;
            if (!values) return null;
            const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
            let text = "";
            for (let k = 0; k < bytes.length; k += 32768) text += String.fromCharCode(...bytes.subarray(k, k + 32768));
            return btoa(text);""", name)
        return None if text is None else base64.b64decode(text)

    def positions(self):
        """(step, positions as float32 relative to an origin, the origin) of one frame."""
        import numpy as np
        step, origin, text = self.run("""
            const {values, origin} = electret.positions(), step = electret.shown.step;
            const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
            let text = "";
            for (let k = 0; k < bytes.length; k += 32768) text += String.fromCharCode(...bytes.subarray(k, k + 32768));
            return [step, origin, btoa(text)];""")
        return step, np.frombuffer(base64.b64decode(text), dtype="<f4").reshape(-1, 3), np.array(origin)

    # Hands.

    def key(self, *keys):
        chain = importlib.import_module("selenium.webdriver.common.action_chains").ActionChains(self.driver)
        for each in keys:
            chain.send_keys(each)
        chain.perform()

    def press(self, name):
        """Presses the button, tab or box of this name or text, once it is there and can be pressed."""
        until(f"a control {name}", lambda: self.run("""
            const found = [...document.querySelectorAll("button, [role=tab], input, select")].filter((each) => each.offsetParent !== null)
              .find((each) => (each.getAttribute("aria-label") || each.innerText || "").trim() === arguments[0]
                || (each.closest("label") && each.closest("label").innerText.trim() === arguments[0]));
            if (!found || found.disabled) return false;
            found.click();
            return true;""", name))

    def pointer(self, *places, button=True):
        """Moves the pointer from place to place (pixels of the window), with the button down from the first to the last."""
        events = [("mouseMoved", places[0], 0)]
        if button:
            events.append(("mousePressed", places[0], 1))
        events += [("mouseMoved", place, 1 if button else 0) for place in places[1:]]
        if button:
            events.append(("mouseReleased", places[-1], 0))
        for kind, (x, y), buttons in events:
            self.do("Input.dispatchMouseEvent", type=kind, x=x, y=y, buttons=buttons, clickCount=1,
                    button="left" if kind in ("mousePressed", "mouseReleased") or buttons else "none")

    def wheel(self, x, y, by):
        self.do("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def box(self, selector):
        """(left, top, width, height) of an element, pixels of the window."""
        return self.run("const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.left, b.top, b.width, b.height];", selector)

    def picture(self, selector=None):
        """What is seen, of the window or of an element, as a Pillow image."""
        from PIL import Image
        image = Image.open(io.BytesIO(base64.b64decode(self.do("Page.captureScreenshot", format="png")["data"]))).convert("RGB")
        if selector is None:
            return image
        left, top, width, height = self.box(selector)
        scale = image.width / self.get("innerWidth")
        return image.crop([round(scale * v) for v in (left, top, left + width, top + height)])

    def settle(self):
        """Waits until what changed is drawn."""
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done())));")

    # What must always hold.

    def complaints(self, expected=()):
        """Errors of the console, reports of the policy, requests to others, since the last call."""
        found = [f"console: {entry['message']}" for entry in self.driver.get_log("browser")
                 if entry["level"] in ("SEVERE", "WARNING") and not any(part in entry["message"] for part in expected)]
        if not str(self.get("location.href")).startswith("http"):
            return found
        found += [f"policy: {each}" for each in self.get("window.reports || []")]
        origin = self.get("location.origin")
        found += [f"request to {name}" for name in self.get("performance.getEntriesByType('resource').map((each) => each.name)")
                  if not name.startswith((origin + "/", "data:", "blob:" + origin))]
        return found


class BrowserCase(unittest.TestCase):
    """Tests with one browser for all of a class, and a folder for each test."""

    flags = (UNLISTED,)
    expected = ()  # parts of messages of the console that a test is to cause

    @classmethod
    def setUpClass(cls):
        require_browser()
        cls.driver = chromium(*cls.flags)
        cls.addClassCleanup(cls.driver.quit)
        cls.page = Page(cls.driver)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="electret-studio-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page.size(1280, 800)
        self.page.media()
        self.driver.get_log("browser")

    def tearDown(self):
        complaints = self.page.complaints(self.expected)
        # Away from the studio before it ends, so that nothing complains of its end.
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.assertEqual(complaints, [])

    def studio(self, *arguments):
        studio = Studio(*arguments, folder=self.folder)
        self.addCleanup(studio.end)
        return studio

    def opened(self, *arguments):
        """A studio, with its page shown."""
        studio = self.studio(*arguments)
        self.page.open(studio.url)
        return studio

    def scene(self, text, name="scene.toml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def electret(self, *arguments, check=0):
        done = subprocess.run([COMMAND, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        if check is not None:
            self.assertEqual(done.returncode, check, done.stderr)
        return done


TORUS = """[scene]
name = "charged torus"
[time]
step = 0.03
duration = 15.0
[integrator]
method = "imex"
[coulomb]
[[body]]
name = "torus"
generate = { shape = "torus", major_radius = 1.0, minor_radius = 0.4, vertices = 145, sampling = "best_candidate" }
mass = 1.0
charge = 6e-6
  [[body.springs]]
  from = "nearest"
  neighbours = 24
  stiffness = 10.0
"""


def told(facts):
    """Figures, for the log."""
    print(json.dumps(facts), flush=True)
