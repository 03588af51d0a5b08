#include <iterator>

#include <electret/field/fmm/plan.hpp>

namespace electret::fmm {
namespace {

struct Row {
  double accuracy;
  Plan plan;
};

// η, the largest order, points a leaf, float64. From bench_fmm_calibration; where a finer search with more
// sizes of set found less (1e-2), that.
constexpr Row rows[] = {
    {1e-1, {1.7e-3, 4, 40, false}},   {3e-2, {5.3e-4, 5, 40, false}},   {1e-2, {7.1e-5, 7, 40, false}},
    {3e-3, {2.7e-5, 8, 48, false}},   {1e-3, {2.9e-6, 11, 48, false}},  {3e-4, {1.5e-6, 10, 48, false}},
    {1e-4, {2.1e-7, 12, 64, false}},  {3e-5, {3.0e-8, 14, 64, false}},  {1e-5, {7.0e-9, 15, 64, false}},
    {3e-6, {6.2e-10, 18, 96, false}}, {1e-6, {8.2e-10, 15, 64, false}}, {1e-7, {2.1e-11, 17, 64, true}},
    {1e-8, {1.3e-12, 18, 64, true}},  {1e-9, {6.0e-13, 18, 64, true}},  {1e-10, {6.0e-14, 18, 64, true}},
};

}  // namespace

Plan plan_for(double accuracy) {
  for (const Row& row : rows)
    if (accuracy >= row.accuracy) return row.plan;
  return rows[std::size(rows) - 1].plan;
}

}  // namespace electret::fmm
