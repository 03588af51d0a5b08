/// Finds what src/electret/field/fmm/plan.cpp holds: for each accuracy the loosest tolerance η of each
/// largest order whose worst error over all clouds is at most half of it (on regular ones all of it), and
/// what it costs by size of leaf.
///
///   bench_fmm_calibration [--errors] [accuracy … | accuracy:order]   (default: the table's accuracies, all
///   orders)
///
/// --errors: without the costs. Errors: relative L2 of field and potential over 1000 sampled targets against
/// the float64 sum, on nine kinds of cloud, positive and mixed signs, 1 000 to 27 000 charges. Costs: CPU
/// time of prepare and field, one thread.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include <support/point_clouds.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/fmm/plan.hpp>

namespace {

using namespace electret;
using test::Cloud;

struct Case {
  double allowed;  ///< The largest allowed error as a part of the requested accuracy.
  Cloud cloud;
  std::vector<std::size_t> sampled;
  VectorArray field;
  std::vector<double> potential;
};

Case reference_case(double allowed, Cloud cloud, Threads& threads) {
  Case c{allowed, std::move(cloud), {}, {}, {}};
  const std::size_t n = c.cloud.positions.size(), samples = std::min<std::size_t>(n, 1000);
  VectorArray targets;
  for (std::size_t k = 0; k < samples; ++k) {
    c.sampled.push_back(k * n / samples);
    targets.push_back(c.cloud.positions[c.sampled.back()]);
  }
  c.field.resize(samples);
  c.potential.resize(samples);
  const auto direct =
      direct::make_direct_field_solver({}, threads, instruction_set(), direct::Arithmetic::float64);
  direct->prepare(c.cloud.positions, targets);
  direct->field(c.cloud.charges, c.field, c.potential);
  return c;
}

std::vector<Case> all_cases(Threads& threads) {
  std::vector<Case> cases;
  const auto add = [&](const std::vector<std::string>& kinds, double allowed, const std::vector<int>& sizes) {
    for (const auto& kind : kinds)
      for (const bool mixed : {false, true})
        for (const int n : sizes)
          cases.push_back(reference_case(
              allowed, test::make_cloud(kind, n, mixed, static_cast<unsigned>(n) + 3), threads));
  };
  add(test::cloud_kinds(), 0.5, {1000, 4000, 8000, 27000});
  // How cells cut a lattice depends on its size: 12³, 14³, 24³, 28³ as well as 10³, 20³, 30³.
  add(test::regular_kinds(), 1.0, {1000, 1728, 2744, 4000, 8000, 13824, 21952, 27000});
  return cases;
}

/// The largest errors over what each case is allowed.
struct Worst {
  double field = 0.0, potential = 0.0;
  std::string field_cloud;
};

/// Stops at the first case beyond `accuracy`.
Worst worst_error(const std::vector<Case>& cases, const fmm::Plan& plan, Threads& threads, double accuracy) {
  Worst worst;
  FieldOptions options;
  options.accuracy = accuracy;
  const auto solver = fmm::make_fmm_field_solver(options, threads, instruction_set(), plan);
  // The regular clouds, which ask for most, first.
  for (auto at_case = cases.rbegin(); at_case != cases.rend(); ++at_case) {
    const Case& c = *at_case;
    VectorArray field(c.cloud.positions.size()), at(c.sampled.size());
    std::vector<double> potential(field.size()), potential_at(at.size());
    solver->prepare(c.cloud.positions);
    solver->field(c.cloud.charges, field, potential);
    for (std::size_t k = 0; k < at.size(); ++k)
      at[k] = field[c.sampled[k]], potential_at[k] = potential[c.sampled[k]];
    const double error = test::relative_error(VectorView(at), VectorView(c.field)) / c.allowed;
    if (error > worst.field) worst.field = error, worst.field_cloud = c.cloud.name;
    worst.potential = std::max(
        worst.potential, test::relative_error(ScalarView(potential_at), ScalarView(c.potential)) / c.allowed);
    if (worst.field > accuracy || worst.potential > accuracy) return worst;
  }
  return worst;
}

double cpu_ms(const Cloud& cloud, const fmm::Plan& plan, Threads& threads, double accuracy) {
  FieldOptions options;
  options.accuracy = accuracy;
  const auto solver = fmm::make_fmm_field_solver(options, threads, instruction_set(), plan);
  VectorArray field(cloud.positions.size());
  double best = 1e30;
  for (int repetition = 0; repetition < 3; ++repetition) {
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
  std::vector<std::pair<double, int>> asked;  // order 0: all
  const bool costs = argc < 2 || std::strcmp(argv[1], "--errors") != 0;
  for (int k = costs ? 1 : 2; k < argc; ++k) {
    const char* order = std::strchr(argv[k], ':');
    asked.emplace_back(std::atof(argv[k]), order ? std::atoi(order + 1) : 0);
  }
  if (asked.empty())
    for (const double accuracy : fmm::plan_accuracies()) asked.emplace_back(accuracy, 0);
  const auto cases = all_cases(threads);
  const Cloud cube = test::make_cloud("cube", 100000, false),
              torus = test::make_cloud("torus", 100000, false),
              clusters = test::make_cloud("clusters", 100000, false);
  for (const auto& [accuracy, only] : asked)
    for (int order = only ? only : 2; order <= (only ? only : fmm::max_order); ++order) {
      // From a reach of 0.94 of the largest order down; orders that would need less than 0.4 are too low.
      const auto tolerance = [&](double reach) { return 0.025 * std::pow(0.61 * reach, order); };
      fmm::Plan plan{0.0, order, 48, accuracy < 1e-6};
      double reach = 0.96;
      Worst worst;
      do {
        reach -= 0.02;
        plan.tolerance = tolerance(reach);
        worst = worst_error(cases, plan, threads, accuracy);
      } while (reach > 0.4 && (worst.field > accuracy || worst.potential > accuracy));
      if (reach <= 0.4) continue;
      std::printf("accuracy %g order %2d reach %.2f tolerance %.2e, field %.2e (%s), potential %.2e\n",
                  accuracy, order, reach, plan.tolerance, worst.field, worst.field_cloud.c_str(),
                  worst.potential);
      for (const Index leaf : {32, 40, 48, 56, 64, 80, 96}) {
        if (!costs) break;
        plan.leaf_size = leaf;
        const auto ms = [&](const Cloud& cloud) { return cpu_ms(cloud, plan, threads, accuracy); };
        std::printf("  leaf %3d: cube %.1f torus %.1f clusters %.1f ms\n", leaf, ms(cube), ms(torus),
                    ms(clusters));
      }
      std::fflush(stdout);
      if (reach > 0.93) break;  // higher orders only cost more
    }
}
