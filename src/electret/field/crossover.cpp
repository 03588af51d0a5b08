#include <limits>

#include <electret/field/crossover.hpp>

namespace electret {
namespace {

struct Row {
  double accuracy;
  Count charges, softened;
};

// The number of charges at which both methods cost the same: the mean of a torus and a cube. `softened` holds
// for a softening of about one spacing; with less softening the numbers lie between the two columns. The
// softened numbers at 1e-1 are guesses, and so are those from 1e-7 on, which lie beyond the 64 000 charges
// that were measured.
constexpr Row rows[] = {{1e-1, 1200, 5500},  {1e-2, 1200, 5500},    {1e-3, 2000, 7500},
                        {1e-4, 3500, 11000}, {1e-5, 3500, 20000},   {1e-6, 2500, 4000},
                        {1e-7, 8000, 80000}, {1e-8, 10000, 120000}, {1e-9, 14000, 200000}};
constexpr Row without_accuracy{0.0, 2000, 4000};  // fmm at 1e-3 against direct in float64

}  // namespace

Count fmm_crossover(const FieldOptions& options) {
  const auto charges = [&options](const Row& row) {
    return options.softening > 0.0 ? row.softened : row.charges;
  };
  if (!options.accuracy) return charges(without_accuracy);
  for (const Row& row : rows)
    if (*options.accuracy >= row.accuracy) return charges(row);
  return std::numeric_limits<Count>::max();
}

}  // namespace electret
