"""Methods that add a scene's tables. Their keywords are the keys of docs/scene-format.md.

tools/scene_tables.py lists them in `_tables.pyi`, from the library's own schema.
"""

from __future__ import annotations


class SceneTables:
    """Adds tables of which a scene may have several. Arguments are copied at once, and checked when the scene is used."""

    def _add(self, name, keys):
        raise NotImplementedError

    def _body(self, number):
        raise NotImplementedError

    def body(self, **keys):
        """Adds a `[[body]]`: name, mesh (a path or a `Mesh`) or generate, mass (kg), charge (C), …

        Returns
        -------
        Body
            Its methods add the body's own tables.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="ball", generate={"shape": "sphere", "vertices": 32}, mass=1.0)
        <electret.Body: ball>
        """
        return self._body(self._add("body", keys))

    def external_charge(self, **keys):
        """Adds an `[[external_charge]]`: charge (C), position (3,) m, width (m), or key-frames.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().external_charge(charge=-4e-6, position=(0, 0, 2))
        """
        self._add("external_charge", keys)

    def electric_field(self, **keys):
        """Adds an `[[electric_field]]`: three expressions in x, y, z (m) and t (s), in N/C, and named constants.

        A Python function may replace them: `function=e(x, t)`. It is called once per force evaluation with a new (n, 3)
        array in m and the time in s, and returns an (n, 3) array in N/C. `vjp=(x, t, z)` returns (∂e_i/∂x_i)ᵀ z_i, (n, 3);
        without it, gradients raise GradientError before the run. A scene with a function cannot be saved. Exceptions of the
        functions arrive unchanged.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().electric_field(expression=("-a*y", "a*x", "0"), constants={"a": 2.0})
        >>> Scene().electric_field(function=lambda x, t: -2.0 * x, vjp=lambda x, t, z: -2.0 * z)
        """
        self._add("electric_field", keys)

    def grab(self, **keys):
        """Adds a `[[grab]]`: a spring and a damper that pull some vertices of a body to a point that may move, as a hand does.

        `body` is its name, `vertices` its vertices, `weights` one each, whose sum is 1; stiffness in N/m, damping in N s/m; `times` (s)
        with `targets` (m), and `until` (s). Errors in it raise InputError when the scene is used.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().grab(body="b", vertices=[0, 1], stiffness=20.0, damping=1.0, times=[0, 1], targets=[(0, 0, 1), (0, 0, 2)])
        """
        self._add("grab", keys)

    def hydrodynamics(self, **keys):
        """Adds a `[[hydrodynamics]]`: water of a density (kg/m³) and velocity (m/s) that drags and pushes the faces of `bodies`.

        `drag` and `thrust` are four ordinates each, `max_force` bounds each component of a vertex's force (N).
        Errors in it raise InputError when the scene is used.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().hydrodynamics(density=1000.0, velocity=(0.1, 0, 0))
        """
        self._add("hydrodynamics", keys)

    def ball_contact(self, **keys):
        """Adds a `[[ball_contact]]`: balls that push each other where they touch, and rub on each other ([DiffPD] section 7.5).

        `bodies` are their names, `radius` is theirs (m), `stiffnesses` (N/m) and `frictions` are one for each.
        Errors in it raise InputError when the scene is used.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().ball_contact(bodies=["left", "right"], radius=0.03, stiffnesses=[50.0, 50.0], frictions=[0.5, 0.5])
        """
        self._add("ball_contact", keys)

    def camera(self, **keys):
        """Adds a `[[camera]]`: a pinhole camera that filmed the bodies, for the loss `pixels`.

        It is at `position` (m), looks `towards` a direction with `up` above, and its picture is `focal_length` px from the pinhole.
        `rotate` (degrees), `translate` (m) and `zoom` correct what is known of it, and can be fitted.
        Errors in it raise InputError when the scene is used.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().camera(name="desk", position=(0.5, -0.6, 1.2), towards=(0, 1, -1), focal_length=1100.0)
        """
        self._add("camera", keys)

    def obstacle(self, **keys):
        """Adds an `[[obstacle]]`: name, shape with its keys (m), law, friction, key-frames. `contact={...}` of `Scene` is `[contact]`.

        Laws: "exact" (friction; the default), "penalty" (stiffness in N/m^(exponent - 1), exponent, friction_stiffness in N s/m).

        Shapes: "plane" (point, normal), "sphere" (centre, radius), "box" (centre, size), "cylinder" and "capsule" (centre, axis,
        radius, length), "trough" (centre, axis, towards, radius, length, angle in degrees), "mesh" (mesh). `times` with `offsets`
        (m) and `rotations` (degrees) move and turn it.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().obstacle(name="ground", shape="plane", point=(0, 0, 0), normal=(0, 0, 1))
        """
        self._add("obstacle", keys)

    def change(self, **keys):
        """Adds a `[[change]]`: the `step` before which keys change, what is `set` ("KEY=VALUE"), and what is `unset` (keys).

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().change(step=120, set=["time.step=0.01"])
        """
        self._add("change", keys)


class BodyTables:
    """Adds tables of which a body may have several."""

    def _add(self, name, keys):
        raise NotImplementedError

    def springs(self, from_="edges", **keys):
        """Adds `[[body.springs]]`. `from_` is its key `from`; the stiffness is in N/m.

        Errors in it raise InputError when the scene is used.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").springs("nearest", neighbours=6, stiffness=3.0)
        """
        self._add("springs", {"from": from_, **keys})

    def group(self, **keys):
        """Adds `[[body.group]]`: name, and box (2, 3) m, indices or attribute.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").group(name="left", indices=[0, 1])
        """
        self._add("group", keys)

    def pin(self, **keys):
        """Adds `[[body.pin]]`: group, and key-frames of offsets (m).

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").pin(group="left")
        """
        self._add("pin", keys)

    def contact(self, **keys):
        """Adds `[[body.contact]]`: group, whose vertices may touch obstacles with the law `exact`.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").contact(group="feet")
        """
        self._add("contact", keys)

    def group_charge(self, **keys):
        """Adds `[[body.group_charge]]`: group, and value (C) or key-frames.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").group_charge(group="left", value=3e-6)
        """
        self._add("group_charge", keys)

    def load(self, **keys):
        """Adds `[[body.load]]`: group and force, or forces (N), and key-frames of a factor.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").load(group="left", force=(0, 0, 1))
        """
        self._add("load", keys)

    def material(self, **keys):
        """Adds `[[body.material]]`: model, youngs_modulus (Pa), poissons_ratio.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").material(model="corotated", youngs_modulus=1e5, poissons_ratio=0.3)
        """
        self._add("material", keys)

    def element_group(self, **keys):
        """Adds `[[body.element_group]]`: name, and box (2, 3) m, indices or attribute.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").element_group(name="belly", indices=[0])
        """
        self._add("element_group", keys)

    def muscle(self, **keys):
        """Adds `[[body.muscle]]`: group, fibre (3,), stiffness (Pa), activation or key-frames.

        Examples
        --------
        >>> from electret import Scene
        >>> Scene().body(name="b").muscle(fibre=(1, 0, 0), stiffness=1e5, activation=0.8)
        """
        self._add("muscle", keys)
