#pragma once
/// \file
/// The constants with which a device makes, moves and evaluates expansions up to one order. Kernels name them
/// as this does.

#include <vector>

#include <electret/field/fmm/expansions/harmonics.hpp>
#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// The tables on the host. A number's place is its place in an expansion (harmonics.hpp).
struct SeriesTables {
  explicit SeriesTables(int order);

  std::vector<Int4> places;  ///< {degree n, order m, -1 for a cosine or 1 for a sine, the place of the other}
  /// The exchange of x and z: {first factor in swap, first place that is taken, how many, 0}.
  std::vector<Int4> swaps;
  std::vector<float> swap;
  std::vector<float> shift_factors, far_factors;  ///< [(m (order + 1) + n) (order + 1) + k]

  /// The recurrence of harmonics, with m outside and n inside, padded to whole chunks: {α, β, kind, 0}.
  std::vector<Float4> steps;
  /// Per step: the places of its cosine and its sine. -1: none.
  std::vector<std::int32_t> numbers;

  /// The numbers of a series' gradient: two rows per number. {places and factors of two terms by x, of two by
  /// y}, then {by z, 0, 0, 0}.
  std::vector<Int4> gradient_at;
  std::vector<Float4> gradient;
  /// The transpose, in the same form: ∂H_a as sums of H_b of one degree less.
  std::vector<Int4> derivative_at;
  std::vector<Float4> derivative;
};

/// The place of C_n^m or S_n^m.
[[nodiscard]] int place_of(int n, int m, bool sine);

/// SeriesTables on a device.
class DeviceTables {
 public:
  DeviceTables(Device& device, int order);

  Array<Int4> places, swaps;
  Array<float> swap, shift_factors, far_factors;
  Array<Float4> steps;
  Array<std::int32_t> numbers;
  Array<Int4> gradient_at;
  Array<Float4> gradient;
  Array<Int4> derivative_at;
  Array<Float4> derivative;
};

}  // namespace electret::gpu
