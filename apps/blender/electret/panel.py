"""The panel in the properties of an object, and the one of the scene."""

import bpy


class BodyPanel(bpy.types.Panel):
    bl_label = "Electret"
    bl_idname = "OBJECT_PT_electret"
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context):
        body, layout = context.object.electret, self.layout
        layout.use_property_split = True
        layout.prop(body, "mass")
        layout.prop(body, "charge")
        for index, entry in enumerate(body.groups):
            box = layout.box()
            row = box.row()
            row.prop_search(entry, "group", context.object, "vertex_groups")
            self.removes(row, "groups", index)
            box.prop(entry, "charge")
            box.prop(entry, "pinned")
        layout.operator("electret.add_group", icon="ADD")
        for index, entry in enumerate(body.springs):
            box = layout.box()
            row = box.row()
            row.prop(entry, "source")
            self.removes(row, "springs", index)
            box.prop(entry, "stiffness")
            if entry.source == "nearest":
                box.prop(entry, "neighbours")
        layout.operator("electret.add_springs", icon="ADD")

    @staticmethod
    def removes(row, of, index):
        button = row.operator("electret.remove", text="", icon="X")
        button.of, button.index = of, index


class ScenePanel(bpy.types.Panel):
    bl_label = "Electret"
    bl_idname = "SCENE_PT_electret"
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "scene"

    def draw(self, context):
        self.layout.use_property_split = True
        for name in ("substeps", "coulomb", "drag"):
            self.layout.prop(context.scene.electret, name)


CLASSES = (BodyPanel, ScenePanel)
