#pragma once
/// \file
/// Which parts of a surface lie within others.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Whether each of n polygons belongs to a part that lies within another, closed part: a hollow in a solid,
/// or what is inside of a closed skin. `part` names the part of each polygon by one of the numbers 0 … n-1,
/// and `is_closed` says whether the part of that name is closed. A point is within a closed part that winds
/// around it, whichever way its faces point. A part lies within another if the mean corners of all its
/// polygons do. `vertices` are m×3, m. O(n log n) for parts that are not boxed in by others, else O(n √n).
std::vector<char> enclosed_polygons(const Polygons& polygons, const std::vector<Index>& part,
                                    const std::vector<char>& is_closed, VectorView vertices);

}  // namespace electret
