"""Values given at key times: constant outside their range, `step`, `linear` or `cubic` between."""
import numpy as np


class KeyFrames:
    """A value v(t), scalar or array, through the keys (t_0, v_0) ... (t_K, v_K), t strictly increasing.

    step    v of the last key with t_k <= t + 1e-9 * time_step
    linear  (1 - s) v_k + s v_{k+1},  s = (t - t_k) / (t_{k+1} - t_k)
    cubic   non-uniform Catmull-Rom spline: cubic Hermite pieces whose inner tangent is the slope at t_k of the
            parabola through three keys, m_k = (d_k D_{k-1} + d_{k-1} D_k) / (d_{k-1} + d_k), with d_k = t_{k+1} - t_k and
            D_k = (v_{k+1} - v_k) / d_k; the end tangents are the one-sided slopes D_0 and D_{K-1}.
    """

    def __init__(self, times, values, interpolation="linear", time_step=0.0):
        self.times = np.asarray(times, dtype=float)
        self.values = np.asarray(values, dtype=float)
        self.interpolation = interpolation
        self.time_step = time_step
        if len(self.times) != len(self.values) or len(self.times) == 0:
            raise ValueError("as many values as times are needed, at least one")
        if np.any(np.diff(self.times) <= 0):
            raise ValueError("key times must increase")
        if interpolation not in ("step", "linear", "cubic"):
            raise ValueError(f"unknown interpolation {interpolation!r}")

    @classmethod
    def constant(cls, value):
        """The same value at every time."""
        return cls([0.0], [value])

    @property
    def moves(self):
        """Whether the value changes at all."""
        return bool(np.any(self.values != self.values[0]))

    def __call__(self, t):
        times, values = self.times, self.values
        if self.interpolation == "step":
            k = np.searchsorted(times, t + 1e-9 * self.time_step, side="right") - 1
            return values[max(k, 0)]
        if t <= times[0]:
            return values[0]
        if t >= times[-1]:
            return values[-1]
        k = int(np.searchsorted(times, t, side="right")) - 1
        s = (t - times[k]) / (times[k + 1] - times[k])
        if self.interpolation == "linear":
            return (1 - s) * values[k] + s * values[k + 1]
        d = times[k + 1] - times[k]
        return (
            (1 + 2 * s) * (1 - s) ** 2 * values[k]
            + s * (1 - s) ** 2 * d * self._tangent(k)
            + s * s * (3 - 2 * s) * values[k + 1]
            + s * s * (s - 1) * d * self._tangent(k + 1)
        )

    def rate(self, t):
        """The right-hand derivative, for linear key-frames and for constant values."""
        k = int(np.searchsorted(self.times, t + 1e-9 * self.time_step, side="right")) - 1
        if k < 0 or k + 1 >= len(self.times):
            return np.zeros_like(self.values[0])
        if self.interpolation != "linear":
            raise ValueError("only linear key-frames have a rate here")
        return (self.values[k + 1] - self.values[k]) / (self.times[k + 1] - self.times[k])

    def _tangent(self, k):
        spacing = np.diff(self.times)
        slope = [(self.values[i + 1] - self.values[i]) / spacing[i] for i in range(len(spacing))]
        if k == 0:
            return slope[0]
        if k == len(spacing):
            return slope[-1]
        return (spacing[k] * slope[k - 1] + spacing[k - 1] * slope[k]) / (spacing[k - 1] + spacing[k])
