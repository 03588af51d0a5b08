#include <algorithm>
#include <array>
#include <cstddef>

#include <electret/core/errors.hpp>
#include <electret/scene/keyframe_gradient.hpp>
#include <electret/scene/keyframes.hpp>

namespace electret {
namespace {

/// The keys that determine the value at one time, with their weights: `count` keys (at most four) from
/// `first` on.
struct Blend {
  std::size_t first = 0;
  std::size_t count = 1;
  std::array<double, 4> weights{1.0, 0.0, 0.0, 0.0};
};

Blend single(std::size_t key) {
  return {key, 1, {1.0, 0.0, 0.0, 0.0}};
}

/// Adds `factor` times the spline's tangent at `key`, expressed in the keys' values, to `blend`. At an inner
/// key the tangent is the slope of the parabola through three keys, (d₁D₀ + d₀D₁)/(d₀ + d₁), where d are the
/// spacings and D the slopes on either side. At an end it is the one-sided slope.
void add_tangent(Blend& blend, const std::vector<double>& times, std::size_t key, double factor) {
  const auto add_slope = [&](std::size_t left, double weight) {
    const double slope = factor * weight / (times[left + 1] - times[left]);
    blend.weights[left + 1 - blend.first] += slope;
    blend.weights[left - blend.first] -= slope;
  };
  if (key == 0) return add_slope(0, 1.0);
  if (key + 1 == times.size()) return add_slope(key - 1, 1.0);
  const double before = times[key] - times[key - 1];
  const double after = times[key + 1] - times[key];
  add_slope(key - 1, after / (before + after));
  add_slope(key, before / (before + after));
}

/// No weight yet for the keys that determine the spline in the interval from `key`.
Blend around(const std::vector<double>& times, std::size_t key) {
  const std::size_t first = key == 0 ? 0 : key - 1;
  return {first, std::min(key + 3, times.size()) - first, {}};
}

/// One Hermite piece of the spline; `s` in [0, 1) runs along the interval from `key`.
Blend cubic(const std::vector<double>& times, std::size_t key, double s) {
  Blend blend = around(times, key);
  const double length = times[key + 1] - times[key];
  const double r = 1.0 - s;
  blend.weights[key - blend.first] += (1.0 + 2.0 * s) * r * r;
  blend.weights[key + 1 - blend.first] += s * s * (3.0 - 2.0 * s);
  add_tangent(blend, times, key, s * r * r * length);
  add_tangent(blend, times, key + 1, -s * s * r * length);
  return blend;
}

/// The derivative of `cubic` by time.
Blend cubic_rate(const std::vector<double>& times, std::size_t key, double s) {
  Blend blend = around(times, key);
  const double length = times[key + 1] - times[key];
  const double slope = 6.0 * s * (1.0 - s) / length;
  blend.weights[key - blend.first] -= slope;
  blend.weights[key + 1 - blend.first] += slope;
  add_tangent(blend, times, key, (1.0 - s) * (1.0 - 3.0 * s));
  add_tangent(blend, times, key + 1, s * (3.0 * s - 2.0));
  return blend;
}

/// The rate of change, expressed in the keys' values.
Blend rate_at(const std::vector<double>& times, Interpolation interpolation, double time, double time_step) {
  require(!times.empty(), "key-frames without keys were evaluated");
  const double at = time + 1e-9 * time_step;
  if (interpolation == Interpolation::step || at < times.front() || at >= times.back())
    return {0, 1, {0.0, 0.0, 0.0, 0.0}};
  const auto next = std::upper_bound(times.begin(), times.end(), at);
  const auto key = static_cast<std::size_t>(next - times.begin()) - 1;
  const double length = times[key + 1] - times[key];
  if (interpolation == Interpolation::cubic) return cubic_rate(times, key, (at - times[key]) / length);
  return {key, 2, {-1.0 / length, 1.0 / length, 0.0, 0.0}};
}

Blend blend_at(const std::vector<double>& times, Interpolation interpolation, double time, double time_step) {
  require(!times.empty(), "key-frames without keys were evaluated");
  const auto last_not_after = [&](double t) {
    const auto next = std::upper_bound(times.begin(), times.end(), t) - times.begin();
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - 1, 0));
  };
  if (interpolation == Interpolation::step) return single(last_not_after(time + 1e-9 * time_step));
  if (!(time > times.front())) return single(0);
  if (time >= times.back()) return single(times.size() - 1);
  const std::size_t key = last_not_after(time);
  const double s = (time - times[key]) / (times[key + 1] - times[key]);
  if (interpolation == Interpolation::cubic) return cubic(times, key, s);
  return {key, 2, {1.0 - s, s, 0.0, 0.0}};
}

template <class T>
void add_blend(const Blend& blend, const T& by_value, std::size_t keys, std::span<T> out) {
  require(out.size() == keys, "there must be as many derivatives as keys");
  for (std::size_t k = 0; k < blend.count; ++k) out[blend.first + k] += blend.weights[k] * by_value;
}

template <class T>
T blended(const KeyFrames<T>& keys, const Blend& blend) {
  T value = blend.weights[0] * keys.values[blend.first];
  for (std::size_t k = 1; k < blend.count; ++k) value += blend.weights[k] * keys.values[blend.first + k];
  return value;
}

/// Between equal keys it is their value, to the last bit: what does not change need not be evaluated again,
/// and whether it is must not be seen.
template <class T>
T value_at(const KeyFrames<T>& keys, double time, double time_step) {
  const Blend blend = blend_at(keys.times, keys.interpolation, time, time_step);
  const auto first = keys.values.begin() + static_cast<std::ptrdiff_t>(blend.first);
  const bool are_equal = std::all_of(first, first + static_cast<std::ptrdiff_t>(blend.count),
                                     [&](const T& value) { return value == *first; });
  return are_equal ? *first : blended(keys, blend);
}

}  // namespace

double evaluate(const KeyFrames<double>& keys, double time, double time_step) {
  return value_at(keys, time, time_step);
}

Vec3 evaluate(const KeyFrames<Vec3>& keys, double time, double time_step) {
  return value_at(keys, time, time_step);
}

Vec3 rate(const KeyFrames<Vec3>& keys, double time, double time_step) {
  return blended(keys, rate_at(keys.times, keys.interpolation, time, time_step));
}

template <class T>
void key_weights(const KeyFrames<T>& keys, double time, double time_step, ScalarSpan weights) {
  require(weights.size() == keys.times.size(), "there must be as many weights as keys");
  std::fill(weights.begin(), weights.end(), 0.0);
  const Blend blend = blend_at(keys.times, keys.interpolation, time, time_step);
  for (std::size_t k = 0; k < blend.count; ++k) weights[blend.first + k] = blend.weights[k];
}

template <class T>
void add_key_gradient(const KeyFrames<T>& keys, double time, double time_step, const T& by_value,
                      std::span<T> out) {
  add_blend(blend_at(keys.times, keys.interpolation, time, time_step), by_value, keys.times.size(), out);
}

void add_rate_gradient(const KeyFrames<Vec3>& keys, double time, double time_step, const Vec3& by_rate,
                       std::span<Vec3> out) {
  add_blend(rate_at(keys.times, keys.interpolation, time, time_step), by_rate, keys.times.size(), out);
}

template void add_key_gradient(const KeyFrames<double>&, double, double, const double&, std::span<double>);
template void add_key_gradient(const KeyFrames<Vec3>&, double, double, const Vec3&, std::span<Vec3>);
template void key_weights(const KeyFrames<double>&, double, double, ScalarSpan);
template void key_weights(const KeyFrames<Vec3>&, double, double, ScalarSpan);

}  // namespace electret
