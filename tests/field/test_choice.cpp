/// The choice of solver and arithmetic, the one-line functions, and a field's true error.

#include <algorithm>
#include <cmath>
#include <limits>

#include <field/solver_conformance.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/text.hpp>
#include <electret/field/crossover.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/field.hpp>
#include <electret/field/fmm/plan.hpp>

namespace electret::test {
namespace {

using ::testing::HasSubstr;

FieldOptions with_solver(const std::string& name) {
  FieldOptions options;
  options.solver = name;
  return options;
}

std::string message_of(const FieldOptions& options) {
  Threads threads(1);
  try {
    make_field_solver(options, 10, threads);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FieldChoice, TakesWhatIsAskedFor) {
  Threads threads(1);
  for (const std::string& name : all_but("auto", field_solvers)) {
    if (name == "ddef" && !ddef_available()) continue;
    EXPECT_EQ(make_field_solver(with_solver(name), 10, threads)->name(), name);
    EXPECT_THAT(to_string(field_solver_choice(with_solver(name), 145)), HasSubstr(name + ": requested"));
  }
}

TEST(FieldChoice, AutoTakesTheFastOneByTheNumberOfCharges) {
  Threads threads(1);
  for (const std::optional<double> accuracy :
       {std::optional<double>(), std::optional(1e-2), std::optional(1e-6)}) {
    FieldOptions options;
    options.accuracy = accuracy;
    const Count crossover = fmm_crossover(options);
    EXPECT_EQ(make_field_solver(options, crossover - 1, threads)->name(), "direct");
    EXPECT_EQ(make_field_solver(options, crossover, threads)->name(), "fmm");
    EXPECT_THAT(to_string(field_solver_choice(options, 145)),
                HasSubstr("direct: auto takes it for fewer than"));
    EXPECT_THAT(to_string(field_solver_choice(options, 1000000)), HasSubstr("fmm: auto takes it"));
    EXPECT_THAT(to_string(field_solver_choice(options, 145)), HasSubstr("here 145"));
    options.softening = 0.1;
    const Count softened = fmm_crossover(options);
    EXPECT_GT(softened, crossover);
    EXPECT_EQ(make_field_solver(options, softened - 1, threads)->name(), "direct");
    EXPECT_EQ(make_field_solver(options, softened, threads)->name(), "fmm");
    EXPECT_THAT(to_string(field_solver_choice(options, 145)),
                HasSubstr("fewer than " + std::to_string(softened) + " softened charges"));
    EXPECT_THAT(to_string(field_solver_choice(options, 1000000)), HasSubstr(", of softened cells to order "));
  }
  FieldOptions options;
  EXPECT_THAT(to_string(field_solver_choice(options, 10)),
              HasSubstr("float64, because no accuracy is requested"));
  EXPECT_THAT(to_string(field_solver_choice(options, 1000000)), HasSubstr("0.001, the default"));
  options.accuracy = 1e-12;
  EXPECT_EQ(make_field_solver(options, 1000000, threads)->name(), "direct");
  EXPECT_THAT(to_string(field_solver_choice(options, 1000000)),
              HasSubstr("an accuracy below 1e-09 is requested"));
}

/// An accuracy belongs to its own row of the table, not to the next one.
TEST(FieldChoice, CrossesOverWhereTheTableSays) {
  FieldOptions options;
  const std::pair<double, Count> rows[] = {{1e-1, 1200}, {1e-2, 1200},  {1e-3, 2000},
                                           {1e-4, 3500}, {1e-5, 3500},  {1e-6, 2500},
                                           {1e-7, 8000}, {1e-8, 10000}, {1e-9, 14000}};
  for (std::size_t k = 0; k < std::size(rows); ++k) {
    options.accuracy = rows[k].first;
    EXPECT_EQ(fmm_crossover(options), rows[k].second) << rows[k].first;
    options.accuracy = 1.01 * rows[k].first;
    EXPECT_EQ(fmm_crossover(options), rows[k].second) << "above " << rows[k].first;
    options.accuracy = 0.99 * rows[k].first;
    const Count next = k + 1 < std::size(rows) ? rows[k + 1].second : std::numeric_limits<Count>::max();
    EXPECT_EQ(fmm_crossover(options), next) << "below " << rows[k].first;
  }
}

TEST(FieldChoice, SaysWhichPlanFmmTakesAtOtherTargets) {
  FieldOptions options = with_solver("fmm");
  options.accuracy = 3e-2;
  const auto order = [](double accuracy) {
    return "expansions to order " + std::to_string(fmm::plan_for(accuracy).order) + " in ";
  };
  ASSERT_NE(order(3e-2), order(1e-3));
  EXPECT_THAT(to_string(field_solver_choice(options, 10)),
              HasSubstr("aims at 0.03, as requested, with " + order(3e-2)));
  EXPECT_THAT(to_string(field_solver_choice(options, 10, true)), HasSubstr("aims at 0.03, as requested"));
  EXPECT_THAT(to_string(field_solver_choice(options, 10, true)), HasSubstr("settings for 0.001, because"));
  EXPECT_THAT(to_string(field_solver_choice(options, 10, true)), HasSubstr(order(1e-3)));
}

TEST(FieldChoice, SaysThatDdefHasItsOwnError) {
  if (!ddef_available()) GTEST_SKIP() << "this build lacks ddef";
  FieldOptions options = with_solver("ddef");
  options.accuracy = 1e-3;
  EXPECT_THAT(to_string(field_solver_choice(options, 145)),
              HasSubstr("error has no bound and is typically up to about 0.2, more than requested"));
}

TEST(FieldChoice, SaysWhereItComputesAndWhy) {
  FieldOptions options;
  EXPECT_THAT(to_string(field_solver_choice(options, 145)), HasSubstr("; on the CPU ("));
  EXPECT_EQ(field_device_choice(options, 145).name, "cpu");
  EXPECT_THAT(field_device_choice(options, 145).why, HasSubstr("auto takes a GPU only where"));
  options.device = "cpu";
  EXPECT_EQ(to_string(field_device_choice(options, 145)), "cpu: requested");
}

TEST(FieldChoice, RejectsWhatThisVersionLacks) {
  EXPECT_THAT(message_of(with_solver("gpu")), HasSubstr("allowed: " + joined(field_solvers)));
  EXPECT_THROW(field_solver_choice(with_solver("gpu"), 1), InputError);
  for (const auto* name : {"reference", "", "Direct", "gpu"})
    EXPECT_THAT(message_of(with_solver(name)), HasSubstr("is no field solver")) << name;
  EXPECT_THAT(message_of(with_solver("cuda")),
              HasSubstr("is no field solver; for a GPU: device = \"gpu\"; allowed: auto"));
  FieldOptions options;
  for (const auto* device : {"tpu", "gpu:", "cpu:0", "GPU", ""}) {
    options.device = device;
    EXPECT_THAT(message_of(options), HasSubstr("is no device; allowed: auto, cpu, gpu, gpu:NAME")) << device;
  }
  options = with_solver("fmm");
  options.accuracy = 1e-11;
  EXPECT_THAT(message_of(options), HasSubstr("beyond what solver \"fmm\" promises"));
}

TEST(FieldChoice, RejectsNumbersOutOfRange) {
  const double nan = std::nan("");
  for (const double bad : {0.0, -1e-3, 1.5, nan}) {
    FieldOptions options;
    options.accuracy = bad;
    EXPECT_THAT(message_of(options), HasSubstr("accuracy")) << bad;
  }
  for (const double bad : {-1e-3, nan, std::numeric_limits<double>::infinity()}) {
    FieldOptions options;
    options.softening = bad;
    EXPECT_THAT(message_of(options), HasSubstr("softening")) << bad;
  }
  FieldOptions options;
  options.constant = nan;
  options.softening = -1;
  EXPECT_THAT(message_of(options), HasSubstr("constant"));
  EXPECT_THAT(message_of(options), HasSubstr("softening")) << "all findings at once";
}

TEST(FieldChoice, ChoosesTheCheapestArithmeticThatIsAccurate) {
  using direct::Arithmetic;
  EXPECT_EQ(direct::arithmetic_for({}), Arithmetic::float64);
  EXPECT_EQ(direct::arithmetic_for(1e-12), Arithmetic::float64);
  EXPECT_EQ(direct::arithmetic_for(1e-4), Arithmetic::float32_compensated);
  EXPECT_EQ(direct::arithmetic_for(1e-3), Arithmetic::float32);
}

TEST(FieldChoice, MeetsTheAskedAccuracy) {
  for (const auto& kind : cloud_kinds())
    for (const bool mixed : {false, true}) {
      const Cloud cloud = make_cloud(kind, 1000, mixed, 77);
      for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9}) {
        FieldOptions options;
        options.accuracy = accuracy;
        const auto result = coulomb_field(cloud.positions, cloud.charges, options, 2);
        const auto error = verify_field(cloud.positions, cloud.charges, result.field, options, 1000);
        EXPECT_EQ(error.samples, 1000);
        EXPECT_LE(error.relative, accuracy) << cloud.name;
      }
    }
}

TEST(CoulombField, HasTheFieldOfTwoCharges) {
  const VectorArray x = {{0, 0, 0}, {2, 0, 0}};
  const std::vector<double> q = {1e-6, 1e-6};
  const auto own = coulomb_field(x, q);
  EXPECT_NEAR(own.field[1].x, coulomb_constant * 1e-6 / 4, 1e-10);
  EXPECT_NEAR(own.potential[0], coulomb_constant * 1e-6 / 2, 1e-10);
  const auto middle = coulomb_field_at(x, q, VectorArray{{1, 0, 0}, {0, 0, 0}});
  EXPECT_EQ(middle.field[0], (Vec3{0, 0, 0}));
  EXPECT_NEAR(middle.potential[0], coulomb_constant * 2e-6, 1e-9);
  EXPECT_EQ(middle.coincident_pairs, 1);
}

TEST(CoulombField, RefusesWhatIsNotFinite) {
  const VectorArray x = {{0, 0, 0}, {2, 0, 0}};
  const std::vector<double> q = {1e-6, 1e-6};
  const auto message_of = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const VectorArray bad_x = {{0, 0, 0}, {2, bad, 0}};
    const std::vector<double> bad_q = {bad, 1e-6};
    EXPECT_THAT(message_of([&] { coulomb_field(bad_x, q); }), HasSubstr("positions has a number"));
    EXPECT_THAT(message_of([&] { coulomb_field(bad_x, q); }), HasSubstr("row 1"));
    EXPECT_THAT(message_of([&] { coulomb_field(x, bad_q); }), HasSubstr("charges"));
    EXPECT_THAT(message_of([&] { coulomb_field_at(bad_x, q, x); }), HasSubstr("positions"));
    EXPECT_THAT(message_of([&] { coulomb_field_at(x, bad_q, x); }), HasSubstr("charges"));
    EXPECT_THAT(message_of([&] { coulomb_field_at(x, q, bad_x); }), HasSubstr("targets"));
  }
}

