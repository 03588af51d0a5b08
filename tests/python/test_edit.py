"""Edits of a scene's text: random ones of many texts, compared with the same edits of tomllib's dicts."""

import copy
import math
import os
import random
import re
import tomllib

import numpy as np
import pytest

import electret as el
from conftest import SOURCE

EDITS = int(os.environ.get("ELECTRET_EDITS", "4000"))
EXAMPLES = sorted(SOURCE.glob("examples/**/*.toml")) + sorted(SOURCE.glob("experiments/scenes/*.toml"))
KEYS = ["a", "b", "c", "stiffness", "x-y", "größe", "two words", "0x", 'q"q']


class Texts:
    """Random TOML texts: every way to write tables, lists, keys and values."""

    def __init__(self, rng):
        self.rng = rng

    def chance(self, share):
        return self.rng.random() < share

    def key(self, name):
        if re.fullmatch(r"[A-Za-z0-9_-]+", name) and not self.chance(0.1):
            return name
        if "'" not in name and self.chance(0.5):
            return f"'{name}'"
        return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def plain(self):
        pick = self.rng.randrange
        return self.rng.choice([
            lambda: str(pick(-99, 99)), lambda: f"{self.rng.uniform(-9, 9):.3e}", lambda: self.rng.choice(["true", "false"]),
            lambda: self.rng.choice(["1_000", "0x1F", "+3", "1e6", "6e-6", "-inf", "0.0"]),
            lambda: self.rng.choice(['"text"', "'#]}'", '"a \\" # [x]"', '"ü, \\u00e9 = {"', "''", '""', '"1"']),
            lambda: self.rng.choice(['"""one"""', '"""\ntwo\n[t] # x\n\\"""" """', "'''\n''q''\n'''", "'''a'''''",
                                     '"""a\\\n   b"""']),
            lambda: self.rng.choice(["1979-05-27", "1979-05-27 07:32:00", "07:32:00"]),
        ])()

    def space(self):
        return " " * self.rng.choice([0, 0, 1, 1, 2])

    def comment(self):
        return self.rng.choice(["", "", "", "  # a comment", " #x = 1 ] }", "   "])

    def value(self, depth=0):
        kind = self.rng.random()
        if depth > 2 or kind < 0.6:
            return self.plain()
        if kind < 0.8:
            items = [self.value(depth + 1) for _ in range(self.rng.randrange(4))]
            if self.chance(0.4):
                lines = "".join(f"{self.rng.choice(['  ', '', '    '])}{item},{self.comment()}\n" for item in items)
                if lines and self.chance(0.3):
                    lines = "\n".join(lines.rsplit(",", 1)[0:1]) + self.comment() + "\n"
                return f"[{self.comment()}\n{lines}]"
            return "[" + self.space() + ("," + self.space()).join(items) + (",]" if items and self.chance(0.2) else "]")
        return self.braces(depth)

    def braces(self, depth):
        pairs = [f"{key}{self.space()}={self.space()}{self.value(depth + 1)}" for key in self.keys(4)]
        return "{" + self.space() + (", ").join(pairs) + self.space() + "}"

    def keys(self, most):
        """Keys of which some have several parts, none of which collide."""
        names = self.rng.sample(KEYS, self.rng.randrange(most))
        for name in names:
            if self.chance(0.2):
                dot = self.rng.choice([".", " . "])
                for inner in self.rng.sample(KEYS, self.rng.randrange(1, 3)):
                    yield self.key(name) + dot + self.key(inner)
            else:
                yield self.key(name)

    def lines(self, indent):
        text = ""
        for key in self.keys(5):
            text += self.noise(indent) + f"{indent}{key}{self.space()}={self.space()}{self.value()}{self.comment()}\n"
        return text

    def noise(self, indent):
        return self.rng.choice(["", "", "", "", "\n", f"{indent}# on its own\n", "\n# [x]\n"])

    def section(self, path, depth):
        indent = "  " * depth if self.chance(0.5) else ""
        text = ""
        for name in self.rng.sample(KEYS, self.rng.randrange(3)):
            inner = [*path, name]
            header = ".".join(map(self.key, inner))
            if self.chance(0.5):
                for _ in range(self.rng.randrange(1, 4)):
                    text += f"{self.noise(indent)}{indent}[[{header}]]{self.comment()}\n" + self.lines(indent)
                    text += self.section(inner, depth + 1) if depth < 2 else ""
            else:
                if self.chance(0.7):
                    text += f"{self.noise(indent)}{indent}[{header}]{self.comment()}\n" + self.lines(indent)
                text += self.section(inner, depth + 1) if depth < 2 else ""
        return text

    def text(self):
        text = self.noise("") + self.lines("") + self.section([], 0) + self.noise("")
        if self.chance(0.3):
            text = text.rstrip("\n")
        if self.chance(0.2):
            text = text.replace("\n", "\r\n")
        return ("\ufeff" if self.chance(0.2) else "") + text


def parsed(text):
    return tomllib.loads(text.removeprefix("\ufeff"))


