#pragma once
/// \file
/// The inner part of the kick methods: a step under the elastic energies alone, between two kicks by the
/// other forces (docs/physics.md, "Time integrators").

#include <memory>
#include <span>
#include <string_view>

#include <electret/dynamics/integrator.hpp>

namespace electret {

/// A scheme (x, v₊) → (x', v₊₊) for x¨ = -M⁻¹∇E(x), second order and stable at any step. It moves the free
/// vertices. Positions of pins are prescribed; their velocities are neither read nor written.
class ElasticFlow {
 public:
  virtual ~ElasticFlow() = default;
  /// These describe the method made from this scheme, as Integrator's functions of the same names do.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view description() const = 0;
  [[nodiscard]] virtual bool conserves_energy() const = 0;
  [[nodiscard]] virtual std::span<const double> stage_fractions() const = 0;

  /// `state` holds (x, v₊) and receives (x', v₊₊). `unkicked` (n×3, m/s) is v₊ without the forces' kick, from
  /// which solves get a starting point. If `tape` is given, it receives the stage that `step_backward` needs.
  /// Allocates nothing after the first call.
  virtual StepReport step(State& state, VectorView unkicked, const StepInputs& inputs, StepTape* tape) = 0;
  /// As Integrator's functions of the same names.
  [[nodiscard]] virtual double memory_needed() const { return 0.0; }
  [[nodiscard]] virtual double memory_in_state() const { return 0.0; }
  /// The value that the scheme used as the mean of ∇E over the last step (n×3, N), pins included.
  [[nodiscard]] virtual VectorView mean_gradient() const = 0;

  /// Recomputes v₊ and v₊₊ (n×3, m/s) of an earlier step without evaluating other forces; free vertices only.
  virtual void recompute_velocities(const BackwardStep& at, VectorSpan before, VectorSpan after) = 0;
  /// The transpose of `step`; `before` is v₊. `cotangent` comes in as derivatives with respect to (x', v₊₊),
  /// 0 at pins, and goes out as those with respect to (x, v₊).
  virtual AdjointReport step_backward(const BackwardStep& at, VectorView before, StepCotangent& cotangent,
                                      const StepGradients& out) = 0;
};

/// The integrator v' = D (v₊₊ + h/2 M⁻¹f(x', v₊₊, t+h)), (x', v₊₊) = flow(x, v₊), v₊ = D v + h/2 M⁻¹f(x, D v,
/// t). f is every force that is neither elastic nor drag; D = exp(-drag·h/2) on the free vertices. The part
/// of f that depends on positions and time alone is reused by the next step, so that a step costs one Coulomb
/// evaluation. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_kick(System& system, std::unique_ptr<ElasticFlow> flow);

}  // namespace electret
