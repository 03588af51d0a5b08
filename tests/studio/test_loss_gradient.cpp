/// The gradient view: a loss of the scene as it stands, from its start to the play head.

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/fit/losses.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/loss_gradient.hpp>

#include "studio/played.hpp"

namespace electret::studio {
namespace {

using test::Played;
using test::put_text;
using ::testing::HasSubstr;

/// A chain in the field of a charge; its end has the charge of a group.
std::string scene(double own = 1e-6, double group = 2e-6, const std::string& more = {}) {
  const auto text = [](double value) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.17g", value);
    return std::string(digits.data());
  };
  return "[time]\nstep = 0.01\nsteps = 40\n[integrator]\nmethod = \"verlet\"\n[coulomb]\nsoftening = 0.05\n" +
         more +
         R"(
[[body]]
name = "chain"
generate = { shape = "chain", length = 1.0, vertices = 6 }
mass = 0.1
charge = )" +
         text(own) +
         R"(
  [[body.springs]]
  from = "edges"
  stiffness = 50.0
  [[body.group]]
  name = "tip"
  indices = [4, 5]
  [[body.group_charge]]
  group = "tip"
  times = [0.0, 0.1]
  values = [)" +
         text(group) + ", " + text(1.5 * group) + R"(]
[[external_charge]]
charge = 2e-6
position = [0.0, 0.5, -0.5]
)";
}

constexpr Count steps = 20;

double loss_at(const std::string& text, const Vec3& target) {
  Simulator simulator(compile(load_scene_text(text, "scene.toml", ".", {}, read_regular_file), 1));
  const auto loss = centre_of_mass_loss(target);
  return loss_of_run(simulator, *loss, steps);
}

SceneGradient gradient(const std::string& text, const std::string& loss, const std::string& folder = ".") {
  GradientOrder order;
  order.source.text = text;
  order.source.file = "scene.toml";
  order.source.folder = folder;
  order.source.read = read_regular_file;
  order.loss = loss;
  order.time = 0.01 * steps;
  order.threads = 1;
  return gradient_of(order, {});
}

TEST(StudioGradient, AgreesWithDifferencesOfWholeRuns) {
  const Vec3 target{0.2, 0.1, -0.3};
  const SceneGradient got = gradient(scene(), "centre_of_mass:0.2,0.1,-0.3");
  EXPECT_EQ(got.steps, steps);
  EXPECT_DOUBLE_EQ(got.loss, loss_at(scene(), target));
  ASSERT_EQ(got.by_charge.size(), 6U);
  double own = 0.0;
  for (std::size_t i = 0; i < 4; ++i) own += got.by_charge[i];
  const double d = 1e-10;
  const double by_own = (loss_at(scene(1e-6 + d), target) - loss_at(scene(1e-6 - d), target)) / (2 * d);
  EXPECT_NEAR(own, by_own, 1e-5 * std::abs(by_own));
  EXPECT_GT(std::abs(by_own), 1.0);
  // The charge of the group at both of its keys: 1 and 1.5 times the number that is changed.
  EXPECT_EQ(got.by_charge[4], got.by_charge[5]) << "the mean of the group";
  const auto shifted = [&](double by) {
    std::string text = scene();
    const std::string before = "values = [";
    const std::size_t at = text.find(before) + before.size(), end = text.find(']', at);
    std::array<char, 80> values{};
    std::snprintf(values.data(), values.size(), "%.17g, %.17g", 2e-6 + by, 3e-6 + by);
    return text.replace(at, end - at, values.data());
  };
  const double by_group = (loss_at(shifted(d), target) - loss_at(shifted(-d), target)) / (2 * d);
  EXPECT_NEAR(got.by_charge[4] + got.by_charge[5], by_group, 1e-5 * std::abs(by_group));
  // All places at the start together: the external charge stays where it is.
  ASSERT_EQ(got.by_place.size(), 6U);
  Vec3 sum;
  for (const Vec3& each : got.by_place) sum += each;
  EXPECT_GT(norm(sum), 0.0);
}

TEST(StudioGradient, HasOneRowPerParameter) {
  const std::string text = scene();
  const SceneGradient got = gradient(text, "energy");
  const Assembly assembly = load_scene_text(text, "scene.toml", ".", {}, read_regular_file);
  const std::vector<Parameter> all = parameters(assembly);
  ASSERT_EQ(got.table.size(), all.size());
  bool has_stiffness = false;
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(got.table[k].name, all[k].name);
    EXPECT_EQ(got.table[k].size, static_cast<Count>(all[k].size()));
    has_stiffness = has_stiffness || (all[k].name == "body.chain.stiffness" && got.table[k].value != 0.0);
  }
  EXPECT_TRUE(has_stiffness);
}

