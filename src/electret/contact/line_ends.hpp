#pragma once
/// \file
/// What two nearly parallel lines push each other with: by their ends, because their closest points jump.

#include <vector>

#include <electret/contact/touching_pair.hpp>

namespace electret {

/// Two edges repel each other by m b(d), and m vanishes as they become parallel (EdgeMollifier). Edges of
/// surfaces have faces beside them, which vertices touch. Lines have none. What m takes off, they have
/// between the ends of each and the other:
///
///   m b(d) + (1 - m) ¼ Σ b(d(end, other line))  over the four ends
///
/// Two lines side by side thus push as much as two that cross, and no line passes through another.
///
/// Appends to `out` the four terms of `pair`, two lines at `places` whose m is not 1, as far as they are
/// nearer than the reach. They have no friction. Appends to `parts` their shares of κ.
void append_line_ends(const TouchingPair& pair, const PairPlaces& places, std::vector<TouchingPair>& out,
                      std::vector<StiffnessPart>& parts);

}  // namespace electret
