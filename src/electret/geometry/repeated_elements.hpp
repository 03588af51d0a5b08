#pragma once
/// \file
/// Volume elements that are written twice.

#include <span>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// An element that has the vertices of an earlier one of its kind, in whatever order.
struct RepeatedElement {
  std::size_t element = 0;
  std::size_t first = 0;  ///< The first one with these vertices.
};

/// All of them, in ascending order.
std::vector<RepeatedElement> repeated_elements(std::span<const Tetrahedron> elements);
std::vector<RepeatedElement> repeated_elements(std::span<const Hexahedron> elements);

}  // namespace electret
