#pragma once
/// \file
/// A run as files of other programs.

#include <array>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

/// One file for each body and frame: BODY_0010.vtu and so on.
///
/// vtu: ParaView's grids, and BODY.pvd, which gives their times. Cells: the elements; of a body without, its
/// faces, else its springs, else its vertices. Points as the run stores them, in its precision;
/// `displacement` from rest, m, `velocity`, `charge`, `mass`; of elements with materials `stress` (Cauchy's,
/// Pa: xx, yy, zz, xy, yz, xz), `von_mises` (Pa) and `energy_density` (J/m³), means over the element, without
/// muscles, and `stress_is_defined`: 0 where an element is flat and those are written as 0.
/// vtp: the same points with the faces as polygons and the springs as lines, else the vertices; BODY.pvd.
/// obj: the surface: the one the body was filled from where there is one, carried along by the elements, else
/// its faces.
/// ply: that surface, binary, in the run's precision; vertices have `vx`, `vy`, `vz`, `charge` and `mass`
/// where they are the body's own. Of a body without faces its vertices, and its springs as edges.
///
/// One file for each body: BODY.pc2 and so on.
///
/// pc2, mdd: point caches: its vertices at every frame, float32, m; of a body that was filled from a surface
/// that surface's, as in obj.
/// glb: an animated mesh, float32, with what ply shows; colours and charges are those of the first frame.
/// csv: frame, time, vertex, position, velocity, charge; each reads back to the run's bits.
///
/// Beside them BODY.json: charges at every frame, masses, groups, springs, faces, times, units, version.
inline constexpr std::array<std::string_view, 8> export_formats = {"vtu", "vtp", "obj", "ply",
                                                                   "pc2", "mdd", "glb", "csv"};
/// Of BODY.json.
inline constexpr int export_format_version = 1;

struct ExportOptions {
  Count every = 1;         ///< Each so many frames of the run, from the first.
  bool resume = false;     ///< Goes on with an unfinished export, starts afresh without one.
  bool overwrite = false;  ///< Replaces an unfinished export.
  std::stop_token stop = {};
  std::function<void(std::string_view)> notice = {};  ///< What the user should know.
};

/// Writes the run in `directory` into the folder `out`, which must not be there or empty, frame by frame. It
/// is there when all of it is; until then it is called OUT.part, which stays where this is stopped
/// (Cancelled), fails or is killed, once a frame is in it. One of `export_formats`; returns the number of
/// files. Throws InputError for another format, a folder that is not empty, a run that is damaged, and an
/// unfinished export that is not to be resumed or is of something else; IoError.
Count export_run(const std::string& directory, const std::string& format, const std::string& out,
                 const ExportOptions& options = {});

}  // namespace electret
