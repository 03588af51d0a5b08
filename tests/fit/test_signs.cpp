/// Signs of charges: valleys that a fit alone does not leave, a search that does, and what a loss tells of
/// signs.

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/identifiability.hpp>
#include <electret/fit/losses.hpp>
#include <electret/fit/signs.hpp>
#include <electret/scene/read.hpp>

#include "fit_testing.hpp"

namespace electret::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A charged net of 5 × 5 points without a known field: nothing but each other tells their signs.
Assembly net() {
  return load_scene_text(R"toml(
[time]
step = 0.02
steps = 8
[integrator]
tolerance = 1e-11
[coulomb]
[[body]]
name = "net"
generate = { shape = "grid", rows = 5, columns = 5, width = 2.0, height = 2.0 }
mass = 0.4
charge = 2e-6
  [[body.springs]]
  stiffness = 15.0
)toml",
                         "net.toml", "", {}, read_regular_file);
}

Assembly of_random_charges() {
  Assembly truth = net();
  std::mt19937_64 engine(2);
  for (double& charge : truth.charges) {
    const double size = 1e-6 + 3e-6 * static_cast<double>(engine() >> 11) * 0x1p-53;
    charge = engine() % 2 == 0 ? size : -size;
  }
  return truth;
}

/// Of charges that differ from `truth` in nothing but all their signs.
double largest_error(const std::vector<double>& values, const std::vector<double>& truth) {
  double alike = 0.0, error = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) alike += values[i] * truth[i];
  for (std::size_t i = 0; i < values.size(); ++i)
    error = std::max(error, std::abs(std::copysign(1.0, alike) * values[i] - truth[i]));
  return error;
}

TEST(SignSearch, FindsTheSignsThatAFitAloneDoesNot) {
  const Assembly truth = of_random_charges(), guess = net();
  const auto loss = trajectory_of(truth);
  const auto charges = named(guess, {"body.net.charges"});
  FitOptions options = one_thread(1e-10);
  const FitResult alone = fit(guess, charges, *loss, options);
  EXPECT_GT(largest_error(alone.values(), truth.charges), 1e-6) << "the start leads there without a search";
  const SignAmbiguity valley = sign_ambiguity(guess, charges, *loss, alone.values(), 25, 1);
  EXPECT_GE(valley.ambiguous().size(), 3U);
  EXPECT_EQ(valley.loss, alone.outcomes[0].loss);

  options.signs.trials = 300;
  std::vector<KnownEvaluation> all;
  std::size_t of_the_search = 0;
  options.observe = [&](const FitEvaluation& e) {
    all.push_back({e.loss, e.variables, e.gradient});
    of_the_search += e.start == 1 ? 1 : 0;
  };
  const FitResult result = fit(guess, charges, *loss, options);
  ASSERT_EQ(result.outcomes.size(), 2U);
  EXPECT_EQ(result.best, 1U);
  EXPECT_EQ(result.outcomes[0].values, alone.values());
  EXPECT_EQ(static_cast<std::size_t>(result.outcomes[1].evaluations), of_the_search);
  EXPECT_LT(of_the_search, 300U * 25U) << "goes on where nothing is left";
  EXPECT_LT(largest_error(result.values(), truth.charges), 1e-3 * 4e-6);

  const SignAmbiguity signs = sign_ambiguity(guess, charges, *loss, result.values(), 25, 1);
  EXPECT_EQ(signs.tried.size(), 25U);
  EXPECT_TRUE(signs.ambiguous().empty());
  EXPECT_TRUE(signs.is_ambiguous(signs.together)) << "all charges with the other sign move alike";

  FitOptions later = options;  // Stopped amid the search.
  later.observe = nullptr;
  later.known.assign(all.begin(), all.end() - static_cast<std::ptrdiff_t>(of_the_search / 2));
  EXPECT_EQ(fit(guess, charges, *loss, later).values(), result.values());
}

TEST(SignSearch, IsRefusedWhereNoSignIsOpen) {
  const Assembly scene = net();
  const auto loss = centre_of_mass_loss({});
  FitOptions options = one_thread(1e-10);
  options.signs.trials = 1;
  auto parameters = named(scene, {"body.net.stiffness", "body.net.charges"});
  parameters[1].minimum = 0.0;
  try {
    fit(scene, parameters, *loss, options);
    FAIL() << "a search without a sign to reverse";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no fitted value can change its sign"));
  }
}

