"""Electret's physics a second time: plain double-precision numpy, written from the specification alone.

Nothing here is fast and nothing is shared with the C++ library: every formula is the slow, obvious one, so that a
disagreement between `electret run` and this package means that one of the two reads the specification differently.

    from oracle import load_scene, simulate
    trajectory = simulate(load_scene("scene.toml"))
    trajectory.positions            # (frames, n, 3), m
    trajectory.energies["total"]    # (frames,), J
"""
from .scene import load_scene
from .simulate import simulate

__all__ = ["load_scene", "simulate"]
