"""Changes that make an HDF5 file of a run wrong: its structure first, then numbers that lead elsewhere."""

import h5py
import numpy as np

HUGE = 2**30


def replaced(name, values, **options):
    def change(file):
        del file[name]
        file.create_dataset(name, data=values, **options)
    return change


def declared(name, shape, dtype, **options):
    """Numbers that are declared and not there."""
    def change(file):
        del file[name]
        file.create_dataset(name, shape=shape, dtype=dtype, **options)
    return change


def removed(name):
    def change(file):
        del file[name]
    return change


def emptied(name):
    def change(file):
        del file[name]
        file.create_group(name)
    return change


def other_types(values):
    if values.dtype == object:
        return {"numbers": np.zeros(values.shape), "compound": np.zeros(values.shape, [("a", "i4"), ("b", "f8")])}
    kind = values.dtype.kind
    types = {"of another kind": "f8" if kind == "i" else "i4", "of another width": {"i4": "i8", "i8": "i4", "f8": "f4", "f4": "f2"}[values.dtype.str[1:]],
             "unsigned": "u4", "complex": "c16", "in pairs": "(2,)f8", "compound": [("a", "i4"), ("b", "f8")]}
    return {what: np.zeros(values.shape, dtype) if what in ("in pairs", "compound") else np.nan_to_num(values).astype(dtype)
            for what, dtype in types.items()} | {"text": np.full(values.shape, "text", dtype=h5py.string_dtype())}


def of_dataset(name, values):
    """What can be wrong with one dataset: {what: change}."""
    columns = values.shape[1:]
    changes = {
        "removed": removed(name), "a group": emptied(name), "a scalar": replaced(name, values.flat[0] if values.size else 0.0),
        "null": replaced(name, h5py.Empty("f8")), "of higher rank": replaced(name, values[..., None]),
        "one row longer": replaced(name, np.concatenate([values, values[-1:]]) if len(values) else np.zeros((1, *columns), values.dtype)),
        "huge": declared(name, (HUGE, *columns), values.dtype if values.dtype != object else h5py.string_dtype()),
        "huge and in chunks": declared(name, (HUGE, *columns), values.dtype if values.dtype != object else h5py.string_dtype(), chunks=(1, *columns)),
    }
    if len(values):
        changes |= {"one row shorter": replaced(name, values[:-1]), "empty": replaced(name, values[:0])}
    if columns:
        changes |= {"flat": replaced(name, values.reshape(-1)), "too narrow": replaced(name, values[..., :-1]),
                    "too wide": replaced(name, np.concatenate([values, values[..., :1]], axis=-1))}
    for what, other in other_types(values).items():
        changes[what] = replaced(name, other)
    return changes


def with_number(values, place, number):
    changed = values.copy()
    changed.flat[place] = number
    return changed


