#include <electret/core/errors.hpp>
#include <electret/force/electric_field.hpp>
#include <electret/force/field_function.hpp>

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

/// The same field as a function: by the expression's own values and derivatives.
std::shared_ptr<FieldFunction> function_of(const FieldExpression& field) {
  auto function = std::make_shared<FieldFunction>();
  function->value = [field](VectorView positions, double t, VectorSpan e) {
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis)
        e[i][static_cast<int>(axis)] = field.components[axis].value(positions[i], t, field.constants);
  };
  function->transposed_product = [field](VectorView positions, double t, VectorView z, VectorSpan product) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      product[i] = {};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3 gradient;
        field.components[axis].value_and_gradient(positions[i], t, field.constants, gradient, {});
        product[i] += z[i][static_cast<int>(axis)] * gradient;
      }
    }
  };
  return function;
}

FieldExpression swirl() {
  return parsed({"-3e4*y*sin(t)", "2e4*x*exp(-z^2/9) + x*y", "5e3*cos(1.3*z)*t"}, {}, {});
}

ForceCase function_case() {
  ForceCase c;
  c.name = "function";
  c.make = [](Index n, Threads&, const Change&) {
    return make_field_function_force(function_of(swirl()), n);
  };
  return c;
}

INSTANTIATE_TEST_SUITE_P(ElectricField, ForceConformance, testing::Values(field_case(), function_case()),
                         force_case_name);

TEST(ElectricField, FunctionsHaveTheBitsOfTheirExpression) {
  Threads threads(1);
  const Place place = random_place(50, 0);
  const VectorArray z = random_vectors(50, 3);
  const auto function = make_field_function_force(function_of(swirl()), 50);
  const auto expression = make_electric_field_force(swirl(), 50, threads);
  const auto results = [&](ExplicitForce& force) {
    VectorArray f(50);
    std::vector<double> by_charge(50);
    force.add_force(place.point(), f);
    force.add_parameter_gradient(place.point(), 0, z, by_charge);
    return std::tuple(f, by_charge);
  };
  EXPECT_EQ(results(*function), results(*expression));
}

TEST(ElectricField, FunctionsWithoutDerivativeRefuseGradients) {
  const auto function = function_of(swirl());
  function->transposed_product = nullptr;
  const auto force = make_field_function_force(function, 2);
  const Place place = random_place(2, 0);
  VectorArray out(2);
  EXPECT_THROW(force->add_transposed_jacobian_x(place.point(), out, out), InputError);
  EXPECT_THROW(make_field_function_force(std::make_shared<FieldFunction>(), 2), InternalError);
}

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
