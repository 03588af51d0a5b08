/// Losses by their definitions, and their gradients against differences: what they read beside positions
/// (masses, charges, springs) included.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/rollout.hpp>
#include <electret/core/errors.hpp>
#include <electret/fit/losses.hpp>
#include <electret/scene/parameters.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

using MakeLoss = std::function<std::unique_ptr<Loss>()>;

VectorArray shifted(const Assembly& assembly, double shift) {
  VectorArray target = assembly.initial_positions;
  for (Vec3& x : target) x += Vec3{shift, -0.5 * shift, 0.2};
  return target;
}

double loss_at(const Assembly& assembly, const MakeLoss& make) {
  Simulator simulator(compile(assembly, 1));
  return loss_of_run(simulator, *make());
}

/// The centre of mass of the vertices begin … end-1 after the scene's run.
Vec3 last_centre(const Assembly& assembly, std::size_t begin, std::size_t end) {
  Simulator run(compile(assembly, 1));
  run.run(assembly.scene.time.steps);
  Vec3 moment;
  double mass = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    moment += assembly.masses[i] * run.state().positions[i];
    mass += assembly.masses[i];
  }
  return (1.0 / mass) * moment;
}

/// All parameters' slopes, along the gradient and across it.
void expect_gradient(const Assembly& assembly, const MakeLoss& make) {
  Simulator simulator(compile(assembly, 1));
  const LossAndGradient got = loss_and_gradient(simulator, *make());
  EXPECT_EQ(got.loss, loss_at(assembly, make));
  for (const Parameter& parameter : parameters(assembly)) {
    const std::vector<double> base = parameter.read(assembly), slope = parameter.pull(got.gradient);
    double size = 0.0, reach = 0.0;
    for (const double value : slope) size += value * value;
    for (const double value : base) reach += value * value;
    size = std::sqrt(size);
    ASSERT_GT(size, 0.0) << parameter.name;
    const double step = reach > 0.0 ? 1e-3 * std::sqrt(reach / static_cast<double>(base.size())) : 1e-3;
    const auto at = [&](double s) {
      std::vector<double> moved = base;
      for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += s * step * slope[k] / size;
      Assembly changed = assembly;
      parameter.write(changed, moved);
      return loss_at(changed, make);
    };
    const double difference = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * step);
    EXPECT_NEAR(size, difference, 1e-6 * size) << parameter.name;
  }
}
void expect_gradient(const std::string& method, const MakeLoss& make) {
  expect_gradient(adjoint_scene(method), make);
}

TEST(Losses, FinalPositionIsTheMeanSquaredDistance) {
  const Assembly assembly = adjoint_scene("verlet");
  const VectorArray target = shifted(assembly, 0.1);
  Simulator run(compile(assembly, 1));
  run.run(assembly.scene.time.steps);
  double sum = 0.0;
  for (std::size_t i = 0; i < target.size(); ++i) sum += squared_norm(run.state().positions[i] - target[i]);
  EXPECT_NEAR(loss_at(assembly, [&] { return final_position_loss(target); }),
              sum / static_cast<double>(target.size()), 1e-15 * sum);
  expect_gradient("imex", [&] { return final_position_loss(target); });
}

TEST(Losses, TrajectoryIsTheMeanOverFramesWithinTheRun) {
  const Assembly assembly = adjoint_scene("verlet");
  const VectorArray start = assembly.initial_positions, target = shifted(assembly, 0.3);
  const MakeLoss make = [&] { return trajectory_loss({{0, target}, {5, start}, {12, target}, {40, start}}); };
  double sum = 0.0;
  Simulator run(compile(assembly, 1));
  const auto add = [&](const VectorArray& goal) {
    for (std::size_t i = 0; i < goal.size(); ++i) sum += squared_norm(run.state().positions[i] - goal[i]);
  };
  add(target);
  run.run(5);
  add(start);
  run.run(12);
  add(target);
  EXPECT_NEAR(loss_at(assembly, make), sum / (3.0 * static_cast<double>(start.size())), 1e-14 * sum);
  expect_gradient("verlet", make);
}

