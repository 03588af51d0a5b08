#pragma once
/// \file
/// The charges that field experiments run on, the same on every machine.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::experiments {

/// Charges (n, C) at positions (n×3, m).
struct Cloud {
  VectorArray positions;
  std::vector<double> charges;

  [[nodiscard]] std::size_t size() const { return positions.size(); }
};

/// n charges of 8 µC, uniform in the unit cube.
[[nodiscard]] Cloud random_cloud(Count n, unsigned seed);

/// About n charges of 8 µC at the vertices of a generated mesh (`electret::generate`), its parameters the
/// defaults.
[[nodiscard]] Cloud mesh_cloud(const std::string& shape, Count n);

/// n points uniform in the bounding box of `positions`.
[[nodiscard]] VectorArray random_points(VectorView positions, Count n, unsigned seed);

/// The positions, each moved by a uniform random vector of at most `distance` along each axis.
[[nodiscard]] VectorArray moved(VectorView positions, double distance, unsigned seed);

/// A .npy file (n, 4) of x,y,z,q, or (n, 3) of points: what `electret field` reads.
[[nodiscard]] std::string npy_of(const Cloud& cloud);
[[nodiscard]] std::string npy_of(VectorView points);

}  // namespace electret::experiments
