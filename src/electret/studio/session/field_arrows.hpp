#pragma once
/// \file
/// The electric field on a grid of points, as it is in a frame.

#include <electret/core/types.hpp>
#include <electret/studio/session/commands.hpp>
#include <electret/studio/session/system_info.hpp>

namespace electret::studio {

/// A frame of a scenery, and its charges and places more exactly than as floats, if they are known.
struct FieldMoment {
  const Scenery& scenery;
  const Frame& frame;
  VectorView positions{};  ///< n×3, m; empty: those of the frame.
  ScalarView charges{};    ///< n, C; empty: those of the frame.
  int threads = 0;
};

/// E at the points of the grid, N/C, row by row: of the charges of bodies, of external charges, of charges in
/// hands, and of the scene's fields. 0 where it is not finite.
[[nodiscard]] VectorArray field_on(const AskField& grid, const FieldMoment& moment);

}  // namespace electret::studio
