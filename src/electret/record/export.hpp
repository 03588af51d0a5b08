#pragma once
/// \file
/// Exports a run as files for other programs.

#include <array>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

/// These formats have one file per body and frame, such as BODY_0010.vtu:
///
///   * vtu: grids for ParaView, with their times in BODY.pvd. The cells are the body's elements; if it has
///     none, its faces, else its springs, else its vertices. Points are in the run's precision, with
///     `displacement` from rest (m), `velocity`, `charge` and `mass`, and `pin_reaction` (N, 0 at vertices
///     that no pin holds) if the run has pins. Elements with materials have `stress`
///     (Cauchy's, Pa: xx, yy, zz, xy, yz, xz), `von_mises` (Pa) and `energy_density` (J/m³), as means over
///     the element and without muscles. `stress_is_defined` is 0 if an element is flat; these numbers are
///     then 0, too.
///   * vtp: the same points, with the faces as polygons and the springs as lines, and BODY.pvd. A body with
///     neither faces nor springs is written as its vertices.
///   * obj: the surface from which the body was filled, moved along with its elements. A body that was not
///     filled from a surface has its faces instead.
///   * ply: the same surface, binary, in the run's precision. If the vertices are the body's own, they have
///     `vx`, `vy`, `vz`, `charge` and `mass`. A body without faces is written as its vertices, with its
///     springs as edges.
///
/// These have one file per body, such as BODY.pc2:
///
///   * pc2, mdd: point caches of the body's vertices at every frame (float32, m). If the body was filled from
///     a surface, they hold that surface's vertices, as in obj.
///   * glb: an animated mesh (float32) of what ply shows: the first frame, and the others as morph targets.
///     Colours and charges are those of the first frame. Node and mesh have the body's name.
///   * csv: frame, time, vertex, position, velocity, charge, and the pin's reaction as in vtu. Every number
///   reads back to the run's bits.
///
/// BODY.json is written beside them. It holds charges at every frame, masses, groups, springs, faces, times,
/// units and a version.
inline constexpr std::array<std::string_view, 8> export_formats = {"vtu", "vtp", "obj", "ply",
                                                                   "pc2", "mdd", "glb", "csv"};
/// The version of BODY.json.
inline constexpr int export_format_version = 1;

struct ExportOptions {
  Count every = 1;         ///< Exports every k-th frame of the run, from the first.
  bool resume = false;     ///< Goes on with an unfinished export; starts afresh if there is none.
  bool overwrite = false;  ///< Replaces an unfinished export, and a complete one in another format.
  std::stop_token stop = {};
  std::function<void(std::string_view)> notice = {};  ///< Receives what the user should know.
};

/// Writes the run in `directory` frame by frame into the folder `out`, which must be absent or empty or hold
/// a complete export of the same run to the same format, which is replaced. `format` is one of
/// `export_formats`. Returns the number of files. The folder is called OUT.part until the export is complete.
/// If the export is stopped (Cancelled), fails or is killed, OUT.part stays if a frame is in it. Throws
/// InputError for an unknown format, for any other folder that is not empty, for a damaged run, and for
/// numbers that the format cannot hold: pc2, mdd and glb take finite float32 only. An unfinished export in
/// OUT.part is also an InputError unless `overwrite` is set, or `resume` is set and it is the same export.
/// Throws IoError if a file cannot be read or written.
Count export_run(const std::string& directory, const std::string& format, const std::string& out,
                 const ExportOptions& options = {});

}  // namespace electret
