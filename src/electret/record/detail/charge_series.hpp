#pragma once
/// \file
/// The charges of a body's vertices over the frames. Vertices with the same charges throughout share one
/// series.

#include <cstdint>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

class ChargeSeries {
 public:
  struct Series {
    std::vector<double> values;  ///< One per frame, or a single one if all are the same; C.
    bool changes = false;
  };

  /// Adds the next frame, which must have as many vertices as the others. Charges are compared by their bits.
  void add(ScalarView charges);

  [[nodiscard]] const std::vector<Series>& series() const { return series_; }
  [[nodiscard]] const std::vector<std::uint32_t>& of_vertices() const { return of_vertices_; }

 private:
  void append(Series& series, double value) const;

  std::vector<Series> series_;
  std::vector<std::uint32_t> of_vertices_;  ///< Which series each vertex has.
  std::size_t frames_ = 0;
};

}  // namespace electret