TEST(VerifyField, SeesTheTrueError) {
  const Cloud cloud = make_cloud("blob", 300, true);
  auto field = coulomb_field(cloud.positions, cloud.charges).field;
  EXPECT_LE(verify_field(cloud.positions, cloud.charges, field, {}, 50).worst, 1e-12);
  for (auto& e : field) e *= 1.0 + 3e-4;
  const auto error = verify_field(cloud.positions, cloud.charges, field, {}, 50);
  EXPECT_EQ(error.samples, 50);
  EXPECT_NEAR(error.relative, 3e-4, 1e-9);
  EXPECT_NEAR(error.median, 3e-4, 1e-9);
  EXPECT_NEAR(error.worst, 3e-4, 1e-9);
  field[299] *= 2.0;
  EXPECT_GT(verify_field(cloud.positions, cloud.charges, field, {}, 1000).worst, 0.9);
  EXPECT_EQ(verify_field({}, {}, {}, {}, 10).samples, 0);
}

/// An error in every tenth row of a table: a stride through the rows sees all of it or nothing.
TEST(VerifyField, TakesARandomSubset) {
  const Cloud cloud = make_cloud("cube", 1000, true);
  const auto field = coulomb_field(cloud.positions, cloud.charges).field;
  for (std::size_t phase = 0; phase < 10; ++phase) {
    VectorArray wrong = field;
    for (std::size_t i = phase; i < 1000; i += 10) wrong[i] = Vec3{};
    for (const Count samples : {100, 99, 101}) {
      const auto error = verify_field(cloud.positions, cloud.charges, wrong, {}, samples);
      EXPECT_EQ(error.worst, 1.0) << phase;
      EXPECT_LT(error.median, 1e-12) << phase;
      const auto again = verify_field(cloud.positions, cloud.charges, wrong, {}, samples);
      EXPECT_EQ(error.relative, again.relative) << "the same targets every time";
    }
  }
}

