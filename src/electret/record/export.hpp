#pragma once
/// \file
/// A run as files of other programs.

#include <array>
#include <stop_token>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

/// vtu: ParaView's grids. One file for each body and frame (BODY_0010.vtu), and BODY.pvd, which gives their
/// times. Cells: the elements; of a body without, its faces, else its springs, else its vertices. Points as
/// the run stores them, in its precision; `displacement` from rest, m, `velocity`, `charge`, `mass`; of
/// elements with materials `stress` (Cauchy's, Pa: xx, yy, zz, xy, yz, xz), `von_mises` (Pa) and
/// `energy_density` (J/m³), means over the element, without muscles.
///
/// obj: one surface for each body and frame (BODY_0010.obj): the one the body was filled from where there is
/// one, carried along by the elements, else its faces.
///
/// pc2, mdd: point caches, one file for each body (BODY.pc2): its vertices at every frame, float32, m; of a
/// body that was filled from a surface that surface's, as in obj.
inline constexpr std::array<std::string_view, 4> export_formats = {"vtu", "obj", "pc2", "mdd"};

/// Writes the run in `directory` into the folder `out`, which must not be there or empty, as a whole: it is
/// there when all of it is. One of `export_formats`; returns the number of files. Throws InputError for
/// another format and a folder that is not empty, IoError.
Count export_run(const std::string& directory, const std::string& format, const std::string& out,
                 const std::stop_token& stop = {});

}  // namespace electret
