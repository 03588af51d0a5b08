#include <iterator>

#include <electret/field/fmm/plan.hpp>

namespace electret::fmm {
namespace {

struct Row {
  double accuracy;
  Plan plan;
};

// η, the largest order, points a leaf, float64.
constexpr Row rows[] = {
    {1e-1, {3.0e-3, 3, 48, false}},  {3e-2, {9.3e-4, 4, 48, false}},   {1e-2, {3.3e-4, 5, 48, false}},
    {3e-3, {8.0e-5, 6, 48, false}},  {1e-3, {1.2e-5, 8, 56, false}},   {3e-4, {2.0e-6, 9, 64, false}},
    {1e-4, {3.9e-7, 11, 64, false}}, {3e-5, {1.2e-7, 11, 64, false}},  {1e-5, {2.0e-8, 12, 64, false}},
    {3e-6, {6.4e-9, 13, 64, false}}, {1e-6, {7.0e-10, 15, 64, false}}, {1e-7, {7.3e-11, 16, 64, true}},
    {1e-8, {1.9e-12, 18, 64, true}}, {1e-9, {6.0e-13, 18, 64, true}},  {1e-10, {6.0e-14, 18, 64, true}},
};

}  // namespace

Plan plan_for(double accuracy) {
  for (const Row& row : rows)
    if (accuracy >= row.accuracy) return row.plan;
  return rows[std::size(rows) - 1].plan;
}

}  // namespace electret::fmm
