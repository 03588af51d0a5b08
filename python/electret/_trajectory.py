"""trajectory.h5, frame by frame."""

from __future__ import annotations

import os
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _html
from ._arrays import Floats, Integers, path as path_text
from ._errors import IoError
from ._repr import one_line
from ._state import Contact, ContactPairs

if TYPE_CHECKING:
    from ._run import Run


class FrameArray:
    """An array over frames that reads the file at each access: `a[f]`, slices, `a[f, i]`, `np.asarray(a)`.

    Each access gives a new array in the unit of the property. Numbers that are stored as float32 stay float32. Made by a
    `Trajectory`. Raises IndexError for frames that do not exist, and TypeError for other keys.

    Examples
    --------
    >>> trajectory.positions[-1].shape
    (32, 3)
    """

    def __init__(self, trajectory: Trajectory, name: str, row: tuple[int, ...], dtype: Any) -> None:
        self._trajectory, self._name, self._row = trajectory, name, row
        self._kind = getattr(_core.FrameValues, name)
        self.dtype = np.dtype(dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """(frames, …)."""
        return (len(self._trajectory), *self._row)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return 1 + len(self._row)

    def __len__(self) -> int:
        return len(self._trajectory)

    def __getitem__(self, key: Any) -> NDArray[Any]:
        if type(key) is int:
            return self._frame(key)
        first, *rest = key if isinstance(key, tuple) else (key,)
        if isinstance(first, (int, np.integer)) and not isinstance(first, bool):
            part: NDArray[Any] = self._frame(int(first))[tuple(rest)]
            return part
        if first is Ellipsis:  # It stands for as many axes as are not named.
            first, rest = slice(None), [slice(None)] * (self.ndim - 1 - len(rest)) + rest
        if not isinstance(first, slice):
            raise TypeError("frames are chosen by a number or a slice")
        numbers = range(*first.indices(len(self)))
        frames: NDArray[Any] = self._trajectory._open().frames_of(self._kind, numbers.start, numbers.step, len(numbers))
        return frames[(slice(None), *rest)] if rest else frames

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("frames are read from a file, so that each array of them is a copy")
        whole = self[:]
        return whole if dtype is None else whole.astype(dtype)

    def _frame(self, number: int) -> NDArray[Any]:
        reader = self._trajectory._open()
        count = reader.frames
        if not -count <= number < count:
            raise IndexError(f"frame {number} of {count}")
        frame: NDArray[Any] = reader.frame(self._kind, number if number >= 0 else number + count)
        return frame

    def __repr__(self) -> str:
        return f"<electret frames: {self._name} {self.shape} {self.dtype}>"


class FrameContacts:
    """What obstacles push with, frame by frame: `c[f]` reads a `Contact` from the file. Made by a `Trajectory`.

    Raises IndexError for frames that do not exist, and TypeError for other keys.

    Examples
    --------
    >>> trajectory.contact  # Of a run without such obstacles.  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    electret.IoError: trajectory.h5: contacts were not stored
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory

    def __len__(self) -> int:
        return len(self._trajectory)

    def __getitem__(self, frame: int) -> Contact:
        return Contact(*self._trajectory._open().contact(_number(self._trajectory, frame)))

    def __repr__(self) -> str:
        return f"<electret contacts: {len(self)} frames>"


class FrameContactPairs:
    """What bodies push each other with, frame by frame: `p[f]` reads `ContactPairs` from the file. Made by a `Trajectory`.

    Raises IndexError for frames that do not exist, and TypeError for other keys.

    Examples
    --------
    >>> trajectory.contact_pairs  # Of a run whose bodies do not touch.  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    electret.IoError: trajectory.h5: contact between bodies was not stored
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory

    def __len__(self) -> int:
        return len(self._trajectory)

    def __getitem__(self, frame: int) -> ContactPairs:
        return ContactPairs(*self._trajectory._open().contact_pairs(_number(self._trajectory, frame)))

    def __repr__(self) -> str:
        return f"<electret contact pairs: {len(self)} frames>"


def _number(trajectory: Trajectory, frame: int) -> int:
    if not isinstance(frame, (int, np.integer)) or isinstance(frame, bool):
        raise TypeError("frames are chosen by a number")
    count = len(trajectory)
    if not -count <= frame < count:
        raise IndexError(f"frame {frame} of {count}")
    return int(frame) % count


class Trajectory:
    """Reads a trajectory.h5, finished, killed or still growing. It needs no h5py.

    Parameters
    ----------
    path : path or Run
        The file, or a run's directory.

    Raises IoError if the file is missing or is no trajectory. Its methods raise RuntimeError once it is closed, and in a
    process that was forked after it was opened.

    Examples
    --------
    >>> Trajectory("runs/jelly").positions[-1].mean(axis=0).shape
    (3,)
    """

    def __init__(self, path: str | os.PathLike[str] | Run) -> None:
        name = os.path.abspath(path_text(getattr(path, "directory", path), "path"))
        self._path = os.path.join(name, "trajectory.h5") if os.path.isdir(name) else name
        self._reader: _core.TrajectoryReader | None = None
        self.refresh()

    def refresh(self) -> None:
        """Opens the file again, to see the frames that were written since. Raises IoError if the file no longer exists.

        Examples
        --------
        >>> trajectory.refresh()
        """
        if self._reader is not None:
            len(self)  # Raises in a forked child.
        self._reader = None  # Readers of one file share what the first saw.
        self._reader = _core.TrajectoryReader(self._path)

    def close(self) -> None:
        """Closes the file; reading raises RuntimeError from then on.

        Examples
        --------
        >>> trajectory.close()
        """
        self._reader = None

    def __enter__(self) -> Trajectory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self._open().frames)

    def _open(self) -> _core.TrajectoryReader:
        if self._reader is None:
            raise RuntimeError("this trajectory is closed")
        return self._reader

    def _frames(self, name: str, row: tuple[int, ...], may_be_single: bool = True) -> FrameArray:
        single = may_be_single and self._open().single_precision
        return FrameArray(self, name, row, np.float32 if single else np.float64)

    @property
    def positions(self) -> FrameArray:
        """(frames, n, 3) m."""
        return self._frames("positions", (self._open().vertices, 3))

    @property
    def velocities(self) -> FrameArray:
        """(frames, n, 3) m/s. Raises IoError if the run did not store them."""
        if not self._open().has_velocities:
            raise IoError(f"{self._path}: velocities were not stored", self._path)
        return self._frames("velocities", (self._open().vertices, 3))

    @property
    def charges(self) -> FrameArray:
        """(frames, n) C."""
        return self._frames("charges", (self._open().vertices,), False)

    @property
    def pins(self) -> Integers:
        """(p,) vertex indices of the pinned vertices, ascending; a new array."""
        indices: Integers = self._open().pins()
        return indices

    @property
    def pin_reactions(self) -> FrameArray:
        """(frames, p, 3) N, the force that held or moved each of the vertices `pins` over the step that ends at the frame, as a
        mean over the step; 0 at frame 0. p is 0 for a run without pins, and for one of a version that did not store them."""
        return self._frames("pin_reactions", (len(self.pins), 3), False)

    @property
    def contact(self) -> FrameContacts:
        """What obstacles with the law `exact` push vertices with at the end of the step that ends at each frame, N; nothing at
        frame 0. Raises IoError if the run has no such obstacle."""
        if not self._open().has_contacts:
            raise IoError(f"{self._path}: contacts were not stored", self._path)
        return FrameContacts(self)

    @property
    def contact_pairs(self) -> FrameContactPairs:
        """What parts of bodies that touch each other push each other with at the end of the step that ends at each frame; nothing
        at frame 0. Raises IoError if bodies may not touch in the run."""
        if not self._open().has_contact_pairs:
            raise IoError(f"{self._path}: contact between bodies was not stored", self._path)
        return FrameContactPairs(self)

    @property
    def obstacles(self) -> list[str]:
        """The names of the obstacles whose numbers `contact` has; none for a run without contacts."""
        return list(self._open().obstacles())

    @property
    def times(self) -> Floats:
        """(frames,) s."""
        times: Floats = self._open().times()
        return times[:len(self)]

    @property
    def masses(self) -> Floats:
        """Each vertex's mass, (n,) kg; a new array."""
        values: Floats = self._open().masses()
        return values

    @property
    def springs(self) -> Integers:
        """(s, 2) vertex indices."""
        values: Integers = self._open().springs()
        return values

    @property
    def faces(self) -> Integers:
        """(F, 3) vertex indices."""
        values: Integers = self._open().faces()
        return values

    @property
    def rest_positions(self) -> Floats:
        """The meshes as placed, (n, 3) m; a new array."""
        values: Floats = self._open().rest_positions()
        return values

    @property
    def bodies(self) -> dict[str, slice]:
        """{name: slice of the body's vertices}."""
        offsets = self._open().body_offsets()
        return {name: slice(a, b) for name, a, b in zip(self._open().body_names(), offsets, offsets[1:])}

    @property
    def groups(self) -> dict[str, Integers]:
        """{"body[group]": vertex indices}."""
        groups: dict[str, Integers] = self._open().groups()
        return groups

    @property
    def scene(self) -> str:
        """The scene file's text."""
        return str(self._open().scene)

    @property
    def version(self) -> str:
        """The version of the program that wrote the file."""
        return str(self._open().version)

    def __reduce__(self) -> Any:
        return type(self), (self._path,)

    def __repr__(self) -> str:
        return f"<electret.Trajectory: {one_line(self._path)}" + (f", {len(self)} frames>" if self._reader else ", closed>")

    def _repr_html_(self) -> str:
        if self._reader is None:
            return _html.table(repr(self)[1:-1], (), [])
        rows = [(name, part.stop - part.start) for name, part in self.bodies.items()]
        times = self.times
        span = f"{len(self)}, {times[0]:.6g} … {times[-1]:.6g} s" if len(self) else "0"
        return _html.table(repr(self)[1:-1], ("body", "vertices"), rows) + _html.table("", (), [("frames", span), ("version", self.version)])
