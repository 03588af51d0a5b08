#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/energy_sizes.hpp>
#include <electret/dynamics/stage/stopping_rule.hpp>

namespace electret {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Of the forces of contact, which counts where a step has no other size.
constexpr double share_of_pushes = 0.01;

/// Adds Σ_j |aL_ij| to each row's magnitude.
class MagnitudeSink final : public ScalarMatrixSink {
 public:
  MagnitudeSink(double factor, std::vector<double>& magnitudes) : factor_(factor), magnitudes_(magnitudes) {}
  void add(Index row, Index, double value) override {
    magnitudes_[static_cast<std::size_t>(row)] += std::abs(factor_ * value);
  }

 private:
  double factor_;
  std::vector<double>& magnitudes_;
};

/// ‖w‖ with w_i = weight_i x_i.
double weighted_norm(Threads& threads, ScalarView weights, VectorView x) {
  const double squares = sum_over_vertices(
      threads, x.size(), [&](std::size_t i) { return weights[i] * weights[i] * squared_norm(x[i]); });
  return std::sqrt(squares);
}

}  // namespace

StoppingRule::StoppingRule(const System& system, double tolerance) : system_(system), tolerance_(tolerance) {}

void StoppingRule::measure(const StageObjective& objective) {
  const ScalarView free = objective.free();
  factor_ = objective.factor();
  magnitudes_.assign(free.size(), 0.0);
  MagnitudeSink sink(factor_, magnitudes_);
  for (const auto& energy : system_.elastic) energy->add_majoriser(sink);
  std::vector<double> scale(free.size(), 0.0);
  for (const auto& energy : system_.elastic) energy->add_force_scale(scale);
  double squares = 0.0;
  for (std::size_t i = 0; i < free.size(); ++i) {
    magnitudes_[i] *= free[i];
    squares += free[i] * scale[i] * scale[i];
  }
  force_scale_ = std::sqrt(squares);
  energy_size_ = energy_size(system_);
}

void StoppingRule::begin(const StageObjective& objective, const StageProblem& problem) {
  if (objective.factor() != factor_) measure(objective);
  Threads& threads = objective.threads();
  const double inertia = weighted_norm(threads, objective.free_masses(), problem.inertial);
  const double start =
      inertia + factor_ * weighted_norm(threads, objective.free(), objective.elastic_gradient());
  const double floor = 4.0 * epsilon * (inertia + factor_ * force_scale_);
  target_ = std::max(tolerance_ * start, floor);
  gradient_rounding_ = floor + 4.0 * epsilon * weighted_norm(threads, magnitudes_, problem.start);
  value_slope_ = epsilon * start * weighted_norm(threads, objective.free(), problem.start);
  pushes_ = push_rounding_ = 0.0;
}

double StoppingRule::target() const {
  return std::max({target_, tolerance_ * share_of_pushes * pushes_, 4.0 * epsilon * pushes_});
}

double StoppingRule::gradient_rounding() const {
  return gradient_rounding_ + push_rounding_ + 4.0 * epsilon * pushes_;
}

double StoppingRule::value_rounding(double value) const {
  // A relative part far above rounding, as in Hager and Zhang's approximate Wolfe conditions (SIAM J. Optim.
  // 16, 2005), because near the minimum slopes tell more than values; the rounding of large coordinates; and
  // that of the elastic energy, which for elements near rest is a small difference of large terms.
  return 1e-9 * std::abs(value) + 4.0 * (value_slope_ + epsilon * factor_ * energy_size_);
}

}  // namespace electret
