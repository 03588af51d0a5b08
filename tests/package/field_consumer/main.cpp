#include <cmath>

#include <electret/core/constants.hpp>
#include <electret/field/solver.hpp>

int main() {
  electret::Threads threads(1);
  const electret::VectorArray positions{{0, 0, 0}, {2, 0, 0}};
  const std::vector<double> charges{1e-6, 3e-6};
  electret::VectorArray field(2);
  auto solver = electret::make_field_solver({}, 2, threads);
  solver->prepare(positions);
  solver->field(charges, field, {});
  const double expected = -electret::coulomb_constant * 3e-6 / 4;
  return std::abs(field[0].x / expected - 1) < 1e-12 ? 0 : 1;
}
