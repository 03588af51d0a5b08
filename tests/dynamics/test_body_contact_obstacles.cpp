// Bodies that touch each other beside obstacles that push exactly or hold what touches them: rest, sliding,
// presses and collisions against analytic motions, and what must not change the bits.

#include <gtest/gtest.h>

#include <electret/dynamics/body_energy.hpp>

#include "dynamics/body_contact_scenes.hpp"
#include "dynamics/contact_scenes.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr double thickness = 1e-3;

struct Frictions {
  double floor = 0.5, bodies = 0.5;
};

std::string contact_of(const Frictions& frictions) {
  return "[contact]\nagainst = [\"obstacles\", \"bodies\"]\nthickness = 0.001\nfriction = " +
         std::to_string(frictions.bodies) +
         "\n[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, "
         "1]\nfriction = " +
         (std::isinf(frictions.floor) ? "\"stick\"" : std::to_string(frictions.floor)) + "\n";
}

/// A block on a slab on the floor, a thickness apart, in a gravity turned by `angle` (radians).
std::string block_on_slab(double angle, const Frictions& frictions, double turned = 17.0) {
  RunSettings tilted;
  tilted.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
  const BoxBody slab{"slab", {8, 4, 1}, 0.05, {0.1, 0, 0.025 + thickness}, 0.0, ""};
  const BoxBody block{"block", {2, 2, 2}, 0.04, {0.003, 0.002, 0.05 + 2 * thickness + 0.04}, turned, ""};
  return settings_text(tilted) + contact_of(frictions) + text_of(slab) + text_of(block);
}

/// Takes steps, none of which may stay unconverged; returns what they count.
StepStatistics run(Simulator& simulator, int steps) {
  StepStatistics statistics;
  for (int k = 0; k < steps; ++k) statistics.add(simulator.step());
  EXPECT_EQ(statistics.unconverged, 0) << statistics.text();
  return statistics;
}

double speed_of(const Simulator& simulator, int body) {
  return momentum_of(simulator, body).x / mass_of(simulator, static_cast<std::size_t>(body));
}

Vec3 push_of_obstacles(const Simulator& simulator) {
  std::vector<ContactForce> forces;
  simulator.system().contacts->collect(forces);
  Vec3 sum;
  for (const ContactForce& force : forces) sum += force.normal * force.direction + force.tangential;
  return sum;
}

double normal_between_bodies(const Simulator& simulator) {
  double sum = 0.0;
  for (const PairForce& force : simulator.system().body_contacts->state().forces) sum += force.normal;
  return sum;
}

TEST(BodyContactObstacles, BlockOnASlabOnAFloorRestsAndEachBearsWhatLiesOnIt) {
  Simulator simulator = contact_simulator(block_on_slab(0.0, {}));
  const StepStatistics statistics = run(simulator, 100);
  EXPECT_LT(statistics.newton, 500) << statistics.text();
  EXPECT_EQ(norm(momentum_of(simulator)), 0.0);
  EXPECT_GT(smallest_gap(simulator), 0.9 * thickness);
  const double block = 9.81 * mass_of(simulator, 1), all = block + 9.81 * mass_of(simulator, 0);
  EXPECT_NEAR(push_of_obstacles(simulator).z, all, 1e-6 * all);
  EXPECT_NEAR(normal_between_bodies(simulator), block, 1e-5 * block);
}

TEST(BodyContactObstacles, HoldsBelowTheLimitToTheLastBit) {
  for (const double turned : {0.0, 17.0}) {
    Simulator simulator = contact_simulator(block_on_slab(std::atan(0.5 * 0.99), {}, turned));
    run(simulator, 200);
    EXPECT_EQ(norm(momentum_of(simulator)), 0.0) << turned;
    const VectorArray rest = simulator.state().positions;
    run(simulator, 50);
    EXPECT_EQ(simulator.state().positions, rest) << turned;
  }
}

TEST(BodyContactObstacles, TheBlockSlidesAboveItsLimitOnASlabThatHolds) {
  const double angle = std::atan(0.5 * 1.01);
  Simulator simulator = contact_simulator(block_on_slab(angle, {0.9, 0.5}));
  run(simulator, 30);
  const double before = speed_of(simulator, 1);
  run(simulator, 200);
  EXPECT_NEAR((speed_of(simulator, 1) - before) / 2.0, 9.81 * (std::sin(angle) - 0.5 * std::cos(angle)),
              2e-4 * 9.81);
  EXPECT_LT(std::abs(speed_of(simulator, 0)), 1e-4);
}

