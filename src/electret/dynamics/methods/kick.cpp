#include <cmath>
#include <limits>
#include <utility>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/force_products.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/methods/elastic_flow.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {
namespace {

class Kick final : public Integrator {
 public:
  Kick(System& system, std::unique_ptr<ElasticFlow> flow)
      : system_(system),
        flow_(std::move(flow)),
        forces_(system, ForceSet::explicit_without_drag),
        products_(system, ForceSet::explicit_without_drag) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    const double h = system.time_step;
    half_step_.reserve(n);
    for (const double m : system.masses()) half_step_.push_back(0.5 * h / m);
    for (std::size_t k = 0; k < system.forces.size(); ++k)
      if (system.forces[k]->role() == ForceRole::drag) drag_ = k;
    free_slowing_ = std::exp(-0.5 * h * drag_rate());
    slowing_.assign(n, free_slowing_);
    // Pins move as prescribed.
    for (const Index pin : system.pins) slowing_[static_cast<std::size_t>(pin)] = 1.0;
    force_.resize(n);
    first_.resize(n);
    before_.resize(system.pins.size());
  }

  std::string_view name() const override { return flow_->name(); }
  int order() const override { return 2; }
  std::string_view description() const override { return flow_->description(); }
  double stability_limit() const override { return std::numeric_limits<double>::infinity(); }
  double memory_needed() const override { return flow_->memory_needed(); }
  std::vector<MemoryArray> memory_layout() const override { return flow_->memory_layout(); }
  Choice elastic_choice() const override { return flow_->elastic_choice(); }
  bool conserves_energy() const override { return flow_->conserves_energy(); }
  std::span<const double> stage_fractions() const override { return flow_->stage_fractions(); }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions, StepTape* tape) override {
    VectorArray& v = state.velocities;
    for (std::size_t k = 0; k < system_.pins.size(); ++k) before_[k] = v[pin(k)];
    slow(v);
    forces_.evaluate(state.positions, v, inputs.start, first_);
    const StepReport report = flow_->step(state, first_, inputs, tape);
    if (report.failed) return report;
    move_pins(system_, inputs.start.pin_positions, inputs.end.pin_positions, system_.time_step, v);
    forces_.evaluate(state.positions, v, inputs.end, force_);
    react(v, reactions);
    kick(v);
    slow(v);
    move_pins(system_, inputs.start.pin_positions, inputs.end.pin_positions, system_.time_step, v);
    return report;
  }

  AdjointReport step_backward(const BackwardStep& at, StepCotangent& c, const StepGradients& out) override {
    const double h = system_.time_step;
    const State &start = at.start, &end = at.end;
    recompute(at);
    // v' = D (v₊₊ + h/2 M⁻¹(f' - s)). The position part of f' is multiplied together with the share that the
    // next step left.
    release_pin_velocities(system_, h, c.velocities, out.inputs);
    transpose_kick(c.velocities, end.velocities, out.parameters);
    transpose_slowing(c.velocities, end.velocities, out.parameters);
    slow(by_force_);
    for_vertices(*system_.threads, by_force_.size(),
                 [&](std::size_t i) { c.position_force[i] += by_force_[i]; });
    const PointGradients there{c.positions, c.velocities, out.inputs.end, out.parameters};
    products_.add_position_part(end.positions, at.inputs.end, c.position_force, there);
    products_.add_velocity_part(end.positions, after_, at.inputs.end, by_force_, there);
    release_pin_places(system_, c.positions, out.inputs.end);
    release_pin_velocities(system_, h, c.velocities, out.inputs);
    // (x', v₊₊) = flow(x, D v, f). The position part of f is left to the step before.
    const AdjointReport report = flow_->step_backward(at, slowed_, c, by_first_, out);
    if (flow_->force_is_source())
      for_vertices(*system_.threads, by_first_.size(), [&](std::size_t i) { by_first_[i] -= by_force_[i]; });
    copy_rows(*system_.threads, by_first_, c.position_force);
    const PointGradients here{c.positions, c.velocities, out.inputs.start, out.parameters};
    products_.add_velocity_part(start.positions, slowed_, at.inputs.start, by_first_, here);
    transpose_slowing(c.velocities, slowed_, out.parameters);
    return report;
  }

  void finish_backward(const State& start, const Inputs& inputs, StepCotangent& c, InputGradients& by_inputs,
                       ParameterGradients& by_parameters) override {
    products_.add_position_part(start.positions, inputs, c.position_force,
                                {c.positions, {}, by_inputs, by_parameters});
    set_zero(*system_.threads, c.position_force);
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] std::size_t pin(std::size_t k) const { return static_cast<std::size_t>(system_.pins[k]); }
  [[nodiscard]] double drag_rate() const { return drag_ == none ? 0.0 : system_.assembly.scene.damping.drag; }

  /// v ← D v. D is its own transpose.
  void slow(VectorSpan v) const {
    if (drag_ == none) return;
    for_vertices(*system_.threads, v.size(), [&](std::size_t i) { v[i] *= slowing_[i]; });
    for (const Roller& roller : system_.rollers) {
      Vec3& own = v[static_cast<std::size_t>(roller.constraint.vertex)];
      own -= (1.0 - free_slowing_) * (own - roller.held * own);
    }
  }

  /// v₊₊ += h/2 M⁻¹(f' - s).
  void kick(VectorArray& v) {
    if (flow_->force_is_source())
      for_vertices(*system_.threads, v.size(),
                   [&](std::size_t i) { v[i] += half_step_[i] * (force_[i] - first_[i]); });
    else
      for_vertices(*system_.threads, v.size(), [&](std::size_t i) { v[i] += half_step_[i] * force_[i]; });
  }

  /// m (v' - v)/h - f at the pins, where f is the mean of what acted: the other forces and drag at both ends
  /// of the step, and the flow's mean of the springs' forces. `v` holds the pins' v' already.
  void react(const VectorArray& v, VectorSpan reactions) {
    const VectorView pull = flow_->mean_gradient();
    for_pins(system_, [&](const PinRow& at) {
      const std::size_t i = at.vertex, k = at.pin;
      const double m = system_.masses()[i];
      const Vec3 drag = (-0.5 * drag_rate() * m) * (before_[k] + v[i]);
      const Vec3 mean = 0.5 * (first_[i] + force_[i]) - pull[i] + drag;
      reactions[k] = at.share((m / system_.time_step) * (v[i] - before_[k]) - mean);
    });
  }

  /// Recomputes the velocities within an earlier step: D v, v₊₊ and D v₊₊.
  void recompute(const BackwardStep& at) {
    const auto n = static_cast<std::size_t>(system_.vertex_count());
    for (auto* array : {&slowed_, &after_, &slowed_after_, &by_first_, &by_force_}) array->resize(n);
    flow_->recompute_velocities(at, after_);
    move_pins(system_, at.inputs.start.pin_positions, at.inputs.end.pin_positions, system_.time_step, after_);
    copy_rows(*system_.threads, at.start.velocities, slowed_);
    copy_rows(*system_.threads, after_, slowed_after_);
    slow(slowed_);
    slow(slowed_after_);
  }

  /// The transpose of v' = D v₊₊ + h/2 M⁻¹ D (f' - s): writes ∂ℒ/∂(D f') to `by_force_` and adds the masses'
  /// derivatives through M⁻¹.
  void transpose_kick(VectorView by_after, VectorView after, ParameterGradients& out) {
    for_vertices(*system_.threads, by_force_.size(), [&](std::size_t i) {
      by_force_[i] = half_step_[i] * by_after[i];
      out.masses[i] -= (2.0 / system_.time_step) * dot(by_force_[i], after[i] - slowed_after_[i]);
    });
  }

  /// The transpose of after = D before: replaces ∂ℒ/∂after by ∂ℒ/∂before, and uses ∂D/∂drag = -h/2 D. Pins
  /// have no drag.
  void transpose_slowing(VectorSpan by_after, VectorView after, ParameterGradients& out) {
    if (drag_ == none) return;
    double by_rate = 0.0;
    for (std::size_t i = 0; i < after.size(); ++i) by_rate += dot(by_after[i], after[i]);
    for_pins(system_,
             [&](const PinRow& at) { by_rate -= dot(by_after[at.vertex], at.share(after[at.vertex])); });
    out.forces[drag_][0][0] -= 0.5 * system_.time_step * by_rate;
    slow(by_after);
  }

  System& system_;
  std::unique_ptr<ElasticFlow> flow_;
  ForceSum forces_;
  ForceSumProducts products_;
  std::size_t drag_ = none;        ///< Which of the system's forces is drag.
  std::vector<double> half_step_;  ///< n, h/(2 m_i), s/kg.
  std::vector<double> slowing_;    ///< n, D; 1 at pins.
  double free_slowing_ = 1.0;      ///< D of what is free.
  VectorArray first_, force_;      ///< f and f', n×3, N.
  VectorArray before_;             ///< Pins' velocities at the start of the step.
  // Of backward steps, n×3.
  VectorArray slowed_, after_, slowed_after_;  ///< D v, v₊₊ and D v₊₊, m/s.
  VectorArray by_first_, by_force_;            ///< ∂ℒ/∂f and ∂ℒ/∂f'.
};

}  // namespace

std::unique_ptr<Integrator> make_kick(System& system, std::unique_ptr<ElasticFlow> flow) {
  return std::make_unique<Kick>(system, std::move(flow));
}

}  // namespace electret
