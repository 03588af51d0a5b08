#pragma once
/// \file
/// Losses as Python holds them, and the one that keeps frames and takes cotangents of them.

#include <map>
#include <memory>
#include <vector>

#include <electret/dynamics/loss.hpp>

namespace electret::python {

/// A loss of the library; shared by Python and the roll-outs that use it.
struct HeldLoss {
  std::shared_ptr<Loss> loss;
};

/// Keeps the states after given steps, and adds given cotangents of them; over a loss of the library, if any.
class FrameLoss final : public Loss {
 public:
  /// `steps`: ascending, without repeats.
  FrameLoss(std::vector<Count> steps, std::shared_ptr<Loss> over);

  [[nodiscard]] bool reads(Count step, Count last_step) const override;
  void start() override;
  void observe(const LossPoint& at) override;
  [[nodiscard]] double value() const override { return over_ ? over_->value() : 0.0; }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override;

  [[nodiscard]] const std::vector<VectorArray>& positions() const { return positions_; }
  [[nodiscard]] const std::vector<VectorArray>& velocities() const { return velocities_; }

  /// ∂ℒ/∂(frames), n×3 each or empty, and by the total energy at the end; `counts_over`: the loss below
  /// counts as well, with weight 1.
  void set_cotangents(std::vector<VectorArray> positions, std::vector<VectorArray> velocities, double energy,
                      bool counts_over);
  /// ∂ℒ/∂(state after `step`), n×3 each, on top of these, once: taken when the sweep gets there.
  void add_cotangent(Count step, VectorView positions, VectorView velocities);

 private:
  [[nodiscard]] std::ptrdiff_t frame_of(Count step) const;

  std::vector<Count> steps_;
  std::shared_ptr<Loss> over_;
  std::unique_ptr<Loss> energy_;
  std::vector<VectorArray> positions_, velocities_, by_positions_, by_velocities_;
  double by_energy_ = 0.0;
  Count extra_step_ = -1;
  VectorArray extra_positions_, extra_velocities_;
  bool counts_over_ = false;
};

}  // namespace electret::python
