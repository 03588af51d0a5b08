#pragma once
/// \file
/// Where the masses of some vertices have their centre, for losses of it.

#include <electret/dynamics/loss.hpp>

namespace electret {

/// c = Σ m x / Σ m over the vertices begin … end-1.
class MassCentre {
 public:
  MassCentre(const LossPoint& at, std::size_t begin, std::size_t end) : at_(at), begin_(begin), end_(end) {
    Vec3 moment;
    for (std::size_t i = begin_; i < end_; ++i) {
      moment += at_.system.masses()[i] * at_.state.positions[i];
      mass_ += at_.system.masses()[i];
    }
    place_ = (1.0 / mass_) * moment;
  }

  /// c, m.
  [[nodiscard]] const Vec3& place() const { return place_; }
  /// Adds the derivatives of `slope`·c: ∂c/∂x_i = m_i / M and ∂c/∂m_i = (x_i - c) / M.
  void add_derivatives(const Vec3& slope, const LossGradients& out) const {
    const Vec3 share = (1.0 / mass_) * slope;
    for (std::size_t i = begin_; i < end_; ++i) {
      out.positions[i] += at_.system.masses()[i] * share;
      out.parameters.masses[i] += dot(share, at_.state.positions[i] - place_);
    }
  }

 private:
  const LossPoint& at_;
  std::size_t begin_, end_;
  double mass_ = 0.0;
  Vec3 place_;
};

}  // namespace electret
