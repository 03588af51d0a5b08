"""Tables that hold themselves, or are nested without end: a finding, not an error of Python's."""

import pytest

import electret as el
from conftest import jelly


def cyclic():
    table = {"name": "a"}
    table["generate"] = table
    return table, "body.0.generate"


def cyclic_list():
    points = [1.0]
    points += [points, points, points]
    return {"name": "a", "charges": points}, "body.0.charges"


def deep():
    table = {}
    for _ in range(5000):
        table = {"generate": table}
    return table, "body.0.generate"


@pytest.mark.parametrize("make", [cyclic, cyclic_list, deep])
def test_check_finds_it(make):
    table, key = make()
    scene = el.Scene(time={"step": 0.01, "steps": 1}, body=[table])
    (finding,) = scene.check()
    assert finding.file.startswith(key) and finding.message == "tables are nested too deeply"
    for use in (scene.describe, scene.to_toml, lambda: el.Simulator(scene)):
        with pytest.raises(ValueError, match="nested too deeply"):
            use()
    repr(scene), scene._repr_html_()


def test_a_scene_that_is_its_own_body():
    tables = {"time": {"step": 0.01, "steps": 1}}
    tables["body"] = [tables]
    (finding,) = el.Scene(tables).check()
    assert finding.message == "tables are nested too deeply"


def test_set_and_overrides_find_it():
    table, _ = cyclic()
    scene = jelly()
    scene.set("body.0", table)
    assert scene.check()[0].message == "tables are nested too deeply"
    with pytest.raises(ValueError, match="nested too deeply"):
        el.run(jelly(), "no", overrides={"body": [table]})


def test_what_is_named_twice_is_no_cycle():
    place, scene = [0.0, 0.0, -1.0], jelly()
    scene.set("gravity.acceleration", place)
    scene.external_charge(charge=1e-9, position=place)
    scene.external_charge(charge=1e-9, position=place, width=0.1)
    assert scene.check() == []
