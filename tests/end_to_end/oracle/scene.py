"""Reads a scene file into the arrays that the physics needs. Checks only what a wrong answer could hide behind."""
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .expressions import ElectricField
from .grabs import Grab
from .keyframes import KeyFrames
from .obstacles import Obstacle, rotation
from .meshes import Mesh, read_mesh
from .springs import spring_pairs

COULOMB_CONSTANT = 8.9875517923e9  # N m²/C²


@dataclass
class ExternalCharge:
    charge: KeyFrames  # C, in total
    position: KeyFrames  # m, added to `points`
    points: np.ndarray  # (p, 3), m: one row of zeros unless a mesh is given
    width: float  # m, 0 for points

    def places(self, t):
        """Where the (p, 3) charges are at time t, and the charge of each of them."""
        return self.points + self.position(t), self.charge(t) / len(self.points)


@dataclass
class Scene:
    name: str
    step: float  # s
    steps: int
    every: int
    method: str
    masses: np.ndarray  # (n,), kg
    rest_positions: np.ndarray  # (n, 3), m, the meshes as placed
    positions: np.ndarray  # (n, 3), m, at t = 0
    velocities: np.ndarray  # (n, 3), m/s, at t = 0, before pins
    body_charges: np.ndarray  # (n,), C, before group charges
    group_charges: list  # (vertex indices, KeyFrames), later entries win
    springs: np.ndarray  # (s, 2)
    stiffness: np.ndarray  # (s,), N/m
    rest_length: np.ndarray  # (s,), m
    pins: list  # (vertex indices, KeyFrames of the offset or None)
    body_offsets: np.ndarray  # (bodies + 1,)
    coulomb: bool = False
    constant: float = COULOMB_CONSTANT
    softening: float = 0.0  # m
    gravity: np.ndarray = field(default_factory=lambda: np.zeros(3))  # m/s²
    drag: float = 0.0  # 1/s
    spring_damping: float = 0.0  # N s/m
    external_charges: list = field(default_factory=list)
    electric_fields: list = field(default_factory=list)
    obstacles: list = field(default_factory=list)  # Obstacle
    grabs: list = field(default_factory=list)  # Grab
    loads: list = field(default_factory=list)  # (vertex indices, forces (3,) or (k, 3) in N, KeyFrames of the factor)
    changes: list = field(default_factory=list)  # (step, the Scene from this step on), in the order written
    origin: tuple = (0, 0.0)  # a step and its time, s: those of the last change of the time step

    def time(self, n):
        """t_n, s."""
        step, time = self.origin
        return time + (n - step) * self.step

    def load(self, t):
        """Force of the loads on every vertex at time t, N: (n, 3)."""
        total = np.zeros((len(self.masses), 3))
        for members, force, factor in self.loads:
            total[members] += factor(t) * force
        return total

    def charges(self, t):
        """Charge of every vertex at time t, C: (n,)."""
        charges = self.body_charges.copy()
        for members, value in self.group_charges:
            charges[members] = value(t)
        return charges

    @property
    def charges_move(self):
        return any(value.moves for _, value in self.group_charges)


def load_scene(path, trajectory=None):
    """The scene at `path`. Bodies with `generate` take vertices and springs from an open h5py file `trajectory`."""
    path = Path(path)
    with open(path, "rb") as file:
        table = tomllib.load(file)
    scene = _scene(table, path.parent, trajectory)
    for change in table.get("change", []):
        _change(table, change)
        scene.changes.append((change["step"], _scene(table, path.parent, trajectory)))
    return scene


def _change(table, change):
    """Makes a `[[change]]` in the scene's table: keys are removed first, then set."""
    for key in change.get("unset", []):
        place, last = _place_of(table, key)
        del place[last]
    for setting in change.get("set", []):
        key, value = setting.split("=", 1)
        place, last = _place_of(table, key)
        place[last] = tomllib.loads(f"value = {value}")["value"]


def _place_of(table, key):
    """The table or list that holds the key's last part, and this part."""
    *parts, last = [int(part) if part.isdigit() else part for part in key.split(".")]
    for part in parts:
        table = table[part] if isinstance(part, int) else table.setdefault(part, {})
    return table, last


