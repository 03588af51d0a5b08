"""Electret in Blender: a mesh with charged vertex groups goes out as a scene, a run comes back as a Mesh Cache."""

bl_info = {
    "name": "Electret",
    "description": "Charged, deformable bodies: export scenes, import runs",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Export, File > Import, Object properties",
    "category": "Import-Export",
}

import bpy  # noqa: E402

from . import operators, panel, properties, run_import  # noqa: E402


def register():
    for each in properties.CLASSES + operators.CLASSES + panel.CLASSES:
        bpy.utils.register_class(each)
    properties.attach()
    operators.add_to_menus()
    run_import.watch_frames()


def unregister():
    run_import.forget_frames()
    operators.remove_from_menus()
    properties.detach()
    for each in reversed(properties.CLASSES + operators.CLASSES + panel.CLASSES):
        bpy.utils.unregister_class(each)
