#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include <electret/scene/inputs.hpp>

namespace electret::test {
namespace {

Inputs some_inputs() {
  Inputs inputs;
  inputs.time = 0.5;
  inputs.charges = {1.0, 2.0};
  inputs.external_charges = {{{1, 2, 3}, 4.0, 0.5}};
  inputs.pin_positions = {{0, 0, 1}};
  inputs.loads = {{1, 0, 0}, {0, 1, 0}};
  inputs.activations = {0.8, 0.9, 1.0};
  inputs.placements = {{}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}};
  inputs.grabs = {{{1, 2, 3}, 4.0, 0.5, {0, 1}, {0.25, 0.75}}};
  return inputs;
}

struct FieldCase {
  std::string_view name;
  std::function<void(Inputs&)> change, resize;
};

const std::vector<FieldCase>& cases() {
  static const std::vector<FieldCase> all = {
      {"time", [](Inputs& a) { a.time = 0.6; }, {}},
      {"charges", [](Inputs& a) { a.charges[1] = 3.0; }, [](Inputs& a) { a.charges.pop_back(); }},
      {"external_charges", [](Inputs& a) { a.external_charges[0].position.z = 0.0; },
       [](Inputs& a) { a.external_charges.clear(); }},
      {"pin_positions", [](Inputs& a) { a.pin_positions[0].x = 1.0; },
       [](Inputs& a) { a.pin_positions.emplace_back(); }},
      {"loads", [](Inputs& a) { a.loads[1].y = 2.0; }, [](Inputs& a) { a.loads.pop_back(); }},
      {"activations", [](Inputs& a) { a.activations[2] = 0.7; }, [](Inputs& a) { a.activations.clear(); }},
      {"placements", [](Inputs& a) { a.placements[1].turning.z = 2.0; },
       [](Inputs& a) { a.placements.pop_back(); }},
      {"grabs", [](Inputs& a) { a.grabs[0].damping = 0.6; }, {}},
  };
  return all;
}

TEST(Inputs, AChangeOfAnyFieldIsSeenByWhoReadsIt) {
  ASSERT_EQ(cases().size(), input_fields.size());
  const Inputs inputs = some_inputs();
  for (std::size_t k = 0; k < cases().size(); ++k) {
    ASSERT_EQ(cases()[k].name, input_fields[k]->name);
    Inputs changed = some_inputs();
    EXPECT_TRUE(same_inputs(inputs, changed, ~0U));
    cases()[k].change(changed);
    for (const unsigned use : {read_by_forces, read_by_potentials, read_by_elastic, read_through_positions})
      EXPECT_EQ(same_inputs(inputs, changed, use), (input_fields[k]->uses & use) == 0)
          << cases()[k].name << " " << use;
  }
}

TEST(Inputs, SaysWhatForcesAndPotentialsAndElasticEnergiesRead) {
  const auto readers = [](std::string_view name) {
    for (const InputField* field : input_fields)
      if (field->name == name) return field->uses;
    return 0U;
  };
  EXPECT_EQ(readers("time"), read_by_forces);
  EXPECT_EQ(readers("charges"), read_by_forces + read_by_potentials);
  EXPECT_EQ(readers("external_charges"), read_by_forces + read_by_potentials);
  EXPECT_EQ(readers("pin_positions"), read_through_positions);
  EXPECT_EQ(readers("loads"), read_by_forces);
  EXPECT_EQ(readers("activations"), read_by_elastic);
  EXPECT_EQ(readers("grabs"), read_by_forces + read_by_potentials);
}

TEST(Inputs, AreComparedByTheirBits) {
  Inputs a = some_inputs(), b = some_inputs();
  a.charges[0] = 0.0, b.charges[0] = -0.0;
  EXPECT_FALSE(same_inputs(a, b, read_by_forces));
  b.charges[0] = 0.0, b.external_charges[0].width = 0.25;
  EXPECT_FALSE(same_inputs(a, b, read_by_potentials));
}

TEST(Inputs, AreCopiedByWhoReadsThem) {
  const Inputs inputs = some_inputs();
  Inputs copy;
  copy_inputs(inputs, copy, read_by_elastic + read_by_potentials);
  EXPECT_TRUE(same_inputs(inputs, copy, read_by_elastic + read_by_potentials));
  EXPECT_TRUE(copy.loads.empty());
  EXPECT_TRUE(copy.pin_positions.empty());
  EXPECT_EQ(copy.time, 0.0);
}

TEST(Inputs, AnotherSizeOfAnyFieldIsNamed) {
  for (const FieldCase& field : cases()) {
    if (!field.resize) continue;
    Inputs given = some_inputs();
    EXPECT_EQ(wrong_size(given, some_inputs()), "");
    field.resize(given);
    EXPECT_EQ(wrong_size(given, some_inputs()), field.name);
  }
}

TEST(Inputs, LoadsMayBeLeftOutOrBrought) {
  Inputs without = some_inputs();
  without.loads.clear();
  EXPECT_EQ(wrong_size(without, some_inputs()), "");
  EXPECT_EQ(wrong_size(some_inputs(), without), "");
  Inputs one = some_inputs();
  one.loads.resize(1);
  EXPECT_EQ(wrong_size(one, without), "loads");
}

TEST(Inputs, GradientsHaveTheirShapes) {
  Inputs inputs = some_inputs();
  inputs.loads.clear();
  const InputGradients zero = InputGradients::zero(inputs);
  EXPECT_EQ(zero.charges, std::vector<double>(2));
  EXPECT_EQ(zero.external_charges.size(), 1U);
  EXPECT_EQ(zero.pin_positions, VectorArray(1));
  EXPECT_EQ(zero.loads, VectorArray(2));
  EXPECT_EQ(zero.activations, std::vector<double>(3));
  ASSERT_EQ(zero.grabs.size(), 1U);
  EXPECT_EQ(zero.grabs[0].target, Vec3{});
  EXPECT_TRUE(have_shapes_of(zero, inputs));
  inputs.grabs.clear();
  EXPECT_TRUE(have_shapes_of(zero, inputs)) << "a step may have more grabs";
  inputs.grabs.resize(2);
  EXPECT_FALSE(have_shapes_of(zero, inputs));
}

TEST(Inputs, GrabsAreComparedByAllThatTheyHave) {
  const std::vector<void (*)(PlacedGrab&)> changes = {
      [](PlacedGrab& grab) { grab.target.x = -1.0; },       [](PlacedGrab& grab) { grab.target.y = -1.0; },
      [](PlacedGrab& grab) { grab.target.z = -1.0; },       [](PlacedGrab& grab) { grab.stiffness = 5.0; },
      [](PlacedGrab& grab) { grab.damping = -0.0; },        [](PlacedGrab& grab) { grab.vertices[1] = 0; },
      [](PlacedGrab& grab) { grab.vertices.push_back(0); }, [](PlacedGrab& grab) { grab.weights[0] = 0.5; }};
  Inputs base = some_inputs();
  base.grabs[0].damping = 0.0;
  for (const auto& change : changes) {
    Inputs changed = base;
    EXPECT_TRUE(same_inputs(base, changed, read_by_forces));
    change(changed.grabs[0]);
    EXPECT_FALSE(same_inputs(base, changed, read_by_forces));
  }
  Inputs more = base;
  more.grabs.push_back(more.grabs[0]);
  EXPECT_FALSE(same_inputs(base, more, read_by_potentials));
}

TEST(Inputs, GrabsMayBeAnyNumber) {
  Inputs more = some_inputs();
  more.grabs.resize(3);
  EXPECT_EQ(wrong_size(more, some_inputs()), "");
  more.grabs.clear();
  EXPECT_EQ(wrong_size(more, some_inputs()), "");
}

TEST(Inputs, GrabsThatCannotBeComputedWithAreTold) {
  const PlacedGrab good = some_inputs().grabs[0];
  const auto told = [&](auto&& change) {
    std::vector<PlacedGrab> grabs{good, good};
    change(grabs[1]);
    return wrong_grab(grabs, 2);
  };
  const double nan = std::nan("");
  EXPECT_EQ(told([](PlacedGrab&) {}), "");
  EXPECT_EQ(told([](PlacedGrab& grab) { grab.weights = {0.25, 0.7499995}; }), "");
  EXPECT_EQ(told([](PlacedGrab& grab) { grab.vertices[1] = 2; }),
            "grab 1 names vertex 2, which does not exist");
  EXPECT_EQ(told([](PlacedGrab& grab) { grab.vertices[0] = -1; }),
            "grab 1 names vertex -1, which does not exist");
  EXPECT_EQ(told([](PlacedGrab& grab) { grab.weights.pop_back(); }),
            "grab 1 does not have one weight per vertex");
  EXPECT_EQ(told([](PlacedGrab& grab) {
              grab.weights = {-0.25, 1.25};
            }),
            "grab 1 has a weight that is below 0 or not finite");
  EXPECT_EQ(told([&](PlacedGrab& grab) { grab.weights[0] = nan; }),
            "grab 1 has a weight that is below 0 or not finite");
  EXPECT_EQ(told([](PlacedGrab& grab) { grab.weights[0] = 0.26; }),
            "grab 1 has weights that do not sum to 1");
  EXPECT_EQ(told([](PlacedGrab& grab) { grab.vertices.clear(), grab.weights.clear(); }),
            "grab 1 has weights that do not sum to 1");
  for (double PlacedGrab::*size : {&PlacedGrab::stiffness, &PlacedGrab::damping})
    for (const double value : {-1.0, nan, HUGE_VAL})
      EXPECT_EQ(told([&](PlacedGrab& grab) { grab.*size = value; }),
                "grab 1 has a stiffness or damping that is below 0 or not finite");
  EXPECT_EQ(told([&](PlacedGrab& grab) { grab.target.y = nan; }), "grab 1 has a target that is not finite");
}

}  // namespace
}  // namespace electret::test
