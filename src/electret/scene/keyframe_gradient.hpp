#pragma once
/// \file
/// The transpose of evaluating key-frames.

#include <span>

#include <electret/scene/keyframes.hpp>

namespace electret {

/// out[k] += ∂value(time)/∂values[k] · `by_value`. This turns a derivative by the value at `time` (s) into
/// one by the values of the keys. `out` has one entry per key.
template <class T>
void add_key_gradient(const KeyFrames<T>& keys, double time, double time_step, const T& by_value,
                      std::span<T> out);

/// The same for the rate of change at `time`.
void add_rate_gradient(const KeyFrames<Vec3>& keys, double time, double time_step, const Vec3& by_rate,
                       std::span<Vec3> out);

}  // namespace electret
