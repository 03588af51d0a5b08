#pragma once
/// \file
/// Distinct minima among the ends of many fits.

#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// How one fit ended.
struct FitEndPoint {
  Count run = 0;
  double loss = 0.0;
  bool has_converged = false;
  std::vector<double> values;
};

struct FitMinimum {
  Count run = 0;  ///< The one of its fits with the smallest loss.
  double loss = 0.0;
  std::vector<double> values;
  Count fits = 0;  ///< That ended here.
};

struct FitMinima {
  std::vector<FitMinimum> minima;  ///< By loss.
  std::vector<int> of;             ///< For each fit the index of its minimum; -1: none.
  Count elsewhere = 0;             ///< Fits with a finite loss that ended at no minimum.
};

/// Ends whose values differ by no more than this are one minimum.
inline constexpr double minimum_width = 0.01;
/// Of more minima than these the further ones are not told apart; their fits count as `elsewhere`.
inline constexpr std::size_t most_minima = 1000;

/// How the fits' values are compared, one entry per value.
struct FitScales {
  std::vector<bool> logarithmic;    ///< By ratio.
  std::vector<double> place_sizes;  ///< Of places the size of what is placed, m; 0: not a place.
};

/// The distinct minima. Two ends are the same minimum if each value differs by at most `minimum_width`: in
/// its logarithm if `scales.logarithmic` says so, in units of `scales.place_sizes` if it is a place, else in
/// units of the larger one's size, or of the median size that this value has at the ends of fits that have
/// converged, if that is more.
/// Fits are taken by loss, then by run. One that has converged near none of the minima so far is a new one.
/// One that has not converged counts with a minimum that it is near, and makes none. The result does not
/// depend on the order of `ends`.
[[nodiscard]] FitMinima distinct_minima(const std::vector<FitEndPoint>& ends, const FitScales& scales);

}  // namespace electret