TEST(BodyContactObstacles, TheSlabSlidesAboveItsLimitAndTakesTheBlockAlong) {
  const double angle = std::atan(0.5 * 1.01), exact = 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
  Simulator simulator = contact_simulator(block_on_slab(angle, {0.5, 0.9}));
  run(simulator, 30);
  const std::array before{speed_of(simulator, 0), speed_of(simulator, 1)};
  run(simulator, 100);
  EXPECT_NEAR(speed_of(simulator, 0) - before[0], exact, 2e-5 * 9.81);
  EXPECT_NEAR(speed_of(simulator, 1) - before[1], exact, 2e-5 * 9.81);
}

TEST(BodyContactObstacles, WithoutFrictionTheMomentumAlongTheFloorIsThatOfGravity) {
  Simulator simulator = contact_simulator(block_on_slab(0.3, {0.0, 0.0}));
  run(simulator, 40);
  const double mass = mass_of(simulator, 0) + mass_of(simulator, 1);
  EXPECT_NEAR(momentum_of(simulator).x, 0.4 * mass * 9.81 * std::sin(0.3), 1e-8 * mass);
  EXPECT_NEAR(momentum_of(simulator).y, 0.0, 1e-8 * mass);
  EXPECT_NEAR(speed_of(simulator, 1), speed_of(simulator, 0), 1e-3);
}

/// A cube between the floor and a plate, all of whose vertices are pinned and move down by `way` in 50 ms.
std::string press(double way) {
  const std::string moves =
      "  [[body.group]]\n  name = \"all\"\n  box = [[-9, -9, -9], [9, 9, 9]]\n  [[body.pin]]\n  group = "
      "\"all\"\n  times = [0.0, 0.05]\n  offsets = [[0, 0, 0], [0, 0, " +
      std::to_string(-way) + "]]\n";
  const BoxBody cube{"cube", {3, 3, 3}, 0.03, {0.003, 0.002, 0.0465}, 20.0, ""};
  const BoxBody plate{"plate", {2, 2, 1}, 0.07, {0, 0, 0.093 + 0.0365}, 0.0, moves};
  return settings_text({0.01, 1e-7, {}}) + contact_of({0.3, 0.5}) + text_of(cube) + text_of(plate);
}

TEST(BodyContactObstacles, PinsPressABodyOntoTheFloor) {
  Simulator simulator = contact_simulator(press(0.03));
  for (int k = 0; k < 20; ++k) {
    run(simulator, 1);
    ASSERT_EQ(crossings(simulator), 0) << k;
  }
  Vec3 sum = push_of_obstacles(simulator);
  EXPECT_GT(sum.z, 100.0);
  for (const Vec3& force : simulator.pin_reactions()) sum += force;
  EXPECT_LT(norm(sum), 1e-2);
  EXPECT_EQ(simulator.system().contacts->vertices().size(), 56U);
}

/// A plate, all of whose vertices are pinned, that moves up to another with a cube between them.
TEST(BodyContactObstacles, PinsThatMeetEndTheRun) {
  const auto plate = [](const std::string& name, double x, double way) {
    return text_of(
        {name,
         {2, 2, 1},
         0.05,
         {x, 0, 0.05},
         0.0,
         "  [[body.group]]\n  name = \"all\"\n  box = [[-9, -9, -9], [9, 9, 9]]\n  [[body.pin]]\n  group = "
         "\"all\"\n  times = [0.0, 0.05]\n  offsets = [[0, 0, 0], [" +
             std::to_string(way) + ", 0, 0]]\n"});
  };
  const std::string cube = text_of({"cube", {1, 1, 1}, 0.04, {0.1, 0, 0.021}, 0.0, ""});
  Simulator simulator = contact_simulator(settings_text({0.01, 1e-7, {}}) + contact_of({}) + cube +
                                          plate("first", 0.0, 0.5) + plate("second", 0.2, 0.0));
  EXPECT_THROW(for (int k = 0; k < 5; ++k) simulator.step(), DivergenceError);
}

