#include <cmath>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {

StageObjective::StageObjective(System& system) : system_(system) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  free_.assign(n, 1.0);
  for (const Index pin : system.fixed) free_[static_cast<std::size_t>(pin)] = 0.0;
  free_masses_.resize(n);
  for (std::size_t i = 0; i < n; ++i) free_masses_[i] = free_[i] * system.masses()[i];
  for (auto* array : {&place_, &elastic_gradient_, &gradient_, &scratch_}) array->resize(n);
}

void StageObjective::begin(const StageProblem& problem) {
  start_ = problem.start;
  inertial_ = problem.inertial;
  pin_places_ = problem.pin_places;
  held_ = {};
  factor_ = problem.factor;
  if (problem.inputs != nullptr) set_elastic_inputs(system_, *problem.inputs);
  if (problem.inputs != nullptr && !same_inputs(*problem.inputs, inputs_, read_by_elastic)) {
    copy_inputs(*problem.inputs, inputs_, read_by_elastic);
    known_ = false;
  }
  // The last step ended where this one starts, so that its ∇E is that at x_t if the bits agree.
  if (known_ && same_bits(threads(), start_, place_)) return;
  copy_rows(threads(), start_, place_);
  evaluate_elastic_gradient();
}

void StageObjective::evaluate_elastic_gradient() {
  known_ = false;
  set_zero(threads(), elastic_gradient_);
  elastic_energy_ = 0.0;
  for (auto& energy : system_.elastic) elastic_energy_ += energy->add_gradient(place_, elastic_gradient_);
  known_ = true;
}

double StageObjective::evaluate(VectorView displacement) {
  for_vertices(threads(), place_.size(), [&](std::size_t i) { place_[i] = start_[i] + displacement[i]; });
  if (!pin_places_.empty()) place_pins(system_, pin_places_, place_);
  evaluate_elastic_gradient();
  const double quadratic = sum_over_vertices(threads(), displacement.size(), [&](std::size_t i) {
    const Vec3 d = displacement[i] - inertial_[i];
    const Vec3 inertial = free_masses_[i] * d;
    gradient_[i] = inertial + (factor_ * free_[i]) * elastic_gradient_[i];
    return dot(inertial, d);
  });
  const double potential = potential_ != nullptr ? add_potential(displacement) : 0.0;
  if (!system_.rollers.empty()) hold_pins(system_, gradient_);
  for (const Index i : held_) gradient_[static_cast<std::size_t>(i)] = {};
  gradient_norm_ = norm(threads(), gradient_);
  value_ = 0.5 * quadratic + factor_ * elastic_energy_;
  if (potential_ != nullptr) value_ += factor_ * potential;
  return value_;
}

double StageObjective::add_potential(VectorView displacement) {
  moved_.resize(place_.size());
  whole_gradient_.resize(place_.size());
  copy_rows(threads(), displacement, moved_);
  for_pins(system_, [&](const PinRow& at) { moved_[at.vertex] = place_[at.vertex] - start_[at.vertex]; });
  const double value = potential_->evaluate(place_, moved_);
  set_zero(threads(), whole_gradient_);
  potential_->add_gradient(1.0, whole_gradient_);
  for_vertices(threads(), place_.size(), [&](std::size_t i) {
    gradient_[i] += (factor_ * free_[i]) * whole_gradient_[i];
    whole_gradient_[i] += elastic_gradient_[i];
  });
  return value;
}

double StageObjective::potential_gradient_norm() const {
  if (potential_ == nullptr) return 0.0;
  const double squares = sum_over_vertices(threads(), whole_gradient_.size(), [&](std::size_t i) {
    return free_[i] * squared_norm(whole_gradient_[i] - elastic_gradient_[i]);
  });
  return factor_ * std::sqrt(squares);
}

double StageObjective::value_at_start() const {
  const double quadratic = sum_over_vertices(threads(), inertial_.size(), [&](std::size_t i) {
    return free_masses_[i] * squared_norm(inertial_[i]);
  });
  return 0.5 * quadratic + factor_ * elastic_energy_;
}

double StageObjective::evaluate_start(VectorSpan displacement) {
  evaluate(displacement);
  if (is_finite()) return value_;
  copy_rows(threads(), displacement, scratch_);
  set_zero(threads(), displacement);
  evaluate(displacement);
  if (!is_finite()) copy_rows(threads(), scratch_, displacement);
  return value_;
}

void StageObjective::linearise(VectorView x, HessianKind kind) {
  set_zero(threads(), scratch_);  // a gradient nobody reads: that of x is known already
  for (auto& energy : system_.elastic) energy->linearise(x, kind, scratch_);
}

void StageObjective::hessian_product_unmasked(VectorView d, VectorSpan product) {
  set_zero(threads(), product);
  for (auto& energy : system_.elastic) energy->add_hessian_product(d, product);
  for_vertices(threads(), d.size(),
               [&](std::size_t i) { product[i] = free_masses_[i] * d[i] + factor_ * product[i]; });
}

void StageObjective::hessian_product(VectorView d, VectorSpan product) {
  hessian_product_unmasked(d, product);
  hold_pins(system_, product);
}

}  // namespace electret