TEST(Losses, CentreOfMassIsWeightedByTheMasses) {
  const Assembly assembly = adjoint_scene("verlet");
  const Vec3 centre = last_centre(assembly, 0, assembly.masses.size());
  const Vec3 target{1.0, 2.0, 0.5};
  const MakeLoss make = [&] { return centre_of_mass_loss(target); };
  EXPECT_NEAR(loss_at(assembly, make), squared_norm(centre - target), 1e-13);
  expect_gradient("imex", make);
}

TEST(Losses, CentreOfMassOfSomeVertices) {
  const Assembly assembly = adjoint_scene("verlet");
  const Vec3 centre = last_centre(assembly, 2, 7);
  const Vec3 target{1.0, 2.0, 0.5};
  const MakeLoss make = [&] { return centre_of_mass_loss(target, 2, 7); };
  EXPECT_NEAR(loss_at(assembly, make), squared_norm(centre - target), 1e-13);
  expect_gradient("imex", make);
  EXPECT_THROW(loss_at(assembly, [&] { return centre_of_mass_loss(target, 7, 7); }), std::invalid_argument);
  EXPECT_THROW(centre_of_mass_loss(target, -1, 7), std::invalid_argument);
  EXPECT_THROW(centre_of_mass_loss(target, 2, -3), std::invalid_argument);
  EXPECT_THROW(loss_at(assembly, [&] { return centre_of_mass_loss(target, 0, 1000); }),
               std::invalid_argument);
  EXPECT_THROW(loss_at(assembly, [&] { return centre_of_mass_loss(target, 1000); }), std::invalid_argument);
}

TEST(Losses, ForwardIsTheWayOfTheCentreOfMass) {
  const Assembly assembly = adjoint_scene("verlet");
  const Vec3 centre = last_centre(assembly, 0, assembly.masses.size());
  const MakeLoss make = [] { return forward_loss({0.0, 3.0, 4.0}); };
  EXPECT_NEAR(loss_at(assembly, make), -(0.6 * centre.y + 0.8 * centre.z), 1e-13);
  expect_gradient("imex", make);
  EXPECT_THROW(forward_loss({}), std::invalid_argument);
  EXPECT_THROW(forward_loss({NAN, 1.0, 0.0}), std::invalid_argument);
}

TEST(Losses, SpeedIsSummedOverTheSteps) {
  const Assembly assembly = adjoint_scene("verlet");
  for (const std::vector<Index>& vertices : {std::vector<Index>{}, std::vector<Index>{1, 4, 6}}) {
    Simulator run(compile(assembly, 1));
    double expected = 0.0;
    for (Count step = 0; step < assembly.scene.time.steps; ++step) {
      run.step();
      const VectorArray& v = run.state().velocities;
      Vec3 mean;
      if (vertices.empty())
        for (const Vec3& each : v) mean += (1.0 / static_cast<double>(v.size())) * each;
      for (const Index i : vertices) mean += (1.0 / 3.0) * v[static_cast<std::size_t>(i)];
      const double along = 0.6 * mean.y + 0.8 * mean.z;
      expected += -along + 7.0 * (squared_norm(mean) - along * along);
    }
    const MakeLoss make = [&] { return speed_loss({0.0, 3.0, 4.0}, 7.0, vertices); };
    EXPECT_NEAR(loss_at(assembly, make), expected, 1e-12 * (1.0 + std::abs(expected)));
    expect_gradient("imex", make);
  }
  EXPECT_THROW(speed_loss({}), std::invalid_argument);
  EXPECT_THROW(speed_loss({1, 0, 0}, NAN), std::invalid_argument);
  EXPECT_THROW(loss_at(assembly, [] { return speed_loss({1, 0, 0}, 0.0, {1000}); }), std::invalid_argument);
}

