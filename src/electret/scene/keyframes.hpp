#pragma once
/// \file
/// Values that change over time by key-frames.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

enum class Interpolation { linear, step, cubic };

/// Key-framed values of type T (double or Vec3), constant outside the keys' range. `step` takes the last key
/// ≤ t + 1e-9·(time step). `cubic` is the non-uniform Catmull-Rom spline with one-sided end tangents.
template <class T>
struct KeyFrames {
  std::vector<double> times{};  ///< s, strictly increasing.
  std::vector<T> values{};      ///< One per time.
  Interpolation interpolation = Interpolation::linear;

  [[nodiscard]] bool empty() const { return times.empty(); }
  /// One key: the same value for all time.
  static KeyFrames constant(const T& value) { return {{0.0}, {value}, Interpolation::linear}; }
};

/// The value at `time` (s). `time_step` (s) only sets the tolerance of `step`'s comparison. `keys` must not
/// be empty.
double evaluate(const KeyFrames<double>& keys, double time, double time_step);
Vec3 evaluate(const KeyFrames<Vec3>& keys, double time, double time_step);

/// The rate of change at `time` (s), per second. At a key it is that of the interval after the key, also at
/// times up to 1e-9·(time step) before it. 0 outside the keys' range, and for `step`, which jumps.
Vec3 rate(const KeyFrames<Vec3>& keys, double time, double time_step);

/// Overwrites `weights` with ∂value(time)/∂values: the weight of each key, of which at most four are not 0.
/// In every interpolation, for doubles and vectors alike, the value is Σ_k weights[k]·values[k].
template <class T>
void key_weights(const KeyFrames<T>& keys, double time, double time_step, ScalarSpan weights);

}  // namespace electret
