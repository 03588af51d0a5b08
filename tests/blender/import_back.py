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


ball = bpy.context.view_layer.objects.active = scene.objects['ball "ä"']
said = {"moved": refused(filepath=arguments["run"] + "/trajectory.h5", onto_active=True)}
ball.matrix_world.identity()
bpy.ops.mesh.primitive_cube_add()
said["cube"] = refused(filepath=arguments["run"] + "/trajectory.h5", onto_active=True)
assert not bpy.context.object.modifiers
said["no run"] = refused(filepath=arguments["blend"])
bpy.data.objects.remove(bpy.context.object)
bpy.context.view_layer.objects.active = ball
assert bpy.ops.import_scene.electret(filepath=arguments["run"] + "/trajectory.h5", onto_active=True) == {"FINISHED"}
before = set(scene.objects)
assert bpy.ops.import_scene.electret(filepath=arguments["run"] + "/trajectory.h5") == {"FINISHED"}
new, = set(scene.objects) - before
said["groups"] = sorted(group.name for group in new.vertex_groups)
result = {}
for name, target in (("old", ball), ("new", new)):
    points, colours = [], []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        evaluated = target.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        each = np.empty(3 * len(evaluated.vertices), "f4")
        evaluated.vertices.foreach_get("co", each)
        points.append(each.reshape(-1, 3))
        shade = np.empty(4 * len(evaluated.vertices), "f4")
        target.data.color_attributes["charge colour"].data.foreach_get("color", shade)
        colours.append(shade.reshape(-1, 4))
    result[name], result[name + "_colours"] = np.array(points), np.array(colours)
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
