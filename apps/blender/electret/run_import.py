"""A run of Electret as meshes with a Mesh Cache, coloured by charge."""

import json
import math
import pathlib
import re
import shutil
import subprocess

import bpy
import numpy as np
from bpy.app.handlers import persistent

FORMAT_VERSION = 1
LARGEST_SCALE = 100.0  # Of Blender's Mesh Cache, frames of a cache in one frame of Blender.
LAST_FRAME = 1048574  # Of Blender.
ATTRIBUTE = "charge colour"


class ImportFailure(Exception):
    """What is wrong with what was chosen, for its user."""


def run_folder(path):
    """The folder of a run that was chosen, or None if what was chosen is an export."""
    folder = pathlib.Path(path)
    folder = folder if folder.is_dir() else folder.parent
    return folder if (folder / "trajectory.h5").exists() else None


def export(run, command, every=1):
    """The folder of the run's point caches, made by `electret export`, in place of an earlier one."""
    program = shutil.which(command or "electret")
    if program is None:
        raise ImportFailure("the program electret is not found: name it in the add-on's preferences, or choose a folder "
                            "made by: electret export DIR --to pc2")
    out = run.with_name(run.name + "-blender")
    done = subprocess.run([program, "export", str(run), "--to", "pc2", "-o", str(out), "--every", str(every), "--overwrite"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise ImportFailure(done.stderr.strip() or "electret export failed")
    return out


def exported(path, command, seconds):
    """The bodies of what was chosen, by their JSON files, and the number of their frames in `seconds` of the run."""
    run = run_folder(path)
    chosen = pathlib.Path(path)
    folder = export(run, command) if run else chosen if chosen.is_dir() else chosen.parent
    found = sidecars(folder)
    scale = frames_in(seconds, found)
    if scale > LARGEST_SCALE and run:
        found = sidecars(export(run, command, math.ceil(scale / LARGEST_SCALE)))
        scale = frames_in(seconds, found)
    if scale > LARGEST_SCALE:
        raise ImportFailure(f"{scale:.4g} frames of {folder} are one frame of Blender, which takes {LARGEST_SCALE:g} at most: give a "
                            "smaller speed, or export the run again with --every")
    return found, scale


def frames_in(seconds, found):
    times = found[0][1]["times"]
    return seconds / (times[1] - times[0]) if len(times) > 1 else 1.0


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


def cache_layout(path):
    """The number of points of a cache, where they begin, and their type. Raises ImportFailure if it is no whole cache."""
    with path.open("rb") as file:
        data = file.read(32)
    if path.suffix == ".pc2":
        if data[:12] != b"POINTCACHE2\0" or len(data) < 32:
            raise ImportFailure(f"{path.name} is no PC2 file")
        count, frames, head, kind = *np.frombuffer(data, "<i4", 1, 16), *np.frombuffer(data, "<i4", 1, 28), 32, "<f4"
    else:
        frames, count = np.frombuffer(data, ">i4", 2)
        head, kind = 8 + 4 * int(frames), ">f4"
    if path.stat().st_size != head + 12 * int(count) * int(frames):
        raise ImportFailure(f"{path.name} is cut off")
    return int(count), head, kind


def cache_points(path):
    """The points of a cache's first frame."""
    count, head, kind = cache_layout(path)
    return np.fromfile(path, kind, 3 * count, offset=head).reshape(-1, 3).astype("f4")


def imported(context, path, onto=None, command="", speed=1.0):
    """Brings in the bodies of a run as new objects, or, with the mesh object `onto`, the one body on it. At `speed` 1 they
    move in real time at the scene's frame rate, at 0.25 four times slower. Returns the objects. Raises ImportFailure, and
    changes nothing then."""
    scene = context.scene
    found, scale = exported(path, command, speed * scene.render.fps_base / scene.render.fps)
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
        side_path, side, cache, points = body_for(onto, bodies)
        bodies = [(side_path, side, cache_of_object(context, onto, cache), points)]
    objects = []
    for side_path, side, cache, points in bodies:
        target = onto or new_object(context, side, points)
        add_cache(context, target, cache, side["format"], scale)
        target.electret.run = str(side_path)
        add_colours(target, side)
        objects.append(target)
    length = math.ceil((len(bodies[0][1]["frames"]) - 1) / scale - 1e-6)
    scene.frame_end = min(max(scene.frame_end, scene.frame_start + length), LAST_FRAME)
    colour_frame(scene)
    return objects


def speed_words(speed):
    """As `electret render` says of a movie."""
    if speed == 1:
        return "plays in real time"
    return f"plays {1 / speed:.4g} times slower than real time" if speed < 1 else f"plays {speed:.4g} times faster than real time"


def body_for(onto, bodies):
    """The body that belongs to an object: the one of its name, or the only one."""
    named = [body for body in bodies if body[1]["body"] == onto.name] or (bodies if len(bodies) == 1 else [])
    if not named:
        raise ImportFailure(f'the run has no body called "{onto.name}": it has ' + ", ".join(body[1]["body"] for body in bodies))
    wanted, there = named[0][1]["points"], len(onto.data.vertices)
    if wanted != there:
        raise ImportFailure(f'"{onto.name}" has {there} vertices, the run\'s body "{named[0][1]["body"]}" has {wanted}: a cache '
                            "needs the mesh that was exported, unchanged")
    return named[0]


def place_of(context, target):
    """The object's matrix. Refused where it changes from the scene's first to its last frame."""
    scene, now = context.scene, context.scene.frame_current
    context.view_layer.update()
    here = np.array(target.matrix_world)
    places = []
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        places.append(np.array(target.matrix_world))
    scene.frame_set(now)
    if not all(np.allclose(place, here, rtol=0, atol=1e-6 * max(1, abs(here).max())) for place in places):
        raise ImportFailure(f'"{target.name}" is moved by key-frames, and so would be the run: remove them first')
    return here


def cache_of_object(context, target, cache):
    """The cache for an object. A run is in world coordinates; if the object is moved, turned or scaled, this is a copy of the
    cache in the object's own ones."""
    place = place_of(context, target)
    if np.array_equal(place, np.eye(4)):
        return cache
    try:
        inverse = np.linalg.inv(place)
    except np.linalg.LinAlgError:
        raise ImportFailure(f'"{target.name}" is scaled to nothing') from None
    folder = cache.parent / "onto"
    folder.mkdir(exist_ok=True)
    out = folder / (re.sub(r"[^A-Za-z0-9_-]", "_", target.name) + cache.suffix)
    count, head, kind = cache_layout(cache)
    with cache.open("rb") as source, out.open("wb") as copy:
        copy.write(source.read(head))
        while frame := source.read(12 * count):
            points = np.frombuffer(frame, kind).reshape(-1, 3).astype(float)
            copy.write((points @ inverse[:3, :3].T + inverse[:3, 3]).astype(kind).tobytes())
    return out


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


def add_cache(context, target, cache, form, scale):
    for old in [each for each in target.modifiers if each.type == "MESH_CACHE"]:
        target.modifiers.remove(old)
    modifier = target.modifiers.new("Electret", "MESH_CACHE")
    modifier.cache_format = form.upper()
    modifier.filepath = str(cache)
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    # Blender shows the cache's frame `frame_scale` × frame - `frame_start`.
    modifier.frame_scale = scale
    modifier.frame_start = scale * context.scene.frame_start


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
            show_colours(target, side, frame_shown(target, side, scene))


def frame_shown(target, side, scene):
    """The export's frame that is nearest to what the object's cache shows."""
    cache = next((each for each in target.modifiers if each.type == "MESH_CACHE"), None)
    start, scale = (cache.frame_start, cache.frame_scale) if cache else (scene.frame_start, 1.0)
    return min(max(math.floor(scale * scene.frame_current - start + 0.5), 0), len(side["frames"]) - 1)


def watch_frames():
    bpy.app.handlers.frame_change_post.append(colour_frame)


def forget_frames():
    _read.clear()
    if colour_frame in bpy.app.handlers.frame_change_post:
        bpy.app.handlers.frame_change_post.remove(colour_frame)
