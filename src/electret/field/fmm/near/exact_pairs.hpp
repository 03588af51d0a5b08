#pragma once
/// \file
/// P2P of pairs that are too close for the near kernels, or at distance 0: one by one in float64.

#include <electret/field/fmm/passes/sums.hpp>

namespace electret::fmm {

template <class T>
class ExactPairs {
 public:
  ExactPairs(const Sources<T>& sources, const Targets<T>& targets, const SumSettings& settings)
      : sources_(sources), targets_(targets), softening_squared_(settings.softening * settings.softening) {}

  /// Adds what the sources [begin, end) of the tree's order do to target i. Pairs at distance 0 contribute
  /// nothing; returns how many of them count.
  Count add(Index begin, Index end, std::size_t i, PointSums& sums) const;

 private:
  const Sources<T>& sources_;
  const Targets<T>& targets_;
  double softening_squared_;
};

extern template class ExactPairs<float>;
extern template class ExactPairs<double>;

}  // namespace electret::fmm
