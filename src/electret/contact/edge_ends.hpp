#pragma once
/// \file
/// The four ends of a pair of edges, each over the other edge.

#include <array>
#include <cstddef>

#include <electret/contact/pair_distance.hpp>

namespace electret {

/// An end of one edge and the other edge, by their places in the pair.
struct EdgeEnd {
  std::size_t end = 0, from = 0, to = 0;
  SegmentFeatures on;  ///< Where on the other edge the closest point may be.
};

inline constexpr std::array edge_ends{
    EdgeEnd{0, 2, 3, {PairFeature::start_over_second, PairFeature::start_start, PairFeature::start_end}},
    EdgeEnd{1, 2, 3, {PairFeature::end_over_second, PairFeature::end_start, PairFeature::end_end}},
    EdgeEnd{2, 0, 1, {PairFeature::start_over_first, PairFeature::start_start, PairFeature::end_start}},
    EdgeEnd{3, 0, 1, {PairFeature::end_over_first, PairFeature::start_end, PairFeature::end_end}}};

/// Which of its features is the closest.
inline PairFeature closest_feature(const EdgeEnd& at, const PairPlaces& x) {
  return closest_on(at.on, x[at.end], x[at.from], x[at.to]);
}

}  // namespace electret
