#pragma once
/// \file
/// Losses of the last state that published experiments use, and that `--loss` has no name for.

#include <electret/dynamics/loss.hpp>

namespace electret::experiments {

/// Σ w_x·x + w_v·v of the last state.
class LinearLoss final : public Loss {
 public:
  LinearLoss(VectorArray position_weights, VectorArray velocity_weights)
      : by_positions_(std::move(position_weights)), by_velocities_(std::move(velocity_weights)) {}

  [[nodiscard]] bool reads(Count step, Count last_step) const override { return step == last_step; }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override {
    for (std::size_t i = 0; i < by_positions_.size(); ++i)
      value_ += dot(by_positions_[i], at.state.positions[i]) + dot(by_velocities_[i], at.state.velocities[i]);
  }
  [[nodiscard]] double value() const override { return value_; }
  void add_derivatives(const LossPoint&, double factor, const LossGradients& out) override {
    for (std::size_t i = 0; i < by_positions_.size(); ++i) {
      out.positions[i] += factor * by_positions_[i];
      out.velocities[i] += factor * by_velocities_[i];
    }
  }

 private:
  VectorArray by_positions_, by_velocities_;
  double value_ = 0.0;
};

/// ½|x_i - target|²/size² of one vertex of the last state.
class EndPointLoss final : public Loss {
 public:
  EndPointLoss(Index vertex, const Vec3& target, double size)
      : vertex_(static_cast<std::size_t>(vertex)), target_(target), weight_(1.0 / (size * size)) {}

  [[nodiscard]] bool reads(Count step, Count last_step) const override { return step == last_step; }
  void start() override { miss_ = {}; }
  void observe(const LossPoint& at) override { miss_ = at.state.positions[vertex_] - target_; }
  [[nodiscard]] double value() const override { return 0.5 * weight_ * squared_norm(miss_); }
  void add_derivatives(const LossPoint&, double factor, const LossGradients& out) override {
    out.positions[vertex_] += (factor * weight_) * miss_;
  }
  /// m, of the run observed last.
  [[nodiscard]] const Vec3& miss() const { return miss_; }

 private:
  std::size_t vertex_;
  Vec3 target_;
  double weight_;
  Vec3 miss_;
};

}  // namespace electret::experiments
