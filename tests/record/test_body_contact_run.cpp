// What runs of bodies that touch each other keep, and that they go on from a checkpoint.

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include <electret/contact/body_contacts.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/body_energy.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/compare.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/ordered_file.hpp>
#include <electret/record/export.hpp>
#include <electret/record/summary.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret::test {
namespace {

/// A jelly that falls obliquely onto a slab whose base is pinned.
Assembly falling_jelly() {
  return assemble(parse_scene(R"(
[time]
step = 0.01
steps = 16
[output]
every = 2
[gravity]
acceleration = [0.0, 0.0, -9.81]
[contact]
against = ["bodies"]
thickness = 0.002
friction = 0.4
[[body]]
name = "slab"
generate = { shape = "box", cells = [3, 3, 1], cell_size = 0.05 }
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
  [[body.group]]
  name = "base"
  box = [[-1.0, -1.0, -0.026], [1.0, 1.0, -0.024]]
  [[body.pin]]
  group = "base"
[[body]]
name = "jelly"
generate = { shape = "box", cells = [1, 1, 1], cell_size = 0.05 }
translate = [0.013, 0.007, 0.058]
velocity = [0.3, 0.0, -0.4]
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
)",
                              "scene.toml", "."));
}

TEST(BodyContactRun, KeepsTheSmallestGapAndTheWorkOfFriction) {
  const TemporaryFolder folder;
  run_to_directory(compile(falling_jelly(), 1), folder / "run", {});
  const RunResult result = read_summary(folder / "run/summary.json");
  ASSERT_TRUE(result.body_contact.has_value());
  EXPECT_FALSE(result.contact.has_value());
  EXPECT_EQ(result.body_contact->unconverged_steps, 0);
  EXPECT_GT(result.body_contact->smallest_gap, 0.0);
  Simulator simulator(compile(falling_jelly(), 1));
  double smallest = 0.002, taken = 0.0;
  for (int step = 0; step < 16; ++step) {
    simulator.step();
    smallest = std::min(smallest, simulator.system().body_contacts->state().smallest_gap);
    taken += simulator.system().body_contacts->state().work;
  }
  EXPECT_LT(smallest, 0.002);
  EXPECT_EQ(result.body_contact->smallest_gap, smallest);
  EXPECT_GT(taken, 0.0);
  EXPECT_EQ(result.body_contact->friction_work, taken);
  // Nothing else takes energy: the account has the work less what slips keep.
  EXPECT_NEAR(simulator.work().dissipation, taken - slip_energy(simulator.system(), simulator.state()),
              1e-12 * taken);
}

/// Two cubes of 1 kg, keys of the first, and the place and more keys of the second.
Assembly two_cubes(const std::string& base, const std::string& more, const std::string& place, double modulus,
                   int steps) {
  const auto cube = [&](const std::string& name, const std::string& rest) {
    return "[[body]]\nname = \"" + name +
           "\"\ngenerate = { shape = \"box\", cells = [2, 2, 2], cell_size = 0.05 }\ndensity = 1000.0\n" +
           rest + "  [[body.material]]\n  model = \"stable_neo_hookean\"\n  youngs_modulus = " +
           std::to_string(modulus) + "\n  poissons_ratio = 0.3\n";
  };
  return assemble(parse_scene("[time]\nstep = 0.01\nsteps = " + std::to_string(steps) +
                                  "\n[contact]\nagainst = [\"bodies\"]\nthickness = 0.001\nfriction = 0.5\n" +
                                  cube("first", base) + cube("second", "translate = " + place + "\n" + more),
                              "scene.toml", "."));
}

/// The warnings of a run that contain `what`.
std::vector<std::string> told(const RunResult& result, const std::string& what) {
  std::vector<std::string> found;
  for (const std::string& text : result.warnings)
    if (text.find(what) != std::string::npos) found.push_back(text);
  return found;
}

TEST(BodyContactRun, TellsOnceOfBodiesThatWentThroughEachOther) {
  const TemporaryFolder folder;
  run_to_directory(compile(two_cubes("", "velocity = [-50.0, 0.0, 0.0]\n", "[0.12, 0.0, 0.0]", 1e6, 3), 1),
                   folder / "run", {});
  const RunResult result = read_summary(folder / "run/summary.json");
  EXPECT_EQ(result.body_contact->passing_steps, 1);
  EXPECT_EQ(result.body_contact->touching_steps, 0);
  const std::vector<std::string> texts = told(result, "went through");
  ASSERT_EQ(texts.size(), 1U);
  // Which of the two it names first is the pair's.
  for (const char* part : {"\"first\"", "\"second\"", " in step 1"})
    EXPECT_NE(texts[0].find(part), std::string::npos) << texts[0];
  EXPECT_NE(texts[0].find("a step of about 0.001 s"), std::string::npos) << texts[0];
}