TEST(VerifyField, TakesNoTargetTwice) {
  const Cloud cloud = make_cloud("cube", 60, true);
  const auto field = coulomb_field(cloud.positions, cloud.charges).field;
  for (const Count samples : {1, 20, 59, 60, 61}) {
    Count seen = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      VectorArray wrong = field;
      wrong[i] = Vec3{};
      seen += verify_field(cloud.positions, cloud.charges, wrong, {}, samples).worst == 1.0 ? 1 : 0;
    }
    EXPECT_EQ(seen, std::min<Count>(60, samples));
  }
}

TEST(VerifyField, SeesTheErrorOfThePotential) {
  const Cloud cloud = make_cloud("torus", 300, true);
  const VectorArray targets = random_vectors(40, 3);
  for (const double softening : {0.0, 1e-3, 0.5}) {
    FieldOptions options;
    options.softening = softening;
    auto own = coulomb_field(cloud.positions, cloud.charges, options);
    auto apart = coulomb_field_at(cloud.positions, cloud.charges, targets, options);
    const auto own_error = [&] {
      return verify_field(cloud.positions, cloud.charges, own.field, options, 60, own.potential);
    };
    const auto error_apart = [&] {
      return verify_field_at(cloud.positions, cloud.charges, targets, apart.field, options, 30,
                             apart.potential);
    };
    for (const auto& error : {own_error(), error_apart()}) {
      EXPECT_LE(error.potential.value(), 1e-12) << softening;
      EXPECT_LE(error.relative, 1e-12) << softening;
    }
    for (auto& phi : own.potential) phi *= 1.0 + 2e-4;
    for (auto& phi : apart.potential) phi *= 1.0 + 2e-4;
    EXPECT_NEAR(own_error().potential.value(), 2e-4, 1e-9) << softening;
    EXPECT_NEAR(error_apart().potential.value(), 2e-4, 1e-9) << softening;
    EXPECT_LE(own_error().relative, 1e-12) << softening;
  }
  const VectorArray field(300);
  EXPECT_FALSE(verify_field(cloud.positions, cloud.charges, field, {}, 5).potential.has_value());
  EXPECT_THROW(verify_field(cloud.positions, cloud.charges, field, {}, 5, std::vector<double>(299)),
               std::invalid_argument);
}

