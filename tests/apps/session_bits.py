"""What a session and the runs of its session.toml end in, bit for bit."""

import h5py

ATTRIBUTES = ("step", "memory", "field_work", "keyframe_work", "pin_work", "dissipation")


def checkpoint(folder):
    """Attributes and arrays of a folder's checkpoint: positions, velocities, the method's memory and the work."""
    with h5py.File(folder / "checkpoint.h5") as file:
        arrays = {}

        def note(name, item):
            # Chunks are those of a trajectory, which the studio has none of.
            if isinstance(item, h5py.Dataset) and name != "trajectory_chunks":
                arrays[name] = item[()].tolist() if item.dtype == object else item[()].tobytes()
        file.visititems(note)
        return {name: file.attrs[name] for name in ATTRIBUTES}, arrays


def differing(one, other):
    """Names of what differs between two checkpoints."""
    return sorted({name for a, b in zip(one, other) for name in {*a, *b} if name not in a or name not in b or a[name] != b[name]})
