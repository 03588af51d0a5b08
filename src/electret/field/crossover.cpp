#include <limits>

#include <electret/field/crossover.hpp>

namespace electret {
namespace {

struct Row {
  double accuracy;
  Count charges;
};

// Where the costs of both meet, the mean of a torus and a cube.
constexpr Row rows[] = {{1e-1, 1200}, {1e-2, 1200}, {1e-3, 2000},  {1e-4, 3500}, {1e-5, 3500},
                        {1e-6, 2500}, {1e-7, 8000}, {1e-8, 10000}, {1e-9, 14000}};
constexpr Count without_accuracy = 2000;  // fmm at 1e-3 against direct in float64

}  // namespace

Count fmm_crossover(std::optional<double> accuracy) {
  if (!accuracy) return without_accuracy;
  for (const Row& row : rows)
    if (*accuracy >= row.accuracy) return row.charges;
  return std::numeric_limits<Count>::max();
}

}  // namespace electret
