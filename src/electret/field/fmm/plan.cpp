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
    {1e-1, {5e-3, 4, 64, false}},   {1e-2, {1e-3, 5, 64, false}},  {1e-3, {6e-5, 7, 64, false}},
    {1e-4, {6e-6, 9, 64, false}},   {1e-5, {6e-7, 11, 64, false}}, {1e-6, {4e-8, 13, 64, false}},
    {1e-7, {4e-9, 14, 64, true}},   {1e-8, {4e-10, 16, 64, true}}, {1e-9, {4e-11, 18, 64, true}},
    {1e-10, {4e-12, 18, 64, true}},
};

}  // namespace

Plan plan_for(double accuracy) {
  for (const Row& row : rows)
    if (accuracy >= row.accuracy) return row.plan;
  return rows[std::size(rows) - 1].plan;
}

}  // namespace electret::fmm