def paths(node, path=()):
    """All that a dotted key can name."""
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for part, value in inner:
        if "." not in str(part):
            yield (*path, part)
            yield from paths(value, (*path, part))


def at(node, path):
    for part in path:
        node = node[part]
    return node


def same(a, b):
    if isinstance(a, dict) or isinstance(b, dict):
        return isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b)))


def removed(tree, path):
    """The trees that a removal may leave: a list that becomes empty goes, a table may go if only its keys named it."""
    tree = copy.deepcopy(tree)
    path = list(path)
    while path:
        above = at(tree, path[:-1])
        del above[path[-1]]
        path.pop()
        if not above and isinstance(above, list):
            continue
        yield copy.deepcopy(tree)
        if above:
            return


def is_within(few, many):
    """Whether the lines occur in this order."""
    rest = iter(many)
    return all(line in rest for line in few)


def lines(text):
    return [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]


def comments(text):
    """Lines that may be comments of their own. A text of several lines may hold such lines, too."""
    return [line for line in lines(text) if line.lstrip().startswith("#")]


class Fuzz:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.texts = Texts(self.rng)

    def new_text(self):
        if self.rng.random() < 0.3:
            text = self.rng.choice(EXAMPLES).read_text()
            return text.replace("\n", "\r\n") if self.rng.random() < 0.2 else text
        for _ in range(1000):
            text = self.texts.text()
            try:
                parsed(text)
            except (tomllib.TOMLDecodeError, RecursionError):
                continue
            return text
        raise AssertionError("no text is TOML")

    def edit(self, text):
        """A random edit, the text after it and the trees that it may hold; nothing if the edit must be refused."""
        tree = parsed(text)
        known = list(paths(tree))
        kind = self.rng.choice(["set", "set", "set", "add", "unset", "unset", "rename", "append"])
        if kind == "add" or not known:
            return self.add(text, tree, known)
        path = self.rng.choice(known)
        key = ".".join(map(str, path))
        if kind == "set":
            value = self.value()
            wanted = copy.deepcopy(tree)
            at(wanted, path[:-1])[path[-1]] = value
            return self.done(text, {"set": {key: value}}, [wanted])
        if kind == "unset":
            return self.done(text, {"unset": [key]}, list(removed(tree, path)))
        if kind == "rename":
            name = self.rng.choice(KEYS)
            above = at(tree, path[:-1])
            if isinstance(above, list) or name in above:
                return None
            above[name] = above.pop(path[-1])
            return self.done(text, {"rename": {key: name}}, [tree])
        lists = [path for path in known if isinstance(at(tree, path), list)]
        if not lists:
            return None
        path = self.rng.choice(lists)
        key = ".".join(map(str, path))
        table = {name: self.value() for name in self.rng.sample(KEYS, 3)}
        at(tree, path).append(copy.deepcopy(table))
        return self.done(text, {"append": {key: table}}, [tree])

    def add(self, text, tree, known):
        wanted = copy.deepcopy(tree)
        within = self.rng.choice([(), *[path for path in known if isinstance(at(tree, path), (dict, list))]])
        path, node = list(within), at(wanted, within)
        for depth in range(self.rng.choice([1, 1, 1, 2, 3])):
            if isinstance(node, list):
                part = len(node)
            else:
                part = self.rng.choice([name for name in KEYS if name not in node] or ["new"])
            is_last = self.rng.random() < 0.4 or depth == 2
            value = self.value() if is_last else self.rng.choice([{}, []])
            node.append(value) if isinstance(node, list) else node.__setitem__(part, value)
            path.append(part)
            if is_last:
                break
            node = value
        if not is_last:
            value = 1
            path.append(0 if isinstance(node, list) else "new")
            node.append(value) if isinstance(node, list) else node.__setitem__("new", value)
        return self.done(text, {"set": {".".join(map(str, path)): value}}, [wanted], only_adds=True)

    def value(self, depth=0):
        kind = self.rng.random()
        if kind < 0.7 or depth > 1:
            return self.rng.choice([1, -2.5, True, "text", 'a "#" \\ é', 6e-6, "", "1", 1e300, -0.0])
        if kind < 0.85:
            return [self.value(depth + 1) for _ in range(self.rng.randrange(4))]
        return {name: self.value(depth + 1) for name in self.rng.sample(KEYS, self.rng.randrange(3))}

    @staticmethod
    def done(text, how, wanted, only_adds=False):
        try:
            return how, el.edit(text if "\n" in text else text + "\n", **how), wanted, only_adds
        except el.InputError as error:
            assert "have headers" in str(error) or "too many parts" in str(error), (how, text, str(error))
            return None


