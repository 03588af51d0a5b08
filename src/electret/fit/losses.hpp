#pragma once
/// \file
/// The losses that the command line and fitting jobs know by name, and their weighted sum
/// (docs/gradients.md).
///
/// Losses throw std::invalid_argument if a number of their target is not finite. What a loss cannot check
/// before it sees a run, it checks at each state before it reads it: it throws std::invalid_argument if its
/// target has another number of vertices than the run, or names vertices that the run does not have.

#include <memory>
#include <vector>

#include <electret/dynamics/loss.hpp>

namespace electret {

/// The mean over vertices of |x_T - x*|², m². `target` is x* (n×3, m).
std::unique_ptr<Loss> final_position_loss(VectorArray target);

/// The target positions at one step.
struct TargetFrame {
  Count step = 0;
  VectorArray positions{};  ///< n×3, m.
};

/// The mean over frames and vertices of |x - x*|², m². The frames' steps ascend; frames beyond the run's last
/// step do not count. Throws std::invalid_argument if there is no frame, or if the steps do not ascend.
std::unique_ptr<Loss> trajectory_loss(std::vector<TargetFrame> target);

/// |c_T - target|², m², where c = Σ m x / Σ m over the vertices from `begin` up to but without `end`. `end` =
/// -1: up to the last vertex. Throws std::invalid_argument if there are none between.
std::unique_ptr<Loss> centre_of_mass_loss(const Vec3& target, Count begin = 0, Count end = -1);

/// The total energy at the end, J (energies.hpp).
std::unique_ptr<Loss> final_energy_loss();

/// One term of `sum_of_losses`.
struct WeightedLoss {
  double weight = 1.0;
  std::unique_ptr<Loss> loss{};
};
/// Σ weight · loss. Throws std::invalid_argument if a loss is null or a weight is not finite.
std::unique_ptr<Loss> sum_of_losses(std::vector<WeightedLoss> terms);

}  // namespace electret