TEST(SignFlips, AreThoseOfNeighbours) {
  const Assembly scene = net();
  const auto parameters = named(scene, {"body.net.stiffness", "body.net.charges", "body.net.velocities"});
  const SignFlips flips(scene, parameters);
  ASSERT_EQ(flips.values().size(), 25U);
  EXPECT_EQ(flips.values().front(), 1U)
      << "a stiffness has one sign, a velocity's components none of their own";
  EXPECT_THAT(flips.around(0, 3), ElementsAre(0, 1, 5));
  EXPECT_THAT(flips.around(12, 5), ElementsAre(12, 7, 11, 13, 17));
  EXPECT_EQ(flips.around(3, 99).size(), 25U);
  const SignFlips common(scene, named(scene, {"body.net.charge"}));
  EXPECT_THAT(common.around(0, 5), ElementsAre(0));

  std::mt19937_64 engine(1);
  std::vector<std::size_t> reversed;
  for (int k = 0; k < 200; ++k) {
    std::vector<double> values(1 + 25 + 75, 1.0);
    flips.flip(engine, values);
    EXPECT_EQ(values[0], 1.0);
    reversed.push_back(static_cast<std::size_t>(std::count(values.begin(), values.end(), -1.0)));
    EXPECT_EQ(std::count(values.begin() + 26, values.end(), 1.0), 75);
  }
  EXPECT_EQ(*std::min_element(reversed.begin(), reversed.end()), 1U);
  EXPECT_GE(*std::max_element(reversed.begin(), reversed.end()), 11U);
  EXPECT_LE(*std::max_element(reversed.begin(), reversed.end()), 13U);
}

TEST(SignAmbiguity, TriesTheSmallestValuesFirst) {
  Assembly scene = of_random_charges();
  const auto loss = trajectory_of(scene);
  scene.charges[7] = 1e-8, scene.charges[3] = -2e-8;
  const auto parameters = named(scene, {"body.net.charges"});
  const SignAmbiguity signs = sign_ambiguity(scene, parameters, *loss, scene.charges, 2, 1);
  EXPECT_THAT(signs.tried, ElementsAre(7, 3));
  EXPECT_EQ(signs.possible, 25U);
  EXPECT_THAT(signs.ambiguous(), testing::UnorderedElementsAre(0, 1));
  EXPECT_TRUE(sign_ambiguity(scene, parameters, *loss, scene.charges, 0, 1).tried.empty());
  EXPECT_TRUE(sign_ambiguity(scene, named(scene, {"body.net.stiffness"}), *loss, {15.0}, 5, 1).tried.empty());
}

TEST(SignFlips, OfOtherValuesAreACallersMistake) {
  Assembly scene = of_random_charges();
  const auto loss = trajectory_of(scene);
  const auto charges = named(scene, {"body.net.charges"});
  const SignFlips flips(scene, charges);
  EXPECT_THROW(static_cast<void>(flips.around(25, 3)), std::invalid_argument);
  std::mt19937_64 engine(1);
  std::vector<double> few(24);
  EXPECT_THROW(flips.flip(engine, few), std::invalid_argument);
  EXPECT_THROW(SignFlips(scene, named(scene, {"body.net.stiffness"})).flip(engine, few),
               std::invalid_argument);
  EXPECT_THROW(sign_ambiguity(scene, charges, *loss, few, 5, 1), std::invalid_argument);
  EXPECT_THROW(sign_ambiguity(scene, charges, *loss, scene.charges, -1, 1), std::invalid_argument);
  EXPECT_THROW(scan_loss(scene, charges, *loss, {scene.charges, few}, 1), std::invalid_argument);
  EXPECT_THROW(identifiability(scene, charges, *loss, few, 2, {}), std::invalid_argument);
  EXPECT_THROW(identifiability(scene, charges, *loss, scene.charges, 0, {}), std::invalid_argument);
}

TEST(Fit, OptionsOutOfRangeAreACallersMistake) {
  const Assembly scene = of_random_charges();
  const auto loss = trajectory_of(scene);
  const auto charges = named(scene, {"body.net.charges"});
  FitOptions options;
  options.optimiser.method = "bfgs";
  EXPECT_THROW(fit(scene, charges, *loss, options), std::invalid_argument);
  options = {};
  options.signs = {1, 0, 1};
  EXPECT_THROW(fit(scene, charges, *loss, options), std::invalid_argument);
}

}  // namespace
}  // namespace electret::test
