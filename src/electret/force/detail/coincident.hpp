#pragma once
/// \file
/// Finds two charged vertices at the same point.

#include <optional>

#include <electret/core/types.hpp>

namespace electret::detail {

/// The smallest pair (i, j), i < j, with equal positions and both charges non-zero; nothing if there is none.
/// O(n log n).
std::optional<Edge> coincident_charges(VectorView positions, ScalarView charges);

}  // namespace electret::detail
