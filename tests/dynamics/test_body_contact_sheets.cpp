// Sheets of springs that touch bodies and themselves, and charged bodies that hold each other.

#include <gtest/gtest.h>

#include "dynamics/body_contact_scenes.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

struct Sheet {
  int rows = 21, columns = 21;
  double width = 0.4, height = 0.4;  ///< m.
  Vec3 place;
  std::string turned = "[0, 0, 0]";
};

std::string text_of(const Sheet& sheet) {
  const auto number = [](double value) { return std::to_string(value); };
  std::string text =
      "[[body]]\nname = \"sheet\"\ngenerate = { shape = \"grid\", rows = " + std::to_string(sheet.rows) +
      ", columns = " + std::to_string(sheet.columns) + ", width = " + number(sheet.width) +
      ", height = " + number(sheet.height) + " }\nrotate = " + sheet.turned + "\ntranslate = [" +
      number(sheet.place.x) + ", " + number(sheet.place.y) + ", " + number(sheet.place.z) +
      "]\ntotal_mass = " + number(0.2 * sheet.width * sheet.height) + "\n";
  for (const auto& [from, stiffness] : {std::pair{"edges", 30.0}, {"diagonals", 30.0}, {"bending", 3.0}})
    text += "  [[body.springs]]\n  from = \"" + std::string(from) + "\"\n  stiffness = " + number(stiffness) +
            "\n";
  return text;
}

/// Takes steps in which nothing may cross or stay unconverged.
StepStatistics run(Simulator& simulator, int steps) {
  StepStatistics statistics;
  for (int k = 0; k < steps; ++k) {
    statistics.add(simulator.step());
    if (k % 10 != 9) continue;
    EXPECT_EQ(crossings(simulator), 0) << k;
  }
  EXPECT_EQ(statistics.unconverged, 0) << statistics.text();
  EXPECT_GT(smallest_gap(simulator), 0.0);
  return statistics;
}

double lowest(const Simulator& simulator) {
  double low = 1.0;
  for (const Vec3& x : simulator.state().positions) low = std::min(low, x.z);
  return low;
}

TEST(BodyContactSheets, ClothDrapesOverABlock) {
  const std::string text = settings_text({0.01, 1e-6, {0, 0, -9.81}}) +
                           text_of(BoxBody{"block", {3, 3, 3}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.075)}) +
                           text_of(Sheet{.rows = 15, .columns = 15, .place = {0.01, 0.007, 0.09}});
  Simulator simulator = body_contact_simulator(text, {.touch_themselves = true});
  run(simulator, 50);
  // It hangs over the edges, and its middle lies on the block.
  EXPECT_LT(lowest(simulator), 0.0);
  EXPECT_GT(simulator.state().positions.back().z, -0.5);
  const auto& offsets = simulator.system().assembly.body_offsets;
  const auto middle = static_cast<std::size_t>(offsets[1]) + 7 * 15 + 7;
  EXPECT_NEAR(simulator.state().positions[middle].z, 0.075, 1e-2);
}

std::string folding_strip() {
  return settings_text({0.01, 1e-6, {0, 0, -9.81}}) +
         text_of(BoxBody{"floor", {3, 3, 1}, 0.1, {0, 0, -0.05}, 0.0, pinned_below(-0.1)}) +
         text_of(Sheet{25, 6, 0.05, 0.24, {0, 0, 0.14}, "[88, 0, 10]"});
}

TEST(BodyContactSheets, StripFoldsOnItselfAndOnAFloor) {
  Simulator simulator = body_contact_simulator(folding_strip(), {.touch_themselves = true});
  run(simulator, 60);
  double highest = 0.0;
  for (std::size_t i = 32; i < simulator.state().positions.size(); ++i)
    highest = std::max(highest, simulator.state().positions[i].z);
  EXPECT_LT(highest, 0.2);
}

