#include <gmock/gmock.h>

#include "dynamics/integrator_conformance.hpp"

namespace electret::test {

namespace {

double two_halves(double z) {
  return (1.0 - 0.5 * z) * (1.0 - 0.5 * z);
}

double exact_decay(double z) {
  return std::exp(-z);
}

const Method methods[] = {{"imex", 1, 0.5},
                          {"newton", 1, 0.5},
                          {"linear_implicit", 1, 0.5},
                          {"kick_midpoint", 2, 0.0, exact_decay},
                          {"kick_trbdf2", 2, 0.0, exact_decay},
                          {"verlet", 2, 0.0, two_halves},
                          {"symplectic_euler", 1, 0.5},
                          {"explicit_euler", 1, -0.5}};

}  // namespace

INSTANTIATE_TEST_SUITE_P(Methods, IntegratorConformance, testing::ValuesIn(methods),
                         [](const auto& method) { return method.param.name; });

namespace {

TEST(Methods, AreAllOfThemTested) {
  std::vector<std::string> tested = {"auto"};
  for (const Method& method : methods) tested.push_back(method.name);
  EXPECT_THAT(tested, testing::UnorderedElementsAreArray(integrator_methods));
}

/// Largest relative energy change over 0.32 s: later the opposite charges meet.
double energy_error(const std::string& method, double step) {
  NetworkOptions options;
  options.method = method;
  options.step = step;
  Simulator run = simulator(random_network(options));
  const Energies first = run.energies();
  double worst = 0.0;
  while (run.state().step < std::lround(0.32 / step)) {
    run.step();
    worst = std::max(worst, std::abs(run.energies().total() - first.total()));
  }
  return worst / std::max(std::abs(first.total()), 0.5 * first.magnitude());
}

TEST(Methods, ConserveEnergyToSecondOrder) {
  for (const char* method : {"verlet", "kick_midpoint"}) {
    const double coarse = energy_error(method, 0.01), fine = energy_error(method, 0.005);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.15) << method << ": " << coarse << ", " << fine;
  }
}

TEST(Methods, RankByEnergyError) {
  const double verlet = energy_error("verlet", 0.01), symplectic = energy_error("symplectic_euler", 0.01),
               explicit_euler = energy_error("explicit_euler", 0.01);
  EXPECT_LT(10.0 * verlet, symplectic);
  EXPECT_LT(2.0 * symplectic, explicit_euler);
}

TEST(Methods, EvaluateTheCoulombForceOnceAStep) {
  for (const char* method : {"verlet", "imex", "linear_implicit", "kick_midpoint", "kick_trbdf2",
                             "symplectic_euler", "explicit_euler"}) {
    NetworkOptions options;
    options.method = method;
    options.drag = 0.1;
    options.pins = options.moved_pins = true;
    Simulator run = simulator(random_network(options));
    run.run(1);
    const Count before = run.field_evaluations();
    run.run(11);
    EXPECT_EQ(run.field_evaluations() - before, 10) << method;
  }
}

/// Counts its evaluations; pushes nothing.
class CountedForce final : public ExplicitForce {
 public:
  CountedForce(Dependence dependence, int& count) : dependence_(dependence), count_(count) {}
  std::string_view name() const override { return "counted"; }
  Dependence dependence() const override { return dependence_; }
  void add_force(const ForcePoint&, VectorSpan) override { ++count_; }
  void add_transposed_jacobian_x(const ForcePoint&, VectorView, VectorSpan) override {}

