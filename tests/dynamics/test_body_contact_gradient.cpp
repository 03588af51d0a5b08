// Gradients through contact between bodies against central differences of whole runs, along the gradient and
// along random directions.

#include <limits>

#include <gtest/gtest.h>

#include <electret/dynamics/compile_gradient.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/pair_memory.hpp>
#include <electret/dynamics/stage/surface_potential.hpp>

#include "dynamics/body_contact_scenes.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

/// What a run starts from.
struct Start {
  Assembly assembly;
  BodyContactOptions contact;
};

/// ℒ = Σ c·x + d·v of the last state, with random c and d.
class RecordedRun {
 public:
  RecordedRun(const Start& from, int steps) : system_(compile(from.assembly, 1)) {
    let_bodies_touch(*system_, from.contact);
    integrator_ = make_integrator(*system_, from.assembly.scene.integrator);
    VectorArray reactions(system_->pins.size());
    states_.push_back(initial_state(*system_));
    for (Count k = 0; k < steps; ++k) {
      StepInputs& step = inputs_.emplace_back();
      system_->schedule.evaluate(system_->time(k), step.start);
      system_->schedule.evaluate(system_->time(k + 1), step.end);
      State next = states_.back();
      const StepReport report = integrator_->step(next, step, reactions, &tapes_.emplace_back());
      EXPECT_FALSE(report.capped || report.failed);
      next.step = k + 1;
      states_.push_back(std::move(next));
    }
    by_positions_ = random_vectors(states_[0].positions.size(), 7);
    by_velocities_ = random_vectors(states_[0].positions.size(), 8, 0.1);
  }

  [[nodiscard]] double loss() const {
    return dot(by_positions_, states_.back().positions) + dot(by_velocities_, states_.back().velocities);
  }

  AssemblyGradient gradient(double& by_friction) {
    ParameterGradients parameters = ParameterGradients::zero(*system_);
    AssemblyGradient result = AssemblyGradient::zero(system_->assembly);
    StepCotangent c = StepCotangent::zero(states_.back(), integrator_->memory_layout());
    c.positions = by_positions_;
    c.velocities = by_velocities_;
    for (std::size_t k = inputs_.size(); k-- > 0;) {
      StepInputGradients by_inputs{
          InputGradients::zero(inputs_[k].start), InputGradients::zero(inputs_[k].end), {}};
      const AdjointReport report = integrator_->step_backward(
          {states_[k], states_[k + 1], inputs_[k], tapes_[k]}, c, {by_inputs, parameters});
      EXPECT_LE(report.residual, 1e-9);
      system_->schedule.add_gradient(inputs_[k].start.time, by_inputs.start, result);
      system_->schedule.add_gradient(inputs_[k].end.time, by_inputs.end, result);
    }
    add_initial_state_gradient(*system_, c, result);
    add_parameter_gradients(*system_, parameters, result);
    by_friction = parameters.body_frictions[0][0];
    return result;
  }

  /// The largest |spread - 1| of any pair that slips in any step.
  [[nodiscard]] double largest_spread() const {
    SurfacePotential potential(*system_->body_contacts, *system_->threads);
    std::vector<PairAnchor> anchors;
    double most = 0.0;
    for (std::size_t k = 0; k + 1 < states_.size(); ++k) {
      const VectorArray& start = states_[k].positions;
      read_anchors(states_[k].memory, start.size(), anchors);
      potential.begin_step(start, states_[k + 1].positions, anchors);
      VectorArray moved(start.size());
      for (std::size_t i = 0; i < start.size(); ++i) moved[i] = states_[k + 1].positions[i] - start[i];
      potential.evaluate(states_[k + 1].positions, moved);
      for (const FrictionPair& own : potential.friction().pairs())
        if (own.map.slips) most = std::max(most, std::abs(own.spread - 1.0));
    }
    return most;
  }

 private:
  std::unique_ptr<System> system_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<State> states_;
  std::vector<StepInputs> inputs_;
  std::vector<StepTape> tapes_;
  VectorArray by_positions_, by_velocities_;
};

struct Scene {
  std::string name;
  std::string text;
  BodyContactOptions contact;
  int steps;
  friend void PrintTo(const Scene& s, std::ostream* out) { *out << s.name; }
};

/// A block on a slab, pressed into it so that it touches from the start.
std::string block_on_slab(double angle, const std::string& more = "") {
  RunSettings settings{0.01, 1e-13, {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)}};
  const BoxBody slab{"slab", {4, 4, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025), 1e5};
  const BoxBody block{"block", {2, 2, 1}, 0.04, {0.003, 0.002, 0.025 + 0.95e-3 + 0.02}, 17.0, more, 1e5};
  return settings_text(settings) + text_of(slab) + text_of(block);
}

