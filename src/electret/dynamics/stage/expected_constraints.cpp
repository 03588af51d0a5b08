#include <electret/dynamics/stage/expected_constraints.hpp>

namespace electret {
namespace {

/// I - V(VᵀV)⁻¹Vᵀ, by Gram and Schmidt's orthogonalisation.
Mat3 held_by(const VertexConstraint& constraint) {
  Mat3 held = Mat3::identity();
  for (int k = 0; k < constraint.columns; ++k) {
    const Vec3 free = held * constraint.trial[static_cast<std::size_t>(k)];
    const double squares = squared_norm(free);
    if (!(squares > 0.0)) continue;
    for (std::size_t r = 0; r < 3; ++r) held.rows[r] += (-free[static_cast<int>(r)] / squares) * free;
  }
  return held;
}

}  // namespace

void ExpectedConstraints::set(std::span<const VertexConstraint> constraints) {
  vertices_.clear();
  for (const VertexConstraint& constraint : constraints)
    if (constraint.columns < 3) vertices_.push_back({constraint.vertex, held_by(constraint), {}});
}

void ExpectedConstraints::subtract(PaddedView32 x, PaddedSpan32 y) const {
  for (const Stiffened& at : vertices_) {
    const Padded32& in = x[static_cast<std::size_t>(at.vertex)];
    Padded32& out = y[static_cast<std::size_t>(at.vertex)];
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c) out.lane[r] -= at.added[3 * r + c] * in.lane[c];
  }
}

}  // namespace electret
