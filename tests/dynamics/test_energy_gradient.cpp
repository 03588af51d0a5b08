// The total energy's derivatives by the inputs that it reads, against differences.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/energy_gradient.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {
namespace {

/// A charged muscle that has sunk into a moving ball and is pulled, and an external charge.
constexpr const char* scene_text = R"(
[time]
step = 0.01
steps = 4
[coulomb]
[[body]]
name = "b"
generate = { shape = "box", cells = [2, 1, 1] }
density = 1000
charge = 1e-7
[[body.muscle]]
fibre = [1, 0, 0]
stiffness = 1e3
activation = 0.9
[[external_charge]]
charge = -1e-6
position = [0.2, 0.1, 2]
[[grab]]
body = "b"
vertices = [3, 5]
stiffness = 20
times = [0]
targets = [[1, 2, 3]]
[[obstacle]]
name = "ball"
shape = "sphere"
centre = [0.1, 0.2, -0.3]
radius = 1
law = "penalty"
stiffness = 300
times = [0, 1]
offsets = [[0, 0, 0], [0, 0, 1]]
)";

TEST(EnergyGradient, ByInputsIsThatOfDifferences) {
  const auto system = compile(load_scene_text(scene_text, "scene", ".", {}, read_regular_file), 1);
  const State state = initial_state(*system);
  Inputs inputs;
  system->schedule.evaluate(0.0, inputs);
  VectorArray positions(state.positions.size()), velocities(state.positions.size());
  InputGradients by_inputs = InputGradients::zero(inputs);
  ParameterGradients parameters = ParameterGradients::zero(*system);
  constexpr double factor = 2.0;
  add_energy_gradient(*system, state, inputs, factor, {positions, velocities, by_inputs, parameters});

  const auto energy = [&] { return factor * energies(*system, state, inputs).total(); };
  for (const InputField* field : input_fields) {
    if ((field->uses & (read_by_potentials + read_by_elastic)) == 0) continue;
    const InputRows<double> values = rows_of(*field, inputs);
    const InputRows<const double> derivatives = field->derivatives(by_inputs);
    ASSERT_EQ(derivatives.count, values.count) << field->name;
    double largest = 0.0;
    for (std::size_t r = 0; r < values.count; ++r)
      for (std::size_t c = 0; c < field->columns; ++c) {
        double& value = values(r, c);
        const double at = value, h = field == &input::charges ? 1e-9 : 1e-5;
        value = at + h;
        const double above = energy();
        value = at - h;
        const double below = energy();
        value = at;
        const double slope = (above - below) / (2.0 * h);
        EXPECT_NEAR(derivatives(r, c), slope, 1e-6 * std::abs(slope) + 1e-5) << field->name << ", row " << r;
        largest = std::max(largest, std::abs(derivatives(r, c)));
      }
    EXPECT_GT(largest, 1e-3) << field->name;
  }
}

}  // namespace
}  // namespace electret::test
