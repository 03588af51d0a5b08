/// The number of grid points where none is asked for.

#include <algorithm>

#include <electret/field/ddef/ddef.hpp>

namespace electret {

Count default_ddef_grid_points(Count n) {
  return std::max<Count>(20, n / 100);
}

}  // namespace electret