def _scene(table, folder, trajectory):
    time, output = table["time"], table.get("output", {})
    step = time["step"]
    steps = time["steps"] if "steps" in time else round(time["duration"] / step)
    bodies = []
    for index, body in enumerate(table["body"]):
        bodies.append(_Body(body, folder, step, _generated(trajectory, index) if "generate" in body else None))
    sizes = np.cumsum([0] + [body.n for body in bodies])
    shifted = list(zip(bodies, sizes))
    coulomb, damping = table.get("coulomb"), table.get("damping", {})
    first = {body.get("name", f"body{index}"): sizes[index] for index, body in enumerate(table["body"])}
    return Scene(
        name=table.get("scene", {}).get("name", ""), step=step, steps=steps, every=output.get("every", 1),
        method=table.get("integrator", {}).get("method", "imex"),
        masses=np.concatenate([body.masses for body in bodies]),
        rest_positions=np.concatenate([body.placed for body in bodies]),
        positions=np.concatenate([body.positions for body in bodies]),
        velocities=np.concatenate([body.velocities for body in bodies]),
        body_charges=np.concatenate([body.charges for body in bodies]),
        group_charges=[(group + o, value) for body, o in shifted for group, value in body.group_charges],
        springs=np.concatenate([body.springs + o for body, o in shifted]),
        stiffness=np.concatenate([body.stiffness for body in bodies]),
        rest_length=np.concatenate([body.rest_length for body in bodies]),
        pins=[(group + o, offset) for body, o in shifted for group, offset in body.pins],
        loads=[(group + o, force, factor) for body, o in shifted for group, force, factor in body.loads],
        body_offsets=sizes, coulomb=coulomb is not None,
        constant=(coulomb or {}).get("constant", COULOMB_CONSTANT), softening=(coulomb or {}).get("softening", 0.0),
        gravity=np.array(table.get("gravity", {}).get("acceleration", [0, 0, 0]), dtype=float),
        drag=damping.get("drag", 0.0), spring_damping=damping.get("spring", 0.0),
        external_charges=[_external(charge, folder, step) for charge in table.get("external_charge", [])],
        obstacles=[Obstacle(obstacle, step) for obstacle in table.get("obstacle", [])],
        grabs=[Grab(grab, first[grab["body"]], step) for grab in table.get("grab", [])],
        electric_fields=[ElectricField(e["expression"], e.get("constants")) for e in table.get("electric_field", [])],
    )  # fmt: skip


