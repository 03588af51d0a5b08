#pragma once
/// \file
/// Pairs that a device leaves to the host, because float32 cannot resolve their distance.

#include <algorithm>
#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// The sums at one target, or one pair's part of them, in the caller's units without k_c: Σ q K, Σ q/ρ,
/// Σ q K'(z - u) and Σ q K·(z - u).
struct ExactSums {
  Vec3 field, product;
  double potential = 0.0, charge_product = 0.0;
};

/// Source x with charge q and vector u at target y with vector z: one pair in float64, without the factor
/// k_c. At distance 0 with ε = 0 it is nothing.
ExactSums exact_pair(const Vec3& y, const Vec3& x, double charge, double softening, const Vec3& z,
                     const Vec3& u);

/// The buffer into which kernels write such pairs {target, source}. They come in any order: `read` sorts
/// them, so that sums over them always have the same order.
class ClosePairs {
 public:
  explicit ClosePairs(Device& device) : count_(device, 1), pairs_(device, first_capacity) {}

  /// Empties the list. Call before each launch that writes it.
  void clear() {
    pairs_.resize(std::max(pairs_.size(), first_capacity));  // it is empty where its growth has failed
    count_.fill(0);
  }
  [[nodiscard]] const Array<std::int32_t>& count() const { return count_; }
  [[nodiscard]] const Array<Int2>& pairs() const { return pairs_; }
  [[nodiscard]] std::int32_t capacity() const { return static_cast<std::int32_t>(pairs_.size()); }

  enum class Read { complete, grown, too_many };
  /// Reads the list. `grown`: the buffer was too small and is larger now; sum again. `too_many`: more than
  /// `allowed` pairs (≤ most).
  Read read(std::size_t allowed = most);
  [[nodiscard]] std::span<const Int2> sorted() const { return sorted_; }

  static constexpr std::size_t first_capacity = std::size_t{1} << 16, most = std::size_t{1} << 25;

 private:
  Array<std::int32_t> count_;
  Array<Int2> pairs_;
  std::vector<Int2> sorted_;
};

}  // namespace electret::gpu
