// The parameter registry: names, values, and pull as the transpose of write's derivative.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/assembly.hpp>
#include <electret/scene/overlaps.hpp>
#include <electret/scene/parameters.hpp>

#include "parameter_scene.hpp"

namespace electret::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Assembly scene() {
  return load(parameter_scene);
}

void append(std::vector<double>& all, const std::vector<double>& values) {
  all.insert(all.end(), values.begin(), values.end());
}
void append(std::vector<double>& all, const VectorArray& values) {
  for (const Vec3& v : values) append(all, std::vector{v.x, v.y, v.z});
}

/// The numbers of an assembly that a gradient has a slot for, except those of solids: written out, so that
/// `numbers` cannot mistake one array for another.
std::vector<double> flat(const Assembly& a) {
  std::vector<double> all;
  append(all, VectorArray{a.scene.gravity.value()});
  append(all, std::vector{a.scene.damping.drag, a.scene.damping.spring});
  append(all, a.masses);
  append(all, a.charges);
  append(all, a.rest_positions);
  append(all, a.initial_positions);
  append(all, a.initial_velocities);
  for (const Spring& s : a.springs) all.push_back(s.stiffness);
  for (const Spring& s : a.springs) all.push_back(s.rest_length);
  for (const auto& track : a.charge_tracks) append(all, track.charge.values);
  for (const auto& track : a.pin_tracks) append(all, track.offsets.values);
  for (const auto& track : a.load_tracks) append(all, track.forces);
  for (const auto& track : a.load_tracks) append(all, track.factor.values);
  for (const auto& track : a.external_charges) append(all, track.charge.values);
  for (const auto& track : a.external_charges) append(all, track.position.values);
  for (const auto& field : a.fields) append(all, field.constants);
  for (const GrabTrack& grab : a.grabs) all.push_back(grab.stiffness);
  for (const GrabTrack& grab : a.grabs) all.push_back(grab.damping);
  for (const GrabTrack& grab : a.grabs) append(all, grab.targets.values);
  for (const WaterTrack& water : a.waters) all.push_back(water.density);
  for (const WaterTrack& water : a.waters) append(all, VectorArray{water.velocity});
  for (const WaterTrack& water : a.waters) append(all, water.drag);
  for (const WaterTrack& water : a.waters) append(all, water.thrust);
  for (const BallContactTrack& balls : a.ball_contacts) all.push_back(balls.radius);
  for (const BallContactTrack& balls : a.ball_contacts) append(all, balls.stiffnesses);
  for (const BallContactTrack& balls : a.ball_contacts) append(all, balls.frictions);
  for (const ObstacleTrack& o : a.obstacles) append(all, VectorArray{o.surface.origin});
  for (const ObstacleTrack& o : a.obstacles) all.push_back(o.radius);
  for (const ObstacleTrack& o : a.obstacles) append(all, o.offsets.values);
  for (const ObstacleTrack& o : a.obstacles) append(all, o.rotations.values);
  for (const ObstacleTrack& o : a.obstacles) all.push_back(o.stiffness);
  for (const ObstacleTrack& o : a.obstacles) all.push_back(o.friction);
  for (const ObstacleTrack& o : a.obstacles) all.push_back(o.friction_stiffness);
  all.push_back(a.contact_friction);
  for (const ContactPairTrack& pair : a.contact_pairs) all.push_back(pair.friction);
  for (const CameraTrack& camera : a.cameras) append(all, VectorArray{camera.view.rotate});
  for (const CameraTrack& camera : a.cameras) append(all, VectorArray{camera.view.translate});
  for (const CameraTrack& camera : a.cameras) all.push_back(camera.view.zoom);
  return all;
}

