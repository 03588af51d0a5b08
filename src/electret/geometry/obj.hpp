#pragma once
/// \file
/// Wavefront OBJ: vertices, polygons, polylines and groups.
///
/// Read: `v x y z` (further values, weight or colour, are ignored), `f` with corners `v`, `v/t`, `v//n`,
/// `v/t/n`, `l`, `p`, and `g`/`o`, whose named groups gather the vertices that the following f, l and p
/// statements use
/// (`g a b` is two groups; a `g` replaces the groups of the `g` before it, an `o` those of the `o` before
/// it). Texture coordinates, normals, materials, smoothing and free-form statements are passed over; any
/// other word is a finding. `#` comments, `\` line continuations and CRLF line ends are understood.
///
/// Positive indices count the whole file's vertices from 1, so a face may stand before its vertices; negative
/// ones count back from the last vertex read so far (-1). A vertex set without faces can be named with `p`.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Reads a file. Throws InputError with every finding (the first 50 and how many more), each at its line and
/// column: unreadable file, no vertex, bad or non-finite number, index 0 or out of range, a face with fewer
/// than 3 corners or a repeated one, a line of fewer than 2 vertices or with a zero-length segment, unknown
/// word.
Mesh read_obj(const std::string& path);

/// The same of text in memory; `file_name` is what findings call it.
Mesh parse_obj(std::string_view text, const std::string& file_name);

}  // namespace electret