def check(text, how, after, wanted, only_adds):
    told = f"{how}\n--- before\n{text}\n--- after\n{after}"
    assert any(same(parsed(after), tree) for tree in wanted), told
    assert text.startswith("\ufeff") == after.startswith("\ufeff"), told
    if "\r\n" in text:
        assert after.count("\n") == after.count("\r\n"), told
    elif "\r" not in text:
        assert "\r" not in after, told
    before_lines, after_lines = lines(text), lines(after)
    if "unset" in how and not any(bracket in text for bracket in "{["):
        assert is_within(after.removeprefix("\ufeff").splitlines(), before_lines), told
    if '"""' not in text and "'''" not in text:
        if "unset" in how:
            assert is_within(comments(text), comments(after)), told
        if "rename" not in how:
            same_start = os.path.commonprefix([before_lines, after_lines])
            same_end = os.path.commonprefix([before_lines[::-1], after_lines[::-1]])
            if only_adds:  # At most the value in brackets that grows, and a last line without an end.
                assert len(same_start) + len(same_end) >= len(before_lines) - 2, told


def test_random_edits_are_those_of_tomllib():
    fuzz, made, kinds = Fuzz(int(os.environ.get("ELECTRET_EDITS_SEED", "7"))), 0, {}
    while made < EDITS:
        text = fuzz.new_text()
        for _ in range(8):
            found = fuzz.edit(text)
            if found is None:
                continue
            check(text, *found)
            made += 1
            kinds[next(iter(found[0]))] = kinds.get(next(iter(found[0])), 0) + 1
            if fuzz.rng.random() < 0.5:
                text = found[1]
    assert len(EXAMPLES) > 20 and all(kinds[kind] > EDITS / 50 for kind in ["set", "unset", "rename", "append"]), kinds


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_value_is_set_alone(path):
    """Each plain value of each scene of ours is replaced, and only its line changes."""
    text = path.read_text()
    tree = parsed(text)
    for where in paths(tree):
        value = at(tree, where)
        if isinstance(value, (dict, list)):
            continue
        key = ".".join(map(str, where))
        after = el.edit(path, {key: value})
        assert same(parsed(after), tree) and len(lines(after)) == len(lines(text)), key
        changed = [(a, b) for a, b in zip(lines(text), lines(after)) if a != b]
        assert len(changed) <= 1, (key, changed)
        after = el.edit(path, {key: "another"})
        changed = [(a, b) for a, b in zip(lines(text), lines(after)) if a != b]
        assert len(changed) == 1 and '"another"' in changed[0][1], (key, changed)


def test_values_are_python_s(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_bytes("\ufeff[time]\r\nstep = 0.1  # s\r\nsteps = 5\r\n".encode())
    text = el.edit(path, {"time.step": np.float64(0.05), "gravity.acceleration": np.array([0.0, 0.0, -1.0]),
                          "output": {"every": 2}}, ["time.steps"], rename={"time.step": "h"})
    assert text == ("\ufeff[time]\r\nh = 0.1  # s\r\nstep = 0.05\r\n\r\n[gravity]\r\nacceleration = [0.0, 0.0, -1.0]\r\n"
                    "\r\n[output]\r\nevery = 2\r\n")
    assert path.read_bytes().startswith(b"\xef\xbb\xbf[time]\r\nstep = 0.1"), "the file is only read"
    assert el.edit("[[a]]\n", append={"a": {"b": 1, "c d": "x"}}) == '[[a]]\n\n[[a]]\nb = 1\n"c d" = "x"\n'


def test_what_is_wrong_is_told_at_once(tmp_path):
    with pytest.raises(el.InputError) as caught:
        el.edit("[time]\nstep = 1\n", {"time.step.x": 1, "body.3": {}}, ["time.stpe"])
    assert [finding.file for finding in caught.value.findings] == ["--unset time.stpe", "--set time.step.x", "--set body.3"]
    with pytest.raises(el.InputError, match="scene:1:"):
        el.edit("[time\nstep = 1\n", {"time.step": 1})
    with pytest.raises(el.InputError, match="none.toml"):
        el.edit(tmp_path / "none.toml", {"time.step": 1})
    for wrong in [dict(set=["time.step=1"]), dict(unset="time.step"), dict(set={"a": object()}), dict(append={"a": 1}),
                  dict(set={"a": None})]:
        with pytest.raises((TypeError, ValueError)):
            el.edit("a = 1\n", **wrong)


def test_gradients_of_a_charge_that_passes_through_zero():
    """An external charge of 0 C is not computed, but its derivative is."""
    scene = el.Scene(time={"step": 0.01, "steps": 9}, integrator={"tolerance": 1e-12})
    body = scene.body(name="b", generate={"shape": "chain", "vertices": 4}, mass=0.1, charge=1e-6)
    body.springs("edges", stiffness=20.0)
    scene.external_charge(times=[0.0, 0.03, 0.06], charges=[1e-5, 0.0, -1e-5], interpolation="step", position=(0.0, 0.0, 1.0))
    scene.external_charge(charge=0.0, position=(0.0, 1.0, 0.0), width=0.3)
    names = ["external_charge.0.values", "external_charge.1.charge", "external_charge.0.position", "external_charge.1.position"]
    got = el.gradient(scene, "centre_of_mass:0.3,0.2,0.1", names, check=True)
    assert np.all(got["external_charge.0.values"] != 0.0) and got["external_charge.1.charge"] != 0.0
    assert np.all(np.asarray(got["external_charge.1.position"]) == 0.0)
    for name in names[:3]:
        assert np.max(got.check[name][1]) < 1e-6, name
