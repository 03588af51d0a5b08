#pragma once
/// \file
/// What L-BFGS remembers: its last steps, and the inverse Hessian they model.

#include <algorithm>
#include <array>
#include <cstddef>

#include <electret/dynamics/vector_sums.hpp>

namespace electret {

/// The last pairs (s, t) = (change of x, change of ∇g) and the product with the inverse Hessian they model.
/// Nocedal and Wright, Numerical Optimization, algorithm 7.4, with a constant initial inverse Hessian: A⁻¹
/// [Liu17], or that of a diagonal.
class PairHistory {
 public:
  static constexpr std::size_t capacity = 5;

  explicit PairHistory(std::size_t n) {
    for (auto& pair : pairs_) pair.s.resize(n), pair.t.resize(n);
  }

  void clear() { count_ = 0; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// The slot the next pair is written into; `keep` makes it the newest.
  VectorSpan next_s() { return pairs_[next()].s; }
  VectorSpan next_t() { return pairs_[next()].t; }
  /// Keeps the written pair where its curvature is safely positive: compressed springs make g non-convex.
  void keep(Threads& threads) {
    Pair& pair = pairs_[next()];
    const double curvature = dot(threads, pair.s, pair.t);
    const double sizes = norm(threads, pair.s) * norm(threads, pair.t);
    if (!(curvature > 1e-8 * sizes)) return;
    pair.inverse_curvature = 1.0 / curvature;
    newest_ = next();
    if (count_ < capacity) ++count_;
  }

  /// direction ← -H⁻¹ gradient; `work` (n×3) is scratch. `hessian` is the initial one: hessian.solve(rhs, z).
  template <class Initial>
  void direction(Threads& threads, Initial& hessian, VectorView gradient, VectorSpan work,
                 VectorSpan direction) {
    std::array<double, capacity> weight{};
    std::copy(gradient.begin(), gradient.end(), work.begin());
    for (std::size_t k = 0; k < count_; ++k) {
      const Pair& pair = newest(k);
      weight[k] = pair.inverse_curvature * dot(threads, pair.s, work);
      add_scaled(threads, work, -weight[k], pair.t, work);
    }
    hessian.solve(work, direction);
    for (std::size_t k = count_; k-- > 0;) {
      const Pair& pair = newest(k);
      const double correction = weight[k] - pair.inverse_curvature * dot(threads, pair.t, direction);
      add_scaled(threads, direction, correction, pair.s, direction);
    }
    for (Vec3& d : direction) d = -d;
  }

 private:
  struct Pair {
    VectorArray s, t;
    double inverse_curvature = 0.0;
  };
  // One more slot than pairs in use: a pair is written before it is known to be kept.
  [[nodiscard]] std::size_t next() const { return (newest_ + 1) % pairs_.size(); }
  [[nodiscard]] const Pair& newest(std::size_t k) const {
    return pairs_[(newest_ + pairs_.size() - k) % pairs_.size()];
  }

  std::array<Pair, capacity + 1> pairs_;
  std::size_t newest_ = 0, count_ = 0;
};

}  // namespace electret