/// A block that slides along the line between two halves of a slab, one of which is five times as stiff. The
/// thickness is large, so that terms at the edges between the halves push vertices of the block, too.
std::string block_between_halves() {
  RunSettings settings{0.01, 1e-13, {0.5, 0.3, -9.81}};
  const BoxBody slab{"slab", {2, 2, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025), 1e5};
  const BoxBody block{
      "block", {2, 2, 1}, 0.04, {0.003, 0.002, 0.025 + 0.8e-2 + 0.02}, 17.0, "velocity = [0.03, 0.5, 0]\n",
      1e5};
  const std::string halves =
      "  [[body.element_group]]\n  name = \"left\"\n  box = [[-9, -9, -9], [0, 9, 9]]\n"
      "  [[body.element_group]]\n  name = \"right\"\n  box = [[0, -9, -9], [9, 9, 9]]\n"
      "  [[body.material]]\n  group = \"right\"\n  model = \"stable_neo_hookean\"\n"
      "  youngs_modulus = 5e5\n  poissons_ratio = 0.4\n";
  std::string of_slab = text_of(slab);
  const std::string material = "  [[body.material]]\n";
  of_slab.replace(of_slab.find(material), material.size(), halves + material + "  group = \"left\"\n");
  return settings_text(settings) + of_slab + text_of(block);
}

std::string tumbling() {
  const BoxBody slab{"slab", {3, 3, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025), 1e5};
  BoxBody cube{"cube", {2, 2, 2}, 0.03, {0.004, 0.003, 0.025 + 0.06}, 17.0, "velocity = [0.3, 0.1, -1.0]\n",
               3e4};
  std::string text = settings_text({0.005, 1e-13, {0, 0, -9.81}}) + text_of(slab) + text_of(cube);
  // It comes down on a corner.
  const std::string upright = "rotate = [0.0, 0.0, 17.000000]";
  return text.replace(text.find(upright), upright.size(), "rotate = [25.0, 31.0, 17.0]");
}

/// Two cubes that meet obliquely, rub and turn: closest features change while friction acts.
std::string two_cubes() {
  BoxBody low{"low", {2, 2, 2}, 0.05, {0, 0, 0}, 0.0, "velocity = [0.0, 0.0, 1.0]\n", 1e5};
  BoxBody high{"high", {2, 2, 2}, 0.05, {0.03, 0.02, 0.145}, 11.0, "velocity = [0.4, 0.1, -1.0]\n", 2e5};
  std::string text = settings_text({0.005, 1e-13, {0, 0, 0}}) + text_of(low) + text_of(high);
  const std::string upright = "rotate = [0.0, 0.0, 11.000000]";
  return text.replace(text.find(upright), upright.size(), "rotate = [20.0, 31.0, 11.0]");
}

/// A sheet of springs that falls over the edge of a block, with friction on it and on itself.
std::string drape() {
  return settings_text({0.01, 1e-13, {0.3, 0.2, -9.81}}) +
         text_of(BoxBody{"block", {2, 2, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025), 1e5}) +
         "[[body]]\nname = \"sheet\"\ngenerate = { shape = \"grid\", rows = 6, columns = 6, width = 0.13, "
         "height = 0.12 }\nrotate = [4, 3, 21]\ntranslate = [0.047, 0.013, 0.035]\ntotal_mass = 0.004\n"
         "  [[body.springs]]\n  from = \"edges\"\n  stiffness = 20.0\n"
         "  [[body.springs]]\n  from = \"diagonals\"\n  stiffness = 10.0\n";
}

/// A charged block that a charged slab holds on a slope.
std::string charged_block() {
  RunSettings settings{0.01, 1e-13, {3.0, 0.4, -9.0}};
  const BoxBody slab{"slab", {2, 2, 1}, 0.05, {0, 0, 0}, 0.0, "charge = 2e-7\n" + pinned_below(-0.025), 1e5};
  const BoxBody block{"block", {1, 1, 1},          0.04, {0.003, 0.002, 0.025 + 0.95e-3 + 0.02},
                      17.0,    "charge = -1e-7\n", 1e5};
  return settings_text(settings) + "[coulomb]\nsoftening = 0.02\n" + text_of(slab) + text_of(block);
}

