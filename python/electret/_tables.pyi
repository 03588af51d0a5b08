"""Keyword signatures of a scene's tables, made from its schema by tools/scene_tables.py."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from ._mesh import Mesh
from ._scene import Body

class SceneTables:
    def _add(self, name: str, keys: Mapping[str, Any]) -> int: ...
    def _body(self, number: int) -> Body: ...
    def body(self, *,
        name: str = ...,
        mesh: str | PathLike[str] | Mesh = ...,
        generate: Mapping[str, Any] = ...,
        scale: float = ...,
        rotate: ArrayLike = ...,  # degrees
        translate: ArrayLike = ...,  # m
        velocity: ArrayLike = ...,  # m/s
        velocities: ArrayLike | PathLike[str] = ...,  # m/s
        initial_positions: ArrayLike | PathLike[str] = ...,  # m
        mass: float = ...,  # kg
        total_mass: float = ...,  # kg
        masses: ArrayLike | PathLike[str] = ...,  # kg
        charge: float = ...,  # C
        total_charge: float = ...,  # C
        charges: ArrayLike | PathLike[str] = ...,  # C
        density: float = ...,  # kg/m³
    ) -> Body: ...
    def external_charge(self, *,
        charge: float = ...,  # C
        position: ArrayLike = ...,  # m
        times: ArrayLike = ...,  # s
        charges: ArrayLike = ...,  # C
        positions: ArrayLike = ...,  # m
        interpolation: str = ...,
        mesh: str | PathLike[str] | Mesh = ...,
        width: float = ...,  # m
    ) -> None: ...
    def electric_field(self, *,
        expression: Sequence[str] = ...,  # N/C
        constants: Mapping[str, float] = ...,
        function: Callable[[Any, float], Any] = ...,  # e(x, t) -> (n, 3), N/C
        vjp: Callable[[Any, float, Any], Any] | None = ...,  # (x, t, z) -> (n, 3)
    ) -> None: ...
    def grab(self, *,
        body: str,
        vertices: ArrayLike,
        weights: ArrayLike = ...,
        stiffness: float,  # N/m
        damping: float = ...,  # N s/m
        times: ArrayLike,  # s
        targets: ArrayLike,  # m
        interpolation: str = ...,
        until: float = ...,  # s
    ) -> None: ...
    def hydrodynamics(self, *,
        density: float = ...,  # kg/m³
        velocity: ArrayLike = ...,  # m/s
        drag: ArrayLike = ...,
        thrust: ArrayLike = ...,
        max_force: float = ...,  # N
        bodies: Sequence[str] = ...,
    ) -> None: ...
    def ball_contact(self, *,
        bodies: Sequence[str],
        radius: float,  # m
        stiffnesses: ArrayLike,  # N/m
        frictions: ArrayLike = ...,
    ) -> None: ...
    def obstacle(self, *,
        name: str,
        shape: str,
        point: ArrayLike = ...,  # m
        normal: ArrayLike = ...,
        centre: ArrayLike = ...,  # m
        size: ArrayLike = ...,  # m
        axis: ArrayLike = ...,
        radius: float = ...,  # m
        length: float = ...,  # m
        towards: ArrayLike = ...,
        angle: float = ...,  # degrees
        mesh: str | PathLike[str] | Mesh = ...,
        scale: float = ...,
        rotate: ArrayLike = ...,  # degrees
        translate: ArrayLike = ...,  # m
        inside: bool = ...,
        times: ArrayLike = ...,  # s
        offsets: ArrayLike = ...,  # m
        rotations: ArrayLike = ...,  # degrees
        interpolation: str = ...,
        law: str = ...,
        stiffness: float = ...,  # N/m^(exponent - 1)
        exponent: float = ...,
        friction: float | str = ...,
        friction_stiffness: float = ...,  # N s/m
    ) -> None: ...
    def camera(self, *,
        name: str,
        position: ArrayLike,  # m
        towards: ArrayLike,
        up: ArrayLike = ...,
        focal_length: float,  # px
        rotate: ArrayLike = ...,  # degrees
        translate: ArrayLike = ...,  # m
        zoom: float = ...,
    ) -> None: ...
    def change(self, *,
        step: int,
        unset: Sequence[str] = ...,
        set: Sequence[str] = ...,
    ) -> None: ...

class BodyTables:
    def _add(self, name: str, keys: Mapping[str, Any]) -> int: ...
    def springs(self, from_: str = "edges", *,
        stiffness: float = ...,  # N/m
        modulus: float = ...,  # N
        stiffnesses: ArrayLike | PathLike[str] = ...,  # N/m
        rest_length_scale: float = ...,
        rest_lengths: ArrayLike | PathLike[str] = ...,  # m
        neighbours: int = ...,
        pairs: ArrayLike = ...,
    ) -> None: ...
    def group(self, *,
        name: str,
        box: ArrayLike = ...,  # m
        indices: ArrayLike = ...,
        attribute: str = ...,
    ) -> None: ...
    def group_charge(self, *,
        group: str,
        value: float = ...,  # C
        times: ArrayLike = ...,  # s
        values: ArrayLike = ...,  # C
        interpolation: str = ...,
    ) -> None: ...
    def pin(self, *,
        group: str,
        normal: ArrayLike = ...,
        axis: ArrayLike = ...,
        times: ArrayLike = ...,  # s
        offsets: ArrayLike = ...,  # m
        interpolation: str = ...,
    ) -> None: ...
    def contact(self, *,
        group: str,
    ) -> None: ...
    def load(self, *,
        group: str = ...,
        force: ArrayLike = ...,  # N
        forces: ArrayLike | PathLike[str] = ...,  # N
        times: ArrayLike = ...,  # s
        values: ArrayLike = ...,
        interpolation: str = ...,
    ) -> None: ...
    def material(self, *,
        model: str,
        youngs_modulus: float,  # Pa
        poissons_ratio: float,
        group: str = ...,
    ) -> None: ...
    def element_group(self, *,
        name: str,
        box: ArrayLike = ...,  # m
        indices: ArrayLike = ...,
        attribute: str = ...,
    ) -> None: ...
    def muscle(self, *,
        group: str = ...,
        fibre: ArrayLike | Mapping[str, ArrayLike] = ...,
        fibres: ArrayLike | PathLike[str] = ...,
        stiffness: float,  # Pa
        activation: float = ...,
        activations: ArrayLike | PathLike[str] = ...,
        expression: str = ...,
        constants: Mapping[str, float] = ...,
        times: ArrayLike = ...,  # s
        values: ArrayLike = ...,
        interpolation: str = ...,
    ) -> None: ...
