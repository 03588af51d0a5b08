#pragma once
/// \file
/// A row of points joined by links.

#include <electret/geometry/generators.hpp>

namespace electret {

struct ChainOptions {
  Count vertices = 20;  ///< ≥ 2.
  double length = 1.0;  ///< m, from first to last.
};

/// The chain lies along x, from the origin to (length, 0, 0). The links are lines. Groups "first", "last" and
/// "ends".
Mesh chain(const ChainOptions& options);

const Shape& chain_shape();

}  // namespace electret
