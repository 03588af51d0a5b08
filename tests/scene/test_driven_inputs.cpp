/// What a caller may drive of a scene: names, units and shapes.

#include <set>

#include <gtest/gtest.h>

#include <electret/scene/driven_inputs.hpp>

#include "parameter_scene.hpp"

namespace electret::test {
namespace {

/// "NAME [UNIT] ROWSxCOLUMNS of FIELD", with "each" if members have numbers of their own.
std::vector<std::string> listed(const Assembly& assembly) {
  std::vector<std::string> lines;
  for (const DrivenInput& input : driven_inputs(assembly))
    lines.push_back(input.name + " [" + input.unit + "] " + std::to_string(input.rows) + "x" +
                    std::to_string(input.columns) + " of " + std::string(input.field->name) +
                    (input.is_each ? ", each" : ""));
  return lines;
}

TEST(DrivenInputs, AreThoseOfAllTables) {
  const std::vector<std::string> wanted = {"body.a.charge [C] 1x1 of charges",
                                           "body.a.charges [C] 4x1 of charges, each",
                                           "body.a.forces [N] 4x3 of loads, each",
                                           "body.b.charge [C] 1x1 of charges",
                                           "body.b.charges [C] 4x1 of charges, each",
                                           "body.b.forces [N] 4x3 of loads, each",
                                           "body.a.charge[left] [C] 1x1 of charges",
                                           "body.a.charge[right] [C] 1x1 of charges",
                                           "body.b.charge[held] [C] 1x1 of charges",
                                           "body.a.pin[right].offset [m] 1x3 of pin_positions",
                                           "body.a.pin[right].positions [m] 2x3 of pin_positions, each",
                                           "body.b.pin[held].offset [m] 1x3 of pin_positions",
                                           "body.b.pin[held].positions [m] 1x3 of pin_positions, each",
                                           "body.a.load.0.force [N] 1x3 of loads",
                                           "body.a.load.1.force [N] 1x3 of loads",
                                           "body.b.load.0.force [N] 1x3 of loads",
                                           "external_charge.0.charge [C] 1x1 of external_charges",
                                           "external_charge.0.position [m] 1x3 of external_charges",
                                           "external_charge.1.charge [C] 1x1 of external_charges",
                                           "external_charge.1.position [m] 1x3 of external_charges",
                                           "grab.0.target [m] 1x3 of grabs",
                                           "grab.0.stiffness [N/m] 1x1 of grabs",
                                           "grab.0.damping [N s/m] 1x1 of grabs",
                                           "obstacle.floor.placement [] 4x3 of placements, each",
                                           "obstacle.ball.placement [] 4x3 of placements, each"};
  EXPECT_EQ(listed(load(parameter_scene)), wanted);
  const std::vector<std::string> of_muscles = {
      "body.a.charge [C] 1x1 of charges", "body.a.charges [C] 12x1 of charges, each",
      "body.a.forces [N] 12x3 of loads, each", "body.a.muscle.0.activation [] 1x1 of activations",
      "body.a.muscle.0.activations [] 2x1 of activations, each"};
  EXPECT_EQ(listed(load(solid_with("[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1\nactivation = 1\n"))),
            of_muscles);
}

/// Rows and columns that a control writes are those of inputs, and no number is written twice by one control.
TEST(DrivenInputs, ReachRowsOfTheirFields) {
  const Assembly assembly = load(parameter_scene);
  for (const DrivenInput& input : driven_inputs(assembly)) {
    EXPECT_LE(input.column + input.width(), input.field->columns) << input.name;
    EXPECT_EQ(input.width() * (input.is_each ? input.members.size() : 1), input.size()) << input.name;
    const std::set<std::size_t> members(input.members.begin(), input.members.end());
    EXPECT_EQ(members.size(), input.members.size()) << input.name;
    EXPECT_TRUE(input.origins.empty() || input.origins.size() == input.members.size()) << input.name;
  }
}

}  // namespace
}  // namespace electret::test