def of_indices(name, values):
    """Numbers of rows that are not there."""
    if values.dtype.kind != "i" or values.size == 0:
        return {}
    last = values.size - 1
    return {f"number {number} at {place}": replaced(name, with_number(values, place, number))
            for place in {0, last // 2, last} for number in (-2**31, -2, -1, 10**6, 2**31 - 1)}


def of_attribute(name, value):
    def changed(new):
        def change(file):
            del file.attrs[name]
            if new is not None:
                file.attrs[name] = new
        return change
    is_text = isinstance(value, str)
    return {"removed": changed(None), "1000 of them": changed([value] * 1000), "null": changed(h5py.Empty("f8")),
            "of another kind": changed(1.0 if is_text or isinstance(value, np.integer) else 1),
            "narrower": changed(np.float32(1) if not isinstance(value, np.integer) else np.int32(value)),
            "text or number": changed(7 if is_text else "text"), "a text of fixed length": changed(np.bytes_(b"text")),
            "a compound": changed(np.zeros((), [("a", "i4"), ("b", "f8")]))}


def contents(path):
    """The values of all datasets and attributes."""
    datasets = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: datasets.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        return datasets, dict(file.attrs)


def damages(path):
    """(what is changed, how, the change) for every dataset and every attribute of the file."""
    datasets, attributes = contents(path)
    for name, values in datasets.items():
        for how, change in (of_dataset(name, values) | of_indices(name, values)).items():
            yield name, how, change
    for name, value in attributes.items():
        for how, change in of_attribute(name, value).items():
            yield "attribute " + name, how, change


# What a run may lack, and what may be of any length.
OPTIONAL = ("faces", "tetrahedra", "hexahedra", "velocities", "body_names", "attribute overrides", "groups/", "element_groups/")
CONTACT_FAULTS = ("removed", "a group", "a scalar", "null", "of higher rank", "of another kind", "of another width", "too narrow", "too wide", "flat", "text")
FRAMES = ("time", "positions", "velocities", "charges")


def is_sound(name, how, is_key_framed):
    """Whether a trajectory is still one after the change; None if the other arrays decide."""
    grows = name in FRAMES[:3] or (name == "charges" and is_key_framed)
    if grows and (how in ("one row longer", "one row shorter") or (how.startswith("huge") and name != "time")):
        return True  # The shortest counts.
    if name.startswith("contact/"):
        return False if how in CONTACT_FAULTS else None  # Rows are read frame by frame, and the shortest counts.
    if name in ("pins", "pin_reactions"):
        return None  # Their number must be the same, but either may be absent.
    if name in ("tetrahedra", "hexahedra") and how in ("removed", "empty", "one row longer", "one row shorter"):
        return None  # Element groups count through both.
    if name == "surface_corners" and "number -1" in how:
        return None  # No corner, if it is not the first one.
    if how == "removed" and (name.startswith(OPTIONAL) or name == "surface_faces"):
        return name != "body_names"
    if how in ("one row longer", "one row shorter", "empty"):
        return name in ("faces", "surface_faces", "tetrahedra", "hexahedra") or name.startswith(("groups/", "element_groups/"))
    return how == "of another width" and name in ("positions", "velocities")


# Every kind of array: springs, both kinds of elements, muscles, charges, contacts, a carried surface, groups of vertices and elements.
SCENE = """
[time]
step = 0.001
steps = 4

[coulomb]

[[body]]
name = "ball"
generate = { shape = "sphere", vertices = 30 }
mass = 0.1
charge = 1e-9

  [[body.springs]]
  stiffness = 5.0

  [[body.group]]
  name = "ends"
  indices = [0, 5, 29]
CHARGES
[[body]]
name = "muscle"
generate = { shape = "box", cells = [2, 1, 2], cell_size = 0.1, element = "hex" }
translate = [3.0, 0.0, 0.0]
density = 1000.0

  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 5e4
  poissons_ratio = 0.4

  [[body.element_group]]
  name = "inner"
  indices = [0, 1]

  [[body.muscle]]
  group = "inner"
  fibre = [0.0, 0.0, 1.0]
  stiffness = 1e4
  times = [0.0, 1.0]
  values = [1.0, 0.9]

[[body]]
name = "tets"
generate = { shape = "box", cells = [1, 1, 1], cell_size = 0.1, element = "tet" }
translate = [6.0, 0.0, 0.0]
density = 1000.0

  [[body.material]]
  model = "corotated"
  youngs_modulus = 5e4
  poissons_ratio = 0.3

  [[body.element_group]]
  name = "half"
  indices = [0, 2]

[[body]]
name = "filled"
generate = { shape = "voxels", surface = "cube.obj", cell_size = 0.5 }
translate = [9.0, 0.0, 0.0]
density = 1000.0

  [[body.material]]
  model = "corotated"
  youngs_modulus = 5e4
  poissons_ratio = 0.3

[gravity]
acceleration = [0.0, 0.0, -9.81]

[[obstacle]]
name = "floor"
shape = "plane"
point = [0.0, 0.0, -0.05]
normal = [0.0, 0.0, 1.0]
friction = 0.5

[contact]
bodies = ["tets"]
"""

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"

KEY_FRAMES = """
  [[body.group_charge]]
  group = "ends"
  times = [0.0, 1.0]
  values = [1e-9, 2e-9]

"""


def write_scene(folder, is_key_framed):
    """scene.toml and its mesh."""
    (folder / "cube.obj").write_text(CUBE)
    (folder / "scene.toml").write_text(SCENE.replace("CHARGES", KEY_FRAMES if is_key_framed else ""))
