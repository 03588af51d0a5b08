#!/usr/bin/python3
"""Makes the pictures of docs/studio.md by the studio itself, in Chromium: studio_pictures.py ELECTRET [FOLDER [NAME ...]].

Each picture is a scene or a run of examples/, opened, played to a step and photographed at 1280 × 800.
"""

import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/studio/browser"))

import browser  # noqa: E402


def play_to(page, step):
    page.shown(step=0)
    page.key(" ")
    page.until(f"electret.shown.step >= {step}")
    page.key(" ")
    page.until("electret.state.state === 'paused' || electret.state.state === 'viewing'")
    # The same step whatever the machine did meanwhile.
    page.run("document.querySelector('.slider').focus()")
    while page.step > step:
        at = page.step
        page.key("\ue012")
        page.until(f"electret.shown.step === {at - 1}")
    while page.step < step:
        at = page.step
        page.key("\ue014")
        page.until(f"electret.shown.step === {at + 1}")
    page.run("document.activeElement.blur()")


def choose(page, label, value):
    page.run("""const list = document.querySelector(`[aria-label="${arguments[0]}"]`);
        list.selectedIndex = [...list.options].findIndex((each) => each.text === arguments[1]);
        list.dispatchEvent(new Event("change", { bubbles: true }));""", label, value)


def torus(page, start):
    start("examples/charged_torus.toml")
    play_to(page, 20)
    page.run("document.querySelector('#tab-energies').click()")


def jelly(page, start):
    page.media(dark=True, reduced=True)
    start("examples/jelly_on_ball.toml")
    play_to(page, 80)
    choose(page, "Colour by", "von Mises stress")
    page.until("electret.scalar()")
    page.press("Fit range")
    page.key("f")
    page.settle()


def hand(page, start):
    """The free end of a cloth, pulled aside by the pointer and photographed after as many steps as that takes."""
    start("examples/falling_cloth.toml")
    play_to(page, 60)
    page.key("f")
    page.settle()
    left, top, width, height = page.box("#view")
    x, y = page.run("""let best = null;
        for (let k = 0; k < electret.system.vertices; k++) {
          const at = electret.pixel(k);
          if (at && electret.pick(...at) === k && (!best || at[1] > best[1])) best = at;
        }
        return best;""")
    mouse = lambda kind, dx, dy, buttons: page.do("Input.dispatchMouseEvent", type=kind, x=left + x + dx, y=top + y + dy, buttons=buttons,
                                                  clickCount=1, button="left" if buttons else "none")
    mouse("mouseMoved", 0, 0, 0)
    mouse("mousePressed", 0, 0, 1)
    page.until("electret.hands.length === 1")
    mouse("mouseMoved", 150, -60, 1)
    page.settle()
    for step in range(61, 72):
        page.key("\ue014")
        page.until(f"electret.shown.step === {step}")


def charge_right_half(page, charge):
    """Picks the right half of the view by a box, makes a group of it, and charges each of its vertices."""
    page.press("Box")
    left, top, width, height = page.box("#view")
    page.pointer((left + 0.5 * width, top + 0.04 * height), (left + 0.96 * width, top + 0.96 * height))
    page.until("electret.picked")
    enter(page, "input[aria-label='Name of the new group']", "right half")
    page.press("Make a group")
    page.until("electret.system.groups.some((each) => each.name === 'right half')")
    page.press("Grab")
    page.key("\ue00c")
    page.run("[...document.querySelectorAll('.outline .entry')].find((each) => each.innerText.includes('right half')).click()")
    enter(page, "input[aria-label^='Charge of each vertex of right half']", charge, press_enter=True)


