"""Meshes with vertex groups, attributes and charges as a scene file of Electret, with a PLY file for each mesh."""

import json
import pathlib
import re

import numpy as np

MICRO = 1e-6


class ExportError(Exception):
    """What is wrong with a scene, for its maker."""


def exported(context, path):
    """Writes the scene at `path` of the selected meshes, of all visible ones where none is selected; its meshes lie
    beside it. Returns the names of the bodies. Raises ExportError."""
    meshes = [each for each in context.selected_objects if each.type == "MESH"]
    meshes = meshes or [each for each in context.visible_objects if each.type == "MESH"]
    if not meshes:
        raise ExportError("there is no mesh to export; select one")
    path = pathlib.Path(path)
    scene = context.scene
    files, text = {}, scene_text(scene, path.stem)
    for number, each in enumerate(meshes):
        body = Body(each, scene)
        name = f"{path.stem}_{number}_{re.sub(r'[^A-Za-z0-9_-]', '_', each.name)}.ply"
        files[path.with_name(name)] = body.ply()
        text += body.text(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    for target, data in files.items():
        target.write_bytes(data)
    path.write_text(text, encoding="utf-8")
    return [each.name for each in meshes]


def quoted(text):
    """As TOML takes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def seconds_a_frame(scene):
    return scene.render.fps_base / scene.render.fps


def scene_text(scene, name):
    frames = scene.frame_end - scene.frame_start
    if frames < 1:
        raise ExportError("the scene has a single frame; the first and the last frame set the duration")
    substeps = scene.electret.substeps
    text = f"""# Frame {scene.frame_start} of Blender is time 0. The run stores {1 / seconds_a_frame(scene):.6g} frames per second, as Blender's scene has.
[scene]
name = {quoted(name)}

[time]
step = {seconds_a_frame(scene) / substeps!r}
steps = {frames * substeps}

[output]
every = {substeps}
"""
    if scene.electret.coulomb:
        text += "\n[coulomb]\n"
    if scene.use_gravity:
        text += f"\n[gravity]\nacceleration = {[round(float(g), 6) for g in scene.gravity]}\n"
    if scene.electret.drag > 0:
        text += f"\n[damping]\ndrag = {number(scene.electret.drag)}\n"
    return text


def number(value):
    """A float32 of Blender's as the few digits that a user typed."""
    return repr(float(np.format_float_positional(np.float32(value), unique=True)))


def charge(value):
    """C, of µC."""
    return repr(float(f"{number(value)}e-6") if "e" not in number(value) else float(number(value)) * MICRO)


class Body:
    """One object."""

    def __init__(self, each, scene):
        self.object, self.scene, self.settings = each, scene, each.electret
        self.mesh = each.data
        if not self.mesh.vertices:
            raise ExportError(f'"{each.name}" has no vertices')
        for entry in self.settings.groups:
            if entry.group not in each.vertex_groups:
                raise ExportError(f'"{each.name}" has no vertex group "{entry.group}"')

    def points(self):
        """In the world, n×3."""
        local = np.empty(3 * len(self.mesh.vertices), "f4")
        self.mesh.vertices.foreach_get("co", local)
        local = local.reshape(-1, 3)
        matrix = np.array(self.object.matrix_world, float)
        if np.array_equal(matrix, np.eye(4)):
            return local
        return local @ matrix[:3, :3].T + matrix[:3, 3]

    def group_columns(self):
        """For each vertex group a name that PLY takes, and its members as 0 and 1."""
        columns = {}
        for group in self.object.vertex_groups:
            columns[group.name] = (f"group_{group.index}", np.zeros(len(self.mesh.vertices), "u1"))
        names = {group.index: group.name for group in self.object.vertex_groups}
        for vertex in self.mesh.vertices:
            for entry in vertex.groups:
                if entry.weight > 0 and entry.group in names:
                    columns[names[entry.group]][1][vertex.index] = 1
        return {name: column for name, column in columns.items() if column[1].any()}

    def attribute_columns(self):
        """Numbers of the vertices: `charge` (C), `mass` (kg) and `velocity` (m/s) are read by Electret."""
        columns, count = {}, len(self.mesh.vertices)
        for each in self.mesh.attributes:
            if each.domain != "POINT" or each.name.startswith(".") or each.name == "position":
                continue
            if each.data_type in ("FLOAT", "INT") and re.fullmatch(r"[A-Za-z_]\w*", each.name) and each.name not in "xyz":
                values = np.empty(count, "f4" if each.data_type == "FLOAT" else "i4")
                each.data.foreach_get("value", values)
                columns[each.name] = values
            elif each.data_type == "FLOAT_VECTOR" and each.name == "velocity":
                values = np.empty(3 * count, "f4")
                each.data.foreach_get("vector", values)
                columns.update(zip(("vx", "vy", "vz"), values.reshape(-1, 3).T))
        return columns

    def ply(self):
        points = self.points()
        columns = dict(zip("xyz", points.T))
        columns.update(self.attribute_columns())
        columns.update(self.group_columns().values())
        kinds = {"f4": "float", "f8": "double", "i4": "int", "u1": "uchar"}
        rows = np.empty(len(points), [(name, values.dtype.newbyteorder("<")) for name, values in columns.items()])
        for name, values in columns.items():
            rows[name] = values
        loose = [edge.vertices[:] for edge in self.mesh.edges if edge.is_loose] if self.mesh.polygons else \
                [edge.vertices[:] for edge in self.mesh.edges]
        head = "ply\nformat binary_little_endian 1.0\n" + f"element vertex {len(rows)}\n"
        head += "".join(f"property {kinds[values.dtype.str[1:]]} {name}\n" for name, values in columns.items())
        head += f"element face {len(self.mesh.polygons)}\nproperty list int int vertex_indices\n" if self.mesh.polygons else ""
        head += f"element edge {len(loose)}\nproperty int vertex1\nproperty int vertex2\n" if loose else ""
        faces = b"".join(np.array([len(face.vertices), *face.vertices], "<i4").tobytes() for face in self.mesh.polygons)
        return (head + "end_header\n").encode() + rows.tobytes() + faces + np.array(loose, "<i4").tobytes()

    def text(self, file):
        text = f"\n[[body]]\nname = {quoted(self.object.name)}\nmesh = {quoted(file)}\n"
        attributes = self.attribute_columns()
        if "mass" not in attributes:
            text += f"mass = {number(self.settings.mass)}\n"
        if "charge" not in attributes:
            text += f"charge = {charge(self.settings.charge)}\n"
        for each in self.settings.springs:
            text += f'\n  [[body.springs]]\n  from = "{each.source}"\n  stiffness = {number(each.stiffness)}\n'
            if each.source == "nearest":
                text += f"  neighbours = {each.neighbours}\n"
        members = self.group_columns()
        for name, (column, _) in members.items():
            text += f'\n  [[body.group]]\n  name = {quoted(name)}\n  attribute = "{column}"\n'
        for index, entry in enumerate(self.settings.groups):
            if entry.group not in members:
                raise ExportError(f'the vertex group "{entry.group}" of "{self.object.name}" has no vertices')
            text += f"\n  [[body.group_charge]]\n  group = {quoted(entry.group)}\n{self.charge_text(index, entry)}"
            if entry.pinned:
                text += f"\n  [[body.pin]]\n  group = {quoted(entry.group)}\n"
        return text

    def charge_text(self, index, entry):
        """A value, or key-frames: those of the curve where they are all linear or all steps, else each frame's."""
        curve = self.curve(index)
        if curve is None or not curve.keyframe_points:
            return f"  value = {charge(entry.charge)}\n"
        start, end = self.scene.frame_start, self.scene.frame_end
        kinds = {point.interpolation for point in curve.keyframe_points}
        if len(curve.keyframe_points) == 1 or (kinds <= {"LINEAR", "CONSTANT"} and len(kinds) == 1 and not curve.modifiers
                                               and curve.extrapolation == "CONSTANT"):
            frames = [point.co[0] for point in curve.keyframe_points]
            values = [point.co[1] for point in curve.keyframe_points]
        else:
            frames = list(range(start, end + 1))
            values = [curve.evaluate(frame) for frame in frames]
        interpolation = "step" if kinds == {"CONSTANT"} else "linear"
        if len(values) == 1:
            return f"  value = {charge(values[0])}\n"
        times = ", ".join(repr((frame - start) * seconds_a_frame(self.scene)) for frame in frames)
        return (f"  times = [{times}]\n  values = [{', '.join(map(charge, values))}]\n"
                f'  interpolation = "{interpolation}"\n')

    def curve(self, index):
        animation = self.object.animation_data
        if animation is None or animation.action is None:
            return None
        return animation.action.fcurves.find(f"electret.groups[{index}].charge")