TEST(Losses, MarkersCountWhereAndWhenTheyWereMeasured) {
  const Assembly assembly = adjoint_scene("verlet");
  const std::vector<BodyMarker> markers{{{2}, {1.0}}, {{1, 4, 6}, {0.5, 0.2, 0.3}}};
  const std::vector<MarkerTarget> targets{{0, 1, {1.0, 2.0, 3.0}, {true, true, true}, 2.0},
                                          {12, 0, {0.5, NAN, 0.1}, {true, false, true}, 1.0},
                                          {12, 1, {0.0, 0.0, 4.0}, {false, false, true}, 0.5},
                                          {90, 0, {9.0, 9.0, 9.0}, {true, true, true}, 1.0}};
  Simulator run(compile(assembly, 1));
  const auto mean = [&] {
    const VectorArray& x = run.state().positions;
    return 0.5 * x[1] + 0.2 * x[4] + 0.3 * x[6];
  };
  double sum = 2.0 * squared_norm(mean() - Vec3{1.0, 2.0, 3.0});
  run.run(12);
  const Vec3 x = run.state().positions[2];
  sum += std::pow(x.x - 0.5, 2) + std::pow(x.z - 0.1, 2) + 0.5 * std::pow(mean().z - 4.0, 2);
  const MakeLoss make = [&] { return markers_loss(markers, targets); };
  EXPECT_NEAR(loss_at(assembly, make), sum / 3.0, 1e-13 * sum);
  expect_gradient("imex", make);

  EXPECT_THROW(markers_loss(markers, {}), std::invalid_argument);
  EXPECT_THROW(markers_loss(markers, {targets[1], targets[0]}), std::invalid_argument);
  EXPECT_THROW(markers_loss({markers[0]}, targets), std::invalid_argument);
  EXPECT_THROW(markers_loss({{{2}, {}}}, {targets[1]}), std::invalid_argument);
  for (const MarkerTarget& bad :
       {MarkerTarget{0, 0, {NAN, 0, 0}, {true, false, false}, 1.0},
        MarkerTarget{0, 0, {}, {false, false, false}, 1.0}, MarkerTarget{0, 0, {}, {true, true, true}, -1.0}})
    EXPECT_THROW(markers_loss(markers, {bad}), std::invalid_argument);
  EXPECT_THROW(loss_at(assembly,
                       [&] {
                         return markers_loss({{{1000}, {1.0}}}, {targets[1]});
                       }),
               std::invalid_argument);
}

/// adjoint_scene, seen by two cameras.
Assembly filmed_scene(const std::string& method) {
  Assembly assembly = adjoint_scene(method);
  for (const char* name : {"camera.left", "camera.right"}) {
    Pinhole view;
    const double side = assembly.cameras.empty() ? -1.0 : 1.0;
    view.axes = camera_axes({-0.5 * side, 1.0, -0.2}, {0.0, 0.0, 1.0});
    view.position = {1.5 + 4.0 * side, -7.0, 3.0};
    view.focal_length = 300.0;
    view.rotate = {2.0, -3.0 * side, 4.0};
    view.translate = {0.1, 0.2 * side, -0.3};
    view.zoom = 1.2;
    assembly.cameras.push_back({name, view});
  }
  return assembly;
}