/// Fields whose squares are below or beyond the range of doubles.
TEST(VerifyField, SeesTheErrorAtAnyMagnitude) {
  const Cloud cloud = make_cloud("torus", 60, true);
  const VectorArray targets = random_vectors(40, 3);
  for (const double scale : {1e-300, 1e-170, 1.0, 1e150, 1e280}) {
    std::vector<double> charges = cloud.charges;
    for (auto& q : charges) q *= scale / 1e-6;
    auto own = coulomb_field(cloud.positions, charges);
    auto apart = coulomb_field_at(cloud.positions, charges, targets);
    for (auto* of : {&own, &apart}) {
      for (auto& e : of->field) e *= 1.0 + 3e-4;
      for (auto& phi : of->potential) phi *= 1.0 + 2e-4;
    }
    for (const auto& error :
         {verify_field(cloud.positions, charges, own.field, {}, 30, own.potential),
          verify_field_at(cloud.positions, charges, targets, apart.field, {}, 30, apart.potential)}) {
      for (const double relative : {error.relative, error.median, error.worst})
        EXPECT_NEAR(relative, 3e-4, 1e-9) << scale;
      EXPECT_NEAR(error.potential.value(), 2e-4, 1e-9) << scale;
    }
  }
}

TEST(VerifyField, IsNotANumberWhereTheFieldIsNone) {
  const VectorArray x = {{0, 0, 0}, {1, 0, 0}};
  VectorArray field = coulomb_field(x, std::vector<double>{1.0, 1.0}).field;
  field[1].y = std::nan("");
  const auto error = verify_field(x, std::vector<double>{1.0, 1.0}, field, {}, 2);
  EXPECT_FALSE(std::isfinite(error.relative));
  EXPECT_FALSE(std::isfinite(error.worst));
}

TEST(DirectKernels, RunTheInstructionSetInForce) {
  EXPECT_TRUE(is_supported(direct::InstructionSet::portable));
  EXPECT_TRUE(is_supported(instruction_set()));
  EXPECT_THAT(to_string(field_solver_choice({}, 1)),
              HasSubstr(direct::kernels(instruction_set()).instruction_set));
}

TEST(SolverCases, HaveEverySolverOfThisBuild) {
  const std::vector<SolverCase> cases = solver_cases();
  for (const std::string& name : all_but("auto", field_solvers)) {
    if (name == "ddef" && !ddef_available()) continue;
    EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const SolverCase& c) {
      return c.solver_name == name;
    })) << name;
  }
}

}  // namespace
}  // namespace electret::test
