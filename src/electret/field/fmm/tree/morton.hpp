#pragma once
/// \file
/// The order of points along a Morton curve.

#include <cstdint>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret::fmm {

/// Bits of a Morton key: ten an axis.
inline constexpr int key_bits = 30;

/// A cube whose side is cut into 2¹⁰.
struct MortonFrame {
  Vec3 low;
  double inverse_size = 0.0;  ///< Cells a metre; not finite where the box is too small to be cut.

  /// The 30-bit key of a point of the box.
  [[nodiscard]] std::uint32_t key(const Vec3& p) const;
};

/// The frame of a box: its longest side.
MortonFrame morton_frame(const Vec3& low, const Vec3& high);

/// Points sorted by (key, index), which is one order only. The order of the last time is where the next
/// sort starts from, which never changes what is found.
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