TEST(Losses, PixelsCountWhereAndWhenTheyWereMeasured) {
  const Assembly assembly = filmed_scene("verlet");
  const std::vector<BodyMarker> markers{{{2}, {1.0}}, {{1, 4, 6}, {0.5, 0.2, 0.3}}};
  const std::vector<PixelTarget> targets{{0, 1, 0, {10.0, 20.0}, {true, true}, 2.0},
                                         {12, 0, 1, {-5.0, NAN}, {true, false}, 1.0},
                                         {12, 1, 1, {0.0, 40.0}, {false, true}, 0.5},
                                         {90, 0, 0, {9.0, 9.0}, {true, true}, 1.0}};
  const PinholeView left(assembly.cameras[0].view), right(assembly.cameras[1].view);
  Simulator run(compile(assembly, 1));
  const auto mean = [&] {
    const VectorArray& x = run.state().positions;
    return 0.5 * x[1] + 0.2 * x[4] + 0.3 * x[6];
  };
  const Pixel first = left.seen(mean());
  double sum = 2.0 * (std::pow(first.u - 10.0, 2) + std::pow(first.v - 20.0, 2));
  run.run(12);
  sum += std::pow(right.seen(run.state().positions[2]).u + 5.0, 2) +
         0.5 * std::pow(right.seen(mean()).v - 40.0, 2);
  const MakeLoss make = [&] { return pixels_loss(markers, targets); };
  EXPECT_NEAR(loss_at(assembly, make), sum / 3.0, 1e-13 * sum);
  expect_gradient(filmed_scene("imex"), make);

  EXPECT_THROW(pixels_loss(markers, {}), std::invalid_argument);
  EXPECT_THROW(pixels_loss(markers, {targets[1], targets[0]}), std::invalid_argument);
  EXPECT_THROW(pixels_loss({markers[0]}, targets), std::invalid_argument);
  EXPECT_THROW(pixels_loss({{{2}, {}}}, {targets[1]}), std::invalid_argument);
  for (const PixelTarget& bad :
       {PixelTarget{0, 0, 0, {NAN, 0}, {true, false}, 1.0}, PixelTarget{0, 0, 0, {}, {false, false}, 1.0},
        PixelTarget{0, 0, 0, {}, {true, true}, -1.0}})
    EXPECT_THROW(pixels_loss(markers, {bad}), std::invalid_argument);
  EXPECT_THROW(loss_at(adjoint_scene("verlet"), make), std::invalid_argument) << "no cameras";
}

/// A run in which a camera looks away has no value, as one that diverges.
TEST(Losses, PixelsBehindTheCameraHaveNoValue) {
  Assembly assembly = filmed_scene("verlet");
  assembly.cameras[0].view.translate = {0.0, 0.0, 50.0};
  const MakeLoss make = [] {
    return pixels_loss({{{2}, {1.0}}}, {{3, 0, 0, {0.0, 0.0}, {true, true}, 1.0}});
  };
  try {
    loss_at(assembly, make);
    FAIL();
  } catch (const DivergenceError& error) {
    EXPECT_EQ(error.step(), 3);
    EXPECT_EQ(error.vertex(), 2);
    EXPECT_NE(error.cause().find("behind camera.left"), std::string::npos) << error.cause();
  }
}

TEST(Losses, EnergyIsTheEnergyTablesTotal) {
  const Assembly assembly = adjoint_scene("verlet");
  Simulator run(compile(assembly, 1));
  run.run(assembly.scene.time.steps);
  EXPECT_EQ(loss_at(assembly, final_energy_loss), run.energies().total());
  expect_gradient("verlet", final_energy_loss);
}

TEST(Losses, SumsAreWeighted) {
  const Assembly assembly = adjoint_scene("verlet");
  const VectorArray target = shifted(assembly, 0.1);
  const MakeLoss make = [&] {
    std::vector<WeightedLoss> terms;
    terms.push_back({2.0, final_position_loss(target)});
    terms.push_back({0.01, final_energy_loss()});
    terms.push_back({-0.5, trajectory_loss({{4, target}})});
    return sum_of_losses(std::move(terms));
  };
  EXPECT_NEAR(loss_at(assembly, make),
              2.0 * loss_at(assembly, [&] { return final_position_loss(target); }) +
                  0.01 * loss_at(assembly, final_energy_loss) -
                  0.5 * loss_at(assembly,
                                [&] {
                                  return trajectory_loss({{4, target}});
                                }),
              1e-12);
  expect_gradient("verlet", make);
}

