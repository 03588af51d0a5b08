#pragma once
/// \file
/// A body that a network moves: it sees the body every frame, and its outputs run along the muscles
/// ([DiffPD] §7.4).

#include <vector>

#include <electret/adjoint/rollout.hpp>

#include "delay_lines.hpp"
#include "perceptron.hpp"

namespace electret::experiments {

/// What a network sees: o = (v_c, x_s - x_c for every sensor s, v_s for every sensor), 3 + 6 S numbers, where
/// x_c and v_c are the mean position and velocity of the vertices `middle`.
struct Senses {
  std::vector<Index> middle, sensors;

  [[nodiscard]] std::size_t size() const { return 3 + 6 * sensors.size(); }
  [[nodiscard]] std::vector<double> observe(const State& state) const;
  /// Adds the derivatives by the state, of which `by_observation` are those by o.
  void pull(ScalarView by_observation, VectorSpan by_positions, VectorSpan by_velocities) const;
};

/// A loss of the motion, which adds what flows through the network into the states. The action of a frame is
/// that of the delay lines.
///
/// \code
///   ClosedLoop loop(senses, cords, network, speed);
///   Rollout rollout(simulator, controls, {.steps = 200});
///   const double loss = loop.forward(rollout);
///   const RolloutGradient gradient = loop.backward(rollout);  // and loop.by_parameters()
/// \endcode
class ClosedLoop final : private Loss {
 public:
  /// `network` and `loss` must outlive this object.
  ClosedLoop(Senses senses, std::vector<Cord> cords, const Perceptron& network, Loss& loss);

  /// The loss of a run of the rollout, whose actions hold for one step. Throws as Rollout::forward.
  double forward(Rollout& rollout, bool keeps_states = true);
  /// The derivatives of it. Throws as Rollout::backward.
  RolloutGradient backward(Rollout& rollout);
  /// What the network answered in the last `forward`, frames × outputs.
  [[nodiscard]] std::vector<double> outputs() const;
  /// ∂ℒ/∂(the network's parameters) of the last `backward`.
  [[nodiscard]] const std::vector<double>& by_parameters() const { return by_parameters_; }

 private:
  [[nodiscard]] bool reads(Count, Count) const override { return true; }
  void start() override { loss_.start(); }
  void observe(const LossPoint& at) override;
  [[nodiscard]] double value() const override { return loss_.value(); }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override;
  void act(const State& state, ScalarSpan action);
  void acted(Count frame, const State& state, ScalarView by_action);

  Senses senses_;
  DelayLines lines_;
  const Perceptron& network_;
  Loss& loss_;
  std::vector<Perceptron::Values> frames_;    ///< What the network computed.
  VectorArray by_positions_, by_velocities_;  ///< What flows into the state that comes next.
  std::vector<double> by_parameters_;
};

}  // namespace electret::experiments
