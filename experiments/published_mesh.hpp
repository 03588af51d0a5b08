#pragma once
/// \file
/// Bodies of the papers' own, which users may have and Electret may not give: files in the folder of
/// `electret reproduce --data`.

#include <optional>
#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

#include "experiment.hpp"

namespace electret::experiments {

/// The hexahedra of `bytes`, a mesh as the program of [DiffPD] writes it: the dimension 3, 8 vertices a cube,
/// then a 3×n matrix of positions and an 8×m matrix of vertices, both row by row after their sizes; integers
/// of four bytes and floats of eight, lowest byte first. Positions are multiplied by `scale`. `name` is the
/// file's, for messages. Throws InputError for other bytes.
[[nodiscard]] Mesh read_published_mesh(std::string_view bytes, const std::string& name, double scale);

/// The bytes of `file` in the user's folder; none where there is no folder or no such file. Throws IoError
/// for a file that cannot be read.
[[nodiscard]] std::optional<std::string> published_file(const Context& context, const std::string& file);

/// The mesh in `file` of the user's folder; none where there is no folder or no such file. Throws as
/// `read_published_mesh`, and IoError for a file that cannot be read.
[[nodiscard]] std::optional<Mesh> published_mesh(const Context& context, const std::string& file,
                                                 double scale);

}  // namespace electret::experiments