/// A loss of squares is 0 up to rounding where positions are: 1 ulp of each coordinate gives less, 100 more.
TEST(Losses, OfSquaresTellTheirRounding) {
  const Assembly assembly = adjoint_scene("verlet");
  const auto off_by = [&](double ulps) {
    VectorArray target = assembly.initial_positions;
    for (Vec3& x : target) x = (1.0 + ulps * 0x1p-52) * x;
    return target;
  };
  for (const double weight : {1.0, 1e-8}) {
    std::vector<WeightedLoss> terms;
    terms.push_back({weight, final_position_loss(off_by(0.0))});
    const double rounding = sum_of_losses(std::move(terms))->rounding(assembly);
    for (const double ulps : {1.0, 100.0}) {
      double mean = 0.0;
      const VectorArray target = off_by(ulps);
      for (std::size_t i = 0; i < target.size(); ++i)
        mean += squared_norm(target[i] - assembly.initial_positions[i]) / static_cast<double>(target.size());
      EXPECT_EQ(weight * mean <= rounding, ulps == 1.0) << weight;
    }
  }
  const double one = final_position_loss(off_by(0.0))->rounding(assembly);
  EXPECT_EQ(centre_of_mass_loss({})->rounding(assembly), one);
  EXPECT_EQ(trajectory_loss({{1, off_by(0.0)}})->rounding(assembly), one);
  EXPECT_EQ(markers_loss({{{0}, {1.0}}}, {{.step = 1, .weight = 3.0}, {.step = 2, .weight = 1.0}})
                ->rounding(assembly),
            2.0 * one);
  // At the origin it is still above 0, so that a loss of 0 is told.
  Assembly at_origin = assembly;
  for (Vec3& x : at_origin.initial_positions) x = {};
  EXPECT_GT(centre_of_mass_loss({})->rounding(at_origin), 0.0);
  // What may be negative has none.
  EXPECT_EQ(forward_loss({1, 0, 0})->rounding(assembly), 0.0);
  EXPECT_EQ(speed_loss({1, 0, 0})->rounding(assembly), 0.0);
  EXPECT_EQ(final_energy_loss()->rounding(assembly), 0.0);
  for (const bool is_negative : {false, true}) {
    std::vector<WeightedLoss> terms;
    terms.push_back({1.0, centre_of_mass_loss({})});
    if (is_negative)
      terms.push_back({-1.0, centre_of_mass_loss({})});
    else
      terms.push_back({1.0, forward_loss({1, 0, 0})});
    EXPECT_EQ(sum_of_losses(std::move(terms))->rounding(assembly), 0.0);
  }
}

/// As above, of places and of the ways from the camera, which are longer.
TEST(Losses, OfPixelsTellTheirRounding) {
  const Assembly assembly = filmed_scene("verlet");
  const VectorArray& places = assembly.initial_positions;
  const PinholeView view(assembly.cameras[1].view);
  std::vector<BodyMarker> markers;
  std::vector<PixelTarget> targets;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Pixel pixel = view.seen(places[i]);
    markers.push_back({{static_cast<Index>(i)}, {1.0}});
    targets.push_back({1, i, 1, {pixel.u, pixel.v}, {true, true}, 0.5});
  }
  const double rounding = pixels_loss(markers, targets)->rounding(assembly);
  for (const double ulps : {1.0, 1000.0}) {
    double mean = 0.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Pixel pixel = view.seen((1.0 + ulps * 0x1p-52) * places[i]);
      mean += 0.5 *
              (std::pow(pixel.u - targets[i].coordinates[0], 2) +
               std::pow(pixel.v - targets[i].coordinates[1], 2)) /
              static_cast<double>(places.size());
    }
    EXPECT_EQ(mean <= rounding, ulps == 1.0) << mean << ' ' << rounding;
  }
  Assembly behind = assembly;
  behind.cameras[1].view.translate = {0.0, 0.0, 50.0};
  EXPECT_EQ(pixels_loss(markers, targets)->rounding(behind), 0.0) << "nothing is known";
  EXPECT_THROW((void)pixels_loss(markers, targets)->rounding(adjoint_scene("verlet")), std::invalid_argument);
}

