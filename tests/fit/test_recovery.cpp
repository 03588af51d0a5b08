/// What trajectories tell: external charges, fields, a hundred charges of either sign; and what they do not.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/identifiability.hpp>
#include <electret/fit/losses.hpp>
#include <electret/scene/read.hpp>

#include "fit_testing.hpp"

namespace electret::test {
namespace {

/// A charged net of 10 × 10 points in a field with a constant, beside an external charge.
Assembly net(const std::vector<std::string>& overrides = {}) {
  constexpr const char* text = R"toml(
[time]
step = 0.02
steps = 15
[integrator]
tolerance = 1e-11
[coulomb]
[gravity]
acceleration = [0.0, 0.0, -1.0]
[[electric_field]]
expression = ["a", "0.4*a", "-0.6*a"]
constants = { a = 2e5 }
[[external_charge]]
charge = 2e-5
position = [0.3, 0.2, 1.1]
[[body]]
name = "net"
generate = { shape = "grid", rows = 10, columns = 10, width = 4.0, height = 4.0 }
mass = 0.4
charge = 2e-6
  [[body.springs]]
  stiffness = 15.0
)toml";
  return load_scene_text(text, "net.toml", "", overrides, read_regular_file);
}

/// Recoveries go to the last digits.
FitOptions to_the_end() {
  FitOptions options = one_thread(1e-10);
  options.optimiser.evaluations = 400;
  return options;
}

TEST(Recovery, OfAnExternalChargesPlaceAndValue) {
  const auto loss = trajectory_of(net());
  const Assembly guess = net({"external_charge.0.charge=1e-5", "external_charge.0.position=[0.0, 0.5, 1.5]"});
  const FitResult result = fit(
      guess, named(guess, {"external_charge.0.charge", "external_charge.0.position"}), *loss, to_the_end());
  EXPECT_NEAR(result.values()[0], 2e-5, 1e-4 * 2e-5);
  EXPECT_NEAR(result.values()[1], 0.3, 1e-4);
  EXPECT_NEAR(result.values()[2], 0.2, 1e-4);
  EXPECT_NEAR(result.values()[3], 1.1, 1e-4);
}

TEST(Recovery, OfAFieldsConstant) {
  const auto loss = trajectory_of(net());
  const Assembly guess = net({"electric_field.0.constants.a=-3e5"});
  const FitResult result = fit(guess, named(guess, {"electric_field.0.a"}), *loss, to_the_end());
  EXPECT_NEAR(result.values()[0], 2e5, 1e-6 * 2e5);
}

TEST(Recovery, OfAHundredChargesOfEitherSignInAKnownField) {
  Assembly truth = net();
  std::mt19937_64 engine(5);
  for (double& charge : truth.charges) {
    const double size = 1e-6 + 3e-6 * static_cast<double>(engine() >> 11) * 0x1p-53;
    charge = engine() % 2 == 0 ? size : -size;
  }
  const auto loss = trajectory_of(truth);
  const Assembly guess = net({"body.0.charge=1e-7"});
  FitOptions options = to_the_end();
  options.horizons = {3, 15};
  const auto parameters = named(guess, {"body.net.charges"});
  const FitResult result = fit(guess, parameters, *loss, options);
  for (std::size_t i = 0; i < truth.charges.size(); ++i)
    EXPECT_NEAR(result.values()[i], truth.charges[i], 1e-3 * 4e-6) << i;
  const Identifiability told = identifiability(guess, parameters, *loss, result.values(), 100, options);
  EXPECT_TRUE(told.is_whole);
  EXPECT_GT(told.ratio(), least_ratio);
}

TEST(Identifiability, NamesWhatTheLossDoesNotTell) {
  // Gravity and a uniform field push the centre of mass alike: one combination of the four numbers is free.
  const std::vector<std::string> uniform{"electric_field.0.expression=[\"0\", \"0\", \"a\"]",
                                         "external_charge.0.charge=0"};
  const Assembly scene = net(uniform);
  const auto loss = centre_of_mass_loss({2.0, 2.0, -1.0});
  const auto parameters = named(scene, {"gravity", "electric_field.0.a"});
  const std::vector<double> values = values_of(scene, parameters);
  const Identifiability told = identifiability(scene, parameters, *loss, values, 10, to_the_end());
  EXPECT_TRUE(told.is_whole);
  EXPECT_LT(told.ratio(), least_ratio);
  ASSERT_EQ(told.weakest.size(), 4U);
  const double gravity = typical_size(scene, parameters[0].parameter, parameters[0].parameter.read(scene));
  const double field = 2e5 * 2e-6 / 0.4;  // m/s²
  EXPECT_NEAR(told.weakest[0], 0.0, 1e-3);
  EXPECT_NEAR(told.weakest[1], 0.0, 1e-3);
  EXPECT_NEAR(gravity * told.weakest[2] + field * told.weakest[3], 0.0, 1e-3);
  const auto only_gravity = named(scene, {"gravity"});
  const Identifiability whole =
      identifiability(scene, only_gravity, *loss, values_of(scene, only_gravity), 10, to_the_end());
  EXPECT_NEAR(whole.ratio(), 1.0, 1e-4);
  EXPECT_EQ(identifiability(scene, parameters, *loss, values, 2, to_the_end()).is_whole, false);
  EXPECT_FALSE(told.is_determined());
  EXPECT_TRUE(whole.is_determined());
}

/// A linear loss has no curvature, but it changes along each of its variables.
TEST(Identifiability, DoesNotCallUndeterminedWhatALinearLossTells) {
  const Assembly scene =
      net({"electric_field.0.expression=[\"0\", \"0\", \"a\"]", "external_charge.0.charge=0"});
  const auto gravity = named(scene, {"gravity"});
  const auto loss = forward_loss({1.0, 2.0, -1.0});
  const Identifiability told =
      identifiability(scene, gravity, *loss, values_of(scene, gravity), 10, to_the_end());
  EXPECT_TRUE(told.is_whole);
  EXPECT_LT(std::abs(told.smallest), 1e-4 * told.slope);
  EXPECT_TRUE(told.is_determined());
}

}  // namespace
}  // namespace electret::test
