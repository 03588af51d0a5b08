"""The devices that can compute the field."""

from __future__ import annotations

from typing import NamedTuple

from . import _core
from ._repr import of_fields


class Device(NamedTuple):
    """A device that this machine has, as its driver describes it.

    Attributes
    ----------
    name : str
    choose_by : str
        The value of `device` that chooses it: "gpu:NAME".
    kind : str
        "discrete" or "integrated" for GPUs, "cpu" for a CPU behind OpenCL, which only its name chooses.
    platform, version, driver : str
        The OpenCL platform, its version, and the driver's.
    memory, largest_buffer : int, bytes
    compute_units : int
    clock : int, MHz
    float64 : bool
        Whether it has float64. No field needs it.
    unusable : str
        Why it cannot be used; empty if it can.

    Examples
    --------
    >>> import electret as el
    >>> [device for device in el.devices() if device.unusable and not device.name]
    []
    """

    name: str
    choose_by: str
    kind: str
    platform: str
    version: str
    driver: str
    memory: int
    largest_buffer: int
    compute_units: int
    clock: int
    float64: bool
    unusable: str

    def __repr__(self) -> str:
        return of_fields(self)


def devices() -> tuple[Device, ...]:
    """The devices of this machine that can compute the field, beside the CPU itself.

    Returns
    -------
    tuple of Device
        GPUs first: the first of them is what `device="gpu"` takes. It is empty where there are none; asking for one then
        raises an InputError that says why.

    Raises nothing.

    Examples
    --------
    >>> all(device.choose_by.startswith("gpu:") for device in devices())
    True
    """
    return tuple(Device(*facts) for facts in _core.devices())
