#pragma once
/// \file
/// Wavefront OBJ: vertices, polygons, polylines and groups.
///
/// These statements are read:
/// * `v x y z`; further values (weight or colour) are ignored.
/// * `f`, whose corners are `v`, `v/t`, `v//n` or `v/t/n`; `l`; `p`.
/// * `g` and `o`: their groups gather the vertices that the following f, l and p statements use. `g a b`
///   names two groups. A `g` replaces the groups of the `g` before it, an `o` those of the `o` before it.
/// Texture coordinates, normals, materials, smoothing and free-form statements are skipped; any other word is
/// a finding. `#` comments, `\` line continuations and CRLF line ends are understood.
///
/// Positive indices count the vertices of the whole file from 1, so a face may come before its vertices.
/// Negative indices count back from the last vertex read so far (-1). `p` can name a vertex set without
/// faces.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// The mesh of a file's text. Throws InputError with every finding (the first 50, and the number of further
/// ones), each at its line and column of `file_name`: no vertex, bad or non-finite number, index 0 or out of
/// range, a face with fewer than 3 corners or a repeated one, a line of fewer than 2 vertices or with a
/// zero-length segment, unknown word.
Mesh parse_obj(std::string_view text, const std::string& file_name);

}  // namespace electret
