"""The entries of File > Export and File > Import, and the buttons of the panel."""

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import run_import, scene_export


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    command: StringProperty(name="The program electret", subtype="FILE_PATH", description="Empty: the one in PATH")

    def draw(self, _context):
        self.layout.prop(self, "command")


class ExportScene(bpy.types.Operator, ExportHelper):
    """Write the selected meshes, or all visible ones, as a scene of Electret"""
    bl_idname = "export_scene.electret"
    bl_label = "Export Electret scene"
    filename_ext = ".toml"
    filter_glob: StringProperty(default="*.toml", options={"HIDDEN"})

    def execute(self, context):
        try:
            names = scene_export.exported(context, self.filepath)
        except (scene_export.ExportError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{self.filepath}: {', '.join(names)}")
        return {"FINISHED"}


class ImportRun(bpy.types.Operator, ImportHelper):
    """Bring in a run's folder, or one made by electret export --to pc2"""
    bl_idname = "import_scene.electret"
    bl_label = "Import Electret run"
    filter_glob: StringProperty(default="*.h5;*.json;*.pc2;*.mdd", options={"HIDDEN"})
    onto_active: BoolProperty(name="Onto the active object", description="Instead of making new objects")
    speed: FloatProperty(name="Speed", default=1.0, min=1e-6, soft_min=0.01, soft_max=10.0, precision=3,
                         description="1: real time at the scene's frame rate; 0.25: four times slower")

    def execute(self, context):
        onto = context.active_object if self.onto_active else None
        if self.onto_active and (onto is None or onto.type != "MESH"):
            self.report({"ERROR"}, "the active object is no mesh")
            return {"CANCELLED"}
        addon = context.preferences.addons.get(__package__)
        try:
            command = addon.preferences.command if addon else ""
            objects = run_import.imported(context, self.filepath, onto, command, self.speed)
        except (run_import.ImportFailure, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{', '.join(each.name for each in objects)}: {run_import.speed_words(self.speed)}")
        return {"FINISHED"}


class AddGroup(bpy.types.Operator):
    """Give the active vertex group a charge"""
    bl_idname = "electret.add_group"
    bl_label = "Charge the active vertex group"
    bl_options = {"UNDO"}

    def execute(self, context):
        group = context.object.vertex_groups.active
        if group is None:
            self.report({"ERROR"}, "the object has no vertex group")
            return {"CANCELLED"}
        context.object.electret.groups.add().group = group.name
        return {"FINISHED"}


class AddSprings(bpy.types.Operator):
    """Add a table of springs"""
    bl_idname = "electret.add_springs"
    bl_label = "Add springs"
    bl_options = {"UNDO"}

    def execute(self, context):
        context.object.electret.springs.add()
        return {"FINISHED"}


class Remove(bpy.types.Operator):
    """Remove this entry"""
    bl_idname = "electret.remove"
    bl_label = "Remove"
    bl_options = {"UNDO"}
    of: StringProperty()
    index: IntProperty()

    def execute(self, context):
        if self.of == "groups" and context.object.animation_data and context.object.animation_data.action:
            self.move_curves(context.object.animation_data.action)
        getattr(context.object.electret, self.of).remove(self.index)
        return {"FINISHED"}

    def move_curves(self, action):
        """Key-frames belong to entries by number."""
        curves = {curve.data_path: curve for curve in action.fcurves}
        path = "electret.groups[{}].charge".format
        if path(self.index) in curves:
            action.fcurves.remove(curves[path(self.index)])
        for later in range(self.index + 1, 1000):
            if path(later) in curves:
                curves[path(later)].data_path = path(later - 1)


CLASSES = (Preferences, ExportScene, ImportRun, AddGroup, AddSprings, Remove)


def export_entry(menu, _context):
    menu.layout.operator(ExportScene.bl_idname, text="Electret scene (.toml)")


def import_entry(menu, _context):
    menu.layout.operator(ImportRun.bl_idname, text="Electret run")


def add_to_menus():
    bpy.types.TOPBAR_MT_file_export.append(export_entry)
    bpy.types.TOPBAR_MT_file_import.append(import_entry)


def remove_from_menus():
    bpy.types.TOPBAR_MT_file_export.remove(export_entry)
    bpy.types.TOPBAR_MT_file_import.remove(import_entry)
