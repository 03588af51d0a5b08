#pragma once
/// \file
/// What the pins of an assembled scene hold together, vertex by vertex.

#include <map>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

/// The projectors on the directions in which pins hold their vertices, by vertex: a vertex may be in several
/// pins that hold perpendicular directions.
std::map<Index, Mat3> held_directions(const Assembly& assembly);

/// The vertices that pins hold in all directions, ascending.
std::vector<Index> fixed_vertices(const Assembly& assembly);

}  // namespace electret
