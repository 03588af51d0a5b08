#pragma once
/// \file
/// The points and vectors of a leaf from another one on.

#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {

template <class T>
Points<T> moved(Points<T> p, int by) {
  p.x += by, p.y += by, p.z += by;
  if (p.x_low) p.x_low += by, p.y_low += by, p.z_low += by;
  return p;
}
template <class T>
Vectors<T> moved(Vectors<T> v, int by) {
  if (v.x) v.x += by, v.y += by, v.z += by;
  return v;
}

}  // namespace electret::fmm