std::vector<Scene> scenes() {
  return {{"slide", block_on_slab(0.6, "velocity = [0.1, 0.02, 0]\n"), {.friction = 0.3}, 5},
          {"hold", block_on_slab(0.2), {.friction = 0.8}, 5},
          {"without_friction", block_on_slab(0.2, "velocity = [0.1, 0.02, 0]\n"), {.friction = 0.0}, 5},
          {"between_halves", block_between_halves(), {.thickness = 1e-2, .friction = 0.3}, 5},
          {"tumbling", tumbling(), {.friction = 0.4}, 8},
          {"two_cubes", two_cubes(), {.thickness = 2e-3, .friction = 0.4}, 20},
          {"drape", drape(), {.thickness = 2e-3, .friction = 0.4, .touch_themselves = true}, 14},
          {"charged", charged_block(), {.friction = 0.6}, 5}};
}

class BodyContactGradient : public testing::TestWithParam<Scene> {
 protected:
  Start start_{assemble(parse_scene(GetParam().text, "scene.toml", ".")), GetParam().contact};

  /// Compares along the gradient itself and along a random direction.
  void compare(NumberId kind, double step) {
    RecordedRun run(start_, GetParam().steps);
    double by_friction = 0.0;
    AssemblyGradient gradient = run.gradient(by_friction);
    const Numbers<double> slopes = numbers(gradient, kind);
    double size = 0.0;
    for (std::size_t k = 0; k < slopes.count; ++k) size += slopes[k] * slopes[k];
    size = std::sqrt(size);
    ASSERT_GT(size, 0.0);
    for (const bool along : {true, false}) {
      const auto random = random_numbers(slopes.count, 31, -1.0, 1.0);
      std::vector<double> direction(slopes.count);
      double expected = 0.0;
      for (std::size_t k = 0; k < slopes.count; ++k) {
        direction[k] = along ? slopes[k] / size : random[k] / std::sqrt(static_cast<double>(slopes.count));
        expected += slopes[k] * direction[k];
      }
      const auto at = [&](double s) {
        Start moved = start_;
        const Numbers<double> values = numbers(moved.assembly, kind);
        for (std::size_t k = 0; k < values.count; ++k) values[k] += s * direction[k];
        return RecordedRun(moved, GetParam().steps).loss();
      };
      // Rounding spoils small steps, kinks large ones.
      double error = std::numeric_limits<double>::infinity();
      for (const double factor : {10.0, 3.0, 1.0, 0.1, 0.01, 0.003})
        error = std::min(error, std::abs(derivative(at, factor * step) - expected));
      EXPECT_LE(error, 1e-6 * (along ? 1.0 : 0.3) * size) << along << ", " << error / size;
    }
  }
};

TEST_P(BodyContactGradient, ByInitialPositions) {
  compare(number::initial_positions, 1e-6);
}
TEST_P(BodyContactGradient, ByInitialVelocities) {
  compare(number::initial_velocities, 1e-5);
}
TEST_P(BodyContactGradient, ByMasses) {
  compare(number::masses, GetParam().name == "drape" ? 2e-6 : 1e-5);  // Of 0.1 g a vertex.
}
TEST_P(BodyContactGradient, ByYoungsModulus) {
  compare(number::youngs_modulus, 300.0);
}

TEST_P(BodyContactGradient, ByStiffnessesOfSprings) {
  if (start_.assembly.springs.empty()) GTEST_SKIP();
  compare(number::spring_stiffness, 1e-2);
}
TEST_P(BodyContactGradient, ByCharges) {
  if (!start_.assembly.scene.coulomb) GTEST_SKIP();
  compare(number::charges, 1e-10);
}

TEST_P(BodyContactGradient, ByFriction) {
  if (GetParam().contact.friction == 0.0) GTEST_SKIP();
  RecordedRun run(start_, GetParam().steps);
  double by_friction = 0.0;
  run.gradient(by_friction);
  const auto at = [&](double s) {
    Start moved = start_;
    moved.contact.friction += s;
    return RecordedRun(moved, GetParam().steps).loss();
  };
  const double expected = derivative(at, 1e-5);
  EXPECT_NEAR(by_friction, expected, 1e-6 * std::max(std::abs(expected), 1e-3));
}

/// Between triangles of different stiffness a vertex' friction bears the pushes of its other terms, too. Only
/// pairs that slip tell of it.
TEST(BodyContactGradients, AreTriedWhereOtherTermsBearOnFriction) {
  double spread = 0.0;
  for (const Scene& scene : scenes())
    if (scene.name == "between_halves")
      spread = RecordedRun({assemble(parse_scene(scene.text, "scene.toml", ".")), scene.contact}, scene.steps)
                   .largest_spread();
  EXPECT_GT(spread, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Scenes, BodyContactGradient, testing::ValuesIn(scenes()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace electret::test
