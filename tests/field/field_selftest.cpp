/// The field library's test where there is only a compiler: every kernel this processor runs against the
/// plain sum, on every cloud. Prints a line a failure; exit status 1 if there is one.

#include <cstdio>

#include <field/solver_conformance.hpp>
#include <support/point_clouds.hpp>

namespace {

using namespace electret;
using namespace electret::test;

int failures = 0;

void check(double error, double allowed, const SolverCase& solver, const Cloud& cloud, const char* what) {
  if (error <= allowed) return;
  ++failures;
  std::printf("FAILED %s: %s, %s: %.3g > %.3g\n", solver.name.c_str(), cloud.name.c_str(), what, error,
              allowed);
}

void check_products(const SolverCase& c, FieldSolver& solver, FieldSolver& reference, const Cloud& cloud) {
  const auto n = cloud.positions.size();
  const VectorArray z = random_vectors(static_cast<int>(n), 6);
  VectorArray a(n), b(n);
  std::vector<double> s(n), t(n);
  solver.transposed_jacobian_product(cloud.charges, z, a);
  reference.transposed_jacobian_product(cloud.charges, z, b);
  check(relative_error(a, b), c.product_accuracy, c, cloud, "Jacobian product");
  solver.charge_gradient(cloud.charges, z, s);
  reference.charge_gradient(cloud.charges, z, t);
  check(relative_error(s, t), c.product_accuracy, c, cloud, "charge gradient");
}

void check_cloud(const SolverCase& c, const Cloud& cloud) {
  const auto n = cloud.positions.size();
  Threads threads(2);
  const auto solver = c.make({}, threads), reference = make_reference_field_solver({});
  VectorArray a(n), b(n);
  std::vector<double> s(n), t(n);
  solver->prepare(cloud.positions);
  reference->prepare(cloud.positions);
  solver->field(cloud.charges, a, s);
  reference->field(cloud.charges, b, t);
  check(relative_error(a, b), c.field_accuracy, c, cloud, "field");
  check(relative_error(s, t), c.field_accuracy, c, cloud, "potential");
  check(static_cast<double>(std::abs(solver->coincident_pairs() - reference->coincident_pairs())), 0, c,
        cloud, "coincident pairs");
  check_products(c, *solver, *reference, cloud);
}

}  // namespace

int main() {
  int checks = 0;
  for (const auto& solver : solver_cases())
    for (const auto& kind : cloud_kinds())
      for (const int n : {0, 1, 2, 145, 600}) {
        Cloud cloud = make_cloud(kind, n, true);
        if (n > 100) cloud.positions[90] = cloud.positions[11];
        check_cloud(solver, cloud);
        ++checks;
      }
  std::printf("%d clouds, %d failures\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
