#pragma once
/// \file
/// The closed surfaces of which a mesh is made.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::detail {

/// What keeps closed surfaces from bounding one solid.
struct PartFault {
  std::string message, allowed;  ///< Empty: nothing.
};

/// Faces that share edges are one surface. A surface that lies in an even number of others must have its
/// faces turned outwards, one that lies in an odd number, a hollow, inwards. Each edge of `faces` has two
/// triangles that pass it in opposite directions, and the volume of all is positive.
PartFault fault_of_parts(VectorView vertices, const std::vector<Triangle>& faces);

}  // namespace electret::detail