/// A heavy weight on soft cubes presses them to a part of the thickness.
TEST(BodyContactRun, TellsOnceOfBodiesThatPressEachOtherTooHard) {
  const TemporaryFolder folder;
  const auto run = [&](double modulus, const std::string& name) {
    const std::string falls =
        "  [[body.group]]\n  name = \"all\"\n  box = [[-1, -1, -1], [1, 1, 1]]\n"
        "  [[body.load]]\n  group = \"all\"\n  force = [0.0, 0.0, -1.0]\n";
    const std::string held =
        "  [[body.group]]\n  name = \"base\"\n  box = [[-1, -1, -1], [1, 1, -0.04]]\n"
        "  [[body.pin]]\n  group = \"base\"\n";
    Assembly assembly = two_cubes(held, falls, "[0.0, 0.0, 0.101]", modulus, 130);
    run_to_directory(compile(std::move(assembly), 1), folder / name, {});
    return read_summary(folder / (name + "/summary.json"));
  };
  const RunResult soft = run(3e4, "soft"), stiff = run(1e6, "stiff");
  EXPECT_GE(soft.body_contact->pressed_steps, 100);
  EXPECT_EQ(told(soft, "press each other to less than half").size(), 1U);
  EXPECT_EQ(stiff.body_contact->pressed_steps, 0);
  EXPECT_TRUE(told(stiff, "press each other").empty());
  EXPECT_GT(stiff.body_contact->touching_steps, 100);
}

/// The pairs of each frame, with forces that make up the change of the jelly's momentum.
TEST(BodyContactRun, FramesHoldWhatPairsPushWith) {
  const TemporaryFolder folder;
  run_to_directory(compile(falling_jelly(), 1), folder / "run", {});
  const TrajectoryReader run(folder / "run/trajectory.h5");
  ASSERT_TRUE(run.has_contact_pairs() && !run.has_contacts());
  EXPECT_TRUE(run.contact_pairs(0).empty());
  Simulator simulator(compile(falling_jelly(), 2));
  std::istringstream table(read_file(folder / "run/observables.csv"));
  std::string row;
  std::getline(table, row);
  EXPECT_TRUE(row.ends_with("smallest_charge_distance,contact_energy")) << row;
  std::getline(table, row);
  EXPECT_TRUE(row.ends_with(",inf,0")) << row;
  const Index jelly = static_cast<Index>(simulator.system().assembly.body_offsets[1]);
  const auto momentum = [&] {
    Vec3 sum;
    for (Index i = jelly; i < simulator.system().vertex_count(); ++i)
      sum += simulator.system().masses()[static_cast<std::size_t>(i)] *
             simulator.state().velocities[static_cast<std::size_t>(i)];
    return sum;
  };
  std::size_t pushed = 0, slipping = 0, parted = 0;
  for (Count frame = 1; frame < run.frames(); ++frame) {
    simulator.step();
    const Vec3 before = momentum();
    simulator.step();
    const std::vector<PairForce> kept = run.contact_pairs(frame);
    const auto& now = simulator.system().body_contacts->state().forces;
    ASSERT_EQ(kept.size(), now.size()) << frame;
    Vec3 on_jelly;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      EXPECT_EQ(kept[k].pair, now[k].pair);
      EXPECT_EQ(kept[k].gap, now[k].gap);
      EXPECT_EQ(kept[k].friction, now[k].friction);
      EXPECT_EQ(kept[k].slips, now[k].slips);
      EXPECT_NEAR(kept[k].normal, now[k].normal, 1e-15 * now[k].normal);
      EXPECT_NEAR(kept[k].tangential, norm(now[k].friction), 1e-15 * now[k].tangential);
      EXPECT_TRUE(k == 0 || kept[k - 1].pair < kept[k].pair);
      const Vec3 push = now[k].normal * now[k].direction + now[k].friction;
      on_jelly += now[k].pair.vertices[0] >= jelly ? push : -push;
      slipping += now[k].slips ? 1 : 0;
      parted += now[k].normal == 0.0 ? 1 : 0;
    }
    pushed += kept.size();
    const Vec3 gravity{0.0, 0.0, -9.81 * 0.125};
    EXPECT_LT(norm(on_jelly + gravity - (1.0 / 0.01) * (momentum() - before)), 1e-5) << frame;
    std::getline(table, row);
    const double energy = std::strtod(row.c_str() + row.rfind(',') + 1, nullptr);
    EXPECT_EQ(energy, body_contact_energy(simulator.system(), simulator.state().positions));
    EXPECT_EQ(energy > 0.0,
              std::any_of(now.begin(), now.end(), [](const PairForce& force) { return force.normal > 0.0; }));
  }
  EXPECT_GT(pushed, 20U);
  EXPECT_GT(slipping, 3U);
  EXPECT_GT(parted, 0U);
  // Nothing is left of a step that leads nowhere else.
  simulator.restart();
  EXPECT_TRUE(simulator.system().body_contacts->state().forces.empty());
}

