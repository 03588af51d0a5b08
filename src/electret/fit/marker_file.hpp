#pragma once
/// \file
/// Files of markers: where points of bodies were seen, in space or in pictures, at which times.

#include <string>
#include <vector>

#include <electret/fit/losses.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

struct MarkerTargets {
  std::vector<BodyMarker> markers;
  std::vector<MarkerTarget> targets;  ///< Within the run, in the order of steps.
  std::vector<std::string> groups;    ///< "BODY.GROUP" of the markers that are groups.
};

/// Reads a CSV file with the columns time (s), marker, x, y, z (m) and weight, for runs of `assembly`. A
/// marker is `BODY[VERTEX]`, `BODY.GROUP`, the mean of a group's vertices, or `BODY(X Y Z)`, the point of a
/// solid that lies there at rest (m, world axes) and that its element carries. A coordinate whose cell is
/// empty was not measured. Rows beyond the end of the run do not count.
///
/// Throws InputError with every finding, at its line and column: an unreadable file, missing columns, times
/// that are not those of steps, unknown bodies, vertices and groups, points in no element, bad numbers,
/// negative weights, rows without a coordinate, no row within the run.
MarkerTargets read_markers(const std::string& path, const Assembly& assembly);

struct PixelTargets {
  std::vector<BodyMarker> markers;
  std::vector<PixelTarget> targets;  ///< Within the run, in the order of steps.
  std::vector<std::string> groups;   ///< "BODY.GROUP" of the markers that are groups.
};

/// The same for a CSV file of what cameras of the scene saw: columns time (s), marker, u, v (px, from the
/// picture's middle to the right and up) and weight, and `camera`, a camera's name, which may be absent if
/// the scene has just one. Throws InputError with the same findings, and for a scene without cameras and
/// unknown cameras.
PixelTargets read_pixels(const std::string& path, const Assembly& assembly);

/// The global indices of the vertices that `name` means: `BODY.GROUP`. Nothing if there are none.
std::vector<Index> vertices_of_group(const Assembly& assembly, std::string_view name);

/// What such names are: "allowed: cloth.edge, cloth.corner".
std::string known_groups(const Assembly& assembly);

}  // namespace electret
