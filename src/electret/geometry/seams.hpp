#pragma once
/// \file
/// Seams: where faces meet in place, but have vertices of their own.

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Whether some of the faces belong to no closed part (surface_parts.hpp), but would if vertices at one place
/// were one: to a part that holds a volume. `vertices` are n×3, m.
bool closes_by_place(const Polygons& polygons, VectorView vertices);

}  // namespace electret
