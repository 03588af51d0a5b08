"""A process that ends while another of its threads is in a call of the package ends as with any other package."""

import subprocess
import sys

import pytest

HEAD = """
import sys, threading, time
sys.path.insert(0, {tests!r})
import numpy as np
import electret as el
from conftest import jelly

sim = el.Simulator(jelly(steps=10**7), threads=1)
points, charges = np.random.default_rng(0).random((20000, 3)), np.ones(20000)
entered = threading.Event()

def loop(call):
    while True:
        call()
        entered.set()

def called_back(_):
    entered.set()

"""

CALLS = {"step": "loop(sim.step)", "run": "sim.run(10**7, callback=called_back, every=100)",
         "field": "loop(lambda: el.field(points, charges, accuracy=1e-3))",
         "el.run": "el.run(jelly(steps=10**7), {folder!r}, progress=lambda done, total: entered.set())",
         "gradient": "loop(lambda: el.gradient(jelly(steps=200), 'energy', ['gravity']))"}


@pytest.mark.parametrize("call", CALLS)
def test_with_a_thread_in_a_call(call, tmp_path):
    """The thread waits for Python's lock as the interpreter ends, and Python then ends the thread."""
    code = HEAD.format(tests=str(__file__).rsplit("/", 1)[0]) + f"""
threading.Thread(target=lambda: {CALLS[call].format(folder=str(tmp_path / "run"))}, daemon=True).start()
assert entered.wait(500)
print("the end")
"""
    said = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False, timeout=600)
    assert (said.returncode, said.stdout) == (0, "the end\n"), said.stderr