/// A sheet that touches itself has the same bits with any number of threads, and after a restart amid the
/// fold.
TEST(BodyContactSheets, AFoldHasTheSameBitsOnAnyThreadsAndAfterARestart) {
  Simulator first = body_contact_simulator(folding_strip(), {.touch_themselves = true});
  for (int k = 0; k < 45; ++k) first.step();
  const ContactSurface& surface = first.system().body_contacts->surface();
  const auto& forces = first.system().body_contacts->state().forces;
  ASSERT_TRUE(std::any_of(forces.begin(), forces.end(), [&](const PairForce& force) {
    return surface.body(force.pair.vertices[0]) == 1 && surface.body(force.pair.vertices[3]) == 1;
  }));
  const State middle = first.state();
  for (int k = 0; k < 10; ++k) first.step();
  for (const int threads : {2, 3}) {
    Simulator other = body_contact_simulator(folding_strip(), {.touch_themselves = true}, threads);
    if (threads == 2) {
      for (int k = 0; k < 45; ++k) other.step();
      EXPECT_EQ(other.state().positions, middle.positions);
    } else {
      other.restore(middle, {});
    }
    for (int k = 0; k < 10; ++k) other.step();
    EXPECT_EQ(other.state().positions, first.state().positions) << threads;
    EXPECT_EQ(other.state().velocities, first.state().velocities) << threads;
  }
}

/// A block that a field presses on a slope with as much as its weight.
std::string pressed_block(double angle) {
  const double weight = 1000.0 * 0.08 * 0.08 * 0.08 * 9.81;
  RunSettings settings;
  settings.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
  // 27 vertices of 1 µC in a field of weight/27 µC.
  const std::string field =
      "[[electric_field]]\nexpression = [\"0\", \"0\", \"" + std::to_string(-weight / 27e-6) + "\"]\n";
  return settings_text(settings) + field +
         text_of(BoxBody{"slab", {16, 4, 1}, 0.05, {0.3, 0, 0}, 0.0, pinned_below(-0.025)}) +
         text_of(
             BoxBody{"block", {2, 2, 2}, 0.04, {0.003, 0.002, 0.025 + 1e-3 + 0.04}, 17.0, "charge = 1e-6\n"});
}

TEST(BodyContactSheets, FieldPressesABlockWhichHoldsWithTheWholeForce) {
  for (const double share : {0.99, 1.01}) {
    // sin = share μ (cos + 1).
    double angle = 0.5;
    for (int k = 0; k < 60; ++k) angle = std::asin(share * 0.5 * (std::cos(angle) + 1.0));
    Simulator simulator = body_contact_simulator(pressed_block(angle), {});
    run(simulator, 300);
    const double speed = momentum_of(simulator, 1).x / mass_of(simulator, 1);
    if (share < 1.0)
      EXPECT_EQ(speed, 0.0);
    else
      EXPECT_GT(speed, 0.02);
  }
}

TEST(BodyContactSheets, TurnsWithTheScene) {
  const std::string text = settings_text({0.01, 1e-12, {0, 0, -9.81}}) +
                           text_of(BoxBody{"low", {2, 2, 2}, 0.05, {0, 0, 0}, 0.0, ""}) +
                           text_of(BoxBody{"high", {2, 2, 2}, 0.05, {0.01, 0.02, 0.1015}, 25.0, ""});
  const auto end_of = [&](bool is_turned) {
    Assembly assembly = assemble(parse_scene(text, "scene.toml", "."));
    if (is_turned) {
      for (auto* array :
           {&assembly.rest_positions, &assembly.initial_positions, &assembly.initial_velocities})
        *array = rotated(*array);
      assembly.scene.gravity = {};
    } else {
      assembly.scene.gravity = {};
    }
    VectorArray& v = assembly.initial_velocities;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = i < v.size() / 2 ? Vec3{0, 0, 0.3} : Vec3{0.1, 0, -0.3};
    if (is_turned) v = rotated(v);
    auto system = compile(assembly, 1);
    let_bodies_touch(*system, {});
    Simulator simulator(std::move(system));
    for (int k = 0; k < 8; ++k) simulator.step();
    return simulator.state().positions;
  };
  EXPECT_LT(distance(end_of(true), rotated(end_of(false))), 1e-9);
}

}  // namespace
}  // namespace electret::test
