#pragma once
// What every ExplicitForce must satisfy. A new force joins by one ForceCase in its test file:
//
//   INSTANTIATE_TEST_SUITE_P(Drag, ForceConformance, testing::Values(drag_case()), force_case_name);

#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <electret/force/explicit_force.hpp>

#include "support/differences.hpp"

namespace electret::test {

/// Where a force is tried.
struct Place {
  VectorArray positions, velocities;
  std::vector<double> masses;
  Inputs inputs;

  [[nodiscard]] ForcePoint point() const { return {positions, velocities, masses, inputs}; }
};

/// A place of `vertices` vertices with everything a force may read: mixed charges, `external` external
/// charges (every second one a Gaussian ball), `obstacles` placements, loads, grabs that share a vertex,
/// unequal masses.
Place random_place(Index vertices, std::size_t external, std::size_t obstacles = 0);

/// A change of one number of a force's own parameter (gravity's components, a coefficient, a constant).
/// Charges, external charges, loads and grabs are not its own: the suite changes Inputs.
struct Change {
  std::size_t parameter = 0;
  std::size_t component = 0;
  double by = 0.0;
};

/// How many numbers a parameter has with these inputs.
inline std::size_t size_of(const ForceParameter& parameter, const Inputs& inputs) {
  return parameter.owner == ParameterOwner::grabs ? 5 * inputs.grabs.size() : parameter.size;
}

struct ForceCase {
  std::string name;
  /// The force on `vertices` vertices, one of its own parameters changed.
  std::function<std::unique_ptr<ExplicitForce>(Index vertices, Threads&, const Change&)> make;
  std::size_t external = 0;   ///< External charges in its places.
  std::size_t obstacles = 0;  ///< Obstacles in its places.
  bool internal = false;      ///< Momentum balances.
  bool objective = false;     ///< Turning everything turns the force.
  double tolerance = 1e-9;    ///< Of its derivatives, relative.

  friend void PrintTo(const ForceCase& c, std::ostream* out) { *out << c.name; }
};

class ForceConformance : public testing::TestWithParam<ForceCase> {
 protected:
  static constexpr Index few = 7;
  static constexpr Index many = 2600;
  Threads threads_{1};
  Place place_ = random_place(few, GetParam().external, GetParam().obstacles);
  std::unique_ptr<ExplicitForce> force_ = GetParam().make(few, threads_, {});

  VectorArray force(const Place& place) {
    VectorArray f(place.positions.size());
    force_->add_force(place.point(), f);
    return f;
  }
  /// function(force, place) with number `component` of `parameter` changed by s.
  template <class Function>
  double with_change(std::size_t parameter, std::size_t component, double s, Function&& function) {
    Place place = place_;
    const auto name = force_->parameters()[parameter].name;
    if (name == "charges") {
      place.inputs.charges[component] += s;
    } else if (name == "external_charges.charge") {
      place.inputs.external_charges[component].charge += s;
    } else if (name == "external_charges.position") {
      place.inputs.external_charges[component / 3].position[static_cast<int>(component % 3)] += s;
    } else if (name == "loads") {
      place.inputs.loads[component / 3][static_cast<int>(component % 3)] += s;
    } else if (name == "grabs") {
      (&place.inputs.grabs[component / 5].target.x)[component % 5] += s;
    } else if (name == "placements") {
      (&place.inputs.placements[0].offset.x)[component] += s;
    } else {
      return function(*GetParam().make(few, threads_, {parameter, component, s}), place);
    }
    return function(*force_, place);
  }
  /// A step for differences in a parameter: charges are about 1e-6 C, all else about 1.
  double parameter_step(std::size_t parameter) {
    return force_->parameters()[parameter].unit == "C" ? 1e-9 : 1e-3;
  }
};

inline std::string force_case_name(const testing::TestParamInfo<ForceCase>& tested) {
  return tested.param.name;
}

}  // namespace electret::test
