"""A ball of loose name with two vertex groups, an attribute and key-framed charges, saved as a .blend; then exported."""
bpy.ops.wm.read_homefile(use_empty=True)
scene = bpy.context.scene
scene.render.fps, scene.frame_start, scene.frame_end = 25, 1, 13
bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=8)
ball = bpy.context.object
ball.name = 'ball "ä"'
ball.location = (0.1, 0.2, 1.5)
top = ball.vertex_groups.new(name="the top")
top.add([v.index for v in ball.data.vertices if v.co.z > 0.5], 1.0, "REPLACE")
bottom = ball.vertex_groups.new(name="bottom")
bottom.add([v.index for v in ball.data.vertices if v.co.z < -0.5], 0.5, "REPLACE")
mass = ball.data.attributes.new("mass", "FLOAT", "POINT")
mass.data.foreach_set("value", [0.25 + 0.001 * k for k in range(len(ball.data.vertices))])
ball.vertex_groups.active = top
assert bpy.ops.electret.add_group() == {"FINISHED"}
ball.vertex_groups.active = bottom
bpy.ops.electret.add_group()
bpy.ops.electret.add_springs()
ball.electret.charge = 0.5
first, second = ball.electret.groups
for frame, value in ((1, 1.0), (6, -3.0), (13, 2.0)):
    first.charge = value
    first.keyframe_insert("charge", frame=frame)
for curve in ball.animation_data.action.fcurves:
    for point in curve.keyframe_points:
        point.interpolation = "LINEAR"
second.charge = -4.0
ball.electret.springs[0].stiffness = 80.0
scene.use_gravity = False
bpy.ops.wm.save_as_mainfile(filepath=arguments["blend"])
bpy.ops.wm.open_mainfile(filepath=arguments["blend"])
assert bpy.ops.export_scene.electret(filepath=arguments["scene"]) == {"FINISHED"}
