"""The run comes back as a new object and on the exported mesh; its evaluated vertices and colours, frame by frame, and
a picture. Wrong meshes are refused."""
import numpy as np

bpy.ops.wm.open_mainfile(filepath=arguments["blend"])
scene = bpy.context.scene


def refused(**options):
    try:
        bpy.ops.import_scene.electret(**options)
    except RuntimeError as error:
        return str(error)
    raise AssertionError("it was not refused")


def points_of(target, frame):
    """In the world."""
    scene.frame_set(frame)
    evaluated = target.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    each = np.empty(3 * len(evaluated.vertices), "f4")
    evaluated.vertices.foreach_get("co", each)
    place = np.array(target.matrix_world)
    each = each.reshape(-1, 3)
    return each if np.array_equal(place, np.eye(4)) else each @ place[:3, :3].T + place[:3, 3]


def colours_of(target):
    shade = np.empty(4 * len(target.data.vertices), "f4")
    target.data.color_attributes["charge colour"].data.foreach_get("color", shade)
    return shade.reshape(-1, 4)


run = arguments["run"] + "/trajectory.h5"
frames = range(scene.frame_start, scene.frame_end + 1)
ball = bpy.context.view_layer.objects.active = scene.objects['ball "ä"']
ball.location, ball.rotation_euler, ball.scale = (3.0, -1.0, 0.5), (0.3, 1.1, -2.0), (2.0, 0.5, -1.5)
said = {}
assert bpy.ops.import_scene.electret(filepath=run, onto_active=True) == {"FINISHED"}
result = {"moved": np.array([points_of(ball, frame) for frame in frames])}
ball.keyframe_insert("location", frame=1)
ball.location.x = 5
ball.keyframe_insert("location", frame=13)
said["key-framed"] = refused(filepath=run, onto_active=True)
for curve in [each for each in ball.animation_data.action.fcurves if each.data_path == "location"]:
    ball.animation_data.action.fcurves.remove(curve)
ball.location, ball.rotation_euler, ball.scale = (0, 0, 0), (0, 0, 0), (1, 1, 1)
bpy.context.view_layer.update()
bpy.ops.mesh.primitive_cube_add()
said["cube"] = refused(filepath=run, onto_active=True)
assert not bpy.context.object.modifiers
said["no run"] = refused(filepath=arguments["blend"])
bpy.data.objects.remove(bpy.context.object)
bpy.context.view_layer.objects.active = ball
assert bpy.ops.import_scene.electret(filepath=run, onto_active=True) == {"FINISHED"}
before = set(scene.objects)
assert bpy.ops.import_scene.electret(filepath=run) == {"FINISHED"}
new, = set(scene.objects) - before
said["groups"] = sorted(group.name for group in new.vertex_groups)
for name, target in (("old", ball), ("new", new)):
    result[name] = np.array([points_of(target, frame) for frame in frames])
    result[name + "_colours"] = np.array([(scene.frame_set(frame), colours_of(target))[1] for frame in frames])
assert scene.frame_end == 13
assert bpy.ops.import_scene.electret(filepath=run, onto_active=True, speed=0.25) == {"FINISHED"}
said["end of slow motion"] = scene.frame_end
result["slow"] = np.array([points_of(ball, frame) for frame in range(1, 50)])
result["slow_colours"] = np.array([(scene.frame_set(frame), colours_of(ball))[1] for frame in range(1, 50)])
scene.render.fps = 50
assert bpy.ops.import_scene.electret(filepath=run, onto_active=True) == {"FINISHED"}
result["at 50"] = np.array([points_of(ball, frame) for frame in range(1, 26)])
scene.render.fps = 1
assert bpy.ops.import_scene.electret(filepath=run, onto_active=True, speed=5) == {"FINISHED"}
said["scale of few frames"] = [each.frame_scale for each in ball.modifiers]
scene.render.fps = 25
assert bpy.ops.import_scene.electret(filepath=run, onto_active=True) == {"FINISHED"}
np.savez(arguments["result"], **result, said=json.dumps(said))
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location = (0, 0, 12)
scene.collection.objects.link(camera)
scene.camera = camera
scene.render.engine = "CYCLES"
scene.cycles.samples = 4
scene.cycles.use_denoising = False  # Debian builds Cycles without it.
scene.render.resolution_x, scene.render.resolution_y = 96, 72
scene.world = bpy.data.worlds.new("world")
scene.render.filepath = arguments["picture"]
bpy.ops.render.render(write_still=True)
