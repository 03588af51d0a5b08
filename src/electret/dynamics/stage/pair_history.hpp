#pragma once
/// \file
/// The history of L-BFGS: its last steps, and the inverse Hessian that they model.

#include <algorithm>
#include <array>
#include <cstddef>

#include <electret/dynamics/vector_sums.hpp>

namespace electret {

/// The last pairs (s, t) = (change of x, change of ∇g) and the product with the inverse Hessian that they
/// model: Nocedal and Wright, Numerical Optimization, algorithm 7.4. The initial inverse Hessian is constant:
/// A⁻¹ [Liu17] or the inverse of a diagonal.
class PairHistory {
 public:
  static constexpr std::size_t capacity = 5;

  explicit PairHistory(std::size_t n) {
    for (auto& pair : pairs_) pair.s.resize(n), pair.t.resize(n);
  }

  void clear() { count_ = 0; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// The slot that the next pair is written into; `keep` makes it the newest.
  VectorSpan next_s() { return pairs_[next()].s; }
  VectorSpan next_t() { return pairs_[next()].t; }
  /// Keeps the written pair only if its curvature is safely positive, because compressed springs make g
  /// non-convex.
  void keep(Threads& threads) {
    Pair& pair = pairs_[next()];
    const double curvature = dot(threads, pair.s, pair.t);
    const double sizes = norm(threads, pair.s) * norm(threads, pair.t);
    if (!(curvature > 1e-8 * sizes)) return;
    pair.inverse_curvature = 1.0 / curvature;
    newest_ = next();
    if (count_ < capacity) ++count_;
  }

  /// direction ← -H⁻¹ gradient. `hessian` is the initial one, which has hessian.solve(rhs, z). `work` (n×3)
  /// is scratch.
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
  // There is one slot more than pairs in use, because a pair is written before it is known whether it is
  // kept.
  [[nodiscard]] std::size_t next() const { return (newest_ + 1) % pairs_.size(); }
  [[nodiscard]] const Pair& newest(std::size_t k) const {
    return pairs_[(newest_ + pairs_.size() - k) % pairs_.size()];
  }

  std::array<Pair, capacity + 1> pairs_;
  std::size_t newest_ = 0, count_ = 0;
};

}  // namespace electret