def ball(page, start):
    """A charge in the hand beside a torus that swells, taken by the form of the tool and held for some steps."""
    start("examples/charged_torus.toml")
    play_to(page, 20)
    page.press("Charge")
    enter(page, "input[aria-label='Charge of the ball']", "-400 µC", press_enter=True)
    for axis, value in (("x", "2.4"), ("y", "0"), ("z", "0.6")):
        enter(page, f"input[aria-label='Ball at {axis}']", value)
    page.key("\ue007")
    page.until("electret.hands.length === 1 && electret.balls()")
    page.run("document.activeElement.blur()")
    for step in range(21, 45):
        page.key("\ue014")
        page.until(f"electret.shown.step === {step}")
    page.settle()


def keys(page, start):
    """A group's charge is key-framed: keys, the curve between them, and steps that one of them made out of date."""
    start("examples/charged_torus.toml", "--set", "time.duration=2.4")
    page.until("electret.camera()")
    charge_right_half(page, "4 µC")
    track = "right half of torus"
    table = f"electret.keys.tables.find((each) => each.label === '{track}')"
    page.until(table)
    page.press(track)
    for number, (step, value) in enumerate(((0, "4 µC"), (20, "-5 µC"), (50, "8 µC")), 1):
        while page.get("electret.shown.step") < step:
            page.run("document.activeElement.blur()")
            at = page.get("electret.shown.step")
            page.key("\ue014")
            page.until(f"electret.shown.step === {at + 1}")
        page.press("Key at the play head")
        page.until(f"{table}.times.length === {number}")
        enter(page, f"input[aria-label='values of key {number}']", value, press_enter=True)
        page.until(f"Math.abs({table}.lanes[0].values[{number - 1}] - {value.split()[0]}e-6) < 1e-12")
    page.press("Replay to here")
    page.until("electret.keys.stale === null && electret.state.state === 'paused' && electret.state.step === 50")
    page.run("document.activeElement.blur()")
    for step in range(49, 25, -1):
        page.key("\ue012")
        page.until(f"electret.shown.step === {step}")
    enter(page, "input[aria-label='values of key 2']", "-4 µC", press_enter=True)
    page.until("electret.keys.stale !== null")
    page.run("document.activeElement.blur(); document.querySelector('.keytable').closest('.timeline').scrollTop = 0;")
    page.run("for (let each = document.querySelector('.keytable'); each; each = each.parentElement) each.scrollTop = 0;")
    page.settle()


def charge(page, start):
    """Half of the torus is picked by a box, named, and charged; the picture is taken some steps later."""
    start("examples/charged_torus.toml")
    play_to(page, 4)
    charge_right_half(page, "-4 µC")
    page.until("electret.charges().some((each) => Math.abs(each + 4e-6) < 1e-12)")
    page.run("document.activeElement.blur()")
    for step in range(5, 21):
        page.key("\ue014")
        page.until(f"electret.shown.step === {step}")


def tune(page, start):
    """The springs of a torus become softer while it swells."""
    start("examples/charged_torus.toml")
    play_to(page, 30)
    enter(page, "[aria-label='stiffness of springs of torus']", "2.5 N/m", press_enter=True)
    page.until("electret.changes.all === 1")
    page.run("document.activeElement.blur()")
    for step in range(31, 61):
        page.key("\ue014")
        page.until(f"electret.shown.step === {step}")
    page.until("electret.changes.changes[0].energy !== null")
    page.run("document.querySelector('section[aria-label=Tune]').scrollIntoView()")
    page.settle()


def enter(page, selector, text, press_enter=False):
    page.until(f'document.querySelector("{selector}")')
    page.run("const field = document.querySelector(arguments[0]); field.focus(); field.select();", selector)
    page.do("Input.insertText", text=text)
    if press_enter:
        page.key("\ue007")


def export(page, start):
    """The present step of a jelly, ray-traced in the dialog."""
    page.media(dark=True, reduced=True)
    start("examples/jelly_on_ball.toml")
    play_to(page, 80)
    choose(page, "Colour by", "von Mises stress")
    page.until("electret.scalar()")
    page.press("Fit range")
    page.key("f")
    page.settle()
    page.press("Export")
    page.press("Ray-traced")
    choose(page, "Size", "1280 × 720")
    page.press("Trace the picture")
    page.until("document.querySelector('.traced img') && document.querySelector('.traced img').naturalWidth === 1280")
    page.run("document.querySelector('dialog.export').scrollTop = 0; document.activeElement.blur()")


