#pragma once
/// \file
/// What acts on a run's bodies from outside, according to its recorded scene.

#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/render/picture.hpp>
#include <electret/scene/assembly.hpp>

namespace electret::render {

struct Applied {
  Vec3 up{0.0, 0.0, 1.0};  ///< Against gravity, or z without gravity.
  double time_step = 0.0;  ///< s.
  std::vector<ExternalChargeTrack> charges = {};
  std::vector<FieldExpression> fields = {};
  std::vector<ObstacleTrack> obstacles = {};
  bool is_read = false;                   ///< Whether this version can read the scene.
  std::vector<std::string> remarks = {};  ///< What could not be found out.
};

/// Reads it from the text of a scene that was run from `folder`, with its overrides ("KEY=VALUE" lines).
Applied read_applied(const std::string& scene, const std::string& overrides, const std::string& folder);

/// The largest |charge| of a point of an external charge at any key-frame, C.
double largest_charge(const Applied& applied);

/// Adds the external charges at `time` (s) to the picture as balls. Their radius is `radius` (m), or the
/// charge's width if that is larger; if a charge has several points, they are balls of 0.3·radius.
void add_charges(const Applied& applied, double time, double radius, Picture& picture);

/// The electric field of `[[electric_field]]` at (x, t), N/C.
Vec3 field_at(const Applied& applied, const Vec3& x, double time);

}  // namespace electret::render
