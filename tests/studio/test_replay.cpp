#include <string>

#include <gtest/gtest.h>

#include <electret/dynamics/options.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/run.hpp>
#include <electret/scene/read.hpp>

#include "studio/played.hpp"
#include "studio/replayed.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::expect_same;
using test::Played;
using test::run_again;

class StudioReplay : public ::testing::TestWithParam<std::string_view> {
 protected:
  const std::string method{GetParam()};
};

/// A session that is played, scrubbed, taken back and played on, on one number of threads, and a run of its
/// session.toml on another.
TEST_P(StudioReplay, ARunOfTheSessionHasItsBits) {
  for (const auto& [threads, of_run] : {std::pair{1, 3}, std::pair{3, 1}}) {
    // Few states are kept, so that going back takes steps.
    Played session(chain_scene(method), {std::size_t{256} << 20, 5000}, threads);
    session.loaded().step(120);
    session.seek(37);
    EXPECT_EQ(session.ask(SelectView{"potential"}), "");
    session.step(20);
    EXPECT_EQ(session.ask(Seek{3, true}), "");
    session.seek(90);
    session.step(55);
    session.machine->finish();
    session.machine.reset();
    const std::string out = session.options.output;
    const Checkpoint played = read_checkpoint(out + "/checkpoint.h5");
    EXPECT_EQ(played.state.step, 145);
    expect_same(played, run_again(out + "/session.toml", session.folder.path() + "/again", of_run),
                method + " on " + std::to_string(threads) + " and " + std::to_string(of_run) + " threads");
  }
}

TEST_P(StudioReplay, GoingBackChangesNoBit) {
  Played straight(chain_scene(method));
  straight.loaded().step(130);
  Played winding(chain_scene(method), {std::size_t{256} << 20, 5000});
  winding.loaded().step(60);
  for (const Count back : {0, 59, 13, 31}) {
    winding.seek(back);
    winding.step(70);
  }
  winding.seek(130 - 70 + 1);
  winding.step(69);
  winding.seek(130);
  EXPECT_EQ(winding.state().step, 130);
  EXPECT_EQ(straight.state().positions, winding.state().positions);
  EXPECT_EQ(straight.state().velocities, winding.state().velocities);
}

INSTANTIATE_TEST_SUITE_P(All, StudioReplay, ::testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST(StudioSessionFile, ADurationAndOverridesBecomeSteps) {
  std::string scene = chain_scene("verlet");
  scene.replace(scene.find("steps = 400"), 11, "duration = 0.8");
  Played session(scene);
  session.options.overrides = {"body.0.springs.0.stiffness=60", "--unset damping"};
  session.loaded().step(21);
  EXPECT_TRUE(session.heard.last<DocumentInfo>()->unsaved);
  session.machine->finish();
  session.machine.reset();
  const Scene read = read_scene(session.options.output + "/session.toml");
  EXPECT_EQ(read.time.steps, 21);
  EXPECT_EQ(read.bodies[0].springs[0].stiffness, 60.0);
  EXPECT_EQ(read.damping.drag, 0.0);
  expect_same(read_checkpoint(session.options.output + "/checkpoint.h5"),
              run_again(session.options.output + "/session.toml", session.folder.path() + "/again", 2),
              "overrides");
}

TEST(StudioSessionFile, NamesTheMethodThatAutoStoodFor) {
  // The tip's charge is large at the scene's end only: fewer steps are another choice.
  std::string scene = chain_scene("auto");
  const std::string values = "values = [1e-7, 4e-7, -2e-7]";
  scene.replace(scene.find(values), values.size(), "values = [1e-7, 1e-7, 4e-4]");
  Played session(scene);
  session.loaded().step(9);
  const std::string method(session.machine->live()->simulator().integrator().name());
  Simulator shorter(compile(load_scene(session.options.target, {"time.steps=9"}), 1));
  EXPECT_NE(shorter.integrator().name(), method);
  session.machine->finish();
  session.machine.reset();
  const std::string out = session.options.output;
  EXPECT_EQ(read_scene(out + "/session.toml").integrator.method, method);
  expect_same(read_checkpoint(out + "/checkpoint.h5"),
              run_again(out + "/session.toml", session.folder.path() + "/again", 2), method);
}

TEST(StudioSessionFile, IsRunInItsOwnFolder) {
  Played session(chain_scene("imex"));
  session.loaded().step(9);
  session.machine->finish();
  session.machine.reset();
  const std::string out = session.options.output;
  const auto run = [&](bool overwrite) {
    RunOptions options;
    options.overwrite = overwrite;
    return run_to_directory(compile(load_scene(out + "/session.toml"), 1), out, options);
  };
  EXPECT_THROW(run(false), InputError);
  EXPECT_EQ(run(true).steps, 9);
  EXPECT_TRUE(fs::exists(out + "/session.toml"));  // It was the scene that was run.
  EXPECT_EQ(run(false).steps, 9);                  // Now the folder holds a finished run of it.
}

TEST(StudioSessionFile, IsRenewedWhileItRuns) {
  Played session(chain_scene("verlet", 1000000));
  session.loaded();
  EXPECT_FALSE(fs::exists(session.options.output + "/session.toml"));
  EXPECT_EQ(session.ask(Play{std::nullopt}), "");
  const auto steps = [&] {
    const std::string path = session.options.output + "/session.toml";
    return fs::exists(path) ? read_scene(path).time.steps : 0;
  };
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  Count first = 0;
  while ((first = steps()) == 0 && std::chrono::steady_clock::now() < late) session.machine->work();
  EXPECT_GT(first, 0);
  while (steps() == first && std::chrono::steady_clock::now() < late) session.machine->work();
  EXPECT_GT(steps(), first);
}

}  // namespace
}  // namespace electret::studio
