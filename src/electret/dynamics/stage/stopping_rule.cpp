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

StoppingRule::StoppingRule(const System& system, double tolerance)
    : system_(system), parts_(system), motion_(system, parts_), tolerance_(tolerance) {
  relative_.resize(static_cast<std::size_t>(system.vertex_count()));
  if (!parts_.is_divided()) return;
  for (auto* each : {&part_force_scales_, &part_targets_, &part_roundings_, &part_pushes_, &new_pushes_,
                     &relative_squares_, &squares_})
    each->resize(parts_.count());
}

void StoppingRule::measure(const StageObjective& objective) {
  const ScalarView free = objective.free();
  factor_ = objective.factor();
  magnitudes_.assign(free.size(), 0.0);
  MagnitudeSink sink(factor_, magnitudes_);
  for (const auto& energy : system_.elastic) energy->add_majoriser(sink);
  std::vector<double> scale(free.size(), 0.0);
  for (const auto& energy : system_.elastic) energy->add_force_scale(scale);
  double squares = 0.0;
  std::fill(part_force_scales_.begin(), part_force_scales_.end(), 0.0);
  for (std::size_t i = 0; i < free.size(); ++i) {
    magnitudes_[i] *= free[i];
    squares += free[i] * scale[i] * scale[i];
    if (const Index part = parts_.part_of(i); parts_.is_divided() && part >= 0)
      part_force_scales_[static_cast<std::size_t>(part)] += free[i] * scale[i] * scale[i];
  }
  force_scale_ = std::sqrt(squares);
  for (double& each : part_force_scales_) each = std::sqrt(each);
  energy_size_ = energy_size(system_);
}

void StoppingRule::find_relative(const StageProblem& problem) {
  motion_.find(problem.carried.empty() ? problem.unforced : problem.carried, [&](std::size_t pin) {
    return problem.pin_places.empty()
               ? Vec3{}
               : problem.pin_places[pin] - problem.start[static_cast<std::size_t>(system_.pins[pin])];
  });
  motion_.take_from(problem.inertial, relative_);
}

void StoppingRule::begin(const StageObjective& objective, const StageProblem& problem) {
  if (objective.factor() != factor_) measure(objective);
  Threads& threads = objective.threads();
  find_relative(problem);
  const double inertia = weighted_norm(threads, objective.free_masses(), problem.inertial);
  const double relative = weighted_norm(threads, objective.free_masses(), relative_);
  const double elastic = factor_ * weighted_norm(threads, objective.free(), objective.elastic_gradient());
  const double start = inertia + elastic;
  const double floor = 4.0 * epsilon * (inertia + factor_ * force_scale_);
  target_ = std::max(tolerance_ * (std::min(inertia, relative) + elastic), floor);
  gradient_rounding_ = floor + 4.0 * epsilon * weighted_norm(threads, magnitudes_, problem.start);
  value_slope_ = epsilon * start * weighted_norm(threads, objective.free(), problem.start);
  pushes_ = push_rounding_ = 0.0;
  if (parts_.is_divided()) begin_parts(objective, problem);
}

void StoppingRule::begin_parts(const StageObjective& objective, const StageProblem& problem) {
  parts_.find_squares(objective.free_masses(), problem.inertial, part_targets_);
  parts_.find_squares(objective.free_masses(), relative_, relative_squares_);
  parts_.find_squares(objective.free(), objective.elastic_gradient(), squares_);
  parts_.find_squares(magnitudes_, problem.start, part_roundings_);
  for (std::size_t p = 0; p < parts_.count(); ++p) {
    const double inertia = std::sqrt(part_targets_[p]);
    const double floor = 4.0 * epsilon * (inertia + factor_ * part_force_scales_[p]);
    const double size = std::min(inertia, std::sqrt(relative_squares_[p])) + factor_ * std::sqrt(squares_[p]);
    part_targets_[p] = std::max(tolerance_ * size, floor);
    part_roundings_[p] = floor + 4.0 * epsilon * std::sqrt(part_roundings_[p]);
  }
  std::fill(part_pushes_.begin(), part_pushes_.end(), 0.0);
  std::fill(new_pushes_.begin(), new_pushes_.end(), 0.0);
}

void StoppingRule::push(std::size_t vertex, const Vec3& force) {
  if (const Index part = parts_.part_of(vertex); parts_.is_divided() && part >= 0)
    new_pushes_[static_cast<std::size_t>(part)] += squared_norm(force);
}

void StoppingRule::push_by_potential(const StageObjective& objective) {
  if (!parts_.is_divided()) return;
  const VectorView whole = objective.whole_gradient(), elastic = objective.elastic_gradient();
  for (std::size_t i = 0; i < whole.size(); ++i)
    push(i, (factor_ * objective.free()[i]) * (whole[i] - elastic[i]));
}

void StoppingRule::meet(double pushes, double rounding) {
  pushes_ = pushes, push_rounding_ = rounding;
  part_pushes_.swap(new_pushes_);
  std::fill(new_pushes_.begin(), new_pushes_.end(), 0.0);
}

double StoppingRule::target_of(std::size_t part) const {
  return std::max(part_targets_[part],
                  std::max(tolerance_ * share_of_pushes, 4.0 * epsilon) * std::sqrt(part_pushes_[part]));
}

double StoppingRule::target() const {
  if (!parts_.is_divided())
    return std::max({target_, tolerance_ * share_of_pushes * pushes_, 4.0 * epsilon * pushes_});
  double smallest = 0.0;
  for (std::size_t p = 0; p < parts_.count(); ++p)
    if (const double target = target_of(p); target > 0.0 && (smallest == 0.0 || target < smallest))
      smallest = target;
  return smallest;
}

StoppingRule::Unsolved StoppingRule::unsolved(VectorView residual, double norm) const {
  const double of_contact = push_rounding_ + 4.0 * epsilon * pushes_;
  if (!parts_.is_divided() || !std::isfinite(norm)) return {norm, gradient_rounding_ + of_contact};
  parts_.find_squares(residual, squares_);
  double squares = 0.0, roundings = 0.0;
  for (std::size_t p = 0; p < parts_.count(); ++p) {
    const double target = target_of(p);
    if (squares_[p] <= target * target) continue;
    squares += squares_[p];
    roundings += part_roundings_[p] * part_roundings_[p];
  }
  const double left = std::sqrt(squares);
  return {left, std::sqrt(roundings) + of_contact, left < norm ? left / norm : 1.0};
}

double StoppingRule::value_rounding(double value) const {
  // A relative part far above rounding, as in Hager and Zhang's approximate Wolfe conditions (SIAM J. Optim.
  // 16, 2005), because near the minimum slopes tell more than values; the rounding of large coordinates; and
  // that of the elastic energy, which for elements near rest is a small difference of large terms.
  return 1e-9 * std::abs(value) + 4.0 * (value_slope_ + epsilon * factor_ * energy_size_);
}

}  // namespace electret