def gradient(page, start):
    """How the energy of a torus after some steps depends on charges and places."""
    start("examples/charged_torus.toml")
    play_to(page, 24)
    choose(page, "Loss of the gradient", "energy at the end")
    page.press("Compute")
    page.until("electret.gradient && electret.gradient.found")
    page.run("document.querySelector('section[aria-label=Gradient] details').open = true; document.querySelector('section[aria-label=Gradient]').scrollIntoView()")
    page.settle()


def run(page, start):
    start("run")
    play_to(page, 60)


def broken(page, start):
    text = (ROOT / "examples/charged_torus.toml").read_text()
    pathlib.Path("mistakes.toml").write_text(text.replace('"imex"', '"imx"').replace("neighbours", "nieghbours"))
    start("mistakes.toml")
    page.until("document.querySelector('button.finding')")


def text(page, start):
    """Two mistakes, typed after some steps: the last good scene stays."""
    start("examples/charged_torus.toml")
    play_to(page, 12)
    page.press("Text")
    content = "document.querySelector('.editor').shadowRoot.querySelector('.cm-content')"
    page.until(f"document.querySelector('.editor') && {content}.offsetParent && electret.text.shown.length > 100")
    wrong = page.get("electret.text.shown").replace('"imex"', '"imx"').replace("step = 0.03", "step = -0.03")
    page.run(f"{content}.focus();")
    for kind in ("rawKeyDown", "keyUp"):
        page.do("Input.dispatchKeyEvent", type=kind, key="a", code="KeyA", windowsVirtualKeyCode=65, modifiers=2)
    page.do("Input.insertText", text=wrong)
    page.until("electret.text.checked && electret.text.checked.effect === 'wrong'")
    page.run("[...document.querySelectorAll('.tabs button')].find((each) => each.innerText.startsWith('Findings')).click()")
    page.run("document.querySelector('button.finding').click()")
    page.until("document.activeElement.classList.contains('editor')")


def empty(page, start):
    start()
    page.until("document.querySelector('.choice')")


PICTURES = {"studio-torus": torus, "studio-jelly": jelly, "studio-hand": hand, "studio-ball": ball, "studio-keys": keys, "studio-charge": charge, "studio-tune": tune, "studio-export": export, "studio-gradient": gradient, "studio-run": run, "studio-findings": broken, "studio-text": text, "studio-open": empty}


def png(image):
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def main():
    command = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/images").resolve()
    browser.COMMAND = command
    only = sys.argv[3:]
    try:
        browser.require_browser()
    except (unittest.SkipTest, RuntimeError) as error:
        sys.exit(f"studio_pictures: {error}")
    driver = browser.chromium(browser.UNLISTED)
    try:
        with tempfile.TemporaryDirectory() as work:
            (pathlib.Path(work) / "examples").symlink_to(ROOT / "examples")
            os.chdir(work)
            subprocess.run([command, "run", "examples/charged_torus.toml", "--set", "time.duration=3.0", "-o", "run"], check=True,
                           stdout=subprocess.DEVNULL)
            for name, make in PICTURES.items():
                if only and name not in only:
                    continue
                page = browser.Page(driver)
                page.media(reduced=True)  # The camera does not fly: it is at once where it is sent.
                studios = []

                def start(*arguments):
                    studios.append(browser.Studio(*arguments, "-o", f"session-{name}", folder=work) if arguments[:1] != ("run",) and arguments
                                   else browser.Studio(*arguments, folder=work))
                    page.open(studios[-1].url)
                make(page, start)
                page.settle()
                page.settle()
                (folder / f"{name}.png").write_bytes(png(page.picture()))
                print(folder / f"{name}.png")
                driver.get("about:blank")
                for studio in studios:
                    studio.end()
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
