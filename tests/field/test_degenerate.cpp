/// Every solver against the reference on point sets made to break it: points that coincide, on lines, in
/// planes, at distances of any ratio, with charges from next to nothing to huge.

#include <cmath>
#include <cstdlib>

#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

namespace electret::test {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 12345) {}
  std::uint64_t bits() {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return state_;
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double signed_unit() { return 2.0 * unit() - 1.0; }
  /// 10^[low, high]
  double power(double low, double high) { return std::pow(10.0, low + (high - low) * unit()); }

 private:
  std::uint64_t state_;
};

/// One of several ways to place the next point, given those before it.
Vec3 next_point(Draw& draw, const VectorArray& before, int way) {
  const Vec3 any{draw.signed_unit(), draw.signed_unit(), draw.signed_unit()};
  const Vec3 near =
      before.empty() ? Vec3{} : before[static_cast<std::size_t>(draw.below(static_cast<int>(before.size())))];
  switch (way) {
    case 0:
      return any;
    case 1:
      return near;  // coincident
    case 2:
      return {any.x, 0.5, -0.25};  // a line along an axis
    case 3:
      return {any.x, any.x, any.y};  // a plane
    case 4:
      return near + draw.power(-14, -1) * any;  // close to another
    case 5:
      return draw.power(-12, 0) * any;  // crowded at the origin
    case 6:
      return {std::round(4 * any.x), std::round(4 * any.y), 0.0};  // a lattice: ties everywhere
    default:
      return draw.power(0, 5) * any;  // far away
  }
}

Cloud degenerate_cloud(unsigned seed) {
  Draw draw(seed);
  const int n = 1 + draw.below(draw.below(4) == 0 ? 700 : 60), ways = 1 + draw.below(3);
  int way[3];
  for (int& w : way) w = draw.below(8);
  const double unit = draw.below(3) == 0 ? draw.power(-9, 9) : 1.0;
  const double charge = draw.below(3) == 0 ? draw.power(-300, 100) : 1e-6;
  Cloud cloud{"seed " + std::to_string(seed), {}, {}};
  for (int i = 0; i < n; ++i)
    cloud.positions.push_back(next_point(draw, cloud.positions, way[draw.below(ways)]));
  for (auto& x : cloud.positions) x *= unit;
  const int charges = draw.below(4);
  for (int i = 0; i < n; ++i) {
    double q = charge * (charges == 0 ? 1.0 : draw.signed_unit());
    if (charges == 2 && draw.below(3) == 0) q = 0.0;
    if (charges == 3) q *= draw.power(-8, 0);
    cloud.charges.push_back(q);
  }
  return cloud;
}

/// sqrt(Σ_i |E_i - E_i,ref|² / Σ_i (Σ_j k_c |q_j|/r_ij²)²): sets like these may have a field that cancels to
/// almost nothing, which no method can resolve to its own relative accuracy.
double error_of_terms(const Cloud& cloud, VectorView field, VectorView expected) {
  double largest = 0.0;
  for (const double q : cloud.charges) largest = std::max(largest, std::abs(q));
  if (largest == 0.0) return field.size() == 0 || norm(field[0]) == 0.0 ? 0.0 : 1.0;
  const double unit = std::min(1e300, 1e-6 / largest);  // squares of what tiny charges make would be 0
  double difference = 0.0, magnitude = 0.0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    double terms = 0.0;
    for (std::size_t j = 0; j < field.size(); ++j) {
      const double r2 = squared_norm(cloud.positions[i] - cloud.positions[j]);
      if (r2 > 0.0) terms += coulomb_constant * std::abs(unit * cloud.charges[j]) / r2;
    }
    difference += squared_norm(unit * field[i] - unit * expected[i]);
    magnitude += terms * terms;
  }
  return magnitude > 0.0 ? std::sqrt(difference / magnitude) : std::sqrt(difference);
}

class DegeneratePoints : public ::testing::TestWithParam<SolverCase> {};

TEST_P(DegeneratePoints, HaveTheReferencesField) {
  Threads threads(1);
  const char* asked = std::getenv("ELECTRET_FUZZ_CASES");
  const unsigned cases = asked ? static_cast<unsigned>(std::atoi(asked)) : 150;
  const SolverCase& c = GetParam();
  unsigned beyond = 0;
  for (unsigned seed = 0; seed < cases; ++seed) {
    const Cloud cloud = degenerate_cloud(seed);
    const auto solver = GetParam().make({}, threads), reference = make_reference_field_solver({});
    const std::size_t n = cloud.positions.size();
    VectorArray field(n), expected(n);
    std::vector<double> potential(n), expected_potential(n);
    solver->prepare(cloud.positions);
    solver->field(cloud.charges, field, potential);
    reference->prepare(cloud.positions);
    reference->field(cloud.charges, expected, expected_potential);
    const double error = error_of_terms(cloud, field, expected);
    EXPECT_LE(error, c.degenerate_accuracy > 0.0 ? c.degenerate_accuracy : c.field_accuracy) << cloud.name;
    beyond += error <= c.field_accuracy ? 0 : 1;
    EXPECT_EQ(solver->coincident_pairs(), reference->coincident_pairs()) << cloud.name;
  }
  EXPECT_LE(15 * beyond, cases) << "of all sets but few the accuracy asked for holds";
}

INSTANTIATE_TEST_SUITE_P(Solvers, DegeneratePoints, ::testing::ValuesIn(solver_cases()),
                         [](const auto& solver) { return solver.param.name; });

}  // namespace
}  // namespace electret::test
