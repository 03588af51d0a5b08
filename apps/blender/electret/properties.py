"""What Electret keeps with an object and with a scene. Charges are in µC: Blender's fields show few digits."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

SPRINGS = (("edges", "Edges", "Each edge"), ("diagonals", "Diagonals", "Both diagonals of each quad"),
           ("bending", "Bending", "The vertices opposite an edge of two triangles"),
           ("nearest", "Nearest", "Each vertex and its nearest ones"))


class GroupCharge(bpy.types.PropertyGroup):
    """The charge of a vertex group, which may be key-framed."""
    group: StringProperty(name="Vertex group")
    charge: FloatProperty(name="Charge (µC)", description="Of each vertex of the group", options={"ANIMATABLE"}, precision=4)
    pinned: BoolProperty(name="Pinned", description="The group's vertices stay where they are", options=set())


class Springs(bpy.types.PropertyGroup):
    """One table of springs."""
    source: EnumProperty(name="Springs", items=SPRINGS, default="edges", options=set())
    stiffness: FloatProperty(name="Stiffness (N/m)", default=10.0, min=0.0, options=set())
    neighbours: IntProperty(name="Neighbours", default=6, min=1, options=set())


class Body(bpy.types.PropertyGroup):
    """An object as a body of a scene."""
    mass: FloatProperty(name="Mass (kg)", description="Of each vertex", default=0.1, min=1e-12, precision=6, options=set())
    charge: FloatProperty(name="Charge (µC)", description="Of each vertex in no charged group", precision=4, options=set())
    groups: CollectionProperty(type=GroupCharge)
    springs: CollectionProperty(type=Springs)
    run: StringProperty(name="Run", description="The JSON file of an imported run", options=set())


class World(bpy.types.PropertyGroup):
    """What belongs to a scene as a whole."""
    substeps: IntProperty(name="Steps per frame", default=1, min=1, options=set())
    coulomb: BoolProperty(name="Coulomb forces", default=True, options=set())
    drag: FloatProperty(name="Drag (1/s)", default=0.0, min=0.0, options=set())


CLASSES = (GroupCharge, Springs, Body, World)


def attach():
    bpy.types.Object.electret = PointerProperty(type=Body)
    bpy.types.Scene.electret = PointerProperty(type=World)


def detach():
    del bpy.types.Object.electret
    del bpy.types.Scene.electret
