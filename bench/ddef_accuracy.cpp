/// How accurate `ddef` is, and how many pairs it sums for that.
///
///   bench_ddef_accuracy [LARGEST_N] [SAMPLES] [linear|half]
///
/// A row for each cloud, sign, n up to LARGEST_N (200000) and number of grid points (the built-in rule's,
/// 1000 and 2000): mean and median of |E - E_ref| / |E_ref| and relative L2 of field and potential, at
/// SAMPLES (400) charges spread over the indices; exact pairs a charge, and all pairs over those a direct sum
/// has.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include <support/point_clouds.hpp>

#include <electret/field/ddef/ddef.hpp>

namespace {

using namespace electret;
using test::Cloud;

struct Errors {
  double mean = 0.0, median = 0.0, field = 0.0, potential = 0.0;
};

/// The reference at a sample of the charges' own positions.
class Sample {
 public:
  Sample(const Cloud& cloud, std::size_t samples) {
    const std::size_t n = cloud.positions.size(), count = std::min(n, samples);
    VectorArray targets;
    for (std::size_t k = 0; k < count; ++k) {
      indices_.push_back((2 * k + 1) * n / (2 * count));
      targets.push_back(cloud.positions[indices_.back()]);
    }
    const auto solver = make_reference_field_solver({});
    field_.resize(count);
    potential_.resize(count);
    solver->prepare(cloud.positions, targets);
    solver->field(cloud.charges, field_, potential_);
  }

  [[nodiscard]] Errors of(const VectorArray& field, const std::vector<double>& potential) const {
    VectorArray e;
    std::vector<double> phi, relative;
    Errors errors;
    for (std::size_t k = 0; k < indices_.size(); ++k) {
      e.push_back(field[indices_[k]]);
      phi.push_back(potential[indices_[k]]);
      relative.push_back(norm(e[k] - field_[k]) / norm(field_[k]));
      errors.mean += relative[k] / static_cast<double>(indices_.size());
    }
    std::sort(relative.begin(), relative.end());
    errors.median = relative[relative.size() / 2];
    errors.field = test::relative_error(e, field_);
    errors.potential = test::relative_error(phi, potential_);
    return errors;
  }

 private:
  std::vector<std::size_t> indices_;
  VectorArray field_;
  std::vector<double> potential_;
};

void print_rows(const std::string& kind, int n, bool mixed, std::size_t samples, bool half_taylor) {
  const Cloud cloud = test::make_cloud(kind, n, mixed);
  const Sample sample(cloud, samples);
  Threads threads;
  VectorArray field(cloud.positions.size());
  std::vector<double> potential(cloud.positions.size());
  std::set<Count> counts = {default_ddef_grid_points(n), 1000, 2000};
  for (const Count m : counts) {
    FieldOptions options;
    options.ddef_grid_points = m;
    options.ddef_half_taylor = half_taylor;
    const auto solver = make_ddef_field_solver(options, threads);
    solver->prepare(cloud.positions);
    solver->field(cloud.charges, field, potential);
    const Errors e = sample.of(field, potential);
    const DdefStatistics s = solver->statistics();
    const double pairs = static_cast<double>(s.near_pairs + s.far_pairs + s.removed_pairs);
    std::printf("%-9s %-8s %7d %6lld %c %9.4f %9.4f %9.4f %9.4f %9.0f %8.4f\n", kind.c_str(),
                mixed ? "mixed" : "positive", n, static_cast<long long>(m),
                m == default_ddef_grid_points(n) ? '*' : ' ', e.mean, e.median, e.field, e.potential,
                s.near_pairs_a_target, pairs / (static_cast<double>(n) * static_cast<double>(n - 1)));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int largest = count > 1 ? std::atoi(arguments[1]) : 200000;
  const auto samples = static_cast<std::size_t>(count > 2 ? std::atoi(arguments[2]) : 400);
  const bool half_taylor = count > 3 && std::strcmp(arguments[3], "half") == 0;
  std::printf("%-9s %-8s %7s %6s   %9s %9s %9s %9s %9s %8s\n", "cloud", "charges", "n", "m", "mean", "median",
              "L2 field", "L2 pot.", "near", "of all");
  for (const auto* kind : {"cube", "torus", "blob", "clusters"})
    for (const bool mixed : {false, true})
      for (const int n : {1000, 10000, 50000, 200000, 1000000})
        if (n <= largest) print_rows(kind, n, mixed, samples, half_taylor);
  return 0;
}
