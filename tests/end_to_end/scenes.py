"""Small scenes, fixed by their seeds, that between them use every force and every feature of the scene format.

Each function writes its mesh and CSV files to `folder` and returns the scene's tables without [integrator].
"""
import numpy as np

from scene_files import icosphere, quad_grid, triangulated, write_csv, write_obj, write_ply

DAMPING = ("imex", "newton", "linear_implicit")
IMPLICIT = DAMPING + ("kick_midpoint", "kick_trbdf2")
EXPLICIT = ("verlet", "symplectic_euler", "explicit_euler")
METHODS = IMPLICIT + EXPLICIT


def random_vectors(rng, n, size):
    return rng.uniform(-size, size, (n, 3))


def springs_alone(folder, rng):
    """Edges of an icosahedron, stretched and sheared at the start, thrown."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    start = vertices * [1.3, 0.9, 1.1] + random_vectors(rng, 12, 0.05)
    body = {"name": "ico", "mesh": "ico.obj", "mass": 0.7, "velocity": [0.3, -0.2, 0.1], "initial_positions": start,
            "springs": [{"from": "edges", "stiffness": 30.0}]}  # fmt: skip
    return {"scene": {"name": "springs alone"}, "time": {"step": 0.01, "steps": 60}, "body": [body]}


def compressed(folder, rng):
    """Springs that start shorter than their rest length (indefinite Hessian blocks)."""
    vertices, triangles = icosphere(1)
    write_obj(folder / "ball.obj", vertices + random_vectors(rng, 42, 0.03), triangles)
    body = {"name": "ball", "mesh": "ball.obj", "total_mass": 21.0, "velocities": random_vectors(rng, 42, 0.2),
            "springs": [{"from": "edges", "stiffness": 25.0, "rest_length_scale": 1.35},
                        {"from": "bending", "stiffness": 4.0, "rest_length_scale": 0.8}]}  # fmt: skip
    return {"time": {"step": 0.01, "duration": 0.5}, "body": [body]}


def stiff(folder, rng):
    """A step far beyond the explicit limit, and a deformed start: the elastic solver's work. Implicit methods that damp
    it alone: without damping rounding grows to 1e-8 within the 40 steps."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "stiff.obj", vertices, triangles)
    body = {"name": "stiff", "mesh": "stiff.obj", "mass": 1.0, "velocities": random_vectors(rng, 12, 0.5),
            "initial_positions": vertices * [1.4, 1.2, 1.3], "springs": [{"from": "edges", "stiffness": 400.0}]}  # fmt: skip
    return {"time": {"step": 0.05, "steps": 40}, "body": [body]}