/// A plane that rises by `way` within 50 ms below a sheet, which hangs a little below a pinned slab.
std::string lift(double way) {
  return settings_text({0.01, 1e-7, {0, 0, -9.81}}) +
         "[contact]\nagainst = [\"obstacles\", \"bodies\"]\nthickness = 0.02\nbodies = "
         "[\"sheet\"]\n[[obstacle]]\nname = \"lift\"\nshape = "
         "\"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\ntimes = [0.0, 0.05]\noffsets = [[0, 0, 0], [0, "
         "0, " +
         std::to_string(way) + "]]\nfriction = 0.3\n" +
         "[[body]]\nname = \"sheet\"\ngenerate = { shape = \"grid\", rows = 4, columns = 4, width = 0.2, "
         "height = "
         "0.2 }\ntranslate = [0, 0, 0.021]\ntotal_mass = 0.05\n  [[body.springs]]\n  from = \"edges\"\n  "
         "stiffness = "
         "100.0\n" +
         text_of(BoxBody{"slab", {3, 3, 1}, 0.1, {0.01, 0.007, 0.14}, 5.0, pinned_below(0.09)});
}

TEST(BodyContactObstacles, AnObstacleBringsABodyUpToAnother) {
  Simulator simulator = contact_simulator(lift(0.055));
  for (int k = 0; k < 12; ++k) {
    run(simulator, 1);
    ASSERT_EQ(crossings(simulator), 0) << k;
  }
  run(simulator, 100);
  const double weight = 9.81 * mass_of(simulator, 0);
  EXPECT_GT(push_of_obstacles(simulator).z, 1.5 * weight);
  Vec3 pushed;  // By the slab.
  for (const PairForce& force : simulator.system().body_contacts->state().forces)
    pushed += (force.pair.vertices[0] < 16 ? 1.0 : -1.0) * (force.normal * force.direction + force.friction);
  EXPECT_NEAR(push_of_obstacles(simulator).z + pushed.z, weight, 1e-5);
}

TEST(BodyContactObstacles, AnObstacleThatWouldPressABodyIntoAnotherEndsTheRun) {
  Simulator simulator = contact_simulator(lift(0.085));
  EXPECT_THROW(for (int k = 0; k < 8; ++k) simulator.step(), DivergenceError);
}

/// A cube on the floor, onto which another falls.
std::string dropped(double friction, double modulus, double step, double speed) {
  const BoxBody low{"low", {3, 3, 3}, 0.03, {0, 0, 0.046}, 0.0, "", modulus};
  const BoxBody high{"high", {3, 3, 3},
                     0.03,   {0.01, 0.007, 0.14},
                     20.0,   "velocity = [0.2, 0, " + std::to_string(-speed) + "]\n",
                     modulus};
  return settings_text({step, 1e-8, {0, 0, -9.81}}) + contact_of({friction, friction}) + text_of(low) +
         text_of(high);
}

TEST(BodyContactObstacles, CollisionsOnAFloorConverge) {
  StepStatistics all;
  double least = thickness;
  for (const double friction : {0.0, 0.6, 2.0})
    for (const double modulus : {1e4, 1e6, 1e7})
      for (const double step : {0.002, 0.01})
        for (const double speed : {1.0, 4.0}) {
          StepStatistics one;
          Simulator simulator = contact_simulator(dropped(friction, modulus, step, speed));
          const int steps = static_cast<int>((speed < 2.0 ? 0.07 : 0.04) / step);
          for (int k = 0; k < steps; ++k) {
            const StepReport report = simulator.step();
            all.add(report);
            one.add(report);
            least = std::min(least, smallest_gap(simulator));
          }
          EXPECT_EQ(one.unconverged, 0)
              << friction << " " << modulus << " " << step << " " << speed << ": " << one.text();
        }
  EXPECT_EQ(all.unconverged, 0) << all.text();
  EXPECT_GT(least, 0.0);
  EXPECT_LT(least, 0.7 * thickness);
}

struct Shot {
  Frictions frictions;
  double step = 0.005;  ///< s.
  Vec3 velocity;        ///< m/s.
  Vec3 place{0.01, 0.015, 0.3}, turned{20.0, 30.0, 10.0};
  double modulus = 1e5;  ///< Pa.
};

/// A soft block on the floor, into which another one is shot, turned. Both touch themselves, too.
std::string text_of_shot(const Shot& shot) {
  const auto list = [](const Vec3& v) {
    char text[100];
    std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]\n", v.x, v.y, v.z);
    return std::string(text);
  };
  const auto block = [&](const std::string& name, const std::string& placing) {
    return "[[body]]\nname = \"" + name +
           "\"\ngenerate = { shape = \"box\", cells = [2, 2, 2], cell_size = 0.04, element = \"hex\" }\n" +
           placing +
           "density = 1000.0\n  [[body.material]]\n  model = \"stable_neo_hookean\"\n"
           "  youngs_modulus = " +
           std::to_string(shot.modulus) + "\n  poissons_ratio = 0.4\n";
  };
  std::string contact = contact_of(shot.frictions);
  contact.insert(contact.find("\"bodies\""), "\"self\", ");
  return settings_text({shot.step, 1e-6, {0, 0, -9.81}}) + contact +
         block("low", "translate = [0, 0, 0.0412]\n") +
         block("high", "rotate = " + list(shot.turned) + "translate = " + list(shot.place) +
                           "velocity = " + list(shot.velocity));
}

