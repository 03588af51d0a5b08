#pragma once
/// \file
/// The charges near a tetrahedron: their field at its targets, and the far sums that they must be subtracted
/// from.

#include <electret/field/ddef/far_field.hpp>
#include <electret/field/ddef/gather.hpp>
#include <electret/field/ddef/interpolation.hpp>

namespace electret::ddef {

/// Buffers for the charges near one tetrahedron, in float64 and in float32. The float32 coordinates are
/// relative to a centre of their own.
struct NearWorkspace {
  Gather gather;
  bool has_float64 = false;  ///< `sources` and `charges` are filled.
  Arrays<double> sources;
  std::vector<double> charges, vertex_charges;
  Arrays<float> sources32, targets32;
  std::vector<float> charges32, vertex_charges32;
};

/// The frame of float32 arithmetic near a tetrahedron: (x - centre)·scale. `scale` is a power of two.
struct LocalFrame {
  Vec3 centre;
  double scale = 1.0;
  [[nodiscard]] Vec3 operator()(const Vec3& x) const { return scale * (x - centre); }
};

/// Collects the charges in S(t) and copies them to `w` in float64. If the targets are the sources, t's own
/// charges come first.
void collect_near(const SumTask& task, Index t, NearWorkspace& w);

/// G_v for the four vertices of t: the far field at v without the charges in S(t) that are not near v. `w` is
/// as `collect_near` left it.
std::array<VertexSums, 4> corrected_far(const SumTask& task, Index t, const std::vector<VertexSums>& far,
                                        NearWorkspace& w);

/// Field and potential at targets, in the caller's units and order.
struct FieldOutput {
  VectorSpan field;
  ScalarSpan potential;  ///< May be empty.
  double field_unit = 1.0, potential_unit = 1.0;
};

/// Computes the field at the targets in t. Returns the number of pairs left out: ordered pairs at distance 0.
/// T is the arithmetic of all sums.
template <class T>
Count evaluate_tetrahedron(const SumTask& task, Index t, const std::vector<VertexSums>& far, NearWorkspace& w,
                           const FieldOutput& output);

template <>
Count evaluate_tetrahedron<float>(const SumTask& task, Index t, const std::vector<VertexSums>& far,
                                  NearWorkspace& w, const FieldOutput& output);
template <>
Count evaluate_tetrahedron<double>(const SumTask& task, Index t, const std::vector<VertexSums>& far,
                                   NearWorkspace& w, const FieldOutput& output);

}  // namespace electret::ddef
