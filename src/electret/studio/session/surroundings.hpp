#pragma once
/// \file
/// What stands around the bodies: external charges and obstacles, at any time.

#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/inputs.hpp>
#include <electret/studio/session/events.hpp>

namespace electret::studio {

class Surroundings {
 public:
  Surroundings() = default;
  /// Those of an assembly; `centre` (m) is the origin of frames.
  Surroundings(const Assembly& assembly, const Vec3& centre);
  /// Those of a recorded run's scene. Meshes are read by `reader`; what needs one that it refuses, or that no
  /// longer exists, is left out.
  Surroundings(const Scene& scene, const Vec3& centre, const FileReader& reader);

  /// Takes the external charges of a changed assembly, but for its last `left_out`.
  void renew_external(const Assembly& assembly, std::size_t left_out);
  /// Takes its obstacles, fields and time step.
  void renew_obstacles(const Assembly& assembly);
  /// A number that grows when the obstacles become others.
  [[nodiscard]] Count obstacles_number() const { return obstacles_number_; }

  /// At the start.
  [[nodiscard]] const std::vector<ExternalInfo>& external() const { return external_; }
  [[nodiscard]] const std::vector<ObstacleInfo>& obstacles() const { return obstacles_; }
  [[nodiscard]] const std::vector<FieldInfo>& fields() const { return fields_; }
  /// The same fields, N/C.
  [[nodiscard]] const std::vector<FieldExpression>& field_expressions() const { return expressions_; }
  /// As in Frame, at `time` (s); null without any.
  [[nodiscard]] Floats external_at(double time) const;
  [[nodiscard]] Floats placements_at(double time) const;
  /// External charges as `Inputs::external_charges` has them: of a mesh the mean of its points.
  [[nodiscard]] Floats external_of(const std::vector<PlacedCharge>& placed) const;
  /// For pictures: the obstacles, and the external charges as a frame at `time` (s) has them
  /// (Frame::external).
  [[nodiscard]] const std::vector<ObstacleTrack>& obstacle_tracks() const { return surfaces_; }
  [[nodiscard]] std::vector<ExternalChargeTrack> external_tracks(const Floats& placed, double time) const;
  [[nodiscard]] double time_step() const { return time_step_; }
  /// Whether any of them is key-framed.
  [[nodiscard]] bool external_change() const;
  [[nodiscard]] bool placements_change() const;

 private:
  void describe_external(const Scene& scene, const std::vector<std::size_t>& kept);
  void describe_obstacles(const Scene& scene, const std::vector<std::size_t>& kept);

  Vec3 centre_{};
  double time_step_ = 0.0;
  std::vector<ExternalChargeTrack> charges_;
  std::vector<ObstacleTrack> surfaces_;
  std::vector<ExternalInfo> external_;
  std::vector<ObstacleInfo> obstacles_;
  std::vector<FieldInfo> fields_;
  std::vector<FieldExpression> expressions_;
  Count obstacles_number_ = 0;
};

}  // namespace electret::studio
