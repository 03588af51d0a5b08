"""Trajectories and checkpoints with a dataset or an attribute that is wrong: IoError, never a crash of the interpreter."""

import os
import pathlib
import shutil
import sys

import numpy as np
import pytest

import electret as el

h5py = pytest.importorskip("h5py")
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "apps"))
import damaged_files  # noqa: E402


def read_all(path):
    trajectory = el.Trajectory(path)
    for name in ("masses", "rest_positions", "springs", "faces", "bodies", "groups", "scene", "version", "times"):
        assert getattr(trajectory, name) is not None
    for name in ("positions", "charges"):
        assert np.asarray(getattr(trajectory, name)).shape[0] == len(trajectory)


def run(folder, is_key_framed):
    damaged_files.write_scene(folder, is_key_framed)
    el.run(folder / "scene.toml", folder / "run")
    return folder / "run"


@pytest.mark.parametrize("is_key_framed", [False, True], ids=["constant", "key_framed"])
def test_every_part_of_a_trajectory(tmp_path, is_key_framed):
    whole = run(tmp_path, is_key_framed) / "trajectory.h5"
    path = tmp_path / "damaged.h5"
    read_all(whole)
    wrong, refused = [], 0
    for name, how, change in damaged_files.damages(whole):
        shutil.copy(whole, path)
        with h5py.File(path, "r+") as file:
            change(file)
        try:
            read_all(path)
            refused_it = False
        except el.IoError as error:
            refused_it = str(path) in str(error)
        if refused_it is damaged_files.is_sound(name, how, is_key_framed):
            wrong.append(f"{name} {how}: {'refused' if refused_it else 'read'}")
        refused += refused_it
    assert not wrong, "\n".join(wrong)
    assert refused > 400


def test_the_message_names_the_dataset(tmp_path):
    whole = run(tmp_path, False) / "trajectory.h5"
    for name, how, change in damaged_files.damages(whole):
        if how not in ("a scalar", "removed", "compound", "1000 of them") or damaged_files.is_sound(name, how, False) is not False:
            continue
        if (name, how) in (("attribute format_version", "removed"), ("surface_corners", "removed"), ("body_names", "removed")):
            continue  # "not a trajectory", "surface_offsets ends elsewhere", "a group names a body".
        path = tmp_path / "damaged.h5"
        shutil.copy(whole, path)
        with h5py.File(path, "r+") as file:
            change(file)
        with pytest.raises(el.IoError, match=name.removeprefix("attribute ")):
            el.Trajectory(path)


def test_every_part_of_a_checkpoint(tmp_path):
    folder = run(tmp_path, True)
    whole = (folder / "checkpoint.h5").read_bytes()
    (tmp_path / "whole.h5").write_bytes(whole)
    before = {name: (folder / name).read_bytes() for name in os.listdir(folder) if name != "checkpoint.h5"}
    wrong = []
    for name, how, change in damaged_files.damages(tmp_path / "whole.h5"):
        (folder / "checkpoint.h5").write_bytes(whole)
        with h5py.File(folder / "checkpoint.h5", "r+") as file:
            change(file)
        try:
            el.run(tmp_path / "scene.toml", folder, resume=True)
            wrong.append(f"{name} {how}: resumed")
        except el.IoError as error:
            if "cannot resume" not in str(error) or "checkpoint.h5" not in str(error):
                wrong.append(f"{name} {how}: {error}")
    assert not wrong, "\n".join(wrong)
    assert before == {name: (folder / name).read_bytes() for name in os.listdir(folder) if name != "checkpoint.h5"}


def test_numbers_of_a_checkpoint(tmp_path):
    """Other numbers in their place are found by their sum."""
    folder = run(tmp_path, True)
    whole = (folder / "checkpoint.h5").read_bytes()
    (tmp_path / "whole.h5").write_bytes(whole)
    datasets, attributes = damaged_files.contents(tmp_path / "whole.h5")
    assert {"positions", "velocities"} <= set(datasets)
    for name in [*datasets, *attributes]:
        (folder / "checkpoint.h5").write_bytes(whole)
        with h5py.File(folder / "checkpoint.h5", "r+") as file:
            if name in datasets:
                file[name][...] = damaged_files.with_number(datasets[name], datasets[name].size // 2, 0.125)
            elif isinstance(attributes[name], str):
                file.attrs[name] = attributes[name].replace("e", "f").replace("0", "1")
                if file.attrs[name] == attributes[name]:
                    file.attrs[name] = '"other"'
            else:
                file.attrs.modify(name, attributes[name] + 1)
        with pytest.raises(el.IoError, match="cannot resume: .*checkpoint.h5"):
            el.run(tmp_path / "scene.toml", folder, resume=True)
    (folder / "checkpoint.h5").write_bytes(whole)
    assert el.run(tmp_path / "scene.toml", folder, resume=True).status == "done"
