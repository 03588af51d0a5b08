#pragma once
/// \file
/// The charges of a body's vertices over the frames, each different course of them once.

#include <cstdint>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

class ChargeSeries {
 public:
  struct Series {
    std::vector<double> values;  ///< One for each frame, or one where all are the same; C.
    bool changes = false;
  };

  /// The next frame; always as many vertices. Vertices are told apart by the bits of their charges.
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
