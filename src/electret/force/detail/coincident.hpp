#pragma once
/// \file
/// Finds two charged vertices at the same point.

#include <optional>

#include <electret/core/types.hpp>

namespace electret::detail {

/// The smallest pair (i, j), i < j, with equal positions and both charges non-zero. If there is none, the
/// smallest pair whose squared distance is 0 in float64, which is so below about 1e-162 m. Nothing if there
/// is none of these either. O(n log n).
std::optional<Edge> coincident_charges(VectorView positions, ScalarView charges);

}  // namespace electret::detail
