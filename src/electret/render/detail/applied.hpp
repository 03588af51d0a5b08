#pragma once
/// \file
/// What acts on a run's bodies from outside, as its recorded scene tells it.

#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/render/picture.hpp>
#include <electret/scene/assembly.hpp>

namespace electret::render {

struct Applied {
  Vec3 up{0.0, 0.0, 1.0};  ///< Against gravity, or z.
  double time_step = 0.0;  ///< s.
  std::vector<ExternalChargeTrack> charges = {};
  std::vector<FieldExpression> fields = {};
  std::vector<ObstacleTrack> obstacles = {};
  std::vector<std::string> remarks = {};  ///< What could not be found out.
};

/// Of the text of a scene that was run from `folder`, with its overrides ("KEY=VALUE" lines).
Applied read_applied(const std::string& scene, const std::string& overrides, const std::string& folder);

/// The largest charge of them at any key-frame, C.
double largest_charge(const Applied& applied);

/// Adds the charges at `time` to the picture: balls of `radius`, or as wide as they are.
void add_charges(const Applied& applied, double time, double radius, Picture& picture);

/// The electric field of `[[electric_field]]` at (x, t), N/C.
Vec3 field_at(const Applied& applied, const Vec3& x, double time);

}  // namespace electret::render
