#pragma once
/// \file
/// Binomial checkpointing: which states a reverse sweep keeps if not all fit into memory (Griewank and
/// Walther, "Algorithm 799: revolve", 2000).
///
/// A reverse sweep over `steps` steps needs the states from the last to the first. If there is room for all,
/// none is computed twice. If there is room for `stored` of them, the first among them, the others are
/// computed again from the nearest stored one before. This schedule takes the fewest forward steps for that.

#include <electret/core/types.hpp>

namespace electret {

/// How many steps to go forward from a stored state before the next state is stored, between 1 and steps - 1.
/// `steps` ≥ 2 steps lie ahead. `stored` ≥ 1 states may be held, including the one to start from. O(log
/// steps) or, for stored = 1, O(1).
Count checkpoint_distance(Count steps, Count stored);

/// How many forward steps it takes in all to reverse `steps` ≥ 1 steps with `stored` ≥ 1 states. The first
/// sweep over the run counts, too.
Count forward_steps(Count steps, Count stored);

}  // namespace electret
