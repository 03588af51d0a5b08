#include <limits>

#include <electret/field/crossover.hpp>
#include <electret/field/gpu/crossover.hpp>
#include <electret/field/gpu/limits.hpp>

namespace electret::gpu {

namespace {

// Measured by bench_gpu on an NVIDIA H100 and an H200, copies included: from some thousand charges on both
// beat two cores, at 100 000 charges by 20 to 40 times. Fewer charges gain too little to pay for opening a
// driver (a third of a second) and, once, for its compiler, in a command that computes one field. 100 000
// softened charges (softenings of 0.003 to 0.3 of a cube's edge, 1e-3 to 1e-6) gain 28 to 47 times.
constexpr AutoRow rows_measured[] = {{1e-6, false, 100'000}, {1e-6, true, 100'000}};

}  // namespace

std::span<const AutoRow> auto_rows() {
  return rows_measured;
}

std::optional<Count> auto_crossover(const FieldOptions& options, std::span<const AutoRow> rows) {
  if (options.solver == "ddef" || needs_float64(options.solver, options)) return std::nullopt;
  const double accuracy = options.accuracy.value_or(default_field_accuracy);
  std::optional<Count> least;
  for (const AutoRow& row : rows)
    if (accuracy >= row.accuracy && row.softened == (options.softening > 0.0) &&
        (!least || row.charges < *least))
      least = row.charges;
  return least;
}

Count fmm_crossover(Kind kind, const FieldOptions& options) {
  if (options.accuracy && *options.accuracy < best_accuracy("fmm")) return std::numeric_limits<Count>::max();
  if (options.accuracy && *options.accuracy < best_accuracy("direct")) return 0;
  const double accuracy = options.accuracy.value_or(default_field_accuracy);
  // Taylor series of close softened cells cost more than harmonic expansions. Measured on an H200 at 1e-3,
  // with softenings of 0.003 and 0.03 of a cube's edge: direct sums and fmm cost the same at 24 000 and 66
  // 000 charges, with products at 12 000 and 56 000. At 1e-4 direct sums of 100 000 charges took 10.8 and 9.4
  // ms, fmm 12.3 and 14.0; as one grows with the square, they cost the same at about 130 000.
  if (options.softening > 0.0) return accuracy >= 1e-3 ? 50'000 : 130'000;
  // Measured on an H200: direct sums and fmm cost the same at 22 000 charges, with products at 15 000.
  if (kind == Kind::discrete) return 20000;
  if (kind == Kind::integrated) return 10000;  // predicted from counts of instructions
  FieldOptions asked = options;
  asked.accuracy = accuracy;
  return electret::fmm_crossover(asked);
}

}  // namespace electret::gpu
