#pragma once
/// \file
/// The interface of losses: one number of a whole motion, ℒ(x_0 … x_T, v_0 … v_T, θ), and its derivatives.

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

/// Where a loss adds its derivatives by one state, and by what it reads beside it.
struct LossGradients {
  VectorSpan positions;            ///< ∂ℒ/∂x_t, n×3.
  VectorSpan velocities;           ///< ∂ℒ/∂v_t, n×3.
  InputGradients& inputs;          ///< Of charges, external charges and pins that the loss itself reads.
  ParameterGradients& parameters;  ///< Of masses and of energies' and forces' own numbers.
};

/// A loss sees the states of a run in ascending order, and is then asked for derivatives in descending order.
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
  /// Forgets what was observed: a run begins.
  virtual void start() = 0;
  /// Called once for every state that `reads`, step 0 first.
  virtual void observe(const LossPoint& at) = 0;
  /// ℒ of the states observed.
  [[nodiscard]] virtual double value() const = 0;
  /// Adds factor · ∂ℒ/∂(state `at`, inputs at its time, parameters). Called after all were observed, once for
  /// every state that `reads`, the last first.
  virtual void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) = 0;
};

}  // namespace electret
