#pragma once
/// \file
/// Which two charged vertices are at one point.

#include <optional>

#include <electret/core/types.hpp>

namespace electret::detail {

/// The pair i < j of smallest (i, j) with equal positions and both charges not 0, or nothing. O(n log n).
std::optional<Edge> coincident_charges(VectorView positions, ScalarView charges);

}  // namespace electret::detail