double kinetic_energy(const Simulator& simulator) {
  double sum = 0.0;
  for (std::size_t i = 0; i < simulator.state().velocities.size(); ++i)
    sum += 0.5 * simulator.system().masses()[i] * squared_norm(simulator.state().velocities[i]);
  return sum;
}

/// Bodies that a step puts back to where it began hang in the air, without any velocity.
void expect_motion(const Simulator& simulator, double energy_before) {
  EXPECT_GT(kinetic_energy(simulator), 1e-4 * energy_before);
}

/// Takes steps of a shot, none of which may stay unconverged.
void shoot(const Shot& shot, int steps) {
  SCOPED_TRACE(std::to_string(shot.frictions.floor) + " " + std::to_string(shot.step) + " " +
               std::to_string(shot.velocity.z));
  Simulator simulator = contact_simulator(text_of_shot(shot));
  const double before = kinetic_energy(simulator);
  for (int k = 0; k < steps; ++k) {
    run(simulator, 1);
    expect_motion(simulator, before);
  }
  EXPECT_EQ(crossings(simulator), 0);
  // Such impacts are chaotic: with other tolerances the last gap is 3e-5 to 1.4e-3 of the thickness.
  EXPECT_GT(smallest_gap(simulator), 1e-5 * thickness);
}

/// In the steps that press the lower body flat, gaps are some thousandths of the thickness, and no length of
/// a step of the law's own solve leads on.
TEST(BodyContactObstacles, HardImpactsWithFrictionOnBothConverge) {
  for (const Shot& shot :
       {Shot{{0.3, 0.4}, 0.005, {0, 0, -50.0}}, Shot{{0.3, 0.4}, 0.003, {0, 0, -40.0}, {0.02, 0.015, 0.3}},
        Shot{{0.3, 0.4}, 0.003, {0, 0, -50.0}}, Shot{{0.3, 0.4}, 0.01, {0, 0, -20.0}, {0.02, 0.015, 0.3}},
        Shot{{0.8, 0.4}, 0.005, {0, 0, -50.0}}})
    shoot(shot, 8);
}

double sum_over(const VectorArray& forces, const State& before, const State& after) {
  double sum = 0.0;
  for (std::size_t i = 0; i < forces.size(); ++i)
    sum += dot(forces[i], after.positions[i] - before.positions[i]);
  return sum;
}

/// In a converged step the energy changes by -Σ ½ m|Δv|², less what friction and obstacles take, and by
/// E(x') - E(x) - ∇E(x')·(x' - x) of each energy. The last is not positive for what is convex; it may raise
/// the energy where elements are pressed and turned. Nothing else may.
TEST(BodyContactObstacles, EnergyOfAHardImpactChangesByWhatAConvergedStepOfItsEnergiesDoes) {
  Simulator simulator = contact_simulator(text_of_shot(Shot{{0.5, 0.4}, 0.01, {2, 1, -26.0}}));
  auto& system = const_cast<System&>(simulator.system());
  double largest_raise = 0.0;
  for (int step = 0; step < 6; ++step) {
    const State before = simulator.state();
    const Energies old = simulator.energies();
    const double dissipation = simulator.work().dissipation;
    ASSERT_FALSE(simulator.step().capped);
    const State& after = simulator.state();
    VectorArray elastic(after.positions.size()), pairs(after.positions.size());
    std::vector<double> scales(after.positions.size());
    double bracket = 0.0, lost = 0.0;
    for (auto& energy : system.elastic) {
      energy->add_gradient(after.positions, elastic);
      bracket += energy->energy(after.positions) - energy->energy(before.positions);
    }
    bracket -= sum_over(elastic, before, after);
    largest_raise = std::max(largest_raise, bracket);
    add_body_contact_gradient(system, after.positions, pairs, scales);
    bracket += body_contact_energy(system, after.positions) - body_contact_energy(system, before.positions) -
               sum_over(pairs, before, after);
    for (std::size_t i = 0; i < after.velocities.size(); ++i)
      lost += 0.5 * system.masses()[i] * squared_norm(after.velocities[i] - before.velocities[i]);
    const double taken = simulator.work().dissipation - dissipation;
    EXPECT_NEAR(simulator.energies().total() - old.total(), bracket - lost - taken, 1e-5 * old.total())
        << step;
  }
  EXPECT_GT(largest_raise, 0.1);
}