/// Calls visit(number) for the numbers of an assembly or gradient, kind by kind.
template <class Some, class Visit>
void for_numbers(Some& some, const Assembly& assembly, Visit&& visit) {
  for (const NumberKind* kind : number_kinds())
    for (std::size_t index = 0; index < kind->arrays(assembly); ++index) {
      const auto array = numbers(some, {*kind, index});
      for (std::size_t k = 0; k < array.count; ++k) visit(array[k]);
    }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double norm(const std::vector<double>& a) {
  return std::sqrt(dot(a, a));
}

std::vector<std::string> names_of(const Assembly& assembly) {
  std::vector<std::string> names;
  for (const Parameter& p : parameters(assembly)) names.push_back(p.name);
  return names;
}

TEST(Parameters, KindsOfNumbersAreTheAssemblysArrays) {
  Assembly assembly = scene();
  std::vector<double> found;
  for_numbers(std::as_const(assembly), assembly, [&](double value) { found.push_back(value); });
  EXPECT_EQ(found, flat(assembly));
  for_numbers(assembly, assembly, [](double& value) { value = 2.0 * value + 1.0; });
  for (double& value : found) value = 2.0 * value + 1.0;
  EXPECT_EQ(flat(assembly), found);
}

TEST(Parameters, AreThoseOfTheScene) {
  EXPECT_THAT(
      names_of(scene()),
      ElementsAre("gravity", "damping.drag", "damping.spring", "body.a.mass", "body.b.mass", "body.a.masses",
                  "body.b.masses", "body.a.charge", "body.b.charge", "body.a.charges", "body.b.charges",
                  "body.a.positions", "body.b.positions", "body.a.velocity", "body.b.velocity",
                  "body.a.velocities", "body.b.velocities", "body.a.stiffness", "body.b.stiffness",
                  "body.a.stiffnesses", "body.b.stiffnesses", "body.a.rest_lengths", "body.b.rest_lengths",
                  "body.a.charge[left]", "body.a.charge[right].values", "body.a.pin[right].offsets",
                  "body.a.load.0.force", "body.a.load.1.forces", "body.b.load.0.forces",
                  "body.a.load.0.values", "body.b.load.0.values", "external_charge.0.charge",
                  "external_charge.1.values", "external_charge.0.position", "external_charge.1.positions",
                  "electric_field.0.a", "electric_field.0.b", "grab.0.stiffness", "grab.0.damping",
                  "grab.0.targets", "hydrodynamics.0.density", "hydrodynamics.0.velocity",
                  "hydrodynamics.0.drag", "hydrodynamics.0.thrust", "ball_contact.0.radius",
                  "ball_contact.0.stiffnesses", "ball_contact.0.frictions", "obstacle.floor.point",
                  "obstacle.ball.centre", "obstacle.ball.radius", "obstacle.floor.offsets",
                  "obstacle.floor.rotations", "obstacle.floor.stiffness", "obstacle.ball.stiffness",
                  "obstacle.floor.friction", "obstacle.floor.friction_stiffness", "camera.desk.rotate",
                  "camera.desk.translate", "camera.desk.zoom"));
  // Only what has an effect, or would if it were not 0.
  EXPECT_THAT(names_of(load(scene_with(""))),
              ElementsAre("gravity", "damping.drag", "body.a.mass", "body.a.masses", "body.a.charge",
                          "body.a.charges", "body.a.positions", "body.a.velocity", "body.a.velocities"));
}

TEST(Parameters, ThatTheSceneDoesNotWriteAreZeroAndCanBeWritten) {
  Assembly assembly = load(scene_with(""));
  const Parameter gravity = find_parameter(assembly, "gravity");
  EXPECT_THAT(gravity.read(assembly), ElementsAre(0, 0, 0));
  EXPECT_FALSE(assembly.scene.gravity.has_value());
  gravity.write(assembly, std::vector{1.0, 2.0, 3.0});
  EXPECT_EQ(assembly.scene.gravity, (Vec3{1, 2, 3}));
  EXPECT_THAT(find_parameter(assembly, "damping.drag").read(assembly), ElementsAre(0));
}

/// Each kind is in the scene above or in that of a solid, is called as its pattern says, and is described.
TEST(Parameters, EveryKindIsNamedByItsPattern) {
  const Assembly assembly = scene(),
                 solid = load(
                     with_material("[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1\nactivation = 1\n"
                                   "[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1\n"
                                   "times = [0, 1]\nvalues = [1, 0]\n"
                                   "[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1\n"
                                   "expression = \"1 + a*t\"\nconstants = { a = 1.0 }\n"
                                   "[[obstacle]]\nname = \"block\"\nshape = \"mesh\"\nmesh = "
                                   "\"block.obj\"\nlaw = \"penalty\"\nstiffness = 1\n"
                                   "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\n"
                                   "normal = [0, 0, 1]\n[contact]\nfriction = 0.5\n"
                                   "[[contact.pair]]\nbetween = [\"a\", \"floor\"]\nfriction = 0.3\n"));
  for (const ParameterRow& row : parameter_rows()) {
    EXPECT_FALSE(row.description.empty());
    std::string pattern = std::regex_replace(row.pattern, std::regex(R"([.\[\]])"), R"(\$&)");
    pattern = std::regex_replace(pattern, std::regex("NAME|GROUP"), "[a-z]+");
    pattern = std::regex_replace(pattern, std::regex("I"), "[0-9]+");
    auto found = row.find(assembly);
    if (found.empty()) found = row.find(solid);
    EXPECT_FALSE(found.empty()) << row.pattern;
    for (const Parameter& p : found)
      EXPECT_TRUE(std::regex_match(p.name, std::regex(pattern))) << p.name << " is no " << row.pattern;
  }
}

TEST(Parameters, TheirDocumentationHoldsTheTable) {
  const auto path = std::filesystem::path(ELECTRET_SOURCE_FOLDER) / "docs/parameters.md";
  std::ifstream file(path);
  std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "<!-- parameters: begin -->\n", end = "<!-- parameters: end -->";
  ASSERT_NE(page.find(begin), std::string::npos);
  ASSERT_NE(page.find(end), std::string::npos);
  const auto first = page.find(begin) + begin.size();
  const auto length = page.find(end) - first;
  if (std::getenv("ELECTRET_RENEW_DOCS") != nullptr) {
    std::ofstream(path) << page.replace(first, length, parameter_reference());
    GTEST_SKIP() << "docs/parameters.md was renewed";
  }
  EXPECT_EQ(page.substr(first, length), parameter_reference())
      << "renew the page: ELECTRET_RENEW_DOCS=1 test_scene --gtest_filter=Parameters.TheirDocumentation*";
}

TEST(Parameters, HaveTheScenesValues) {
  const Assembly assembly = scene();
  const auto read = [&](const char* name) { return find_parameter(assembly, name).read(assembly); };
  EXPECT_THAT(read("body.a.charge"), ElementsAre(1e-6));
  EXPECT_THAT(read("body.a.charge[left]"), ElementsAre(-3e-6));
  EXPECT_THAT(read("body.a.charge[right].values"), ElementsAre(1e-6, 2e-6, -1e-6));
  EXPECT_THAT(read("body.b.charges"), ElementsAre(1e-6, 2e-6, 0, 4e-6));
  EXPECT_THAT(read("body.b.stiffness"), ElementsAre(7.0));
  EXPECT_THAT(read("body.a.stiffness"), ElementsAre(9.0));  // the mean of 10 five times and 4
  EXPECT_THAT(read("body.a.stiffnesses"), ElementsAre(10, 10, 10, 10, 10, 4));
  EXPECT_THAT(read("body.b.rest_lengths"), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(read("body.a.mass"), ElementsAre(2.0));
  EXPECT_THAT(read("body.b.masses"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(read("body.b.positions"), ElementsAre(0, 0, 5, 1, 0, 5, 1, 1, 5, 0, 1, 5));
  EXPECT_THAT(read("body.a.velocity"), ElementsAre(1, 2, 3));
  EXPECT_THAT(read("body.b.velocities"), ElementsAre(1, 0, 0, 0, 2, 0, 0, 0, 3, 4, 0, 0));
  EXPECT_THAT(read("body.a.pin[right].offsets"), ElementsAre(0, 0, 0, 0, 0, 1, 0, 0, 2));
  EXPECT_THAT(read("body.a.load.0.force"), ElementsAre(0, 0, 1));
  EXPECT_THAT(read("body.a.load.0.values"), ElementsAre(0, 2, 1));
  EXPECT_THAT(read("body.a.load.1.forces"), ElementsAre(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(read("gravity"), ElementsAre(0.1, 0.2, -9.81));
  EXPECT_THAT(read("external_charge.0.charge"), ElementsAre(-42e-6));
  EXPECT_THAT(read("external_charge.0.position"), ElementsAre(2.0, 0.0, 0.5));
  EXPECT_THAT(read("external_charge.1.values"), ElementsAre(1e-6, 3e-6, 2e-6));
  EXPECT_THAT(read("external_charge.1.positions"), ElementsAre(0, 0, 9, 1, 0, 9, 1, 1, 9));
  EXPECT_THAT(read("electric_field.0.b"), ElementsAre(3.0));
  EXPECT_THAT(read("grab.0.stiffness"), ElementsAre(30.0));
  EXPECT_THAT(read("grab.0.damping"), ElementsAre(1.5));
  EXPECT_THAT(read("grab.0.targets"), ElementsAre(0, 0, 5, 1, 0, 6, 1, 1, 6));
  EXPECT_THAT(read("ball_contact.0.radius"), ElementsAre(0.25));
  EXPECT_THAT(read("ball_contact.0.stiffnesses"), ElementsAre(20.0, 30.0));
  EXPECT_THAT(read("ball_contact.0.frictions"), ElementsAre(0.5, 0.25));
  EXPECT_THAT(read("camera.desk.rotate"), ElementsAre(1.0, 2.0, 3.0));
  EXPECT_THAT(read("camera.desk.translate"), ElementsAre(0.1, 0.2, 0.3));
  EXPECT_THAT(read("camera.desk.zoom"), ElementsAre(1.5));
  EXPECT_THAT(read("damping.drag"), ElementsAre(0.3));
  EXPECT_THAT(read("damping.spring"), ElementsAre(0.2));
  EXPECT_THAT(read("obstacle.floor.point"), ElementsAre(0.0, 0.0, -1.0));
  EXPECT_THAT(read("obstacle.ball.centre"), ElementsAre(5.0, 0.0, 0.0));
  EXPECT_THAT(read("obstacle.ball.radius"), ElementsAre(0.5));
  EXPECT_THAT(read("obstacle.floor.offsets"), ElementsAre(0, 0, 0, 0, 0, -1, 1, 0, -1));
  EXPECT_THAT(read("obstacle.floor.rotations"), ElementsAre(0, 0, 0, 0, 0, 10, 0, 5, 10));
  EXPECT_THAT(read("obstacle.floor.stiffness"), ElementsAre(100.0));
  EXPECT_THAT(read("obstacle.ball.stiffness"), ElementsAre(200.0));
  EXPECT_THAT(read("obstacle.floor.friction"), ElementsAre(0.4));
  EXPECT_THAT(read("obstacle.floor.friction_stiffness"), ElementsAre(2.5));
}

TEST(Parameters, ReadBackWhatIsWrittenAndChangeNothingElse) {
  const Assembly before = scene();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(1.0, 2.0);
  for (const Parameter& p : parameters(before)) {
    Assembly written = before;
    p.write(written, p.read(before));
    EXPECT_EQ(flat(written), flat(before)) << p.name;
    std::vector<double> values(p.size());
    for (double& v : values) v = number(random);
    p.write(written, values);
    const auto read = p.read(written);
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(read[k], values[k], 1e-15) << p.name;
    std::size_t changed = 0;
    const auto old_numbers = flat(before), new_numbers = flat(written);
    for (std::size_t k = 0; k < old_numbers.size(); ++k) changed += old_numbers[k] != new_numbers[k] ? 1 : 0;
    EXPECT_EQ(changed, p.members.size() * p.columns) << p.name;
    EXPECT_THROW(p.write(written, std::vector<double>(p.size() + 1)), std::invalid_argument);
  }
}

TEST(Parameters, OfAnotherAssemblyAreACallersMistake) {
  const Assembly large = scene();
  Assembly small = large;
  small.masses.clear(), small.charges.clear(), small.springs.clear(), small.external_charges.clear();
  const AssemblyGradient gradient = AssemblyGradient::zero(small);
  std::size_t checked = 0;
  for (const Parameter& p : parameters(large)) {
    const NumberKind* kind = p.source.kind;
    if (kind != &number::masses && kind != &number::charges && kind != &number::spring_stiffness &&
        kind != &number::external_charge)
      continue;
    ++checked;
    EXPECT_THROW(static_cast<void>(p.read(small)), std::invalid_argument) << p.name;
    EXPECT_THROW(p.write(small, p.read(large)), std::invalid_argument) << p.name;
    EXPECT_THROW(static_cast<void>(p.pull(gradient)), std::invalid_argument) << p.name;
  }
  EXPECT_GE(checked, 4U);
}

/// <pull(G), d> = <G, d assembly/dθ d> for random G and d.
TEST(Parameters, PullIsTheTransposeOfWrite) {
  const Assembly assembly = scene();
  AssemblyGradient gradient = AssemblyGradient::zero(assembly);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> slots;
  for_numbers(gradient, assembly, [&](double& slot) { slots.push_back(slot = normal(random)); });
  ASSERT_EQ(slots.size(), flat(assembly).size());
  for (const Parameter& p : parameters(assembly)) {
    std::vector<double> direction(p.size());
    for (double& d : direction) d = normal(random);
    const auto moved = [&](double step) {
      std::vector<double> values = p.read(assembly);
      for (std::size_t k = 0; k < values.size(); ++k) values[k] += step * direction[k];
      Assembly changed = assembly;
      p.write(changed, values);
      return flat(changed);
    };
    constexpr double step = 1.0 / 64.0;
    std::vector<double> slope = moved(step);
    const std::vector<double> back = moved(-step);
    for (std::size_t k = 0; k < slope.size(); ++k) slope[k] = (slope[k] - back[k]) / (2.0 * step);
    EXPECT_GT(norm(slope), 0.0) << p.name;
    EXPECT_NEAR(dot(p.pull(gradient), direction), dot(slots, slope), 1e-11 * norm(slots) * norm(slope))
        << p.name;
  }
}

TEST(Parameters, OfCommonValueMoveAllByTheSameAmountWhereTheyDiffer) {
  Assembly assembly = scene();
  find_parameter(assembly, "body.a.stiffness").write(assembly, std::vector{10.0});
  EXPECT_THAT(find_parameter(assembly, "body.a.stiffnesses").read(assembly),
              ElementsAre(11, 11, 11, 11, 11, 5));
  // Where all are equal they are set, to the last bit.
  const double value = 0.1 + 0.2;
  find_parameter(assembly, "body.a.mass").write(assembly, std::vector{value});
  EXPECT_THAT(find_parameter(assembly, "body.a.masses").read(assembly),
              ElementsAre(value, value, value, value));
}

/// At an end of the range the least number is at its own end, whatever rounding does.
TEST(Parameters, OfCommonValueHaveTheRangeThatKeepsEachNumberInItsOwn) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> number(1.0, 2.0);
  for (int trial = 0; trial < 200; ++trial) {
    Assembly a = scene();
    for (Spring& spring : a.springs) spring.stiffness = std::ldexp(number(engine), trial % 30 - 10);
    for (double& mass : a.masses) mass = std::ldexp(number(engine), trial % 20 - 10);
    for (const char* name : {"body.a.stiffness", "body.a.mass"}) {
      const Parameter p = find_parameter(a, name);
      Parameter each = p;
      each.is_common = false;
      const NumberRange range = p.range_in(a);
      EXPECT_GT(range.minimum, 0.0);
      EXPECT_EQ(range.maximum, p.range.maximum);
      Assembly least = a;
      p.write(least,
              std::vector{p.range.minimum_excluded ? std::nextafter(range.minimum, 1e300) : range.minimum});
      const std::vector<double> values = each.read(least);
      const double smallest = *std::min_element(values.begin(), values.end());
      EXPECT_TRUE(p.range.contains(smallest)) << name << ' ' << smallest;
      EXPECT_LT(smallest, 1e-14 * p.read(a)[0]);
    }
  }
  Assembly springs = scene();
  for (std::size_t k = 0; k < springs.springs.size(); ++k)
    springs.springs[k].stiffness = k < 3 ? 10.0 : 100.0;
  const Parameter stiffness = find_parameter(springs, "body.a.stiffness");
  EXPECT_EQ(stiffness.range_in(springs).minimum, stiffness.read(springs)[0] - 10.0);
}

TEST(Parameters, ThatHoldTheSameNumbersAreFound) {
  const Assembly a = scene();
  const auto of = [&](const std::vector<std::string>& names) {
    std::vector<Parameter> list;
    for (const std::string& name : names) list.push_back(find_parameter(a, name));
    return overlapping(a, list);
  };
  EXPECT_THAT(of({"body.a.mass", "body.b.masses", "body.a.charge", "gravity"}), ::testing::IsEmpty());
  EXPECT_THAT(of({"body.a.masses", "gravity", "body.a.mass", "body.b.mass"}), ElementsAre(2U));
  EXPECT_THAT(of({"body.a.stiffness", "body.a.stiffnesses", "body.a.stiffness"}), ElementsAre(1U, 2U));
  EXPECT_THAT(of({"body.b.velocities", "body.b.velocity"}), ElementsAre(1U));
  EXPECT_THAT(of({"body.a.load.0.force", "body.a.load.1.forces", "body.a.load.0.values"}),
              ::testing::IsEmpty());
}

/// The body's own charge does not reach vertices that a group charge overrides, and the later of two entries
/// for one group is the one that counts.
TEST(Parameters, ChargesReachTheVerticesThatHaveThem) {
  Assembly assembly = scene();
  find_parameter(assembly, "body.a.charge").write(assembly, std::vector{5e-6});
  EXPECT_THAT(find_parameter(assembly, "body.a.charges").read(assembly), ElementsAre(1e-6, 1e-6, 1e-6, 5e-6));
  const Assembly twice =
      load(with_group_charge("value = 1\n[[body.group_charge]]\ngroup = \"g\"\nvalue = 2"));
  const Parameter charge = find_parameter(twice, "body.a.charge[g]");
  EXPECT_EQ(charge.source.index, 1U);
  EXPECT_THAT(charge.read(twice), ElementsAre(2.0));
  const Assembly all =
      load(scene_with("[[body.group]]\nname = \"g\"\nindices = [0, 1, 2, 3]\n[[body.group_charge]]\ngroup = "
                      "\"g\"\nvalue = 2"));
  EXPECT_THROW(find_parameter(all, "body.a.charge"), InputError);
}

TEST(Parameters, SayUnitRangeShapeAndScale) {
  const Assembly assembly = scene();
  const Parameter mass = find_parameter(assembly, "body.b.masses");
  EXPECT_EQ(mass.unit, "kg");
  EXPECT_EQ(mass.rows(), 4U);
  EXPECT_EQ(mass.columns, 1U);
  EXPECT_FALSE(mass.range.contains(0.0));
  EXPECT_EQ(mass.scale, ParameterScale::logarithmic);
  const Parameter velocity = find_parameter(assembly, "body.a.velocity");
  EXPECT_EQ(velocity.rows(), 1U);
  EXPECT_EQ(velocity.size(), 3U);
  EXPECT_EQ(velocity.scale, ParameterScale::linear);
  EXPECT_TRUE(find_parameter(assembly, "body.a.stiffness").range.contains(0.0));
  Assembly slack = assembly;
  slack.springs.front().stiffness = 0.0;
  EXPECT_EQ(find_parameter(slack, "body.a.stiffnesses").scale, ParameterScale::linear);
  EXPECT_EQ(find_parameter(slack, "body.b.stiffnesses").scale, ParameterScale::logarithmic);
}

TEST(Parameters, UnknownNamesAreFindingsWithCloseNames) {
  const auto message = [](const char* name) -> std::string {
    try {
      find_parameter(scene(), name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "found";
  };
  EXPECT_EQ(message("body.a.charge"), "found");
  EXPECT_THAT(message("body.a.chrges"),
              HasSubstr("the scene has no parameter \"body.a.chrges\"; did you mean "
                        "\"body.a.charges\"?"));
  EXPECT_THAT(message("nonsense"), HasSubstr("allowed: gravity, damping.drag, "));
}

/// A name that two of them have says neither.
TEST(Parameters, NamesThatTwoHaveAreFindings) {
  const auto body = [](const std::string& name, const char* place) {
    return "[[body]]\nname = \"" + name + "\"\ndensity = 1000\ntranslate = [" + place +
           ", 0, 0]\ngenerate = { shape = \"box\", cells = [1, 1, 1], cell_size = 0.1, element = \"tet\" }\n"
           "[[body.material]]\nmodel = \"corotated\"\nyoungs_modulus = 1e4\npoissons_ratio = 0.3\n"
           "[[body.springs]]\nstiffness = 100\n[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 5e3\n"
           "activation = 0.8\n";
  };
  const std::string time = "[time]\nstep = 0.1\nsteps = 1\n";
  const Assembly assembly = load(time + body("a", "0") + body("a.muscle.0", "1"));
  try {
    find_parameter(assembly, "body.a.muscle.0.stiffness");
    FAIL() << "one of two was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()),
                HasSubstr("the scene has two parameters \"body.a.muscle.0.stiffness\"; rename a body"));
  }
  EXPECT_NO_THROW(find_parameter(assembly, "body.a.stiffness"));
  EXPECT_NO_THROW(find_parameter(load(time + body("a", "0") + body("b", "1")), "body.a.muscle.0.stiffness"));
}

/// Two vertices, a charge and a grab, all moved by `x`.
Assembly moved_scene(double x) {
  const std::string place = std::to_string(x);
  return load("[time]\nstep = 0.1\nsteps = 1\n[[body]]\nname = \"b\"\nmass = 1\ntranslate = [" + place +
              ", 0, 0]\ngenerate = { shape = \"chain\", vertices = 2 }\n[[external_charge]]\n"
              "charge = 1e-6\nposition = [" +
              place +
              ", 3, 0]\n[[grab]]\nbody = \"b\"\nvertices = [0]\nstiffness = 1\n"
              "times = [0]\ntargets = [[" +
              place + ", 0, 1]]\n");
}

double size_of(const Assembly& assembly, const std::string& name) {
  const Parameter parameter = find_parameter(assembly, name);
  return typical_size(assembly, parameter, parameter.read(assembly));
}

TEST(TypicalSize, OfPlacesDoesNotDependOnTheOrigin) {
  const Assembly here = moved_scene(0.0);
  const Vec3 low = here.initial_positions[0], high = here.initial_positions[1];
  const double length = norm(high - low);
  EXPECT_NEAR(size_of(here, "body.b.positions"), length / std::sqrt(12.0), 1e-12);
  // A single place has the size of the scene: the three places about their mean, axis by axis.
  const Vec3 charge{0, 3, 0}, mean = (1.0 / 3.0) * (low + high + charge);
  const double scene_size =
      std::sqrt((squared_norm(low - mean) + squared_norm(high - mean) + squared_norm(charge - mean)) / 9.0);
  for (const char* name : {"external_charge.0.position", "grab.0.targets"})
    EXPECT_NEAR(size_of(here, name), scene_size, 1e-12) << name;
  for (const double far : {1e5, -1e6})
    for (const char* name : {"body.b.positions", "external_charge.0.position", "grab.0.targets"})
      EXPECT_NEAR(size_of(moved_scene(far), name), size_of(here, name), 1e-9) << name << ' ' << far;
}

TEST(TypicalSize, IsTheRootMeanSquareOfOtherValues) {
  const Assembly a = scene();
  EXPECT_NEAR(size_of(a, "body.a.velocity"), std::sqrt(14.0 / 3.0), 1e-12);
  EXPECT_EQ(size_of(a, "body.a.mass"), 2.0);
  // Offsets have a 0 of their own.
  EXPECT_NEAR(size_of(a, "body.a.pin[right].offsets"), std::sqrt(5.0 / 9.0), 1e-12);
  const Parameter charge = find_parameter(a, "body.a.charge"), mass = find_parameter(a, "body.a.mass");
  EXPECT_EQ(typical_size(a, charge, std::vector{0.0}), 1e-6);
  EXPECT_EQ(typical_size(a, mass, std::vector{0.0}), 1.0);
}

}  // namespace
}  // namespace electret::test
