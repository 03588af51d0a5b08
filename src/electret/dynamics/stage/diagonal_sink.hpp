#pragma once
/// \file
/// The diagonal of a matrix that is given entry by entry.

#include <vector>

#include <electret/elastic/elastic_energy.hpp>

namespace electret {

/// Adds factor · L_ii.
class DiagonalSink final : public ScalarMatrixSink {
 public:
  /// `diagonal` must outlive this.
  explicit DiagonalSink(std::vector<double>& diagonal, double factor = 1.0)
      : diagonal_(diagonal), factor_(factor) {}
  void add(Index row, Index column, double value) override {
    if (row == column) diagonal_[static_cast<std::size_t>(row)] += factor_ * value;
  }

 private:
  std::vector<double>& diagonal_;
  double factor_;
};

}  // namespace electret