Shot soft_shot() {
  return {{0.58, 0.98},
          0.005,
          {-7.181672479159529, -1.1832823472736083, -29.490758347678486},
          {0.05678962324023744, 0.011436608280391914, 0.3},
          {-40.83133024355057, 28.149258169105750, -46.35935760943159},
          29600.4514196267};
}

/// In this step the upper body comes near to the lower one, but not to touch it. Its way may not be gone at
/// once. If its vertices went parts of it that are their own, it would be crumpled, its parts through each
/// other, and stay so.
TEST(BodyContactObstacles, ABodyThatComesNearAnotherFliesOn) {
  for (const bool has_floor : {true, false}) {
    const Shot shot = soft_shot();
    std::string text = text_of_shot(shot);
    const std::size_t floor = text.find("[[obstacle]]");
    if (!has_floor) text.erase(floor, text.find("[[body]]") - floor);
    Simulator simulator = contact_simulator(text);
    const VectorArray before = simulator.state().positions;
    run(simulator, 1);
    EXPECT_EQ(crossings(simulator), 0) << has_floor;
    const Vec3 way = shot.step * (shot.velocity + shot.step * Vec3{0, 0, -9.81});
    for (auto i = static_cast<std::size_t>(simulator.system().assembly.body_offsets[1]); i < before.size();
         ++i)
      ASSERT_LT(norm(simulator.state().positions[i] - before[i] - way), 1e-5) << i << ", " << has_floor;
  }
}

/// Gaps are some thousandths of the thickness there.
TEST(BodyContactObstacles, AVerySoftBodyShotAtAnotherConverges) {
  shoot(soft_shot(), 6);
}

/// Some vertices of the lower body have no answer that sticks; springs let them slide, too.
TEST(BodyContactObstacles, AHardImpactOnAFloorThatSticksConverges) {
  shoot({{std::numeric_limits<double>::infinity(), 0.31},
         0.01,
         {2.6212771201369365, 2.665969171722534, -12.298602067020017},
         {-0.08498989827259297, -0.04761697166921939, 0.3},
         {45.18445156998966, -3.3708336769451748, -27.11419336635381},
         803023.6246939055},
        6);
}

TEST(BodyContactObstacles, HardImpactsHaveTheSameBitsInAnyThreadsAndParts) {
  const std::string text = text_of_shot(Shot{{0.3, 0.4}, 0.005, {0, 0, -50.0}});
  Simulator whole = contact_simulator(text);
  run(whole, 4);  // Springs have led on before and will again.
  const State middle = whole.state();
  run(whole, 3);
  for (const int threads : {1, 2, 3}) {
    Simulator resumed = contact_simulator(text, threads);
    resumed.restore(middle, {});
    run(resumed, 3);
    EXPECT_EQ(resumed.state().positions, whole.state().positions) << threads;
  }
}

TEST(BodyContactObstacles, HasTheSameBitsAtAnyNumberOfThreads) {
  std::vector<VectorArray> ends;
  for (const int threads : {1, 2, 3}) {
    Simulator simulator = contact_simulator(dropped(0.4, 1e5, 0.01, 2.0), threads);
    for (int k = 0; k < 12; ++k) simulator.step();
    ends.push_back(simulator.state().positions);
  }
  EXPECT_EQ(ends[1], ends[0]);
  EXPECT_EQ(ends[2], ends[0]);
}

TEST(BodyContactObstacles, GoesOnFromAStateAsIfItHadNeverStopped) {
  const std::string text = dropped(0.4, 1e5, 0.01, 2.0);
  Simulator whole = contact_simulator(text), resumed = contact_simulator(text);
  for (int k = 0; k < 8; ++k) whole.step();
  ASSERT_FALSE(whole.state().memory.find("pair_anchors").empty());
  const State middle = whole.state();
  for (int k = 0; k < 8; ++k) whole.step();
  resumed.restore(middle, {});
  for (int k = 0; k < 8; ++k) resumed.step();
  EXPECT_EQ(resumed.state().positions, whole.state().positions);
}