 private:
  Dependence dependence_;
  int& count_;
};

TEST(Verlet, EvaluatesOnlyWhatReadsVelocitiesTwiceAStep) {
  int by_position = 0, by_velocity = 0;
  auto system = compile(random_network({}), 1);
  system->forces.push_back(std::make_unique<CountedForce>(Dependence::position, by_position));
  system->forces.push_back(std::make_unique<CountedForce>(Dependence::velocity, by_velocity));
  Simulator run(std::move(system));
  run.run(10);
  EXPECT_EQ(by_position, 11);
  EXPECT_EQ(by_velocity, 20);
}

/// Forces that change while nothing moves: from rest, e(0) = 0 lets a charge stay where it is in Verlet's
/// first drift, and the force at the end of the step must be e(h), not the remembered e(0).
TEST(Verlet, RemembersForcesOnlyForTheirTimeAndInputs) {
  constexpr double h = 0.1;
  Assembly in_field = loose_vertices({{0, 0, 0}}, h, "verlet"), by_charge = in_field;
  in_field.charges = by_charge.charges = {2.0};
  FieldExpression field;
  std::vector<ExpressionError> errors;
  const char* text[] = {"t", "0", "0"};
  for (std::size_t k = 0; k < 3; ++k) field.components[k] = Expression::parse(text[k], {}, errors);
  in_field.fields = {field};
  EXPECT_NEAR(state_after(in_field, 1).velocities[0].x, 0.5 * h * 2.0 * h, 1e-15);
  by_charge.external_charges = {{{{0, 0, 0}},
                                 {{0.0, 1.0}, {0.0, 1.0 / coulomb_constant}, Interpolation::linear},
                                 KeyFrames<Vec3>::constant({-1, 0, 0}),
                                 0.0}};
  EXPECT_NEAR(state_after(by_charge, 1).velocities[0].x, 0.5 * h * 2.0 * h, 1e-15);
}

TEST(Methods, ReportWhereTheTimeGoes) {
  for (const char* method : {"verlet", "imex", "linear_implicit", "kick_midpoint", "kick_trbdf2",
                             "symplectic_euler", "explicit_euler"}) {
    NetworkOptions options;
    options.method = method;
    Simulator run = simulator(random_network(options));
    run.run(1);
    const StepTimings before = run.system().timings;
    run.run(11);
    EXPECT_GT(run.system().timings.field, before.field) << method;
    EXPECT_GT(run.system().timings.elastic, before.elastic) << method;
  }
}

/// m x¨ = -2k (x - l/2)… : two masses on one spring stretch as (l + d cos ωt), ω² = 2k/m.
TEST(Methods, OscillateOnASpring) {
  constexpr double k = 8.0, m = 2.0, rest = 1.0, stretch = 0.1, h = 1e-3;
  const double omega = std::sqrt(2.0 * k / m);
  for (const auto& [method, bound] :
       {std::pair{"verlet", 1e-6}, std::pair{"kick_midpoint", 1e-6}, std::pair{"kick_trbdf2", 1e-6},
        std::pair{"linear_implicit", 1e-3}, std::pair{"symplectic_euler", 3e-4}, std::pair{"imex", 1e-3},
        std::pair{"explicit_euler", 1e-3}}) {
    Assembly assembly = loose_vertices({{0, 0, 0}, {0, rest + stretch, 0}}, h, method);
    assembly.masses = {m, m};
    assembly.springs = {{0, 1, k, rest}};
    const State state = state_after(assembly, 1000);
    const double length = state.positions[1].y - state.positions[0].y;
    EXPECT_NEAR(length, rest + stretch * std::cos(omega * 1.0), bound) << method;
    EXPECT_EQ(state.positions[0].x, 0.0);
  }
}

/// Two masses on one spring for 1/ω, ω² = 2k/m. At steps of 1e-4/ω and below, what a step adds to a velocity
/// is 1e-9 of the lengths and less. A solve may end with 4 eps of the velocity, always to the same side, so
/// that 60 000 steps lose 7e-12 of the stretch and the order is lost below 1e-11.
TEST(Methods, ConvergeAtSmallSteps) {
  constexpr double k = 8.0, m = 2.0, rest = 1.0, stretch = 0.1;
  const double omega = std::sqrt(2.0 * k / m);
  const auto error = [&](const std::string& method, Count steps) {
    Assembly assembly = loose_vertices({{0, 0, 0}, {0, rest + stretch, 0}},
                                       1.0 / (omega * static_cast<double>(steps)), method);
    assembly.masses = {m, m};
    assembly.springs = {{0, 1, k, rest}};
    assembly.scene.integrator.tolerance = 1e-15;
    const State state = state_after(assembly, steps);
    const double length = state.positions[1].y - state.positions[0].y;
    return std::abs(length - rest - stretch * std::cos(1.0)) / stretch;
  };
  for (const auto& [method, steps] :
       {std::pair{"kick_midpoint", 9000}, std::pair{"kick_trbdf2", 7000}, std::pair{"verlet", 7000}}) {
    const double coarse = error(method, steps), fine = error(method, 3 * steps);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(3.0), 2.0, 0.1)
        << method << ": " << coarse << ", " << fine;
    EXPECT_LE(fine, 1e-10) << method;
  }
}

/// Two equal charges of mass m, released at distance a, fly apart: with s = √(1 - a/r),
/// t = √(m a³/(4 k_c q²)) (s/(1 - s²) + atanh s).
TEST(Methods, RepelTwoCharges) {
  constexpr double q = 1e-5, m = 0.5, a = 1.0, h = 2e-4;
  constexpr Count steps = 2000;
  const double scale = std::sqrt(m * a * a * a / (4.0 * coulomb_constant * q * q));
  const auto time_at = [&](double r) {
    const double s = std::sqrt(1.0 - a / r);
    return scale * (s / (1.0 - s * s) + std::atanh(s));
  };
  for (const auto& [method, bound] :
       {std::pair{"verlet", 2e-7}, std::pair{"kick_midpoint", 2e-7}, std::pair{"kick_trbdf2", 2e-7},
        std::pair{"linear_implicit", 1e-3}, std::pair{"symplectic_euler", 1e-3}, std::pair{"imex", 1e-3},
        std::pair{"explicit_euler", 1e-3}}) {
    Assembly assembly = loose_vertices({{0, 0, 0}, {a, 0, 0}}, h, method);
    assembly.masses = {m, m};
    assembly.charges = {q, q};
    assembly.scene.coulomb = FieldOptions{};
    const State state = state_after(assembly, steps);
    const double r = state.positions[1].x - state.positions[0].x;
    EXPECT_NEAR(time_at(r), h * steps, bound) << method << ", r = " << r;
  }
}

}  // namespace
}  // namespace electret::test
