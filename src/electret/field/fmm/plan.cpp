#include <iterator>

#include <electret/field/fmm/plan.hpp>

namespace electret::fmm {
namespace {

struct Row {
  double accuracy;
  Plan plan;
};

// η, the largest order, points per leaf, float64. The rows are those of bench_fmm_calibration, except that η
//   * is what a finer search with more sizes of set found, at 1.5e-1, 1e-2 and 3e-4, because that is smaller;
//   * is a tenth smaller at 6e-2, 5e-2, 4e-2, 2e-2, 1.5e-2, 5e-3, 2e-3, 5e-4 and 2e-4;
//   * is half at 1e-4, so that the energy drifts less.
// At coarse accuracies several orders meet the requirement. Of these, the one that accepts the closest cells
// serves irregular sets best. The rows 1e-9 and 1e-10 extrapolate the rows before them, because the benchmark
// ends where no cells of a leaf's size would interact by expansions.
constexpr Row rows[] = {
    {3e-1, {4.7e-3, 3, 48, false}},   {2.5e-1, {3.9e-3, 4, 48, false}}, {2e-1, {2.7e-3, 4, 48, false}},
    {1.7e-1, {2.0e-3, 4, 48, false}}, {1.5e-1, {1.1e-3, 5, 48, false}}, {1e-1, {2.8e-3, 3, 48, false}},
    {9e-2, {6.4e-4, 6, 48, false}},   {6e-2, {3.8e-4, 6, 48, false}},   {5e-2, {1.1e-3, 4, 48, false}},
    {4e-2, {1.5e-4, 7, 48, false}},   {3e-2, {5.3e-4, 5, 48, false}},   {2e-2, {1.9e-4, 6, 48, false}},
    {1.5e-2, {1.0e-4, 7, 48, false}}, {1e-2, {7.1e-5, 7, 48, false}},   {5e-3, {3.9e-5, 7, 48, false}},
    {3e-3, {3.1e-5, 7, 48, false}},   {2e-3, {1.6e-5, 8, 48, false}},   {1e-3, {1.0e-5, 8, 48, false}},
    {5e-4, {3.6e-6, 9, 48, false}},   {3e-4, {1.1e-6, 10, 48, false}},  {2e-4, {5.1e-7, 11, 48, false}},
    {1e-4, {1.0e-7, 12, 64, false}},  {3e-5, {1.9e-8, 14, 64, false}},  {1e-5, {4.2e-9, 15, 64, false}},
    {3e-6, {3.4e-10, 18, 96, false}}, {1e-6, {2.6e-10, 16, 80, false}}, {1e-7, {1.3e-11, 18, 64, true}},
    {1e-8, {1.3e-12, 18, 64, true}},  {1e-9, {6.0e-13, 18, 64, true}},  {1e-10, {6.0e-14, 18, 64, true}},
};

}  // namespace

Plan plan_for(double accuracy) {
  for (const Row& row : rows)
    if (accuracy >= row.accuracy) return row.plan;
  return rows[std::size(rows) - 1].plan;
}

std::vector<double> plan_accuracies() {
  std::vector<double> accuracies;
  for (const Row& row : rows) accuracies.push_back(row.accuracy);
  return accuracies;
}

}  // namespace electret::fmm
