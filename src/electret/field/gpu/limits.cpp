#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/field/crossover.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/fmm/expansions/taylor.hpp>
#include <electret/field/fmm/plan.hpp>
#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/limits.hpp>

namespace electret::gpu {
namespace {

constexpr Count kilobyte = 1024;

Count divided_up(Count n, Count by) {
  return (n + by - 1) / by;
}

Count padded(Count n, Count multiple) {
  return divided_up(n, multiple) * multiple;
}

constexpr Count close_pairs = (Count{1} << 16) * 8;  ///< The first list of pairs that are left to the host.
constexpr Count largest_buffer_of_all = Count{1} << 31;  ///< Kernels index bytes with 32 bits.
/// The finest accuracy of fmm and ddef in float32.
constexpr double best_multipole_accuracy = 1e-6;
/// Lists are made in batches of target cells, which take no more than this.
constexpr Count largest_batch = Count{256} << 20;

/// Positions and z as high and low rows, charges, the results of fields and of products, and their sums over
/// parts of the sources, of which few charges have many (direct/sums.cpp). float64 has no low rows.
MemoryNeed direct_need(Count n, bool float64) {
  constexpr Count least_part = 256, lanes = 128, groups = 4096;
  const Count number = float64 ? 8 : 4, row = 4 * number, vectors = 64;
  const Count rows = std::max(padded(n, lanes), lanes);
  const Count parts_wanted = std::max<Count>(1, groups * lanes / rows);
  const Count part = std::max(least_part, padded(divided_up(n, parts_wanted), lanes));
  const Count sums = rows * divided_up(n, part) * row;
  return {rows * (vectors + number + 3 * row) + 4 * sums + close_pairs, sums};
}

/// What lists take: they are made in batches of target cells. Cells at a body's surface have fewer
/// neighbours.
Count batches(Count n) {
  constexpr double inside = 108.0, at_surface = 7.6, least = 0.3;
  const auto charges = static_cast<double>(n);
  const double bytes = inside * std::max(least, 1.0 - at_surface / std::cbrt(std::max(1.0, charges)));
  return std::min(static_cast<Count>(bytes * charges), largest_batch);
}

/// Points, cells with moments and locals, lists, and products. The numbers are what solvers took for 2000 to
/// 100 000 charges in a cube, within a tenth. Series and M2L's rows go with the number of leaves and the
/// numbers of a series.
MemoryNeed fmm_need(const FieldOptions& options, Count n) {
  constexpr Count charge_bytes = 160;
  constexpr double bytes_a_number = 87.0, bytes_a_taylor_number = 55.0;
  const fmm::Plan plan = fmm::plan_for(options.accuracy.value_or(default_field_accuracy));
  const auto numbers = static_cast<double>((plan.order + 1) * (plan.order + 1));
  // Taylor series, which softened charges have if the softening reaches beyond a leaf's neighbours.
  const int taylor = options.softening > 0.0 ? fmm::powers(fmm::highest_taylor_order(plan)) : 0;
  const double leaves = static_cast<double>(n) / static_cast<double>(plan.leaf_size);
  const auto series =
      static_cast<Count>((bytes_a_number * numbers + bytes_a_taylor_number * taylor) * leaves);
  return {close_pairs + n * charge_bytes + series + batches(n), std::max({32 * n, series / 4, batches(n)})};
}

/// Points, grid vertices with their sums by parts, near sets and masks, and products; measured likewise for
/// 20 to 10 000 grid points.
MemoryNeed ddef_need(const FieldOptions& options, Count n) {
  constexpr Count fixed = 950'000, charge_bytes = 222, vertex_bytes = 11'000;
  const Count points = options.ddef_grid_points.value_or(default_ddef_grid_points(n));
  return {fixed + n * charge_bytes + points * vertex_bytes, std::max(32 * n, points * vertex_bytes / 4)};
}

std::string bytes(Count count) {
  return bytes_text(static_cast<double>(count));
}

}  // namespace

double best_accuracy(std::string_view solver) {
  return solver == "direct" ? best_direct_accuracy : best_multipole_accuracy;
}

bool needs_float64(std::string_view solver, const FieldOptions& options) {
  if (solver != "direct") return false;
  // If `auto` took it, it aims at the default accuracy.
  return options.accuracy ? *options.accuracy < best_direct_accuracy : options.solver == "direct";
}

MemoryNeed memory_need(std::string_view solver, const FieldOptions& options, Count charges) {
  MemoryNeed need = solver == "fmm"    ? fmm_need(options, charges)
                    : solver == "ddef" ? ddef_need(options, charges)
                                       : direct_need(charges, needs_float64(solver, options));
  need.total += 64 * kilobyte;  // Counters, boxes and other small arrays.
  return need;
}

MemoryNeed memory_offered(const Facts& facts) {
  return {facts.memory / 5 * 4, std::min(facts.largest_buffer, largest_buffer_of_all)};
}

void check_limits(std::string_view solver, const FieldOptions& options, Count charges, const Facts& facts) {
  std::vector<Finding> findings;
  const std::string named = "solver \"" + std::string(solver) + "\" on " + in_quotes(facts.name);
  if (needs_float64(solver, options) && !facts.float64)
    findings.push_back({{},
                        (options.accuracy ? "an accuracy below 2e-6 with " : "without an accuracy, ") +
                            named + " sums in float64, which this device lacks",
                        "allowed there: an accuracy of 2e-6 or more with direct, 1e-6 or more with fmm; or "
                        "device = \"cpu\""});
  if (solver != "direct" && options.accuracy && *options.accuracy < best_accuracy(solver))
    findings.push_back({{},
                        "the accuracy is finer than what " + named + " computes",
                        "allowed there: 1e-6 or more; direct in float64 and device = \"cpu\" compute more "
                        "exactly"});
  const MemoryNeed need = memory_need(solver, options, charges), offered = memory_offered(facts);
  const std::string taken = std::to_string(charges) + " charges with " + named;
  const std::string remedy = "take fewer charges, a device with more memory, or device = \"cpu\"";
  if (need.total > offered.total)
    findings.push_back({{},
                        taken + " take about " + bytes(need.total) + ", more than the " +
                            bytes(offered.total) + " that it offers of its " + bytes(facts.memory),
                        remedy});
  else if (need.largest_buffer > offered.largest_buffer)
    findings.push_back({{},
                        taken + " need a buffer of about " + bytes(need.largest_buffer) +
                            ", larger than the " + bytes(offered.largest_buffer) + " that it allows",
                        remedy});
  if (!findings.empty()) throw InputError(std::move(findings));
}

}  // namespace electret::gpu