/// Powers of two round nothing, and the squares of such derivatives are 0 or infinite.
TEST(Losses, VerySmallAndLargeOnesHaveDerivativesByCameras) {
  const Assembly assembly = filmed_scene("imex");
  Simulator simulator(compile(assembly, 1));
  const auto gradient_by = [&](double weight) {
    std::vector<WeightedLoss> terms;
    terms.push_back({weight, pixels_loss({{{6}, {1.0}}}, {{3, 0, 0, {1.0, 2.0}, {true, true}, 1.0},
                                                          {9, 0, 0, {5.0, 4.0}, {true, true}, 1.0}})});
    return loss_and_gradient(simulator, *sum_of_losses(std::move(terms))).gradient;
  };
  const AssemblyGradient plain = gradient_by(1.0);
  for (const double weight : {0x1p-600, 0x1p600}) {
    const AssemblyGradient got = gradient_by(weight);
    for (const char* name : {"camera.left.rotate", "camera.left.translate", "camera.left.zoom"}) {
      const Parameter parameter = find_parameter(assembly, name);
      const std::vector<double> expected = parameter.pull(plain), found = parameter.pull(got);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NE(expected[k], 0.0) << name;
        EXPECT_EQ(found[k], weight * expected[k]) << name << ' ' << weight;
      }
    }
  }
}

TEST(Losses, TargetsOfAnotherSizeAreRefused) {
  const Assembly assembly = adjoint_scene("verlet");
  EXPECT_THROW(loss_at(assembly, [] { return final_position_loss(VectorArray(3)); }), std::invalid_argument);
  EXPECT_THROW(loss_at(assembly,
                       [] {
                         return trajectory_loss({{4, VectorArray(3)}});
                       }),
               std::invalid_argument);
  EXPECT_THROW(trajectory_loss({}), std::invalid_argument);
  const VectorArray target = shifted(assembly, 0.1);
  EXPECT_THROW(trajectory_loss({{4, target}, {4, target}}), std::invalid_argument);
  EXPECT_THROW(trajectory_loss({{4, target}, {2, target}}), std::invalid_argument);
  EXPECT_THROW(trajectory_loss({{-1, target}}), std::invalid_argument);
  // A reverse sweep may be given another loss than the forward one.
  Simulator simulator(compile(assembly, 1));
  const Controls controls;
  Rollout rollout(simulator, controls, {.steps = 4, .control = {}});
  const auto energy = final_energy_loss();
  rollout.forward(*energy, {});
  VectorArray longer = target;
  longer.resize(100 * target.size());
  for (const MakeLoss& make : {MakeLoss([&] { return final_position_loss(VectorArray(3)); }),
                               MakeLoss([&] { return final_position_loss(longer); }), MakeLoss([&] {
                                 return trajectory_loss({{2, longer}});
                               }),
                               MakeLoss([&] {
                                 return trajectory_loss({{2, VectorArray(3)}});
                               }),
                               MakeLoss([&] { return centre_of_mass_loss({}, 0, 1000000); })})
    EXPECT_THROW(rollout.backward(*make(), true), std::invalid_argument);
  EXPECT_NO_THROW(rollout.backward(*energy, true));
  std::vector<WeightedLoss> none(1);
  EXPECT_THROW(sum_of_losses(std::move(none)), std::invalid_argument);
}

TEST(Losses, NumbersThatAreNotFiniteAreRefused) {
  const Assembly assembly = adjoint_scene("verlet");
  VectorArray target = shifted(assembly, 0.1);
  target[2].y = NAN;
  EXPECT_THROW(final_position_loss(target), std::invalid_argument);
  EXPECT_THROW(trajectory_loss({{4, assembly.initial_positions}, {5, target}}), std::invalid_argument);
  EXPECT_THROW(centre_of_mass_loss(target[2]), std::invalid_argument);
  std::vector<WeightedLoss> terms(1);
  terms[0].weight = NAN;
  terms[0].loss = final_energy_loss();
  EXPECT_THROW(sum_of_losses(std::move(terms)), std::invalid_argument);
}

}  // namespace
}  // namespace electret::test
