"""A run of Electret as meshes with a Mesh Cache, coloured by charge."""

import json
import pathlib
import shutil
import subprocess

import bpy
import numpy as np
from bpy.app.handlers import persistent

FORMAT_VERSION = 1
ATTRIBUTE = "charge colour"


class ImportFailure(Exception):
    """What is wrong with what was chosen, for its user."""


def exported_folder(path, command):
    """The folder of point caches for what was chosen: one itself, or made of a run's folder by `electret export`."""
    folder = pathlib.Path(path)
    folder = folder if folder.is_dir() else folder.parent
    if not (folder / "trajectory.h5").exists():
        return folder
    program = shutil.which(command or "electret")
    if program is None:
        raise ImportFailure("the program electret is not found: name it in the add-on's preferences, or choose a folder "
                            "made by: electret export DIR --to pc2")
    out = folder.with_name(folder.name + "-blender")
    number = 1
    while out.exists():
        number += 1
        out = folder.with_name(f"{folder.name}-blender{number}")
    done = subprocess.run([program, "export", str(folder), "--to", "pc2", "-o", str(out)], capture_output=True, text=True)
    if done.returncode != 0:
        raise ImportFailure(done.stderr.strip() or "electret export failed")
    return out


def sidecars(folder):
    """The bodies of an export, by their JSON files."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            side = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue
        if isinstance(side, dict) and side.get("kind") == "electret export":
            found.append((path, side))
    if not found:
        raise ImportFailure(f"{folder} holds no export of Electret: choose a run, or what electret export --to pc2 made")
    for path, side in found:
        if side["format_version"] != FORMAT_VERSION:
            raise ImportFailure(f"{path.name} is of format {side['format_version']} (Electret {side['version']}); this add-on "
                                f"reads {FORMAT_VERSION}: take the add-on of that version")
        if side["format"] not in ("pc2", "mdd"):
            raise ImportFailure(f"{path.name} belongs to {side['format']} files; point caches are made by: electret export "
                                "DIR --to pc2")
    return found


def cache_points(path):
    """The number of points of a cache, and those of its first frame."""
    data = path.read_bytes() if path.stat().st_size < 1 << 20 else path.open("rb").read(1 << 20)
    if path.suffix == ".pc2":
        if data[:12] != b"POINTCACHE2\0":
            raise ImportFailure(f"{path.name} is no PC2 file")
        count, frames, head, kind = *np.frombuffer(data, "<i4", 1, 16), *np.frombuffer(data, "<i4", 1, 28), 32, "<f4"
    else:
        frames, count = np.frombuffer(data, ">i4", 2)
        head, kind = 8 + 4 * int(frames), ">f4"
    points = np.fromfile(path, kind, 3 * int(count), offset=head).reshape(-1, 3).astype("f4")
    if len(points) != count or path.stat().st_size != head + 12 * int(count) * int(frames):
        raise ImportFailure(f"{path.name} is cut off")
    return points


def imported(context, path, onto=None, command=""):
    """Brings in the bodies of a run as new objects, or, with the mesh object `onto`, the one body on it. Returns the
    objects. Raises ImportFailure, and changes nothing then."""
    found = sidecars(exported_folder(path, command))
    bodies = []
    for side_path, side in found:
        cache = side_path.with_suffix("." + side["format"])
        if not cache.exists():
            raise ImportFailure(f"{cache.name} is missing beside {side_path.name}")
        points = cache_points(cache)
        if len(points) != side["points"]:
            raise ImportFailure(f"{cache.name} has {len(points)} points, {side_path.name} says {side['points']}")
        bodies.append((side_path, side, cache, points))
    if onto is not None:
        bodies = [body_for(onto, bodies)]
    objects = []
    for side_path, side, cache, points in bodies:
        target = onto or new_object(context, side, points)
        add_cache(context, target, cache, side["format"])
        target.electret.run = str(side_path)
        add_colours(target, side)
        objects.append(target)
    context.scene.frame_end = max(context.scene.frame_end, context.scene.frame_start + len(bodies[0][1]["frames"]) - 1)
    colour_frame(context.scene)
    return objects


def body_for(onto, bodies):
    """The body that belongs to an object: the one of its name, or the only one."""
    named = [body for body in bodies if body[1]["body"] == onto.name] or (bodies if len(bodies) == 1 else [])
    if not named:
        raise ImportFailure(f'the run has no body called "{onto.name}": it has ' + ", ".join(body[1]["body"] for body in bodies))
    wanted, there = named[0][1]["points"], len(onto.data.vertices)
    if wanted != there:
        raise ImportFailure(f'"{onto.name}" has {there} vertices, the run\'s body "{named[0][1]["body"]}" has {wanted}: a cache '
                            "needs the mesh that was exported, unchanged")
    if not np.array_equal(np.array(onto.matrix_world), np.eye(4)):
        raise ImportFailure(f'"{onto.name}" is moved, turned or scaled, and the run is in world coordinates: apply its '
                            "transforms first (Ctrl+A)")
    return named[0]


def new_object(context, side, points):
    mesh = bpy.data.meshes.new(side["body"])
    edges = [] if side["faces"] else side["springs"]
    mesh.from_pydata(points.tolist(), edges, side["faces"])
    mesh.update()
    target = bpy.data.objects.new(side["body"], mesh)
    context.scene.collection.objects.link(target)
    if side["points"] == side["vertices"]:
        for name, members in side["groups"].items():
            target.vertex_groups.new(name=name).add(members, 1.0, "REPLACE")
    return target


def add_cache(context, target, cache, form):
    for old in [each for each in target.modifiers if each.type == "MESH_CACHE"]:
        target.modifiers.remove(old)
    modifier = target.modifiers.new("Electret", "MESH_CACHE")
    modifier.cache_format = form.upper()
    modifier.filepath = str(cache)
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.frame_start = context.scene.frame_start


def charges_at(side, frame):
    """Of the points at a frame of the export, C."""
    series = [values[min(frame, len(values) - 1)] for values in side["charge_series"]]
    charges = np.array(series)[side["charge_series_of_vertices"]]
    if "surface_corners" not in side:
        return charges
    corners, weights = np.array(side["surface_corners"]), np.array(side["surface_weights"])
    return np.where(corners >= 0, charges[np.maximum(corners, 0)] * weights, 0.0).sum(1)


def colours(side, frame):
    """Red where positive, blue where negative, white without charge, on one scale for all frames; RGBA."""
    most = max((abs(value) for values in side["charge_series"] for value in values), default=0.0)
    part = charges_at(side, frame) / most if most > 0 else np.zeros(side["points"])
    fade = 1.0 - np.abs(part)
    return np.stack([np.where(part > 0, 1.0, fade), fade, np.where(part < 0, 1.0, fade), np.ones_like(fade)], 1).astype("f4")


def add_colours(target, side):
    old = target.data.color_attributes.get(ATTRIBUTE)
    if old is not None:
        target.data.color_attributes.remove(old)
    target.data.color_attributes.new(ATTRIBUTE, "FLOAT_COLOR", "POINT")
    show_colours(target, side, 0)


def show_colours(target, side, frame):
    attribute = target.data.color_attributes.get(ATTRIBUTE)
    if attribute is not None and len(attribute.data) == side["points"]:
        attribute.data.foreach_set("color", colours(side, frame).ravel())
        target.data.update()


_read = {}


@persistent
def colour_frame(scene, _graph=None):
    """Charges that change colour their vertices anew at each frame."""
    for target in scene.objects:
        path = getattr(target, "electret", None) and target.electret.run
        if not path or target.type != "MESH":
            continue
        if path not in _read:
            try:
                _read[path] = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                _read[path] = None
        side = _read[path]
        if side is not None and any(len(values) > 1 for values in side["charge_series"]):
            show_colours(target, side, min(max(scene.frame_current - scene.frame_start, 0), len(side["frames"]) - 1))


def watch_frames():
    bpy.app.handlers.frame_change_post.append(colour_frame)


def forget_frames():
    _read.clear()
    if colour_frame in bpy.app.handlers.frame_change_post:
        bpy.app.handlers.frame_change_post.remove(colour_frame)