TEST(BodyContactRun, PairsAreExportedPerVertex) {
  const TemporaryFolder folder;
  run_to_directory(compile(falling_jelly(), 1), folder / "run", {});
  const TrajectoryReader run(folder / "run/trajectory.h5");
  export_run(folder / "run", "csv", folder / "csv");
  const auto offset = static_cast<std::size_t>(run.body_offsets()[1]);
  std::istringstream table(read_file(folder / "csv/jelly.csv"));
  std::string row;
  std::getline(table, row);
  EXPECT_TRUE(row.ends_with(",bx,by,bz")) << row;
  double largest = 0.0;
  for (Count f = 0; f < run.frames(); ++f) {
    Vec3 expected, sum;
    for (const PairForce& force : run.contact_pairs(f)) {
      const Vec3 push = force.normal * force.direction + force.friction;
      expected += static_cast<std::size_t>(force.pair.vertices[0]) >= offset ? push : -push;
    }
    for (auto v = offset; v < static_cast<std::size_t>(run.vertices()); ++v) {
      std::getline(table, row);
      std::vector<double> numbers;
      std::istringstream cells(row);
      for (std::string cell; std::getline(cells, cell, ',');)
        numbers.push_back(std::strtod(cell.c_str(), nullptr));
      const std::size_t n = numbers.size();
      const Vec3 own{numbers[n - 3], numbers[n - 2], numbers[n - 1]};
      sum += own;
      EXPECT_TRUE(run.positions(f)[v].z < 0.06 || own == Vec3{}) << "a vertex above";
    }
    EXPECT_LT(norm(sum - expected), 1e-12 * (1.0 + norm(expected))) << f;
    largest = std::max(largest, norm(sum));
  }
  EXPECT_GT(largest, 1.0);
  for (const char* format : {"vtu", "vtp"}) {
    export_run(folder / "run", format, folder / format);
    const std::string file = read_file(folder / (std::string(format) + "/jelly_0005." + format));
    EXPECT_NE(file.find("type=\"Float64\" Name=\"body_contact_force\" NumberOfComponents=\"3\""),
              std::string::npos);
  }
}

TEST(BodyContactRun, IsComparedByPairs) {
  const TemporaryFolder folder;
  run_to_directory(compile(falling_jelly(), 1), folder / "a", {});
  run_to_directory(compile(falling_jelly(), 1), folder / "same", {});
  Assembly smooth = falling_jelly();
  smooth.contact_friction = 0.1;
  run_to_directory(compile(std::move(smooth), 1), folder / "smooth", {});
  const RunDifference same = compare(folder / "a", folder / "same");
  ASSERT_TRUE(same.pairs.has_value());
  EXPECT_TRUE(same.pairs->forces.identical && same.pairs->other_pairs == 0 && same.identical());
  const RunDifference other = compare(folder / "a", folder / "smooth");
  ASSERT_TRUE(other.pairs.has_value());
  EXPECT_FALSE(other.identical());
  const TrajectoryReader a(folder / "a/trajectory.h5"), b(folder / "smooth/trajectory.h5");
  Count others = 0, first = -1;
  for (Count f = 0; f < a.frames(); ++f) {
    const auto one = a.contact_pairs(f), two = b.contact_pairs(f);
    const auto count_missing = [](const auto& from, const auto& in) {
      return std::count_if(from.begin(), from.end(), [&](const PairForce& force) {
        return std::none_of(in.begin(), in.end(),
                            [&](const PairForce& each) { return each.pair == force.pair; });
      });
    };
    Count own = count_missing(one, two) + count_missing(two, one);
    for (const PairForce& force : one)
      own += std::any_of(
                 two.begin(), two.end(),
                 [&](const PairForce& each) { return each.pair == force.pair && each.slips != force.slips; })
                 ? 1
                 : 0;
    others += own;
    if (own > 0 && first < 0) first = f;
  }
  EXPECT_EQ(other.pairs->other_pairs, others);
  EXPECT_GT(others, 0);
  ASSERT_TRUE(other.pairs->first_pair.has_value());
  EXPECT_EQ(other.pairs->first_pair->frame, first);
  EXPECT_GT(other.pairs->forces.largest, 0.01);
  const RunDescription described = describe(folder / "a");
  ASSERT_EQ(described.body_contacts.size(), 1U);
  EXPECT_EQ(described.body_contacts[0].first, "slab");
  EXPECT_EQ(described.body_contacts[0].second, "jelly");
  EXPECT_LT(described.body_contacts[0].force.z, 0.0);
}

