#pragma once
/// \file
/// P2P in float64, pair by pair, for pairs at distance 0 or too close for the kernels.

#include <electret/field/fmm/passes/sums.hpp>

namespace electret::fmm {

template <class T>
class ExactPairs {
 public:
  ExactPairs(const Sources<T>& sources, const Targets<T>& targets, const SumSettings& settings)
      : sources_(sources), targets_(targets), softening_squared_(settings.softening * settings.softening) {}

  /// Adds the contributions of the sources [begin, end), in tree order, to target i. Leaves out pairs at
  /// distance 0, and returns how many of them count.
  Count add(Index begin, Index end, std::size_t i, PointSums& sums) const;

 private:
  const Sources<T>& sources_;
  const Targets<T>& targets_;
  double softening_squared_;
};

extern template class ExactPairs<float>;
extern template class ExactPairs<double>;

}  // namespace electret::fmm
