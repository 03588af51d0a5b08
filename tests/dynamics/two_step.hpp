#pragma once
/// \file
/// A method with a memory that matters, for tests of what carries, stores and differentiates states.

#include <electret/dynamics/force_products.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/integrator.hpp>

namespace electret::test {

/// Störmer's scheme x' = 2x - x₋ + h² g₀ M⁻¹f(x), which remembers the positions x₋ before, with a gain that
/// it remembers, too: g' = (0.9 g₀ + 0.1 g₁, 0.8 g₁). Only drag and damping read velocities, v' = (x' - x)/h.
/// A run starts at x₋ = x - h v and g = (1, 0.5). For systems without pins.
class TwoStep final : public Integrator {
 public:
  explicit TwoStep(System& system)
      : system_(system),
        forces_(system, ForceSet::all),
        products_(system, ForceSet::all),
        force_(system.masses().size()),
        by_force_(force_.size()) {}

  [[nodiscard]] std::string_view name() const override { return "two_step"; }
  [[nodiscard]] int order() const override { return 1; }
  [[nodiscard]] std::string_view description() const override { return "a toy"; }
  [[nodiscard]] double stability_limit() const override { return 2.0; }
  [[nodiscard]] std::vector<MemoryArray> memory_layout() const override {
    return {{.name = before_name, .count = 3, .is_per_vertex = true, .is_differentiable = true},
            {.name = gain_name, .count = 2, .is_differentiable = true},
            {.name = "calls", .count = 1}};
  }

  void start(State& state, const StepInputs&) override {
    const ScalarSpan before = state.memory.values(before_name, 3 * state.positions.size());
    for (std::size_t i = 0; i < state.positions.size(); ++i)
      set_row(before, i, state.positions[i] - system_.time_step * state.velocities[i]);
    const ScalarSpan gain = state.memory.values(gain_name, 2);
    gain[0] = 1.0, gain[1] = 0.5;
  }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan, StepTape*) override {
    const double h = system_.time_step;
    const ScalarSpan before = state.memory.values(before_name, 3 * force_.size());
    const ScalarSpan gain = state.memory.values(gain_name, 2);
    forces_.evaluate(state.positions, state.velocities, inputs.start, force_);
    for (std::size_t i = 0; i < force_.size(); ++i) {
      const Vec3 x = state.positions[i];
      state.positions[i] = 2.0 * x - row_of(before, i) + (h * h * gain[0] / system_.masses()[i]) * force_[i];
      state.velocities[i] = (1.0 / h) * (state.positions[i] - x);
      set_row(before, i, x);
    }
    gain[0] = 0.9 * gain[0] + 0.1 * gain[1];
    gain[1] = 0.8 * gain[1];
    state.memory.values("calls", 1)[0] += 1.0;
    return {};
  }

  AdjointReport step_backward(const BackwardStep& at, StepCotangent& c, const StepGradients& out) override {
    const double h = system_.time_step, gain = at.start.memory.find(gain_name)[0];
    const ScalarSpan by_before = c.memory.values(before_name, 3 * force_.size());
    const ScalarSpan by_gain = c.memory.values(gain_name, 2);
    forces_.evaluate(at.start.positions, at.start.velocities, at.inputs.start, force_);
    double through_force = 0.0;
    for (std::size_t i = 0; i < force_.size(); ++i) {
      const double m = system_.masses()[i];
      const Vec3 by_velocity = (1.0 / h) * c.velocities[i], by_next = c.positions[i] + by_velocity;
      through_force += (h * h / m) * dot(by_next, force_[i]);
      out.parameters.masses[i] -= (h * h * gain / (m * m)) * dot(by_next, force_[i]);
      by_force_[i] = (h * h * gain / m) * by_next;
      c.positions[i] = 2.0 * by_next - by_velocity + row_of(by_before, i);
      c.velocities[i] = {};
      set_row(by_before, i, -by_next);
    }
    by_gain[1] = 0.1 * by_gain[0] + 0.8 * by_gain[1];
    by_gain[0] = 0.9 * by_gain[0] + through_force;
    const PointGradients here{c.positions, c.velocities, out.inputs.start, out.parameters};
    products_.add_position_part(at.start.positions, at.inputs.start, by_force_, here);
    products_.add_velocity_part(at.start.positions, at.start.velocities, at.inputs.start, by_force_, here);
    return {};
  }

  void start_backward(const State&, const StepInputs&, StepCotangent& c, const StepGradients&) override {
    for (auto& array : c.memory.arrays) {
      for (std::size_t i = 0; array.name == before_name && i < force_.size(); ++i) {
        c.positions[i] += row_of(array.values, i);
        c.velocities[i] -= system_.time_step * row_of(array.values, i);
      }
      std::fill(array.values.begin(), array.values.end(), 0.0);
    }
  }

 private:
  static constexpr std::string_view before_name = "positions_before", gain_name = "gain";
  System& system_;
  ForceSum forces_;
  ForceSumProducts products_;
  VectorArray force_, by_force_;
};

}  // namespace electret::test
