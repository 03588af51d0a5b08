#pragma once
/// \file
/// Colours of electric charges: a diverging map, red for positive, white for none, blue for negative.

#include <string>

#include <electret/core/types.hpp>
#include <electret/record/canvas.hpp>

namespace electret {

/// The colour of a charge of `part` (from -1 to 1) times the largest charge shown. Values beyond have the
/// colours of the ends. The colour-blind can tell the ends apart, too.
[[nodiscard]] Colour charge_colour(double part);

/// A charge (C) as a text with three significant digits, such as "2.5 µC".
[[nodiscard]] std::string charge_text(double charge);

}  // namespace electret
