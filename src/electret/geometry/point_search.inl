#pragma once
/// \file
/// Searches in nanoflann's k-d trees, by the names of the release that is here: 1.5 renamed the options of a
/// search and what it finds. Sources include this, headers do not.

#include <cstddef>
#include <utility>
#include <vector>

#include <nanoflann.hpp>

#include <electret/core/types.hpp>

namespace electret {

#if NANOFLANN_VERSION >= 0x150
using SearchOptions = nanoflann::SearchParameters;
using NearPoint = nanoflann::ResultItem<std::size_t, double>;
#else
using SearchOptions = nanoflann::SearchParams;
using NearPoint = std::pair<std::size_t, double>;
#endif

/// Sets `found` to the points whose squared distance from `point` is less than `reach`, in no order, each
/// with its squared distance.
template <class Tree>
void find_within(const Tree& tree, const Vec3& point, double reach, std::vector<NearPoint>& found) {
  SearchOptions options;
  options.sorted = false;
  tree.radiusSearch(&point.x, reach, found, options);
}

}  // namespace electret
