#pragma once
/// \file
/// Three floats, for rays and colours.

#include <cmath>

#include <electret/core/types.hpp>

namespace electret::render {

struct Float3 {
  float x = 0.0F, y = 0.0F, z = 0.0F;
};

constexpr Float3 operator+(const Float3& a, const Float3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Float3 operator-(const Float3& a, const Float3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Float3 operator-(const Float3& a) {
  return {-a.x, -a.y, -a.z};
}
constexpr Float3 operator*(float s, const Float3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
/// Component by component, as for light on a colour.
constexpr Float3 operator*(const Float3& a, const Float3& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
constexpr float dot(const Float3& a, const Float3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Float3 cross(const Float3& a, const Float3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The unit vector along `a`; 0 stays 0.
inline Float3 unit(const Float3& a) {
  const float length = std::sqrt(dot(a, a));
  return length > 0.0F ? (1.0F / length) * a : a;
}
constexpr Float3 to_float(const Vec3& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

/// Two unit vectors at right angles to the unit vector `normal` and to each other.
struct Tangents {
  Float3 first, second;
};
inline Tangents tangents(const Float3& normal) {
  const Float3 axis = std::abs(normal.x) < 0.5F ? Float3{1, 0, 0} : Float3{0, 1, 0};
  const Float3 first = unit(cross(normal, axis));
  return {first, cross(normal, first)};
}

}  // namespace electret::render
