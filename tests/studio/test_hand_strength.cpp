/// How strongly hands pull on what rests on obstacles; test_many_pulls.cpp pulls at all else.

#include <string>

#include <gtest/gtest.h>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

using test::blob_scene;
using test::farthest;
using test::Handled;

/// A vertex that rests on an obstacle hardly moves: measured there, its pull would be too strong for the
/// vertex that it lifts.
TEST(StudioHandStrength, WhatRestsOnAnObstacleIsLifted) {
  const auto floor = [](const std::string& law) {
    return "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nnormal = [0, 0, 1]\npoint = [0, 0, -1.6]\n" +
           law + "[gravity]\nacceleration = [0, 0, -9.81]\n[damping]\ndrag = 0.05\n";
  };
  for (const std::string law :
       {"law = \"exact\"\nfriction = 0.8\n", "law = \"penalty\"\nstiffness = 100.0\n"})
    for (const std::string method : {"imex", "newton"}) {
      Handled session(blob_scene("0.0333", "20.0", floor(law)));
      session.options.overrides = {"integrator.method=" + method};
      session.loaded().step(60);
      ASSERT_EQ(session.phase(), Phase::paused) << session.heard.last<StateInfo>()->reason;
      const auto& x = session.state().positions;
      const auto low = std::min_element(x.begin(), x.end(), [](auto& a, auto& b) { return a.z < b.z; });
      const double start = low->z;
      const auto vertex = static_cast<std::size_t>(low - x.begin());
      session.pull(vertex, 0.1, {0.0, 0.0, 0.5});
      session.step(60);
      EXPECT_EQ(session.phase(), Phase::paused) << law << method;
      EXPECT_GT(session.place(vertex).z, start + 0.1) << law << method;
      EXPECT_LT(farthest(session), 4.0) << law << method;
    }
}

}  // namespace
}  // namespace electret::studio
