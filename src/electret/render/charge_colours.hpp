#pragma once
/// \file
/// Colours of electric charges: a diverging map, red for positive, white for none, blue for negative.

#include <string>

#include <electret/core/types.hpp>
#include <electret/record/canvas.hpp>

namespace electret {

/// The colour of a charge of `part` times the largest one shown, from -1 to 1; beyond is as the ends. Its
/// ends are told apart by the colour-blind too.
[[nodiscard]] Colour charge_colour(double part);

/// "2.5 µC", of three digits.
[[nodiscard]] std::string charge_text(double charge);

}  // namespace electret
