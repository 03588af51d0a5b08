#pragma once
/// \file
/// Two balls on a table as functions of the numbers that a filmed clip of them is to tell ([DiffPD] §7.5).

#include <array>
#include <string>
#include <vector>

#include <electret/adjoint/gradient.hpp>

#include "scene_source.hpp"

namespace electret::experiments {

/// How a ball starts, as the first pictures tell.
struct BallStart {
  Vec3 centre;             ///< m.
  double speed = 0.0;      ///< m/s.
  double direction = 0.0;  ///< rad, from x towards y.
};
using BallStarts = std::array<BallStart, 2>;

/// One unknown number, within bounds.
struct BallNumber {
  std::string name;
  double lowest = 0.0, highest = 1.0;
};

/// The scene of two bodies, the balls "left" and "right", and of one camera. Its numbers are
///
///   * with a [[ball_contact]], the published contact: the decimal logarithms of both stiffnesses, and both
///     frictions;
///   * of both balls: the direction's turn (rad), the factor on the estimated speed, and x and y of the
///     centre (m, from the estimate);
///   * of the camera: angles about its axes (rad), shift (m), zoom.
///
/// A ball starts with the spin ω = factor · speed / r. With the published contact it only spins; else it
/// rolls, with the velocity ω r.
class BallScene {
 public:
  BallScene(SceneSource scene, const BallStarts& starts);

  [[nodiscard]] const std::vector<BallNumber>& numbers() const { return numbers_; }
  [[nodiscard]] bool is_published() const { return is_published_; }
  [[nodiscard]] const Assembly& assembly() const { return assembly_; }
  /// Index of the first number of the balls' starts, and of the camera's.
  [[nodiscard]] std::size_t first_start() const { return is_published_ ? 4 : 0; }
  [[nodiscard]] std::size_t first_camera() const { return first_start() + 8; }
  /// The numbers of a scene as estimated, with the camera as it was calibrated; spins three times those of
  /// rolling with the published contact.
  [[nodiscard]] std::vector<double> middle() const;

  /// The scene's assembly with these numbers, in a run of `steps` steps at `tolerance`.
  [[nodiscard]] Assembly with(const std::vector<double>& values, Count steps, double tolerance) const;
  [[nodiscard]] Assembly with(const std::vector<double>& values) const {
    return with(values, assembly_.scene.time.steps, assembly_.scene.integrator.tolerance);
  }
  /// Derivatives by the numbers from those by the assembly's.
  [[nodiscard]] std::vector<double> pulled(const std::vector<double>& values,
                                           const AssemblyGradient& gradient) const;
  /// The scene and its files, written with these numbers.
  [[nodiscard]] SceneSource written(const std::vector<double>& values) const;
  /// How the balls start with these numbers.
  [[nodiscard]] BallStarts starts(const std::vector<double>& values) const;

  /// The vertices of ball `b`, and their mean.
  [[nodiscard]] std::vector<Index> vertices(std::size_t b) const;
  [[nodiscard]] Vec3 centre(VectorView positions, std::size_t b) const;

 private:
  /// Velocities of ball `b` that rolls or spins so, about its centre at rest.
  [[nodiscard]] VectorArray velocities(std::size_t b, const BallStart& start) const;

  SceneSource scene_;
  BallStarts estimate_;
  bool is_published_ = false;
  Assembly assembly_;
  VectorArray from_centres_;  ///< n×3, m: vertices at rest, from their ball's centre.
  std::vector<BallNumber> numbers_;
};

/// The radius of the balls, m.
inline constexpr double ball_size = 0.03429;

}  // namespace electret::experiments
