/// The number of grid points where none is asked for.

#include <algorithm>

#include <electret/field/ddef/ddef.hpp>
#include <electret/field/options.hpp>

namespace electret {

/// n/100 balances far and near pairs: the far sums cost n·m, the near ones fall as 1/m. A grid of 20 points
/// has three quarters of all pairs still near (docs/ddef.md), so that up to some thousand charges nothing is
/// gained by fewer; below, one point makes every tetrahedron near every other and the field exact.
Count default_ddef_grid_points(Count n) {
  constexpr Count too_few = 1000;
  return n < too_few ? 1 : std::clamp<Count>(n / 100, 20, most_ddef_grid_points);
}

}  // namespace electret
