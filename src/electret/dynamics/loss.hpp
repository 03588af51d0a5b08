#pragma once
/// \file
/// The interface of losses. A loss is one number computed from a whole motion, ℒ(x_0 … x_T, v_0 … v_T, θ),
/// with its derivatives.

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// A state that a loss looks at.
struct LossPoint {
  System& system;
  const State& state;
  const Inputs& inputs;  ///< At the state's time.
  Count last_step = 0;   ///< T.
};

/// Where a loss adds its derivatives: those with respect to one state, and those with respect to whatever
/// else it reads.
struct LossGradients {
  VectorSpan positions;    ///< ∂ℒ/∂x_t, n×3.
  VectorSpan velocities;   ///< ∂ℒ/∂v_t, n×3.
  InputGradients& inputs;  ///< ∂ℒ/∂(charges, external charges, pins), where the loss reads them itself.
  ParameterGradients& parameters;  ///< ∂ℒ/∂(masses, parameters of energies and forces), likewise.
  MethodMemory* memory = nullptr;  ///< ∂ℒ/∂(arrays of State::memory), if the method takes them.
};

/// The interface of a loss. `observe` receives the states of a run in ascending order. `add_derivatives` is
/// then called for the same states in descending order.
///
/// \code
///   class Height : public electret::Loss {  // of vertex 0 at the end
///     double height_ = 0.0;
///     bool reads(Count step, Count last) const override { return step == last; }
///     void start() override {}
///     void observe(const LossPoint& at) override { height_ = at.state.positions[0].z; }
///     double value() const override { return height_; }
///     void add_derivatives(const LossPoint&, double factor, const LossGradients& out) override {
///       out.positions[0].z += factor;
///     }
///   };
/// \endcode
class Loss {
 public:
  virtual ~Loss() = default;
  /// Whether the loss depends on the state after `step` steps of a run of `last_step`.
  [[nodiscard]] virtual bool reads(Count step, Count last_step) const = 0;
  /// Called when a run begins: forgets what was observed.
  virtual void start() = 0;
  /// Called once for every state for which `reads` is true, in ascending order.
  virtual void observe(const LossPoint& at) = 0;
  /// ℒ of the states that were observed.
  [[nodiscard]] virtual double value() const = 0;
  /// The largest value that is 0 up to the rounding of positions like those in which `assembly` starts. A
  /// loss may tell it only if it has no values below 0. 0: nothing is known.
  [[nodiscard]] virtual double rounding(const Assembly& /*assembly*/) const { return 0.0; }
  /// Adds factor · ∂ℒ/∂(state `at`, inputs at its time, parameters) to `out`. Called after all states were
  /// observed, once for every state for which `reads` is true, in descending order.
  virtual void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) = 0;
};

}  // namespace electret
