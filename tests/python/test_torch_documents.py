"""What `electret.torch` says of itself. Acceptance point 26, its part, and 25: who imports `electret` does not import torch."""

import doctest
import importlib
import inspect
import re
import subprocess
import sys

import pytest

from with_torch import torch

import electret as el
import electret.torch as et
from conftest import jelly
from test_documents import UNIT, parameters


@pytest.mark.parametrize("name", et.__all__)
def test_every_public_name_is_documented(name):
    thing = getattr(et, name)
    text = thing.__doc__
    assert ">>> " in text and "Examples\n" in text and "Attributes\n" in text if inspect.isclass(thing) else "Returns\n" in text
    assert UNIT.search(text) and thing.__module__ in ("electret.torch", *MODULES)
    if not inspect.isclass(thing):
        missing = [p for p in parameters(thing) if not re.search(rf"^ *([\w, ]+, )?{p}(, [\w, ]+)?( :.*)?$", text, re.MULTILINE)]
        assert not missing and "Raises" in text


class Small(torch.nn.Linear):
    """A linear layer whose answer is a charge that a body bears."""

    def forward(self, o):
        return 1e-7 * super().forward(o)


MODULES = ["electret.torch", "electret._torch_field", "electret._torch_loop", "electret._torch_rollout", "electret._torch_step"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    module, runner = importlib.import_module(name), doctest.DocTestRunner()
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        test.globs.update(
            et=et, torch=torch, sim=el.Simulator(jelly(steps=4), controls=["body.jelly.charge"]), net=Small(3, 1).double(),
            u=torch.zeros(1, requires_grad=True), positions=torch.rand(5, 3, requires_grad=True), charges=torch.full((5,), 1e-9, dtype=torch.float64))
        runner.run(test)
    assert runner.failures == 0 and "+SKIP" not in inspect.getsource(module)


def test_electret_alone_imports_no_torch():
    said = subprocess.run([sys.executable, "-W", "error", "-c", "import sys, electret; assert 'torch' not in sys.modules and 'electret.torch' not in sys.modules"],
                          capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
