"""The notebooks: their cells run, and Jupyter renders them where it is installed."""

import importlib.util
import json
import re
import subprocess
import sys

import pytest

from with_torch import torch  # noqa: F401 (they use it)

from conftest import SOURCE

NOTEBOOKS = sorted((SOURCE / "examples/python").glob("*.ipynb"))


def cells(path):
    """Code cells without what is IPython's own."""
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, "a notebook is kept without its results"
            yield "".join(line for line in cell["source"] if not line.startswith("%"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_run(path, monkeypatch, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names = {}
    for source in cells(path):
        exec(compile(source, path.name, "exec"), names)
    assert float(names["ways"][-1][-5:].sub(0.1).abs().max()) < 0.04  # The ball has come to rest near 0.1 m, from 0.


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_jupyter_renders_them(path, tmp_path):
    missing = [name for name in ("nbconvert", "ipykernel", "matplotlib") if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}; `./dev notebook` installs it")
    said = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "--config", SOURCE / "tools/nbconvert.json",
                           "--output-dir", tmp_path, path], capture_output=True,
                          text=True, check=False)
    assert said.returncode == 0, said.stderr
    page = (tmp_path / f"{path.stem}.html").read_text()
    assert len(re.findall(r'src="data:image/png;base64', page)) == 2 and "electret" in page and "Traceback" not in page
    assert "file://" not in page and not re.search(r'src="[^"d]', page)  # It is read elsewhere, too.


def test_there_is_one():
    assert NOTEBOOKS
