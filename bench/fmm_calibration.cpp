/// Finds what src/electret/field/fmm/plan.cpp holds: for each accuracy the loosest tolerance η whose worst error
/// over all clouds is at most half of it, and what orders and leaves then cost.
///
///   bench_fmm_calibration [accuracy …]        (default: the table's)
///
/// Errors: relative L2 of field and potential over 1000 sampled targets against the float64 sum, on seven kinds
/// of cloud, positive and mixed signs, 1 000 to 40 000 charges. Costs: CPU time of prepare and field, one thread.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <field/point_clouds.hpp>

#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>

namespace {

using namespace electret;
using test::Cloud;

struct Case {
  Cloud cloud;
  std::vector<std::size_t> sampled;
  VectorArray field;
  std::vector<double> potential;
};

Case reference_case(Cloud cloud, Threads& threads) {
  Case c{std::move(cloud), {}, {}, {}};
  const std::size_t n = c.cloud.positions.size(), samples = std::min<std::size_t>(n, 1000);
  VectorArray targets;
  for (std::size_t k = 0; k < samples; ++k) {
    c.sampled.push_back(k * n / samples);
    targets.push_back(c.cloud.positions[c.sampled.back()]);
  }
  c.field.resize(samples);
  c.potential.resize(samples);
  const auto direct = direct::make_direct_field_solver({}, threads, direct::best_instruction_set(),
                                                       direct::Arithmetic::float64);
  direct->prepare(c.cloud.positions, targets);
  direct->field(c.cloud.charges, c.field, c.potential);
  return c;
}

std::vector<Case> all_cases(Threads& threads) {
  std::vector<Case> cases;
  for (const auto& kind : test::cloud_kinds())
    for (const bool mixed : {false, true})
      for (const int n : {1000, 5000, 40000})
        cases.push_back(reference_case(test::make_cloud(kind, n, mixed, static_cast<unsigned>(n) + 3), threads));
  return cases;
}

struct Worst {
  double field = 0.0, potential = 0.0;
  std::string field_cloud;
};

Worst worst_error(const std::vector<Case>& cases, const fmm::Plan& plan, Threads& threads) {
  Worst worst;
  const auto solver = fmm::make_fmm_field_solver({}, threads, direct::best_instruction_set(), plan);
  for (const Case& c : cases) {
    VectorArray field(c.cloud.positions.size()), at(c.sampled.size());
    std::vector<double> potential(field.size()), potential_at(at.size());
    solver->prepare(c.cloud.positions);
    solver->field(c.cloud.charges, field, potential);
    for (std::size_t k = 0; k < at.size(); ++k) at[k] = field[c.sampled[k]], potential_at[k] = potential[c.sampled[k]];
    const double error = test::relative_error(VectorView(at), VectorView(c.field));
    if (error > worst.field) worst.field = error, worst.field_cloud = c.cloud.name;
    worst.potential = std::max(worst.potential, test::relative_error(ScalarView(potential_at), ScalarView(c.potential)));
  }
  return worst;
}

double cpu_ms(const Cloud& cloud, const fmm::Plan& plan, Threads& threads) {
  const auto solver = fmm::make_fmm_field_solver({}, threads, direct::best_instruction_set(), plan);
  VectorArray field(cloud.positions.size());
  double best = 1e30;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const auto start = std::clock();
    solver->prepare(cloud.positions);
    solver->field(cloud.charges, field, {});
    best = std::min(best, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  Threads threads(1);
  std::vector<double> accuracies;
  for (int k = 1; k < argc; ++k) accuracies.push_back(std::atof(argv[k]));
  if (accuracies.empty()) accuracies = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  const auto cases = all_cases(threads);
  const Cloud cube = test::make_cloud("cube", 100000, false), torus = test::make_cloud("torus", 100000, false),
              clusters = test::make_cloud("clusters", 100000, false);
  for (const double accuracy : accuracies) {
    fmm::Plan plan{accuracy, fmm::max_order, 48, accuracy < 1e-6};
    Worst worst = worst_error(cases, plan, threads);
    while (worst.field > accuracy / 2 || worst.potential > accuracy / 2) {
      plan.tolerance /= 1.5;
      if (plan.tolerance < 1e-16) break;
      worst = worst_error(cases, plan, threads);
    }
    std::printf("accuracy %.0e: tolerance %.2e, worst field %.2e (%s), potential %.2e\n", accuracy, plan.tolerance,
                worst.field, worst.field_cloud.c_str(), worst.potential);
    for (const Index leaf : {32, 48, 64, 96, 128})
      for (int order = 2; order <= fmm::max_order; ++order) {
        // Orders that the tolerance gives a reach between a third and nearly all.
        const double reach = std::pow(plan.tolerance / 0.025, 1.0 / order) / 0.61;
        if (reach < 0.45 || reach > 0.85) continue;
        plan.order = order;
        plan.leaf_size = leaf;
        std::printf("  leaf %3d order %2d: cube %.1f torus %.1f clusters %.1f ms\n", leaf, order,
                    cpu_ms(cube, plan, threads), cpu_ms(torus, plan, threads), cpu_ms(clusters, plan, threads));
        std::fflush(stdout);
      }
  }
}
