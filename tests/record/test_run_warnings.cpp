/// What is warned of before a run: by kind, and in which words.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <electret/record/run_warnings.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"
#include "support/sanitizers.hpp"

namespace electret {
namespace {

using test::made_assembly;
using test::sanitizer_owns_memory;
using test::SceneWishes;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

/// A scene of which nothing is to be warned.
SceneWishes quiet() {
  SceneWishes wishes;
  wishes.key_frames = false;
  wishes.charge = 1e-8;
  wishes.time_step = 0.002;
  return wishes;
}

std::vector<WarningKind> kinds_of(const std::vector<Warning>& warnings) {
  std::vector<WarningKind> kinds;
  for (const Warning& warning : warnings) kinds.push_back(warning.kind);
  return kinds;
}

std::vector<Warning> prepared(Assembly assembly, RunOptions& options) {
  const TemporaryFolder folder;
  const auto system = compile(std::move(assembly), 1);
  return prepare_run(*system, folder / "run", options);
}

std::vector<Warning> prepared(Assembly assembly) {
  RunOptions options;
  return prepared(std::move(assembly), options);
}

TEST(RunWarnings, AreNoneOfARunThatIsMeant) {
  RunOptions options;
  EXPECT_THAT(kinds_of(prepared(made_assembly(quiet()), options)), IsEmpty());
  EXPECT_GT(options.suggested_step.value_or(0.0), 0.0);
  EXPECT_FALSE(options.charge_step_told);
  EXPECT_TRUE(options.integrator.empty());
}

TEST(RunWarnings, TellOfAStepThousandsOfTimesTooLarge) {
  Assembly assembly = made_assembly(quiet());
  for (Spring& spring : assembly.springs) spring.stiffness = 1e12;
  RunOptions options;
  const std::vector<Warning> warnings = prepared(assembly, options);
  EXPECT_THAT(kinds_of(warnings), ElementsAre(WarningKind::time_step));
  EXPECT_THAT(warnings.at(0).message,
              MatchesRegex("the step of 0.002 s is .* times the .* s that resolves the "
                           "fastest oscillation at the start, which is that of springs: "
                           "imex stays stable and damps .*"));
  EXPECT_THAT(warnings.at(0).advice, HasSubstr("use a smaller step or softer springs"));
  EXPECT_EQ(texts_of(options.warnings), texts_of(warnings)) << "kept for summary.json";
}

TEST(RunWarnings, TellOfChargesOnceWhateverComesFirst) {
  SceneWishes wishes = quiet();
  wishes.charge = 1e-2;
  RunOptions options;
  EXPECT_THAT(kinds_of(prepared(made_assembly(wishes), options)), ElementsAre(WarningKind::time_step));
  EXPECT_TRUE(options.charge_step_told) << "so that the first frame does not say it again";
  // A little too large: the run tells of it at its first frame, and before it only if it is to stop.
  wishes.charge = 7e-4;
  options = {};
  EXPECT_THAT(kinds_of(prepared(made_assembly(wishes), options)), IsEmpty());
  options = {};
  options.stop_on_warning = true;
  EXPECT_THAT(kinds_of(prepared(made_assembly(wishes), options)), ElementsAre(WarningKind::charge_step));
  EXPECT_FALSE(options.charge_step_told);
}

TEST(RunWarnings, TellOfDiskThatIsMissing) {
  SceneWishes wishes = quiet();
  wishes.steps = Count{1} << 50;
  const std::vector<Warning> disk = prepared(made_assembly(wishes));
  ASSERT_THAT(kinds_of(disk), ElementsAre(WarningKind::disk));
  EXPECT_THAT(to_string(disk[0]),
              MatchesRegex("electret: warning: a run takes about .* of disk, but only .* is free; write .*"));
  const auto system = compile(made_assembly(wishes), 1);
  const auto integrator = make_integrator(*system, system->assembly.scene.integrator);
  const StepChoice step = step_choice(*system, *integrator, false);
  EXPECT_THAT(kinds_of(run_warnings(*system, *integrator, step)), IsEmpty()) << "no directory, no disk";
}

TEST(RunWarnings, TellOfMemoryThatIsMissing) {
  if (sanitizer_owns_memory) GTEST_SKIP() << "a sanitizer needs the address space itself";
  SceneWishes wishes = quiet();
  wishes.steps = Count{1} << 50;
  const auto system = compile(made_assembly(wishes), 1);
  const auto integrator = make_integrator(*system, system->assembly.scene.integrator);
  const StepChoice step = step_choice(*system, *integrator, false);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit narrow{rlim_t{1} << 20U, before.rlim_max};  // Less than the process has: nothing is left.
  ASSERT_EQ(setrlimit(RLIMIT_AS, &narrow), 0);
  const std::vector<Warning> memory = run_warnings(*system, *integrator, step);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  ASSERT_THAT(kinds_of(memory), ElementsAre(WarningKind::memory));
  EXPECT_THAT(
      to_string(memory[0]),
      MatchesRegex("electret: warning: a run takes about .* of memory, but only 0 B is free; use .*"));
}

TEST(RunWarnings, HandOnWhatAutoChose) {
  SceneWishes wishes = quiet();
  wishes.method = "auto";
  RunOptions options;
  EXPECT_THAT(kinds_of(prepared(made_assembly(wishes), options)), IsEmpty());
  EXPECT_EQ(options.integrator.name, "verlet");
  const TemporaryFolder folder;
  options.integrator = {"explicit_euler", "so it was said"};
  EXPECT_EQ(run_to_directory(compile(made_assembly(wishes), 1), folder / "run", options).integrator,
            "explicit_euler");
}

TEST(RunWarnings, OfAGradientCountItsMemoryAndAllCharges) {
  SceneWishes wishes = quiet();
  wishes.charge = 7e-4;
  const auto system = compile(made_assembly(wishes), 1);
  const auto integrator = make_integrator(*system, system->assembly.scene.integrator);
  EXPECT_THAT(kinds_of(gradient_warnings(*system, *integrator)), ElementsAre(WarningKind::charge_step));
}

TEST(RunWarnings, TellOfAToleranceThatIsTooLooseForAGradient) {
  const auto notice = [](std::string method, double tolerance) {
    SceneWishes wishes = quiet();
    wishes.method = std::move(method);
    Assembly assembly = made_assembly(wishes);
    assembly.scene.integrator.tolerance = tolerance;
    const auto system = compile(std::move(assembly), 1);
    return gradient_tolerance_notice(*system, *make_integrator(*system, system->assembly.scene.integrator));
  };
  EXPECT_THAT(notice("imex", 1e-6), HasSubstr("integrator.tolerance = 1e-06: the gradient's error"));
  EXPECT_EQ(notice("imex", 1e-10), "");
  EXPECT_EQ(notice("verlet", 1e-6), "");
}

}  // namespace
}  // namespace electret
