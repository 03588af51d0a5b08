#include <cmath>

#include <electret/dynamics/stage/energy_sizes.hpp>

namespace electret {
namespace {

/// Adds ½ |L_ij| |X_i - X_j|². A spring has two such entries.
class SizeSink final : public ScalarMatrixSink {
 public:
  explicit SizeSink(VectorView rest) : rest_(rest) {}
  void add(Index row, Index column, double value) override {
    sum_ += 0.5 * std::abs(value) *
            squared_norm(rest_[static_cast<std::size_t>(row)] - rest_[static_cast<std::size_t>(column)]);
  }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  VectorView rest_;
  double sum_ = 0.0;
};

}  // namespace

double energy_size(const System& system) {
  SizeSink sink(system.assembly.rest_positions);
  for (const auto& energy : system.elastic) energy->add_majoriser(sink);
  return sink.sum();
}

}  // namespace electret
