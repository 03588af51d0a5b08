#pragma once
/// \file
/// The order of points along a Morton curve.

#include <cstdint>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret::fmm {

/// Bits of a Morton key: ten per axis.
inline constexpr int key_bits = 30;

/// A cube whose side is cut into 2¹⁰.
struct MortonFrame {
  Vec3 low;
  double inverse_size = 0.0;  ///< Cells per metre; not finite if the box is too small to be cut.

  /// The 30-bit key of a point of the box.
  [[nodiscard]] std::uint32_t key(const Vec3& p) const;
};

/// The frame of a box: a cube with the box's longest side.
MortonFrame morton_frame(const Vec3& low, const Vec3& high);

/// Sorts points by (key, index). Each sort starts from the order of the last one, which saves time and never
/// changes the result, because the order by (key, index) is unique.
class MortonOrder {
 public:
  /// Sorts n points; returns entries key·2³² + index.
  const std::vector<std::uint64_t>& sort(VectorView points, const MortonFrame& frame, Threads& threads);

 private:
  bool mend();
  void radix_sort(Threads& threads);

  std::vector<std::uint64_t> entries_, other_, strays_;
  std::vector<std::uint32_t> keys_, counts_;
};

}  // namespace electret::fmm
