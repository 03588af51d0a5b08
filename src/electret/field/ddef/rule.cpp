/// The number of grid points if none is requested.

#include <algorithm>

#include <electret/field/ddef/ddef.hpp>
#include <electret/field/options.hpp>

namespace electret {

/// In a volume n/100 takes the least time, on a surface nearly the least: the far sums cost n·m, and the near
/// ones fall as 1/m, but a pair takes longer if tetrahedra hold few charges (docs/ddef.md). On a grid of 20
/// points three quarters of all pairs are still near (docs/ddef.md), so up to some thousand charges fewer
/// points gain nothing. Below that, a single point makes every tetrahedron near every other, and the field
/// exact.
Count default_ddef_grid_points(Count n) {
  constexpr Count too_few = 1000;
  return n < too_few ? 1 : std::clamp<Count>(n / 100, 20, most_ddef_grid_points);
}

}  // namespace electret
