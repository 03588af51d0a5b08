#pragma once
/// \file
/// The constants with which a device makes, moves and evaluates Taylor series up to one order. Kernels
/// (taylor.cl) name them as this does.

#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// The tables on the host, by a coefficient's number (fmm/expansions/taylor.hpp).
struct TaylorSeriesTables {
  explicit TaylorSeriesTables(int order);

  std::vector<Int4> powers;       ///< {i, j, k, degree}
  std::vector<std::int32_t> row;  ///< [j (order + 1) + k]: where the row x^0 y^j z^k begins.
  std::vector<Int4> one_less;     ///< {numbers with one power less of x, of y, of z, 0}
  std::vector<Int4> two_less;     ///< The same with two. The number of coefficients: there is none.
  std::vector<float> factorial;   ///< i! j! k!
};

/// TaylorSeriesTables on a device.
class DeviceTaylorTables {
 public:
  DeviceTaylorTables(Device& device, int order);

  Array<Int4> powers;
  Array<std::int32_t> row;
  Array<Int4> one_less, two_less;
  Array<float> factorial;
};

}  // namespace electret::gpu