TEST(BodyContactRun, AnotherNumberInAFrameIsFoundByResumeAndByTheReader) {
  const TemporaryFolder folder;
  StopAfter stop(12);
  run_to_directory(compile(falling_jelly(), 1), folder / "run", stop.options);
  make_killed(folder / "run/checkpoint.h5");
  const auto put = [&](const char* name, double value) {
    hdf5::OrderedFile file(folder / "run/trajectory.h5", hdf5::OrderedFile::Mode::modify);
    hdf5::Handle rows = hdf5::open_growing(file.id(), name);
    hdf5::append_rows(rows.get(), hdf5::shape_of(file.id(), name).at(0) - 1, 1, std::span(&value, 1));
    rows.close();
    file.close();
  };
  put("contact_pairs/gaps", 0.001);
  EXPECT_NE(message_of<UnreadableError>([&] {
              run_to_directory(compile(falling_jelly(), 1), folder / "run", resumed());
            }).find("their sum is another"),
            std::string::npos);
  put("contact_pairs/kinds", 2.0);
  const TrajectoryReader run(folder / "run/trajectory.h5");
  EXPECT_NE(message_of<UnreadableError>([&] {
              (void)run.contact_pairs(run.frames() - 1);
            }).find("contact_pairs/kinds has a number that is no kind"),
            std::string::npos);
}

TEST(BodyContactRun, GoesOnInTheMiddleOfSliding) {
  const TemporaryFolder folder;
  run_to_directory(compile(falling_jelly(), 1), folder / "whole", {});
  for (const bool killed : {false, true}) {
    const std::string part = folder / (killed ? "killed" : "stopped");
    StopAfter stop(9);
    run_to_directory(compile(falling_jelly(), 1), part, stop.options);
    if (killed) make_killed(part + "/checkpoint.h5");
    run_to_directory(compile(falling_jelly(), 3), part, resumed());
    expect_same_run(folder / "whole", part);
    EXPECT_TRUE(compare(folder / "whole", part).identical());
    const RunResult whole = read_summary(folder / "whole/summary.json");
    const RunResult both = read_summary(part + "/summary.json");
    EXPECT_EQ(whole.body_contact->smallest_gap, both.body_contact->smallest_gap);
    EXPECT_EQ(whole.body_contact->friction_work, both.body_contact->friction_work);
  }
}

/// The column elastic holds what elements, repulsion and slips have together.
TEST(BodyContactRun, EnergiesHoldThoseOfRepulsionAndSlips) {
  Simulator simulator(compile(falling_jelly(), 1));
  for (int step = 0; step < 10; ++step) simulator.step();
  auto& system = const_cast<System&>(simulator.system());
  const VectorArray x = simulator.state().positions;
  const double repulsion = body_contact_energy(system, x);
  EXPECT_GT(repulsion, 0.0);
  EXPECT_NEAR(repulsion, system.body_contacts->state().energy, 1e-12 * repulsion);
  double elements = 0.0;
  for (auto& energy : system.elastic) elements += energy->energy(x);
  const double stored = system.body_contacts->state().stored;
  EXPECT_GT(stored, 0.0);
  EXPECT_NEAR(simulator.energies().elastic, elements + repulsion + stored, 1e-12 * (elements + repulsion));
}

/// Its derivatives by places against differences, and by the scales: E_c is linear in all of them together.
TEST(BodyContactRun, DerivativesOfTheRepulsionAreThoseOfDifferences) {
  Simulator simulator(compile(falling_jelly(), 1));
  for (int step = 0; step < 10; ++step) simulator.step();
  auto& system = const_cast<System&>(simulator.system());
  VectorArray x = simulator.state().positions, by_places(x.size());
  std::vector<double> by_scales(x.size());
  add_body_contact_gradient(system, x, by_places, by_scales);
  const double energy = body_contact_energy(system, x);
  EXPECT_GT(energy, 0.0);
  double linear = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) linear += by_scales[i] * system.body_contacts->scales()[i];
  EXPECT_NEAR(linear, energy, 1e-12 * energy);
  double largest = 0.0;
  for (const Vec3& g : by_places) largest = std::max(largest, norm(g));
  for (std::size_t i = 0; i < x.size(); i += 3)
    for (int axis = 0; axis < 3; ++axis) {
      constexpr double step = 1e-7;
      const double at = x[i][axis];
      x[i][axis] = at + step;
      const double above = body_contact_energy(system, x);
      x[i][axis] = at - step;
      const double below = body_contact_energy(system, x);
      x[i][axis] = at;
      EXPECT_NEAR(by_places[i][axis], (above - below) / (2.0 * step), 1e-5 * largest);
    }
}

}  // namespace
}  // namespace electret::test
