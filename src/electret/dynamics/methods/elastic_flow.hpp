#pragma once
/// \file
/// The inner part of the kick methods: a step under the elastic energies, and under the other forces as they
/// are at its start (docs/physics.md, "Time integrators").

#include <memory>
#include <span>
#include <string_view>

#include <electret/dynamics/integrator.hpp>

namespace electret {

/// A scheme (x, w) → (x', v₊₊) for x¨ = M⁻¹(f - ∇E(x)), stable at any step. The force f does not change in
/// the step. The scheme is of second order with f = 0. It moves the free vertices. Positions of pins are
/// prescribed; their velocities are neither read nor written.
class ElasticFlow {
 public:
  virtual ~ElasticFlow() = default;
  /// These describe the method made from this scheme, as Integrator's functions of the same names do.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view description() const = 0;
  [[nodiscard]] virtual bool conserves_energy() const = 0;
  [[nodiscard]] virtual std::span<const double> stage_fractions() const = 0;

  /// Whether f acts as a source during the whole step, so that v₊₊ has its impulse h f. Otherwise f acts as a
  /// kick of half that impulse before the springs, and v₊₊ has h f/2.
  [[nodiscard]] virtual bool force_is_source() const = 0;
  /// `state` holds (x, w) and receives (x', v₊₊). `force` is f (n×3, N). If `tape` is given, it receives the
  /// stage that `step_backward` needs. Allocates nothing after the first call.
  virtual StepReport step(State& state, VectorView force, const StepInputs& inputs, StepTape* tape) = 0;
  /// As Integrator's functions of the same names.
  [[nodiscard]] virtual double memory_needed() const { return 0.0; }
  [[nodiscard]] virtual std::vector<MemoryArray> memory_layout() const { return {}; }
  /// Integrator::elastic_choice.
  [[nodiscard]] virtual Choice elastic_choice() const { return {}; }
  /// The value that the scheme used as the mean of ∇E over the last step (n×3, N), pins included.
  [[nodiscard]] virtual VectorView mean_gradient() const = 0;

  /// Recomputes v₊₊ (n×3, m/s) of an earlier step without evaluating other forces; free vertices only. Call
  /// it before `step_backward`, for the same step.
  virtual void recompute_velocities(const BackwardStep& at, VectorSpan after) = 0;
  /// The transpose of `step`; `w` is as there. `cotangent` comes in as derivatives with respect to (x', v₊₊),
  /// 0 at pins, and goes out as those with respect to (x, w). `by_force` (n×3) receives ∂ℒ/∂f.
  virtual AdjointReport step_backward(const BackwardStep& at, VectorView w, StepCotangent& cotangent,
                                      VectorSpan by_force, const StepGradients& out) = 0;
};

/// The integrator v' = D (v₊₊ + h/2 M⁻¹(f' - s)), (x', v₊₊) = flow(x, D v, f), f = f(x, D v, t), f' = f(x',
/// v₊₊, t+h). The force f is every one that is neither elastic nor drag; D = exp(-drag·h/2) on the free
/// vertices; s is f if the flow takes it as a source, else 0. The part of f' that depends on positions and
/// time alone is reused by the next step, so that a step costs one Coulomb evaluation. `system` must outlive
/// the integrator.
std::unique_ptr<Integrator> make_kick(System& system, std::unique_ptr<ElasticFlow> flow);

}  // namespace electret
