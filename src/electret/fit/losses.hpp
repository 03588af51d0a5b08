#pragma once
/// \file
/// The losses that the command line and fitting jobs know by name, and their weighted sum
/// (docs/gradients.md).
///
/// Losses throw std::invalid_argument if a number of their target is not finite. What a loss cannot check
/// before it sees a run, it checks at each state before it reads it: it throws std::invalid_argument if its
/// target has another number of vertices than the run, or names vertices that the run does not have.

#include <array>
#include <memory>
#include <vector>

#include <electret/dynamics/loss.hpp>

namespace electret {

/// The mean over the vertices of (4 ε |x|)², m², where ε is the precision of numbers and x are the positions
/// in which `assembly` starts. A squared distance of places near them that is at most this is 0 up to
/// rounding.
[[nodiscard]] double rounding_of_squared_distance(const Assembly& assembly);

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

/// -û·c_T, m, where û is the unit vector of `direction` and c = Σ m x / Σ m. Throws std::invalid_argument for
/// a direction of length 0.
std::unique_ptr<Loss> forward_loss(const Vec3& direction);

/// Σ over the steps 1 … T of -û·v + w |v - (û·v) û|², where v is the mean velocity of `vertices`, or of all
/// if there are none, û the unit vector of `direction`, and w (s/m) is `sideways` [DiffPD]. Throws
/// std::invalid_argument for a direction of length 0.
std::unique_ptr<Loss> speed_loss(const Vec3& direction, double sideways = 0.0,
                                 std::vector<Index> vertices = {});

/// A point that vertices carry: Σ weight · x.
struct BodyMarker {
  std::vector<Index> vertices{};
  std::vector<double> weights{};  ///< One per vertex.
};
/// Where a marker was seen at one step.
struct MarkerTarget {
  Count step = 0;
  std::size_t marker = 0;               ///< Its index among the markers.
  std::array<double, 3> coordinates{};  ///< m.
  std::array<bool, 3> is_measured{true, true, true};
  double weight = 1.0;
};

/// The mean over the targets within the run of weight · Σ (x - x*)² over the measured coordinates, m². The
/// targets' steps do not descend. Throws std::invalid_argument if there is no target, and for a target of no
/// marker, with no measured coordinate or with a negative weight.
std::unique_ptr<Loss> markers_loss(std::vector<BodyMarker> markers, std::vector<MarkerTarget> targets);

/// Where a camera of the scene saw a marker in the picture at one step.
struct PixelTarget {
  Count step = 0;
  std::size_t marker = 0;               ///< Its index among the markers.
  std::size_t camera = 0;               ///< That of the camera among the scene's.
  std::array<double, 2> coordinates{};  ///< px, from the picture's middle to the right and up.
  std::array<bool, 2> is_measured{true, true};
  double weight = 1.0;
};

/// The mean over the targets within the run of weight · Σ (p - p*)² over the measured coordinates, px², where
/// p is the marker in the camera's picture (scene/pinhole.hpp). It has derivatives by the cameras. The
/// targets' steps do not descend. Throws std::invalid_argument as `markers_loss` does, and for a camera that
/// the run's scene does not have. A run in which a marker is not in front of its camera has no value:
/// DivergenceError.
std::unique_ptr<Loss> pixels_loss(std::vector<BodyMarker> markers, std::vector<PixelTarget> targets);

/// One term of `sum_of_losses`.
struct WeightedLoss {
  double weight = 1.0;
  std::unique_ptr<Loss> loss{};
};
/// Σ weight · loss. Throws std::invalid_argument if a loss is null or a weight is not finite.
std::unique_ptr<Loss> sum_of_losses(std::vector<WeightedLoss> terms);

}  // namespace electret
