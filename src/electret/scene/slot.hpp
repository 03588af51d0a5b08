#pragma once
/// \file
/// The types of a scene's values, as pointers to the members that hold them.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <electret/scene/scene.hpp>

namespace electret {

using Box = std::array<Vec3, 2>;
using Expressions = std::array<std::string, 3>;
using Constants = std::map<std::string, double>;

struct Slot {
  std::variant<double*, std::optional<double>*, int*, Count*, std::optional<Count>*, bool*, std::string*,
               Vec3*, std::optional<Vec3>*, PerItem<double>*, PerItem<Vec3>*, std::vector<double>*,
               std::vector<Vec3>*, std::vector<std::string>*, std::vector<Index>*, std::vector<Edge>*,
               std::optional<Box>*, Interpolation*, Expressions*, Constants*, std::optional<GeneratorSpec>*>
      target;
};

/// `[[body.group_charge]]` as written.
struct GroupChargeTable {
  std::string group;
  std::optional<double> value;
  std::vector<double> times, values;
  Interpolation interpolation = Interpolation::linear;
};

/// `[[body.pin]]` as written.
struct PinTable {
  std::string group;
  std::vector<double> times;
  std::vector<Vec3> offsets;
  Interpolation interpolation = Interpolation::linear;
};

/// `[[body.load]]` as written.
struct LoadTable {
  std::string group;
  std::optional<Vec3> force;
  PerItem<Vec3> forces;
  std::vector<double> times, values;
  Interpolation interpolation = Interpolation::linear;
};

/// `[[body.muscle]]` as written.
struct MuscleTable {
  std::string group;
  Vec3 fibre;
  double stiffness = 0.0;
  std::optional<double> activation;
  PerItem<double> activations;
  std::vector<double> times, values;
  Interpolation interpolation = Interpolation::linear;
};

/// `[[external_charge]]` as written.
struct ExternalChargeTable {
  std::optional<double> charge;
  std::vector<double> times, charges;
  std::optional<Vec3> position;
  std::vector<Vec3> positions;
  Interpolation interpolation = Interpolation::linear;
  std::string mesh;
  double width = 0.0;
};

/// `[time]` as written.
struct TimeTable {
  double step = 0.0;
  std::optional<Count> steps;
  std::optional<double> duration;
};

}  // namespace electret