class _Body:
    """One `[[body]]`, its indices still local."""

    def __init__(self, table, folder, step, generated):
        self.table, self.folder = table, folder
        self.mesh = Mesh(generated["placed"]) if generated else read_mesh(folder / table["mesh"])
        self.placed = self.mesh.vertices if generated else self._place(self.mesh.vertices)
        self.n = len(self.placed)
        self.positions = self._per_vertex("initial_positions", 3, self.placed)
        self.masses = self._values("mass", "masses", 1.0)
        self.charges = self._values("charge", "charges", 0.0)
        self.velocities = self._velocities()
        if generated:
            self.springs, self.stiffness, self.rest_length = (generated[k] for k in ("springs", "k", "l"))
        else:
            self._join()
        self.groups = {group["name"]: self._members(group) for group in table.get("group", [])}
        self.group_charges = [
            (self.groups[entry["group"]], _keyed(entry, "value", "values", step))
            for entry in table.get("group_charge", [])
        ]
        self.pins = [
            (self.groups[pin["group"]], _keyed(pin, None, "offsets", step) if "offsets" in pin else None)
            for pin in table.get("pin", [])
        ]
        self.loads = [self._load(load, step) for load in table.get("load", [])]

    def _load(self, load, step):
        factor = _keyed(load, None, "values", step, default=1.0)
        if "forces" in load:
            return np.arange(self.n), _table(load["forces"], self.folder, 3), factor
        return self.groups[load["group"]], np.array(load["force"], dtype=float), factor

    def _place(self, vertices):
        placed = vertices * self.table.get("scale", 1.0)
        if np.any(self.table.get("rotate", [0, 0, 0])):
            placed = placed @ rotation(self.table["rotate"]).T
        return placed + np.array(self.table.get("translate", [0, 0, 0]), dtype=float)

    def _per_vertex(self, key, columns, default):
        return _table(self.table[key], self.folder, columns) if key in self.table else default.copy()

    def _values(self, one, each, default):
        if one in self.table:
            return np.full(self.n, float(self.table[one]))
        if f"total_{one}" in self.table:
            return np.full(self.n, self.table[f"total_{one}"] / self.n)
        if each in self.table:
            return _table(self.table[each], self.folder, 1)
        return self.mesh.properties.get(one, np.full(self.n, default)).astype(float)

    def _velocities(self):
        if "velocity" in self.table:
            return np.tile(np.array(self.table["velocity"], dtype=float), (self.n, 1))
        if "velocities" not in self.table and all(key in self.mesh.properties for key in ("vx", "vy", "vz")):
            return np.stack([self.mesh.properties[key] for key in ("vx", "vy", "vz")], axis=1)
        return self._per_vertex("velocities", 3, np.zeros((self.n, 3)))

    def _members(self, group):
        if "box" in group:
            low, high = np.array(group["box"], dtype=float)
            return np.flatnonzero(np.all((self.placed >= low) & (self.placed <= high), axis=1))
        return np.array(group["indices"] if "indices" in group else self.mesh.attribute(group["attribute"]), dtype=int)

    def _join(self):
        springs, stiffness, rest = [np.zeros((0, 2), dtype=int)], [np.zeros(0)], [np.zeros(0)]
        for table in self.table.get("springs", []):
            pairs = spring_pairs(table, self.mesh, self.placed)
            length = np.linalg.norm(self.placed[pairs[:, 0]] - self.placed[pairs[:, 1]], axis=1)
            length = length * table.get("rest_length_scale", 1.0)
            if "rest_lengths" in table:
                length = _table(table["rest_lengths"], self.folder, 1)
            if "stiffnesses" in table:
                k = _table(table["stiffnesses"], self.folder, 1)
            else:
                k = table["modulus"] / length if "modulus" in table else np.full(len(pairs), float(table["stiffness"]))
            springs.append(pairs)
            stiffness.append(k)
            rest.append(length)
        self.springs, self.stiffness = np.concatenate(springs), np.concatenate(stiffness)
        self.rest_length = np.concatenate(rest)


def _table(value, folder, columns):
    """Per-vertex or per-spring numbers, inline or in a CSV file with a header line: (rows,) or (rows, columns)."""
    if isinstance(value, str):
        rows = [line.split(",") for line in (folder / value).read_text().splitlines()[1:] if line.strip()]
        value = [[float(cell) for cell in row] for row in rows]
    return np.array(value, dtype=float).reshape((-1,) if columns == 1 else (-1, columns))


def _keyed(table, one, many, step, default=None):
    if many in table:
        return KeyFrames(table["times"], table[many], table.get("interpolation", "linear"), step)
    return KeyFrames.constant(table.get(one, default))


def _external(table, folder, step):
    points = read_mesh(folder / table["mesh"]).vertices if "mesh" in table else np.zeros((1, 3))
    return ExternalCharge(
        charge=_keyed(table, "charge", "charges", step),
        position=_keyed(table, "position", "positions", step, default=[0.0, 0.0, 0.0]),
        points=points, width=table.get("width", 0.0),
    )  # fmt: skip


def _generated(trajectory, index):
    """Vertices as placed and springs of body `index`, from a run's trajectory.h5."""
    if trajectory is None:
        raise ValueError("a generated body needs the trajectory of a run")
    first, last = trajectory["body_offsets"][index], trajectory["body_offsets"][index + 1]
    springs = np.array(trajectory["springs"], dtype=int).reshape(-1, 2)
    own = np.all((springs >= first) & (springs < last), axis=1)
    return {
        "placed": np.array(trajectory["rest_positions"][first:last], dtype=float),
        "springs": springs[own] - first,
        "k": np.array(trajectory["spring_stiffness"], dtype=float)[own],
        "l": np.array(trajectory["spring_rest_length"], dtype=float)[own],
    }
