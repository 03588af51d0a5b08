"""What is wrong with scenes: the command's lines from a file, and the same findings from values.

Acceptance point 4.
"""

import re
import tomllib

import pytest

import electret as el
from conftest import SOURCE

FAULTY = [
    "", "[time]\nstep = -1\nsteps = 2\n", "[time]\nstp = 0.1\n[[body]]\nname='a'\n",
    "[time]\nstep = 0.1\nsteps = 2.5\n[[body]]\nmesh = 'absent.obj'\nmass = 1\n",
    "[time]\nstep = 0.1\nsteps = 2\nduration = 1\n[[body]]\ngenerate = { shape = 'spere' }\nmass = 1\ntotal_mass = 2\n",
    "[time]\nstep = 0.1\nsteps = 2\n[coulomb]\ndevice = 'tpu'\n[[body]]\ngenerate = { shape = 'chain', vertices = 4 }\nmass = 1\n",
    "[time]\nstep = 0.1\nsteps = 2\n[[body]]\ngenerate = { shape = 'chain', vertices = 4 }\nmass = 1\ncharges = [1e-6, 2e-6]\n"
    "[[body.springs]]\nfrom = 'edges'\n[[body.pin]]\ngroup = 'lft'\n[[body.group]]\nname = 'left'\nindices = [0, 99]\n",
    "[time]\nstep = 0.1\nsteps = 2\n[integrator]\nmethod = 'multirate'\n[[body]]\ngenerate = { shape = 'chain', vertices = 4 }\n"
    "mass = 1\n[[electric_field]]\nexpression = ['x +', 'y', 'q']\n",
    "[time]\nstep = 'soon'\nsteps = 2\n[gravity]\nacceleration = [0, 1]\n[[body]]\ngenerate = { shape = 'chain', vertices = 0 }\n",
]
CORPUS = SOURCE / "tests/fuzz/corpus/scene"
TEXTS = {**{str(k): text for k, text in enumerate(FAULTY)},
         **{name: (CORPUS / name).read_text() for name in ("coincident", "everything", "faults", "faults_of_files", "formulas", "kinds", "many", "odd", "order", "syntax")}}


@pytest.mark.parametrize("name", TEXTS)
def test_the_command_refuses_with_the_same_lines(name, command, tmp_path, monkeypatch):
    (tmp_path / "scene.toml").write_text(TEXTS[name])
    said = command("check", "scene.toml", cwd=tmp_path)
    assert said.returncode == 2
    monkeypatch.chdir(tmp_path)
    for call in (lambda: el.Scene.load("scene.toml"), lambda: el.Simulator("scene.toml"), lambda: el.run("scene.toml", "run")):
        with pytest.raises(el.InputError) as caught:
            call()
        assert str(caught.value).splitlines() == said.stderr.splitlines()
        assert [str(finding) for finding in caught.value.findings] == said.stderr.splitlines()
    assert not (tmp_path / "run").exists()


def keys_of(text):
    """The table or key that each line of a scene file gives, by a scan that knows nothing of the product's reader."""
    def placed(name):
        place = ""
        for part in name.split("."):
            place = f"{place}.{part}".lstrip(".")
            place = f"{place}.{counts[place]}" if place in counts else place
        return place

    table, counts, keys = "", {}, []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if header := re.fullmatch(r"\[\[\s*([\w.]+)\s*\]\]", line):
            above, _, last = header[1].rpartition(".")
            name = f"{placed(above)}.{last}" if above else last
            counts[name] = counts.get(name, -1) + 1
            table = f"{name}.{counts[name]}"
            keys.append(table)
        elif header := re.fullmatch(r"\[\s*([\w.]+)\s*\]", line):
            table = placed(header[1])
            keys.append(table)
        elif key := re.match(r"([\w.]+)\s*=", line):
            keys.append(f"{table}.{key[1]}".lstrip("."))
        else:
            keys.append(keys[-1] if keys else "")
    return keys


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "syntax"])
def test_values_have_the_findings_of_the_file(name, tmp_path):
    """The same messages and the same of what is allowed, at the key in place of its line."""
    def told(finding):
        numbers = re.sub(r"(?<![\w.])-?\d+\.\d+(?![\w.])", lambda number: repr(float(number[0])), finding.message)  # -0.030 is -0.03.
        return numbers, finding.allowed

    text, keys = TEXTS[name], keys_of(TEXTS[name])
    (tmp_path / "scene.toml").write_text(text)
    with pytest.raises(el.InputError) as caught:
        el.Scene.load(tmp_path / "scene.toml")
    of_file = sorted((told(finding), keys[finding.line - 1] if finding.line and keys else "") for finding in caught.value.findings)
    of_values = sorted((told(finding), finding.file) for finding in el.Scene(tomllib.loads(text), folder=tmp_path).check())
    assert [what for what, _ in of_values] == [what for what, _ in of_file]
    for (what, place), (_, key) in zip(of_file, of_values):
        # A line holds a whole table in braces; a header [[time]] where one table is wanted is no list for values.
        # What the scene as a whole lacks is told at the file's first line.
        assert (key == place or key.startswith(f"{place}.") or re.fullmatch(re.escape(key) + r"\.\d+", place)
                or (key == "" and what[0].endswith("] is missing"))), (what, place, key)
    assert all(finding.line == finding.column == 0 for finding in el.Scene(tomllib.loads(text), folder=tmp_path).check())