/// Three boxes one on another, on the exact floor and on a slab that is pinned wholly with its face there.
TEST(BodyContactObstacles, APileRestsOnTheFloorAsOnAFixedBody) {
  std::string pile;
  for (int b = 0; b < 3; ++b)
    pile += text_of(
        {"box" + std::to_string(b), {2, 2, 2}, 0.05, {0.004 * b, 0, 0.0515 + 0.101 * b}, 5.0 * b, "", 1e6});
  const std::string fixed =
      "  [[body.group]]\n  name = \"all\"\n  box = [[-9, -9, -9], [9, 9, 9]]\n  [[body.pin]]\n  group = "
      "\"all\"\n";
  std::string contact = contact_of({0.5, 0.5});
  const RunSettings settings{0.01, 1e-8, {0, 0, -9.81}};
  Simulator on_floor = contact_simulator(settings_text(settings) + contact + pile);
  contact.erase(contact.find("[[obstacle]]"));
  Simulator on_body = contact_simulator(settings_text(settings) + contact + pile +
                                        text_of({"ground", {3, 3, 1}, 0.1, {0, 0, -0.05}, 0.0, fixed}));
  run(on_floor, 150);
  run(on_body, 150);
  const std::size_t n = on_floor.state().positions.size();
  double off = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    off = std::max(off, norm(on_floor.state().positions[i] - on_body.state().positions[i]));
  EXPECT_LT(off, 0.1 * thickness);
  EXPECT_LT(norm(momentum_of(on_floor)), 1e-5);
}

/// The same scene with a floor that holds what touches it.
std::string on_sticking(std::string text) {
  for (std::size_t at = text.find("[[obstacle]]"), end; at != std::string::npos;
       at = text.find("[[obstacle]]", at + 1)) {
    text.insert(at + 13, "law = \"sticking\"\n");
    at = text.find("friction", at);
    end = text.find('\n', at);
    text.erase(at, end - at);
  }
  return text;
}

TEST(BodyContactObstacles, ABlockHoldsAndSlidesOnASlabThatAStickingFloorHolds) {
  for (const double share : {0.99, 1.01}) {
    const double angle = std::atan(0.5 * share);
    Simulator simulator = contact_simulator(on_sticking(block_on_slab(angle, {})));
    run(simulator, 30);
    const double before = speed_of(simulator, 1);
    run(simulator, 170);
    if (share < 1.0) {
      EXPECT_EQ(norm(momentum_of(simulator)), 0.0);
      const double weight = 9.81 * (mass_of(simulator, 0) + mass_of(simulator, 1));
      EXPECT_NEAR(norm(push_of_obstacles(simulator)), weight, 1e-6 * weight);
    } else {
      EXPECT_NEAR((speed_of(simulator, 1) - before) / 1.7, 9.81 * (std::sin(angle) - 0.5 * std::cos(angle)),
                  2e-4 * 9.81);
    }
  }
}

TEST(BodyContactObstacles, AStickingObstacleBringsABodyUpToAnother) {
  Simulator simulator = contact_simulator(on_sticking(lift(0.055)));
  for (int k = 0; k < 12; ++k) {
    run(simulator, 1);
    ASSERT_EQ(crossings(simulator), 0) << k;
  }
  run(simulator, 100);
  double least = 1.0;
  for (std::size_t i = 0; i < 16; ++i) least = std::min(least, simulator.state().positions[i].z);
  EXPECT_GE(least, 0.075);  // All of it was carried up.
  EXPECT_GT(normal_between_bodies(simulator), 1.0);
  Simulator ends = contact_simulator(on_sticking(lift(0.085)));
  EXPECT_THROW(for (int k = 0; k < 8; ++k) ends.step(), DivergenceError);
}

TEST(BodyContactObstacles, BesideStickingObstaclesRunsHaveTheSameBitsInAnyThreadsAndParts) {
  const std::string text = on_sticking(dropped(0.4, 1e5, 0.01, 2.0));
  std::vector<State> middles, ends;
  for (const int threads : {1, 3}) {
    Simulator simulator = contact_simulator(text, threads);
    run(simulator, 8);
    middles.push_back(simulator.state());
    run(simulator, 8);
    ends.push_back(simulator.state());
  }
  EXPECT_EQ(ends[1].positions, ends[0].positions);
  ASSERT_FALSE(middles[0].memory.find("pair_anchors").empty());
  Simulator resumed = contact_simulator(text);
  resumed.restore(middles[0], {});
  run(resumed, 8);
  EXPECT_EQ(resumed.state().positions, ends[0].positions);
}

}  // namespace
}  // namespace electret::test
