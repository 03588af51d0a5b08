#pragma once
/// \file
/// What pages see, as a moment that `electret render`'s pictures can show.

#include <string>

#include <electret/render/picture_moment.hpp>
#include <electret/studio/session/system_info.hpp>

namespace electret::studio {

/// A frame of a scenery, and what is known of it more exactly than as floats.
struct ShownMoment {
  const Scenery& scenery;
  const Frame& frame;
  VectorArray rest_positions{};   ///< n×3, m.
  VectorArray positions{};        ///< n×3, m; empty: those of the frame.
  std::vector<double> charges{};  ///< n, C; empty: those of the frame.
  std::string scalar = "charge";  ///< What colours show,
  double low = -1.0, high = 1.0;  ///< between these.
};

/// z is upwards. Charges have the colours of `electret render`, other scalars those of the page. Throws
/// InputError if the frame has no values of the scalar.
[[nodiscard]] PictureMoment moment_of(ShownMoment shown);

}  // namespace electret::studio
