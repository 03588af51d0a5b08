#include <electret/core/errors.hpp>
#include <electret/force/electric_field.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

FieldExpression parsed(const std::array<std::string, 3>& components, std::vector<std::string> names,
                       std::vector<double> constants) {
  FieldExpression field;
  std::vector<ExpressionError> errors;
  for (std::size_t axis = 0; axis < 3; ++axis)
    field.components[axis] = Expression::parse(components[axis], names, errors);
  EXPECT_TRUE(errors.empty());
  field.constant_names = std::move(names);
  field.constants = std::move(constants);
  return field;
}

ForceCase field_case() {
  ForceCase c;
  c.name = "expression";
  c.make = [](Index n, Threads& threads, const Change& change) {
    std::vector<double> constants{2.5e4, 1.3};
    if (change.parameter > 0) constants[change.parameter - 1] += change.by;
    return make_electric_field_force(
        parsed({"-A*y*sin(w*t)", "A*x*exp(-z^2/9) + w*A*x*y", "A*cos(w*z)*t"}, {"A", "w"}, constants), n,
        threads);
  };
  return c;
}

INSTANTIATE_TEST_SUITE_P(ElectricField, ForceConformance, testing::Values(field_case()), force_case_name);

TEST(ElectricField, RotatesAndShears) {
  Threads threads(1);
  Place place = random_place(2, 0);
  place.positions[0] = {1, 2, 3};
  place.inputs.charges = {2.0, 0.0};
  const auto force = make_electric_field_force(parsed({"-y", "x", "t"}, {}, {}), 2, threads);
  VectorArray f(2);
  force->add_force(place.point(), f);
  EXPECT_EQ(f, (VectorArray{{-4, 2, 1.4}, {}}));
  EXPECT_TRUE(force->does_field_work());
  EXPECT_EQ(force->column(), EnergyColumn::none);
  ASSERT_EQ(force->parameters().size(), 1U);
  EXPECT_EQ(force->parameters()[0].name, "charges");
}

TEST(ElectricField, NamesItsConstants) {
  Threads threads(1);
  const auto force = field_case().make(2, threads, {});
  ASSERT_EQ(force->parameters().size(), 3U);
  EXPECT_EQ(force->parameters()[1].name, "A");
  EXPECT_EQ(force->parameters()[2].name, "w");
  EXPECT_EQ(force->parameters()[2].size, 1U);
}

/// Threads that wrote the constants' derivatives to one place would mix them up now and then: hence often.
TEST(ElectricField, ConstantsGradientsAreTheSameBitsEveryTime) {
  const Place place = random_place(20000, 0);
  const VectorArray z = random_vectors(20000, 3);
  const auto gradients = [&](ExplicitForce& force) {
    std::array<double, 2> result{};
    for (std::size_t k = 0; k < 2; ++k)
      force.add_parameter_gradient(place.point(), k + 1, z, ScalarSpan(&result[k], 1));
    return result;
  };
  Threads one(1), four(4);
  const auto expected = gradients(*field_case().make(20000, one, {}));
  const auto together = field_case().make(20000, four, {});
  for (int repeat = 0; repeat < 100; ++repeat) ASSERT_EQ(gradients(*together), expected) << repeat;
}

TEST(ElectricField, RejectsArraysOfAnotherSize) {
  Threads threads(1);
  const auto force = field_case().make(2, threads, {});
  const Place place = random_place(3, 0);
  VectorArray f(3);
  EXPECT_THROW(force->add_force(place.point(), f), InternalError);
}

}  // namespace
}  // namespace electret::test