def zero_length_spring(folder, rng):
    """A spring whose ends start at one point, uncharged: its direction is x. Explicit methods alone."""
    points = random_vectors(rng, 6, 1.0)
    write_ply(folder / "six.ply", points)
    start = points.copy()
    start[3] = start[1]
    body = {"name": "six", "mesh": "six.ply", "mass": 1.5, "initial_positions": start,
            "springs": [{"from": "pairs", "pairs": [[3, 1], [0, 1], [4, 3], [2, 5], [0, 5], [2, 4]],
                         "stiffness": 12.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 40}, "damping": {"spring": 0.4}, "body": [body]}


def mixed_charges(folder, rng):
    """Charges of both signs on a sphere, given one by one; an uncharged vertex; another constant."""
    vertices, triangles = icosphere(1)
    write_obj(folder / "ball.obj", vertices, triangles, from_the_end=True)
    charges = rng.uniform(-4e-6, 4e-6, 42)
    charges[7] = 0.0
    body = {"name": "ball", "mesh": "ball.obj", "mass": 1.0, "charges": charges,
            "springs": [{"from": "edges", "stiffness": 20.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "coulomb": {"constant": 7.5e9}, "body": [body]}


def free_charges(folder, rng):
    """Charges without springs: a mesh of vertices alone, default constant, equal signs."""
    write_ply(folder / "cloud.ply", random_vectors(rng, 20, 1.0))
    body = {"name": "cloud", "mesh": "cloud.ply", "mass": 0.5, "total_charge": 6e-5}
    return {"time": {"step": 0.005, "steps": 40}, "coulomb": {}, "body": [body]}


def softening(folder, rng):
    """Plummer softening comparable to the distances, two charges at one point, and an external charge it must leave alone."""
    points = random_vectors(rng, 25, 0.6)
    points[4] = points[11]
    write_ply(folder / "cloud.ply", points)
    body = {"name": "cloud", "mesh": "cloud.ply", "mass": 0.8, "charges": rng.uniform(-5e-6, 5e-6, 25),
            "springs": [{"from": "nearest", "neighbours": 3, "stiffness": 15.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 40}, "coulomb": {"softening": 0.25},
            "external_charge": [{"charge": 2e-5, "position": [0.0, 0.0, 1.2]}], "body": [body]}  # fmt: skip


def pinned_cloth(folder, rng):
    """Quads with edges and diagonals under gravity, two corners held; the body's velocity does not move the pins."""
    vertices, quads = quad_grid(5, 6, 0.25)
    write_obj(folder / "cloth.obj", vertices, quads)
    body = {"name": "cloth", "mesh": "cloth.obj", "mass": 0.05, "velocity": [0.2, 0.5, -0.3],
            "springs": [{"from": "edges", "stiffness": 20.0}, {"from": "diagonals", "stiffness": 8.0}],
            "group": [{"name": "left", "box": [[-0.1, -0.1, -0.1], [0.0, 0.0, 0.1]]}, {"name": "right", "indices": [5]}],
            "pin": [{"group": "left"}, {"group": "right"}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 60}, "gravity": {"acceleration": [0.0, 0.0, -9.81]}, "body": [body]}


def moved_pins(folder, rng):
    """Pins led along linear, cubic and step key-frames, charged, at unevenly spaced times, past the last key."""
    vertices, quads = quad_grid(5, 6, 0.3)
    write_obj(folder / "cloth.obj", vertices, quads)
    pins = [{"group": "a", "times": [0.0, 0.13, 0.31], "offsets": [[0, 0, 0.0], [0.1, -0.05, 0.2], [0.15, 0.1, 0.1]]},
            {"group": "b", "interpolation": "cubic", "times": [0.0, 0.1, 0.16, 0.4],
             "offsets": [[0, 0, 0.0], [0.1, 0.05, 0.1], [0.02, 0.0, 0.2], [-0.1, 0.1, 0.3]]},
            {"group": "c", "interpolation": "step", "times": [0.0, 0.2, 0.35],
             "offsets": [[0, 0, 0.0], [0.01, 0.02, 0.03], [0.03, 0.0, -0.02]]},
            {"group": "d"}]  # fmt: skip
    groups = [{"name": name, "indices": [i]} for name, i in zip("abcd", (0, 5, 24, 29))]
    body = {"name": "cloth", "mesh": "cloth.obj", "mass": 0.2, "charge": 4e-7, "pin": pins, "group": groups,
            "springs": [{"from": "edges", "stiffness": 30.0}, {"from": "diagonals", "stiffness": 10.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 60}, "coulomb": {}, "damping": {"drag": 0.5, "spring": 0.1},
            "gravity": {"acceleration": [0.0, 1.0, -4.0]}, "body": [body]}  # fmt: skip


def all_pinned(folder, rng):
    """Nothing is free: one body held, another led away; energies and pins' velocities alone remain."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    bodies = [{"name": name, "mesh": "ico.obj", "mass": 1.0, "charge": charge, "translate": place,
               "springs": [{"from": "edges", "stiffness": 5.0, "rest_length_scale": 0.9}],
               "group": [{"name": "all", "indices": list(range(12))}], "pin": [pin]}
              for name, charge, place, pin in (
                  ("held", 3e-6, [0.0, 0.0, 0.0], {"group": "all"}),
                  ("led", -2e-6, [3.0, 0.0, 0.0], {"group": "all", "times": [0, 0.2], "interpolation": "cubic",
                                                   "offsets": [[0, 0, 0], [1, 0, 0.5]]}))]  # fmt: skip
    return {"time": {"step": 0.02, "steps": 20}, "coulomb": {}, "gravity": {"acceleration": [0, 0, -1.62]}, "body": bodies}


def drag_alone(folder, rng):
    """Drag, its own term of every method's velocity convention."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    body = {"name": "ico", "mesh": "ico.obj", "masses": rng.uniform(0.3, 2.0, 12),
            "velocities": random_vectors(rng, 12, 1.0), "springs": [{"from": "edges", "stiffness": 10.0}]}  # fmt: skip
    return {"time": {"step": 0.02, "steps": 40}, "damping": {"drag": 1.7}, "body": [body]}


def spring_damping(folder, rng):
    """Damping along springs, from a spinning and breathing start."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    spin = np.cross([0.5, -1.0, 0.7], vertices) + 0.3 * vertices
    body = {"name": "ico", "mesh": "ico.obj", "mass": 1.2, "velocities": spin,
            "springs": [{"from": "edges", "stiffness": 18.0}]}  # fmt: skip
    return {"time": {"step": 0.02, "steps": 40}, "damping": {"spring": 0.8}, "body": [body]}


def placed_bodies(folder, rng):
    """Three bodies, scaled, rotated about all axes and moved; groups by a world box; `total_` masses and charges."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    grid, quads = quad_grid(3, 4, 0.4)
    write_ply(folder / "sheet.ply", grid, quads)
    bodies = [
        {"name": "first", "mesh": "ico.obj", "total_mass": 9.0, "total_charge": 3e-5, "scale": 0.7,
         "rotate": [30.0, -50.0, 110.0], "translate": [0.2, 0.1, -0.3], "springs": [{"from": "edges", "stiffness": 22.0}]},
        {"name": "second", "mesh": "sheet.ply", "mass": 0.6, "charge": -2e-6, "scale": 1.5, "rotate": [90.0, 0.0, 45.0],
         "translate": [2.5, 0.5, 0.0], "velocity": [-0.4, 0.0, 0.2],
         "springs": [{"from": "diagonals", "stiffness": 9.0}, {"from": "edges", "stiffness": 14.0}],
         "group": [{"name": "low", "box": [[-9, -9, -0.01], [9, 9, 0.7]]}],
         "group_charge": [{"group": "low", "value": 3e-6}]},
        {"name": "third", "mesh": "ico.obj", "mass": 1.1, "charge": 1e-6, "scale": 0.5, "rotate": [0.0, 25.0, 0.0],
         "translate": [-2.0, -1.0, 0.4], "springs": [{"from": "nearest", "neighbours": 5, "stiffness": 11.0}]},
    ]  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "coulomb": {}, "body": bodies}


def expression_fields(folder, rng):
    """Every operator and function, two fields at once, named constants, time."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    fields = [
        {"expression": ["a*sin(x + t) - b*y^2 + atan2(y, x + 3)", "-x^2 + cos(z)*tan(y/4) + exp(-t)*min(x, y)",
                        "(-a)*sqrt(x^2 + 1) + log(4 + z) - 2^-1 * abs(x) + max(z, t)"],
         "constants": {"a": 2.5, "b": -0.7}},
        {"expression": ["asin(x/9) + acos(y/9) + atan(z)", "sinh(z/3)*tanh(x) - cosh(y/3) + 2^3^0.5",
                        "1.5e0*pi*x/(2 + y*y) - -t"]},
    ]  # fmt: skip
    body = {"name": "ico", "mesh": "ico.obj", "mass": 1.0, "charges": rng.uniform(-2.0, 2.0, 12),
            "rotate": [10.0, 20.0, 30.0], "springs": [{"from": "edges", "stiffness": 15.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 60}, "electric_field": fields, "body": [body]}


def point_external(folder, rng):
    """Fixed point charges of both signs without a [coulomb] table: the charges do not see each other."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    body = {"name": "ico", "mesh": "ico.obj", "mass": 1.0, "charge": 3e-6,
            "springs": [{"from": "edges", "stiffness": 15.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "body": [body],
            "external_charge": [{"charge": -4.2e-5, "position": [2.0, 0.0, 0.3]},
                                {"charge": 2e-5, "position": [0.0, 0.1, 0.0], "width": 0.0}]}  # fmt: skip


def gaussian_external(folder, rng):
    """Gaussian balls: vertices within u < 1, at u = 0, near u = 1 and far away."""
    points = random_vectors(rng, 24, 1.0)
    points[0] = [0.1, 0.2, 0.3]
    points[1:4] = points[0] + np.array([[0.5, 0, 0], [0, 0.4999, 0], [0, 0, 1e-5]])
    write_ply(folder / "cloud.ply", points)
    body = {"name": "cloud", "mesh": "cloud.ply", "mass": 1.0, "charges": rng.uniform(-5e-6, 5e-6, 24),
            "springs": [{"from": "nearest", "neighbours": 4, "stiffness": 10.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "body": [body],
            "external_charge": [{"charge": 3e-5, "position": [0.1, 0.2, 0.3], "width": 0.5},
                                {"charge": -2e-5, "position": [0.0, -0.5, 0.4], "width": 2.0},
                                {"charge": 1e-5, "position": [1.8, 1.0, 0.0], "width": 0.6}]}  # fmt: skip


def moving_external(folder, rng):
    """External charges whose value and place are key-framed, together and apart, in all three interpolations."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    body = {"name": "ico", "mesh": "ico.obj", "mass": 1.0, "charge": 2e-6,
            "springs": [{"from": "edges", "stiffness": 15.0}]}  # fmt: skip
    places = [[2.0, 0.0, 0.0], [1.8, 1.2, 0.0], [0.3, 2.0, 0.5], [-2.0, 0.2, 1.0]]
    return {"time": {"step": 0.01, "steps": 60}, "coulomb": {"constant": 9e9}, "body": [body],
            "external_charge": [
                {"times": [0.05, 0.2, 0.3, 0.55], "positions": places, "charge": 3e-5, "interpolation": "cubic"},
                {"times": [0.0, 0.25, 0.4], "charges": [1e-5, -3e-5, 2e-5], "position": [0.0, 0.0, 2.2]},
                {"times": [0.0, 0.3], "charges": [-1e-5, 2e-5], "positions": [[0, -2.5, 0], [0.5, -2, 0]],
                 "interpolation": "step", "width": 0.3}]}  # fmt: skip


def mesh_external(folder, rng):
    """External charges spread over a mesh's vertices, points and Gaussian balls, one of them moving."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    write_ply(folder / "source.ply", random_vectors(rng, 7, 0.3), layout="binary_little_endian")
    body = {"name": "ico", "mesh": "ico.obj", "mass": 1.0, "charges": rng.uniform(-3e-6, 5e-6, 12),
            "springs": [{"from": "edges", "stiffness": 15.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "body": [body],
            "external_charge": [
                {"mesh": "source.ply", "charge": 2e-5},
                {"mesh": "source.ply", "charge": -3e-5, "position": [0.8, 0.5, 0.0], "width": 0.4},
                {"mesh": "source.ply", "times": [0.0, 0.2, 0.6], "charges": [0.0, 2e-5, 1e-5],
                 "positions": [[0, 0, 2], [0.4, 0, 1.8], [0, 0.6, 2]]}]}  # fmt: skip


def modulus_springs(folder, rng):
    """Nearest neighbours with a modulus in newtons, divided by the scaled rest length."""
    write_ply(folder / "cloud.ply", random_vectors(rng, 30, 1.0))
    body = {"name": "cloud", "mesh": "cloud.ply", "mass": 1.0, "scale": 0.9, "charge": 1e-6,
            "springs": [{"from": "nearest", "modulus": 7.0, "rest_length_scale": 1.1},
                        {"from": "nearest", "neighbours": 2, "modulus": 3.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 40}, "coulomb": {}, "body": [body]}


def csv_data(folder, rng):
    """Masses, charges, velocities, starts, stiffnesses and rest lengths of each vertex and spring from CSV files."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    write_csv(folder / "masses.csv", "mass", rng.uniform(0.5, 2.0, 12))
    write_csv(folder / "charges.csv", "charge", rng.uniform(-4e-6, 6e-6, 12))
    write_csv(folder / "velocities.csv", "vx,vy,vz", random_vectors(rng, 12, 0.4))
    write_csv(folder / "starts.csv", "x,y,z", vertices * 1.1 + random_vectors(rng, 12, 0.1) + [0, 0, 5.0])
    write_csv(folder / "stiffnesses.csv", "k", rng.uniform(5.0, 30.0, 30))
    write_csv(folder / "rest_lengths.csv", "l", rng.uniform(0.8, 1.4, 30))
    body = {"name": "ico", "mesh": "ico.obj", "rotate": [0.0, 0.0, 33.0], "translate": [0.0, 0.0, 5.0],
            "masses": "masses.csv", "charges": "charges.csv", "velocities": "velocities.csv",
            "initial_positions": "starts.csv",
            "springs": [{"from": "edges", "stiffnesses": "stiffnesses.csv", "rest_lengths": "rest_lengths.csv"}],
            "group": [{"name": "top", "box": [[-2, -2, 5.4], [2, 2, 7]]}],
            "group_charge": [{"group": "top", "value": 2e-6}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 40}, "coulomb": {}, "body": [body]}


def ply_properties(folder, rng):
    """Binary PLY files of both byte orders whose vertices carry mass, charge, velocity and a group; one body overrides."""
    vertices, triangles = icosphere(0)
    properties = {"mass": rng.uniform(0.5, 2.0, 12), "vx": rng.uniform(-0.4, 0.4, 12), "vy": rng.uniform(-0.4, 0.4, 12),
                  "vz": rng.uniform(-0.4, 0.4, 12), "charge": rng.uniform(-4e-6, 4e-6, 12),
                  "marked": (np.arange(12) % 4 == 1).astype(float)}  # fmt: skip
    write_ply(folder / "little.ply", vertices, triangles, properties, "binary_little_endian")
    write_ply(folder / "big.ply", vertices * 0.8, triangles, properties, "binary_big_endian")
    springs = [{"from": "edges", "stiffness": 16.0}]
    group = [{"name": "marked", "attribute": "marked"}]
    bodies = [{"name": "little", "mesh": "little.ply", "rotate": [40.0, 0.0, 0.0], "springs": springs, "group": group,
               "pin": [{"group": "marked"}]},
              {"name": "big", "mesh": "big.ply", "translate": [2.6, 0.0, 0.0], "charge": 2e-6, "springs": springs,
               "group": group, "group_charge": [{"group": "marked", "value": -1e-6}]},
              {"name": "still", "mesh": "big.ply", "translate": [0.0, 2.7, 0.0], "mass": 1.0, "velocity": [0.0, 0.0, 0.1],
               "springs": springs}]  # fmt: skip
    return {"time": {"step": 0.01, "steps": 40}, "coulomb": {}, "body": bodies}


def bending_sheet(folder, rng):
    """Triangles with edge and bending springs, held by an OBJ group, bumped out of the plane."""
    vertices, quads = quad_grid(5, 5, 0.3)
    vertices[:, 2] = rng.uniform(-0.05, 0.05, 25)
    triangles = triangulated(quads)
    write_obj(folder / "sheet.obj", vertices, triangles[4:], groups={"corner": triangles[:2], "next": triangles[2:4]},
              from_the_end=True)  # fmt: skip
    body = {"name": "sheet", "mesh": "sheet.obj", "mass": 0.1,
            "springs": [{"from": "edges", "stiffness": 20.0}, {"from": "bending", "stiffness": 3.0}],
            "group": [{"name": "held", "attribute": "corner"}], "pin": [{"group": "held"}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "gravity": {"acceleration": [1.0, 0.0, -9.81]}, "body": [body]}


def keyed_charges(folder, rng):
    """Charges of overlapping groups key-framed in all interpolations; the later entry wins; keys between steps."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ico.obj", vertices, triangles)
    groups = [{"name": "a", "indices": [0, 1, 2, 3, 4]}, {"name": "b", "indices": [4, 5, 6]},
              {"name": "c", "box": [[-2, 0.3, -2], [2, 2, 2]]}]  # fmt: skip
    keys = [{"group": "a", "times": [0.0, 0.2, 0.5], "values": [0.0, 5e-6, -3e-6], "interpolation": "linear"},
            {"group": "b", "times": [0.0, 0.1, 0.3], "values": [1e-6, -4e-6, 6e-6], "interpolation": "step"},
            {"group": "c", "times": [0.03, 0.12, 0.2, 0.48], "values": [2e-6, 7e-6, 1e-6, 4e-6],
             "interpolation": "cubic"}]  # fmt: skip
    body = {"name": "ico", "mesh": "ico.obj", "mass": 1.0, "charge": 2e-6, "group": groups, "group_charge": keys,
            "springs": [{"from": "edges", "stiffness": 15.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 55}, "coulomb": {}, "body": [body],
            "external_charge": [{"charge": 1e-5, "position": [0.0, 0.0, 3.0]}]}  # fmt: skip


def chain_every_third(folder, rng):
    """A hanging chain of OBJ line segments; every third step written, the steps not a multiple of it."""
    points = np.column_stack([0.2 * np.arange(12), np.zeros(12), 0.02 * rng.uniform(-1, 1, 12)])
    write_obj(folder / "chain.obj", points, segments=[list(range(7)), list(range(6, 12))])
    body = {"name": "chain", "mesh": "chain.obj", "mass": 0.1, "charge": 3e-7,
            "springs": [{"from": "edges", "stiffness": 25.0}, {"from": "pairs", "pairs": [[3, 1], [0, 5]], "stiffness": 2.0}],
            "group": [{"name": "top", "indices": [0]}], "pin": [{"group": "top"}]}  # fmt: skip
    return {"time": {"step": 0.01, "duration": 0.5}, "coulomb": {}, "gravity": {"acceleration": [0.0, 0.0, -9.81]},
            "damping": {"drag": 0.2}, "output": {"every": 3}, "body": [body]}  # fmt: skip


def obstacles(folder, rng):
    """A ball thrown down a slope with friction, onto a sphere: sliding and creeping vertices, two exponents. The
    slope moves and turns."""
    vertices, triangles = icosphere(1)
    write_obj(folder / "ball.obj", vertices, triangles)
    body = {"name": "ball", "mesh": "ball.obj", "mass": 0.3, "velocity": [0.8, 0.0, -1.0], "translate": [0.0, 0.0, 1.1],
            "springs": [{"from": "edges", "stiffness": 40.0}, {"from": "nearest", "neighbours": 12, "stiffness": 10.0}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 60}, "gravity": {"acceleration": [0.0, 0.0, -9.81]},
            "obstacle": [{"name": "slope", "shape": "plane", "point": [0.0, 0.0, 0.2], "normal": [0.2, 0.0, 1.0],
                          "law": "penalty", "stiffness": 600.0, "friction": 0.4, "friction_stiffness": 2.0,
                          "times": [0.1, 0.3, 0.5], "offsets": [[0.0, 0.0, 0.0], [0.02, 0.06, 0.03], [0.1, 0.0, 0.0]],
                          "rotations": [[0.0, 0.0, 0.0], [3.0, -2.0, 20.0], [0.0, 1.0, 45.0]]},
                         {"name": "stone", "shape": "sphere", "centre": [1.4, 0.3, 0.0], "radius": 0.7, "law": "penalty",
                          "stiffness": 400.0, "exponent": 2.5}], "body": [body]}  # fmt: skip


def everything(folder, rng):
    """All of it at once on two bodies."""
    vertices, triangles = icosphere(1)
    write_obj(folder / "ball.obj", vertices, triangles)
    grid, quads = quad_grid(3, 5, 0.35)
    write_ply(folder / "sheet.ply", grid, quads, {"charge": rng.uniform(-3e-6, 3e-6, 15)}, "binary_big_endian")
    bodies = [
        {"name": "ball", "mesh": "ball.obj", "scale": 0.8, "rotate": [12.0, 34.0, -56.0], "translate": [0.0, 0.2, 1.4],
         "masses": rng.uniform(0.4, 1.2, 42), "charge": 8e-7, "velocity": [0.3, 0.0, -0.5],
         "springs": [{"from": "edges", "modulus": 8.0, "rest_length_scale": 1.05}, {"from": "bending", "stiffness": 3.0}],
         "group": [{"name": "cap", "box": [[-1, -1, 1.9], [1, 1, 3]]}],
         "group_charge": [{"group": "cap", "times": [0.0, 0.1, 0.3], "values": [8e-7, 4e-6, -2e-6],
                           "interpolation": "cubic"}]},
        {"name": "sheet", "mesh": "sheet.ply", "mass": 0.3, "translate": [-0.7, -0.3, -0.4],
         "springs": [{"from": "edges", "stiffness": 20.0}, {"from": "diagonals", "stiffness": 6.0}],
         "group": [{"name": "row", "indices": [0, 5, 10]}, {"name": "end", "indices": [4]}],
         "pin": [{"group": "row"}, {"group": "end", "times": [0.0, 0.25, 0.4], "interpolation": "linear",
                                    "offsets": [[0, 0, 0], [0.1, 0.1, -0.1], [0, 0.2, 0]]}]},
    ]  # fmt: skip
    return {"scene": {"name": "everything"}, "time": {"step": 0.01, "steps": 45}, "output": {"every": 2},
            "coulomb": {"softening": 0.05, "constant": 8.9e9}, "gravity": {"acceleration": [0.1, -0.2, -3.0]},
            "damping": {"drag": 0.3, "spring": 0.2}, "body": bodies,
            "external_charge": [{"charge": -2e-5, "position": [0.5, 2.0, 1.0], "width": 0.7},
                                {"times": [0.0, 0.4], "positions": [[2.5, 0, 0], [2, 1, 0]], "charge": 1e-5}],
            "electric_field": [{"expression": ["-a*y", "a*x", "1e4*sin(9*t)"], "constants": {"a": 3e4}}]}  # fmt: skip


def generated_torus(folder, rng):
    """A generated mesh: vertices and springs come from the run itself, the motion from the oracle."""
    body = {"name": "torus", "generate": {"shape": "torus", "major_radius": 1.0, "minor_radius": 0.4, "vertices": 50},
            "rotate": [20.0, 0.0, 10.0], "mass": 1.0, "charge": 3e-6,
            "springs": [{"from": "edges", "stiffness": 10.0}]}  # fmt: skip
    return {"time": {"step": 0.015, "steps": 40}, "coulomb": {}, "body": [body]}


def loads(folder, rng):
    """Loads on groups and on every vertex, constant and scaled in all interpolations, overlapping, on a pin too."""
    vertices, quads = quad_grid(4, 5, 0.3)
    write_obj(folder / "sheet.obj", vertices, quads)
    write_csv(folder / "forces.csv", "fx,fy,fz", random_vectors(rng, 20, 0.4))
    groups = [{"name": "held", "indices": [0, 4, 19]}, {"name": "tip", "box": [[0.8, -1, -1], [3, 3, 1]]},
              {"name": "side", "indices": [4, 9, 14]}]  # fmt: skip
    given = [{"group": "tip", "force": [0.2, -0.3, 0.5]}, {"forces": "forces.csv"},
             {"group": "tip", "force": [0.0, 0.4, 0.6], "times": [0.0, 0.2, 0.35], "values": [0.0, 2.0, -1.0]},
             {"group": "side", "force": [1.0, 0.0, 0.0], "times": [0.0, 0.13], "values": [-1.0, 1.0],
              "interpolation": "step"},
             {"forces": random_vectors(rng, 20, 0.4), "times": [0.0, 0.1, 0.2, 0.4], "values": [0.0, 1.5, -0.5, 1.0],
              "interpolation": "cubic"}]  # fmt: skip
    body = {"name": "sheet", "mesh": "sheet.obj", "mass": 0.3, "group": groups, "load": given,
            "springs": [{"from": "edges", "stiffness": 25.0}, {"from": "diagonals", "stiffness": 8.0}],
            "pin": [{"group": "held", "times": [0.0, 0.3], "offsets": [[0, 0, 0], [0.1, 0.0, 0.2]]}]}  # fmt: skip
    other = {"name": "point", "mesh": "sheet.obj", "mass": 0.5, "translate": [0.0, 0.0, 2.0],
             "springs": [{"from": "edges", "stiffness": 10.0}], "group": [{"name": "corner", "indices": [19]}],
             "load": [{"group": "corner", "force": [0.0, 0.0, 3.0]}]}  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "body": [body, other]}


def grabs(folder, rng):
    """Hands that pull a pinned sheet and a free one: resting and moved in all interpolations, overlapping, one that begins
    and ends between steps, one without a damper, one that is a damper alone."""
    vertices, quads = quad_grid(4, 5, 0.3)
    write_obj(folder / "sheet.obj", vertices, quads)
    springs = [{"from": "edges", "stiffness": 25.0}, {"from": "diagonals", "stiffness": 8.0}]
    bodies = [{"name": "held", "mesh": "sheet.obj", "mass": 0.3, "springs": springs,
               "group": [{"name": "row", "indices": [0, 5, 10, 15]}], "pin": [{"group": "row"}]},
              {"name": "free", "mesh": "sheet.obj", "masses": rng.uniform(0.2, 0.5, 20), "translate": [0.0, 0.0, 1.0],
               "velocity": [0.2, 0.0, 0.1], "springs": springs}]  # fmt: skip
    pulls = [{"body": "held", "vertices": [14, 10, 19], "weights": [0.6, 0.0, 0.4], "stiffness": 6.0, "damping": 0.7,
              "times": [0.0, 0.2, 0.4], "targets": [[1.3, 0.6, 0.1], [1.5, 0.6, 0.5], [1.2, 0.9, 0.4]]},
             {"body": "free", "vertices": [3, 7, 8, 12], "stiffness": 9.0, "damping": 1.1, "until": 0.353, "interpolation": "cubic",
              "times": [0.017, 0.1, 0.23, 0.4], "targets": [[1.0, 0.5, 1.2], [0.9, 0.2, 1.4], [0.3, 0.1, 1.1], [0.0, 0.0, 1.0]]},
             {"body": "free", "vertices": [8, 0], "weights": [0.25, 0.75], "stiffness": 4.0, "interpolation": "step",
              "times": [0.1, 0.2, 0.35], "targets": [[0.0, 0.0, 0.5], [0.1, 0.4, 1.5], [0.5, 0.0, 1.0]]},
             {"body": "free", "vertices": [16], "stiffness": 0.0, "damping": 0.9, "times": [0.0], "targets": [[0, 0, 0]]}]  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "body": bodies, "grab": pulls}


def changes(folder, rng):
    """Everything that may change in a run: step, springs, masses, damping, softening, gravity, fields, an external charge, a
    grab and the method, alone and together, between frames; keys go on in the time that went on."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "ball.obj", vertices, triangles)
    body = {"name": "ball", "mesh": "ball.obj", "mass": 0.4, "charge": 1e-6, "velocities": random_vectors(rng, 12, 0.2),
            "springs": [{"from": "edges", "stiffness": 20.0}], "group": [{"name": "cap", "indices": [0, 1, 5]},
                                                                         {"name": "held", "indices": [3]}],
            "group_charge": [{"group": "cap", "times": [0.0, 0.2, 0.45], "values": [1e-6, 4e-6, -2e-6]}],
            "pin": [{"group": "held", "times": [0.0, 0.3, 0.5], "offsets": [[0, 0, 0], [0.1, 0.0, 0.2], [0.0, 0.1, 0.0]]}]}  # fmt: skip
    made = [{"step": 7, "set": ["body.0.springs.0.stiffness=35.0", "body.0.mass=0.5"]},
            {"step": 12, "unset": ["gravity"], "set": ["damping.drag=0.6", "coulomb.softening=0.3"]},
            {"step": 20, "set": ["time.step=0.006"]},
            {"step": 23, "set": ["external_charge.0.width=0.9", "grab.0.stiffness=8.0"]},
            {"step": 31, "set": ["gravity.acceleration=[0.5, 0.0, -2.0]", "electric_field.0.constants.a=2e4",
                                 "body.0.group_charge.0.values=[1e-6, 4e-6, -4e-6]"]},
            {"step": 40, "set": ["integrator.method='imex'", "integrator.tolerance=1e-11", "integrator.max_iterations=1000",
                                 "time.step=0.011"]}]  # fmt: skip
    return {"time": {"step": 0.01, "steps": 50}, "output": {"every": 3}, "coulomb": {"softening": 0.2},
            "gravity": {"acceleration": [0.0, 0.0, -9.81]}, "damping": {"drag": 0.2, "spring": 0.1}, "body": [body],
            "external_charge": [{"charge": -8e-6, "position": [0.5, 1.5, 1.0], "width": 0.5}],
            "electric_field": [{"expression": ["a", "0", "1e4*sin(9*t)"], "constants": {"a": 5e4}}],
            "grab": [{"body": "ball", "vertices": [8, 9], "weights": [0.5, 0.5], "stiffness": 4.0, "damping": 0.3,
                      "times": [0.0, 0.3], "targets": [[1.2, 0.6, 0.1], [1.5, 0.6, 0.5]]}], "change": made}  # fmt: skip


def stiff_waves(folder, rng):
    """Small waves on springs beyond the explicit limit, which no method need damp to stay close. Implicit methods alone."""
    vertices, triangles = icosphere(0)
    write_obj(folder / "waves.obj", vertices, triangles)
    body = {"name": "waves", "mesh": "waves.obj", "masses": rng.uniform(0.5, 1.5, 12),
            "initial_positions": vertices * [1.01, 0.99, 1.02], "velocities": random_vectors(rng, 12, 0.05),
            "springs": [{"from": "edges", "stiffness": 400.0}]}  # fmt: skip
    return {"time": {"step": 0.05, "steps": 40}, "damping": {"drag": 0.2}, "body": [body]}


# name: (function, methods). A scene's seed is its place in this table.
SCENES = {
    function.__name__: (function, methods)
    for function, methods in (
        (springs_alone, METHODS), (compressed, METHODS), (stiff, DAMPING), (zero_length_spring, EXPLICIT),
        (mixed_charges, METHODS), (free_charges, METHODS), (softening, METHODS), (pinned_cloth, METHODS),
        (moved_pins, METHODS), (all_pinned, METHODS), (drag_alone, METHODS), (spring_damping, METHODS),
        (placed_bodies, METHODS), (expression_fields, METHODS), (point_external, METHODS), (gaussian_external, METHODS),
        (moving_external, METHODS), (mesh_external, METHODS), (modulus_springs, METHODS), (csv_data, METHODS),
        (ply_properties, METHODS), (bending_sheet, METHODS), (keyed_charges, METHODS), (chain_every_third, METHODS),
        (everything, METHODS), (generated_torus, METHODS), (loads, METHODS), (stiff_waves, IMPLICIT),
        (obstacles, METHODS), (grabs, METHODS), (changes, METHODS),
    )
}  # fmt: skip
