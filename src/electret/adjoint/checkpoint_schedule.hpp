#pragma once
/// \file
/// Binomial checkpointing: which states a reverse sweep keeps when not all fit
/// (Griewank and Walther, "Algorithm 799: revolve", 2000).
///
/// A reverse sweep over `steps` steps needs the states from the last to the first. With room for all of them
/// none is computed twice. With room for `stored` of them, the first always among them, the others are
/// computed again from the nearest stored one. The schedule below does so with the fewest steps forward.

#include <electret/core/types.hpp>

namespace electret {

/// How many steps to go forward from a stored state before the next is stored: `steps` ≥ 2 steps lie ahead,
/// `stored` ≥ 1 states may be held, the one to start from among them. Between 1 and steps - 1.
/// O(log steps) or, for stored = 1, O(1).
Count checkpoint_distance(Count steps, Count stored);

/// Steps taken forward in all, the first sweep over the run included, until `steps` ≥ 1 steps are reversed
/// with `stored` ≥ 1 states.
Count forward_steps(Count steps, Count stored);

}  // namespace electret
