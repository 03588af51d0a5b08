"""Run by Blender: python expressions of the test, with the add-on of the zip installed."""

import json
import sys

import addon_utils
import bpy

arguments = json.loads(sys.argv[sys.argv.index("--") + 1])
bpy.ops.preferences.addon_install(filepath=arguments["zip"], overwrite=True)
bpy.ops.preferences.addon_enable(module="electret")
assert "electret" in bpy.context.preferences.addons
bpy.context.preferences.addons["electret"].preferences.command = arguments["electret"]
exec(compile(open(arguments["script"], encoding="utf-8").read(), arguments["script"], "exec"))