TEST(StudioGradient, ChangesDoNotCount) {
  const std::string change = "[[change]]\nstep = 5\nset = [\"body.0.springs.0.stiffness=500.0\"]\n";
  const SceneGradient with = gradient(scene() + change + change, "energy"),
                      without = gradient(scene(), "energy");
  EXPECT_EQ(with.loss, without.loss);
  EXPECT_EQ(with.by_charge, without.by_charge);
}

std::string refusal(const std::string& loss, const std::string& folder = ".") {
  try {
    static_cast<void>(gradient(scene(), loss, folder));
  } catch (const InputError& error) {
    return to_string(error.findings().front());
  }
  return "";
}

TEST(StudioGradient, ReadsFilesBesideTheSceneAlone) {
  const test::TemporaryFolder folder;
  const std::string inner = folder.path() + "/inner";
  std::filesystem::create_directory(inner);
  const std::string secret = "x,y,z\n";
  const std::string table = secret + "0,0,0\n0,0,0\n0,0,0\n0,0,0\n0,0,0\n0.5,0,0\n";
  put_text(folder.path() + "/goal.csv", table);
  put_text(inner + "/goal.csv", table);
  std::filesystem::create_symlink(folder.path() + "/goal.csv", inner + "/link.csv");
  ASSERT_EQ(::mkfifo((inner + "/pipe.csv").c_str(), 0600), 0);
  EXPECT_EQ(refusal("final_position:goal.csv", inner), "");
  for (const std::string file :
       {"../goal.csv", "link.csv", "pipe.csv", "none.csv", "/etc/passwd", "../../etc/passwd"})
    EXPECT_THAT(refusal("final_position:" + file, inner),
                HasSubstr("not a regular file in the scene's folder"))
        << file;
  EXPECT_THAT(refusal("final_position:", inner), HasSubstr("names no file"));
  for (const char* loss : {"", "trajectory:goal.h5", "markers:goal.csv", "speed:1,0,0", "nothing"})
    EXPECT_THAT(refusal(loss, inner), HasSubstr("allowed: energy")) << loss;
  EXPECT_THAT(refusal("centre_of_mass:1,2", inner), HasSubstr("does not name a place"));
}

/// Works until the gradient of this number is there, or is not to be.
GradientInfo ended(Played& session, std::uint32_t number) {
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (std::chrono::steady_clock::now() < late) {
    session.machine->work();
    if (const GradientInfo* last = session.heard.last<GradientInfo>();
        last != nullptr && last->number == number && (last->is_done || !last->error.empty()))
      return *last;
  }
  throw InternalError("it does not come");
}

TEST(StudioGradient, IsThatOfTheTextToThePlayHead) {
  Played session(scene());
  session.loaded();
  session.must(AskGradient{1, "energy"});
  EXPECT_THAT(ended(session, 1).error, HasSubstr("play head is at the start"));
  session.step(steps);
  session.must(AskGradient{2, "energy"}, 4);
  EXPECT_THAT(session.ask(AskGradient{3, "energy"}, 4), HasSubstr("wait for it, or stop it"));
  EXPECT_THAT(session.ask(AskGradient{3, "energy"}, 1), HasSubstr("another page"));
  const GradientInfo got = ended(session, 2);
  const SceneGradient expected = gradient(scene(), "energy");
  EXPECT_EQ(got.loss, expected.loss);
  EXPECT_EQ(got.steps, steps);
  const VertexGradient* vertices = session.heard.last<VertexGradient>();
  ASSERT_NE(vertices, nullptr);
  ASSERT_EQ(vertices->by_charge->size(), 6U);
  ASSERT_EQ(vertices->by_place->size(), 18U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ((*vertices->by_charge)[i], static_cast<float>(expected.by_charge[i]));
    EXPECT_EQ((*vertices->by_place)[3 * i + 2], static_cast<float>(expected.by_place[i].z));
  }
  EXPECT_EQ(session.state().step, steps) << "the session's own system stays";
  // An edit while it ran is part of the text from the start on.
  session.must(Tune{"body.0.springs.0.stiffness", "80.0"});
  session.step(2);
  session.seek(steps);
  session.must(AskGradient{5, "energy"});
  EXPECT_NE(ended(session, 5).loss, expected.loss);
  session.must(AskGradient{6, "energy"});
  session.must(StopGradient{}, 3);  // Of another page.
  session.must(StopGradient{});
  EXPECT_THAT(ended(session, 6).error, HasSubstr("stopped"));
  session.must(AskGradient{7, "energy"});
  session.must(Reset{});
  ended(session, 7);
  session.work_while(Phase::loading);
  session.must(AskGradient{8, "energy"});
  session.machine->finish();
}

TEST(StudioGradient, WhatDoesNotExistIsSaid) {
  Played session(test::chain_scene("explicit_euler"));
  session.options.overrides = {"time.step=10.0"};
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.ask(AskGradient{1, "energy"}), "");
  EXPECT_NE(ended(session, 1).error, "");
}

}  // namespace
}  // namespace electret::studio
