#!/usr/bin/python3
"""Writes hair.obj, flower.obj, walker.obj and rope.obj, the meshes of four scenes, beside itself."""
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def write(name, vertices, groups):
    """groups: name -> (letter, elements), with elements as lists of vertex numbers from 0."""
    with open(HERE / name, "w", encoding="ascii") as file:
        for x, y, z in np.round(vertices, 5):
            file.write(f"v {x:g} {y:g} {z:g}\n")
        for group, (letter, elements) in groups.items():
            file.write(f"g {group}\n")
            for element in elements:
                file.write(letter + "".join(f" {index + 1}" for index in element) + "\n")


def hair(strands=80, links=12, length=0.75, radius=0.5, width=0.035):
    """Ribbons that start on the upper half of a ball about the origin and hang over it. Each comes to hang in a layer of its
    own, and those from farther up lie farther out, so that no two meet."""
    vertices, quads, roots = [], [], []
    step = length / links
    for strand in range(strands):
        angle = strand * np.pi * (3 - np.sqrt(5))
        out = np.array([np.cos(angle), np.sin(angle), 0])
        sideways = 0.5 * width * np.array([-np.sin(angle), np.cos(angle), 0])
        layer = radius * (1.05 + 0.2 * (1 - strand / strands))
        # Around the ball to its equator, then straight down.
        polar, away, down = np.arccos(0.95 - 0.75 * (strand + 0.5) / strands), 1.02 * radius, 0.0
        for link in range(links + 1):
            taper = 1 - 0.6 * link / links
            place = away * (np.sin(polar) * out + [0, 0, np.cos(polar)]) - [0, 0, down]
            vertices += [place - taper * sideways, place + taper * sideways]
            away = min(layer, away + 0.4 * step)
            around = min(step, away * (np.pi / 2 - polar))
            polar += around / away
            down += step - around
        first = len(vertices) - 2 * (links + 1)
        faces = [[first + 2 * k + c for c in (0, 1, 3, 2)] for k in range(links)]
        roots.append(faces[0])
        quads += faces[1:]
    write("hair.obj", vertices, {"roots": ("f", roots), "strands": ("f", quads)})


def flower(petals=8, rows=13, columns=7, length=1.0):
    """Petals around a ring, open and bent up a little."""
    vertices, quads, roots = [], [], []
    for petal in range(petals):
        first, turn = len(vertices), 2 * np.pi * petal / petals
        for row in range(rows):
            s = row / (rows - 1)
            out, up = 0.12 + 0.95 * length * s, 0.30 * length * s * s + 0.02 * (petal % 2)
            width = 0.05 + 0.19 * np.sin(np.pi * (0.04 + 0.90 * s)) ** 1.1
            for column in range(columns):
                sideways = width * (2 * column / (columns - 1) - 1)
                vertices.append([out * np.cos(turn) - sideways * np.sin(turn),
                                 out * np.sin(turn) + sideways * np.cos(turn), up])  # fmt: skip
        faces = [[first + (r + a) * columns + c + b for a, b in ((0, 0), (0, 1), (1, 1), (1, 0))]
                 for r in range(rows - 1) for c in range(columns - 1)]  # fmt: skip
        roots += faces[: columns - 1]
        quads += faces[columns - 1 :]
    write("flower.obj", vertices, {"roots": ("f", roots), "petals": ("f", quads)})


def walker(length=0.16, width=0.1, leg=0.04, height=0.08, back=0.04):
    """A back with four legs that stand up from its corners to z = 0: closed boxes that face outwards."""
    x, y = length / 2, width / 2
    boxes = {"back": ((-x, -y, -height - back), (x, y, -height))}
    for name, x0, y0 in (("front_left", x - leg, y - leg), ("front_right", x - leg, -y),
                         ("rear_left", -x, y - leg), ("rear_right", -x, -y)):  # fmt: skip
        boxes[name] = ((x0, y0, -height), (x0 + leg, y0 + leg, 0))
    vertices, groups = [], {}
    for name, (low, high) in boxes.items():
        first = len(vertices)
        vertices += [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]
        sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
        groups[name] = ("f", [[first + corner for corner in side] for side in sides])
    write("walker.obj", np.array(vertices), groups)


def braid(links=32, around=5, length=0.9, radius=0.017, wide=0.05, high=0.03, turns=2):
    """Three round strands along x that are braided: each goes over one and under the next."""
    vertices, left, right, sides = [], [], [], []
    for strand in range(3):
        first = len(vertices)
        for link in range(links + 1):
            share = link / links
            turn = 2 * np.pi * (turns * share + strand / 3)
            slope = 2 * np.pi * turns * np.array([wide * np.cos(turn), 2 * high * np.cos(2 * turn)])
            along = np.array([length, *slope])
            along /= np.linalg.norm(along)
            sideways = np.cross([0, 0, 1], along)
            sideways /= np.linalg.norm(sideways)
            up = np.cross(along, sideways)
            centre = np.array([length * (share - 0.5), wide * np.sin(turn), high * np.sin(2 * turn)])
            for corner in 2 * np.pi * np.arange(around) / around:
                vertices.append(centre + radius * (np.cos(corner) * sideways + np.sin(corner) * up))
        rings = [[[first + (link + a) * around + (corner + b) % around for a, b in ((0, 0), (0, 1), (1, 1), (1, 0))]
                  for corner in range(around)] for link in range(links)]  # fmt: skip
        left += rings[0] + [[first + corner for corner in range(around)]]
        right += rings[-1] + [[first + links * around + corner for corner in reversed(range(around))]]
        sides += [face for ring in rings[1:-1] for face in ring]
    write("rope.obj", vertices, {"left": ("f", left), "right": ("f", right), "strands": ("f", sides)})


if __name__ == "__main__":
    hair()
    flower()
    walker()
    braid()
