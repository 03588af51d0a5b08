/// What is kept of what is seen: frames of the past for movies, and ray-traced pictures.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/parallel.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/render/labelled.hpp>
#include <electret/render/run_pictures.hpp>
#include <electret/render/trace.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/shown_moment.hpp>

#include "studio/played.hpp"

namespace electret::studio {
namespace {

using test::chain_scene;
using test::Played;
using test::put_text;
using ::testing::HasSubstr;

/// Works until there is such an event for the page since event number `from`.
template <class Kind>
Kind wait_for(Played& session, int page, const std::function<bool(const Kind&)>& is_it) {
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  for (std::size_t seen = 0; std::chrono::steady_clock::now() < late; session.machine->work())
    for (; seen < session.heard.events.size(); ++seen) {
      const auto& [to, event] = session.heard.events[seen];
      if (const auto* found = std::get_if<Kind>(&event); found != nullptr && to == page && is_it(*found))
        return *found;
    }
  throw InternalError("it does not come");
}

RayTrace wish(std::uint32_t number, int width = 40, int height = 24) {
  RayTrace trace{number, width, height};
  trace.eye = {2.0, -4.0, 1.0};
  trace.target = {0.25, 0.0, -0.5};
  trace.low = -4e-7;
  trace.high = 4e-7;
  return trace;
}

std::string traced(Played& session, const RayTrace& order, int page = 1) {
  session.must(order, page);
  return *wait_for<TracedPicture>(session, page, [&](const TracedPicture& each) {
            return each.number == order.number;
          }).png;
}

/// The picture that `electret render` makes of a frame of a run, seen as `order` says.
std::string rendered(const std::string& run, Count frame, const RayTrace& order) {
  RunPictures pictures(run, {.springs = order.springs, .ground = order.ground, .up = Vec3{0, 0, 1}});
  pictures.choose({frame});
  Threads threads(1);
  const Image image = trace(pictures.picture(frame), {.eye = order.eye, .target = order.target},
                            {.width = order.width, .height = order.height}, threads);
  const double time = pictures.times()[static_cast<std::size_t>(frame)];
  std::array<char, 32> caption{};
  std::snprintf(caption.data(), caption.size(), "t = %.4g s", time);
  return labelled_png(image, {caption.data(), pictures.largest_charge()});
}

TEST(StudioKept, AFrameOfThePastIsSentToWhoAsksAlone) {
  Played session(chain_scene("verlet"));
  session.loaded();
  session.step(6);
  const std::size_t shown = session.heard.frames.size();
  session.must(AskFrame{2, 41}, 3);
  const AskedFrame* asked = session.heard.last<AskedFrame>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->number, 41U);
  EXPECT_EQ(asked->frame->step, 2);
  EXPECT_TRUE(asked->frame->charges && asked->frame->external && asked->frame->placements);
  for (const auto& [page, event] : session.heard.events)
    EXPECT_TRUE(page == 3 || !std::holds_alternative<AskedFrame>(event)) << page;
  EXPECT_EQ(session.heard.frames.size(), shown) << "nothing else is shown";
  EXPECT_EQ(session.state().step, 6);
  const Floats positions = asked->frame->positions;
  session.must(AskFrame{1000, 42}, 3);
  EXPECT_EQ(session.heard.last<AskedFrame>()->frame->step, 6) << "brought into what is recorded";
  session.seek(2);
  EXPECT_EQ(*session.heard.frames.back()->positions, *positions);
}

TEST(StudioKept, AskedFramesLeaveTheScalarsOfWhatIsShownTrue) {
  Played session(chain_scene("verlet"));
  session.loaded();
  session.must(SelectView{"speed"});
  session.step(6);
  const auto now = *session.heard.frames.back()->scalar;
  session.must(AskFrame{2, 1});
  EXPECT_NE(*session.heard.last<AskedFrame>()->frame->scalar, now);
  // A frame that need not be exact has the scalar of its own moment all the same.
  Live& live = const_cast<Live&>(*session.machine->live());
  EXPECT_EQ(*live.frame(false)->scalar, now);
}

TEST(StudioKept, FramesOfARunAreAskedForWhileAnotherIsShown) {
  Played session;
  put_text(session.folder.path() + "/scene.toml", chain_scene("verlet", 8));
  session.options.target = session.folder.path() + "/run";
  session.options.output.clear();
  run_to_directory(compile(load_scene(session.folder.path() + "/scene.toml"), 1), session.options.target);
  session.loaded();
  session.must(Seek{5});
  const auto before = *session.heard.frames.back()->positions;
  session.must(AskFrame{3, 7}, 2);
  const AskedFrame asked = *session.heard.last<AskedFrame>();
  EXPECT_EQ(asked.frame->step, 3);
  EXPECT_NE(*asked.frame->positions, before);
  session.must(SelectView{"height"});  // Shows it anew.
  EXPECT_EQ(session.heard.frames.back()->step, 5);
  EXPECT_EQ(*session.heard.frames.back()->positions, before);
  session.must(Seek{3});
  EXPECT_EQ(*session.heard.frames.back()->positions, *asked.frame->positions);
}

TEST(StudioKept, NothingIsKeptOfNothing) {
  Played session;
  session.begun();
  EXPECT_THAT(session.ask(AskFrame{0, 1}), HasSubstr("nothing is open"));
  EXPECT_THAT(session.ask(wish(1)), HasSubstr("nothing is open"));
}

TEST(StudioKept, ARayTracedPictureIsThatOfTheRenderedRun) {
  Played session(chain_scene("verlet", 12));
  session.loaded();
  session.step(9);
  const std::string png = traced(session, wish(3));
  session.machine->finish();
  const std::string run = session.folder.path() + "/again";
  Assembly assembly = load_scene(session.options.output + "/session.toml");
  run_to_directory(compile(std::move(assembly), 1), run);
  RayTrace same = wish(3);
  // The scale of its colours ends where that of the page does.
  RunPictures pictures(run, {});
  pictures.choose({9});
  EXPECT_NE(png, rendered(run, 9, same));
  Played viewer;
  viewer.options.target = run;
  viewer.options.output.clear();
  viewer.loaded();
  viewer.must(Seek{9});
  same.low = -pictures.largest_charge();
  same.high = pictures.largest_charge();
  EXPECT_EQ(traced(viewer, same), rendered(run, 9, same)) << "of a recorded run";
  Played once_more(chain_scene("verlet", 12));
  once_more.loaded();
  once_more.step(9);
  EXPECT_EQ(traced(once_more, same), rendered(run, 9, same)) << "of a scene that runs";
}

TEST(StudioKept, APastStepThatIsShownIsTraced) {
  Played session(chain_scene("verlet"));
  session.loaded();
  session.step(3);
  const std::string third = traced(session, wish(1));
  session.step(40);
  EXPECT_NE(traced(session, wish(2)), third);
  session.must(Seek{3, true});  // Shown, and not gone back to.
  const std::string scrubbed = traced(session, wish(3));
  session.seek(3);
  EXPECT_EQ(traced(session, wish(4)), third);
  EXPECT_EQ(scrubbed.substr(0, 4), third.substr(0, 4));
}

TEST(StudioKept, StepsAndResetsGoOnWhileAPictureIsTraced) {
  Played session(chain_scene("verlet"));
  session.loaded();
  session.step(5);
  const std::string expected = traced(session, wish(1));
  session.must(wish(2));
  session.step(20);
  session.must(Reset{});
  EXPECT_EQ(
      *wait_for<TracedPicture>(session, 1, [](const TracedPicture& each) { return each.number == 2; }).png,
      expected)
      << "of what was shown when it was asked for";
  EXPECT_EQ(session.state().step, 0);
}

TEST(StudioKept, OnePictureIsTracedAtATime) {
  Played session(chain_scene("verlet"));
  session.loaded();
  session.must(wish(1), 1);
  EXPECT_THAT(session.ask(wish(2), 1), HasSubstr("wait for it, or stop it"));
  EXPECT_THAT(session.ask(wish(2), 2), HasSubstr("another page"));
  session.must(StopTracing{}, 2);  // That of another page goes on.
  wait_for<TracedPicture>(session, 1, [](const TracedPicture& each) { return each.number == 1; });
  session.must(wish(3), 2);
  session.must(StopTracing{}, 2);
  EXPECT_THAT(
      wait_for<TracingInfo>(session, 2, [](const TracingInfo& each) { return !each.error.empty(); }).error,
      HasSubstr("stopped"));
  session.must(wish(4), 2);
  session.machine->handle({2, 0.0, Leave{}});
  wait_for<TracingInfo>(session, 2,
                        [](const TracingInfo& each) { return each.number == 4 && !each.error.empty(); });
  session.must(wish(5), 1);
  wait_for<TracedPicture>(session, 1, [](const TracedPicture& each) { return each.number == 5; });
  session.must(wish(6), 1);
  session.machine->finish();  // Quit in the middle of it.
}

TEST(StudioKept, WhatCannotBeTracedIsSaid) {
  Played session(chain_scene("verlet"));
  session.loaded();
  RayTrace far = wish(1);
  far.eye = {1e9, 0.0, 0.0};
  session.must(far);
  EXPECT_THAT(
      wait_for<TracingInfo>(session, 1, [](const TracingInfo& each) { return !each.error.empty(); }).error,
      HasSubstr("too far"));
  EXPECT_FALSE(std::filesystem::exists(session.options.output + "/pictures"));
}

TEST(StudioKept, NothingIsWrittenByATracedPicture) {
  Played session(chain_scene("verlet"));
  session.loaded();
  traced(session, wish(1));
  EXPECT_TRUE(std::filesystem::is_empty(session.options.output));
}

/// What pictures draw of an assembly is what they draw of a run of it.
void expect_bodies_of_a_run(const std::string& scene, bool has_surface) {
  const test::TemporaryFolder folder;
  const std::string run = folder.path() + "/run";
  const Assembly assembly = load_scene(scene, {"time.steps=0", "--unset time.duration"});
  run_to_directory(compile(assembly, 1), run);
  const TrajectoryReader reader(run + "/trajectory.h5");
  const std::vector<RunBody> expected = run_bodies(reader, false);
  bool is_filled = false;
  for (const Shown& shown : {Shown(assembly), Shown(reader)}) {
    const std::vector<RunBody> drawn = shown.drawn_bodies();
    ASSERT_EQ(drawn.size(), expected.size()) << scene;
    for (std::size_t b = 0; b < drawn.size(); ++b) {
      EXPECT_EQ(drawn[b].first, expected[b].first);
      EXPECT_EQ(drawn[b].count, expected[b].count);
      EXPECT_EQ(drawn[b].springs, expected[b].springs);
      EXPECT_EQ(drawn[b].surface_faces, expected[b].surface_faces);
      EXPECT_EQ(drawn[b].surface_corners, expected[b].surface_corners);
      EXPECT_EQ(drawn[b].surface_weights, expected[b].surface_weights);
      if (expected[b].surface_faces.empty()) {
        EXPECT_EQ(drawn[b].faces, expected[b].faces) << scene;
      }
      is_filled = is_filled || !expected[b].surface_faces.empty();
    }
  }
  EXPECT_EQ(is_filled, has_surface) << scene;
  Played viewer;
  viewer.options.target = run;
  viewer.options.output.clear();
  viewer.loaded();
  RayTrace order = wish(1);
  const double largest = *std::max_element(assembly.charges.begin(), assembly.charges.end());
  order.low = -largest;
  order.high = largest;
  EXPECT_EQ(traced(viewer, order), rendered(run, 0, order)) << scene;
}

TEST(StudioKept, BodiesAreDrawnAsThoseOfARun) {
  const std::string examples = ELECTRET_EXAMPLES;
  expect_bodies_of_a_run(examples + "/charged_torus.toml", false);
  expect_bodies_of_a_run(examples + "/filled_duck.toml", true);
}

TEST(StudioKept, OtherScalarsHaveThePagesColours) {
  Played session(chain_scene("verlet"));
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::paused);
  session.must(SelectView{"height"});
  const Live& live = *session.machine->live();
  ShownMoment shown{live.scenery(), *session.heard.frames.back()};
  shown.rest_positions = live.simulator().system().assembly.rest_positions;
  shown.scalar = "height";
  shown.low = -0.5;
  shown.high = 0.5;
  const PictureMoment moment = moment_of(std::move(shown));
  const VectorArray& x = live.simulator().state().positions;
  ASSERT_EQ(moment.values.size(), x.size());
  ASSERT_TRUE(moment.colour);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(moment.values[i], x[i].z - live.scenery().shown.centre().z, 1e-6);
  const Colour low = moment.colour(-0.5), middle = moment.colour(0.0), beyond = moment.colour(7.0);
  EXPECT_NEAR(low.blue, 0.30, 1e-12);
  EXPECT_NEAR(middle.green, 0.48, 1e-12);
  EXPECT_NEAR(beyond.red, 1.0, 1e-12);
  EXPECT_NO_THROW(static_cast<void>(moment.colour(std::nan(""))));
  ShownMoment without{live.scenery(), *session.heard.frames.front()};
  without.scalar = "speed";
  EXPECT_THROW(static_cast<void>(moment_of(std::move(without))), InputError);
}

}  // namespace
}  // namespace electret::studio
