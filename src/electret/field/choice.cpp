/// Chooses the solver and the device: by name, or by committed tables of measured costs. Neither a clock nor
/// the number of threads plays a part, so a scene uses the same method on every machine with the same
/// devices.

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/core/arguments.hpp>
#include <electret/core/digits.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/text.hpp>
#include <electret/field/crossover.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/fmm/passes/acceptance.hpp>
#include <electret/field/gpu/crossover.hpp>
#include <electret/field/gpu/limits.hpp>
#include <electret/field/gpu/placement.hpp>
#include <electret/field/gpu/solvers.hpp>
#include <electret/field/solver.hpp>

namespace electret {
namespace {

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_solver(const std::string& solver, std::vector<Finding>& findings) {
  if (is_one_of(field_solvers, solver)) return;
  const std::string remedy = is_one_of(gpu_words, solver) ? std::string(gpu_remedy) + "; " : "";
  findings.push_back({{},
                      "coulomb.solver = " + in_quotes(solver) + " is no field solver",
                      remedy + "allowed: " + joined(field_solvers)});
}

void check_available(const FieldOptions& options) {
  std::vector<Finding> findings;
  const std::string& solver = options.solver;
  check_solver(solver, findings);
  if (solver == "ddef" && !ddef_available())
    findings.push_back({{},
                        "coulomb.solver = \"ddef\" is not available in this build: it was made without Qhull",
                        "allowed: " + joined(all_but("ddef", field_solvers))});
  if (solver == "fmm" && options.accuracy && *options.accuracy > 0.0 && *options.accuracy < best_fmm_accuracy)
    findings.push_back({{},
                        "coulomb.accuracy is beyond what solver \"fmm\" promises",
                        "allowed: 1e-10 or more with fmm; direct sums in float64"});
  if (!is_field_device(options.device))
    findings.push_back({{},
                        "coulomb.device = " + in_quotes(options.device) + " is no device",
                        "allowed: " + joined(field_devices)});
  if (!findings.empty()) throw InputError(std::move(findings));
}

/// What was chosen. `device.solver` is the solver also on the CPU.
gpu::Placement chosen(const FieldOptions& options, Count source_count) {
  check_available(options);
  gpu::Placement place = gpu::placement(options, source_count);
  if (place.device) return place;
  place.solver = options.solver;
  if (options.solver == "auto") place.solver = source_count < fmm_crossover(options) ? "direct" : "fmm";
  return place;
}

std::string number(double value) {
  return general_text(value, 6);
}

std::string why(const FieldOptions& options, Count source_count, const gpu::Placement& place) {
  if (options.solver != "auto") return "requested";
  const Count crossover =
      place.device ? gpu::fmm_crossover(place.device->kind, options) : fmm_crossover(options);
  if (crossover == std::numeric_limits<Count>::max())
    return "auto takes it if an accuracy below " + number(place.device ? 1e-6 : 1e-9) + " is requested";
  if (crossover == 0) return "auto takes it on a device for this accuracy";
  return "auto takes it " + std::string(place.device ? "on such a device " : "") + "for " +
         (place.solver == "direct" ? "fewer than " : "") + std::to_string(crossover) +
         (options.softening > 0.0 ? " softened" : "") + " charges" +
         (place.solver == "direct" ? "" : " or more") + ", here " + std::to_string(source_count);
}

std::string how_fmm(const FieldOptions& options, bool apart) {
  const double aim = options.accuracy.value_or(default_field_accuracy);
  const double settings = apart ? fmm::accuracy_part_apart * aim : aim;
  const fmm::Plan plan = fmm::plan_for(settings);
  return "it aims at " + number(aim) + (options.accuracy ? ", as requested" : ", the default") +
         (apart ? " (with the settings for " + number(settings) + ", because the targets are not the charges)"
                : "") +
         ", with expansions to order " + std::to_string(plan.order) +
         (options.softening > 0.0
              ? ", of softened cells to order " + std::to_string(fmm::highest_taylor_order(plan)) + ","
              : "") +
         " in " + (plan.float64 ? "float64" : "float32");
}

std::string how_ddef(const FieldOptions& options) {
  return "its error has no bound and is typically up to about " + number(ddef_typical_error) +
         (options.accuracy && *options.accuracy < ddef_typical_error ? ", more than requested" : "");
}

/// On a device, `auto` aims at the default accuracy, and takes float64 for finer ones alone.
std::string how_direct(const FieldOptions& options, bool on_device) {
  const bool by_default = on_device && !options.accuracy && options.solver == "auto";
  auto arithmetic =
      direct::arithmetic_for(by_default ? std::optional(default_field_accuracy) : options.accuracy);
  if (on_device && arithmetic == direct::Arithmetic::float64 && !gpu::needs_float64("direct", options))
    arithmetic = direct::Arithmetic::float32_compensated;
  return std::string("it sums in ") +
         (arithmetic == direct::Arithmetic::float64               ? "float64"
          : arithmetic == direct::Arithmetic::float32_compensated ? "float32 with compensated differences"
                                                                  : "float32") +
         (by_default                  ? ", which meets the default accuracy"
          : !options.accuracy         ? ", because no accuracy is requested"
          : *options.accuracy < 1e-15 ? ", whose rounding error of about 1e-15 is more than requested"
                                      : ", which meets the requested accuracy");
}

std::string how(const FieldOptions& options, const gpu::Placement& place, bool apart) {
  if (place.solver == "fmm") return how_fmm(options, apart);
  if (place.solver == "ddef") return how_ddef(options);
  require(place.solver == "direct", "field_solver_choice: a solver that does not say how it computes");
  return how_direct(options, place.device.has_value());
}

void check_count(Count source_count) {
  require_argument(source_count >= 0, "a negative number of charges");
}

}  // namespace

std::unique_ptr<FieldSolver> make_field_solver(const FieldOptions& options, Count source_count,
                                               Threads& threads) {
  check_count(source_count);
  const gpu::Placement place = chosen(options, source_count);
  if (place.device) return gpu::make_field_solver(place.solver, options, threads, place.name);
  if (place.solver == "fmm") return fmm::make_fmm_field_solver(options, threads, instruction_set());
  if (place.solver == "ddef") return make_ddef_field_solver(options, threads);
  require(place.solver == "direct", "make_field_solver: a solver that is not made here");
  return direct::make_direct_field_solver(options, threads, instruction_set(),
                                          direct::arithmetic_for(options.accuracy));
}

Choice field_solver_choice(const FieldOptions& options, Count source_count, bool apart) {
  check_count(source_count);
  const gpu::Placement place = chosen(options, source_count);
  const std::string where =
      place.device
          ? "; on " + gpu::device_text(*place.device) + ", " + place.why
          : std::string("; on the CPU (") + direct::kernels(instruction_set()).instruction_set + " kernels)";
  return {place.solver, why(options, source_count, place) + "; " + how(options, place, apart) + where};
}

Choice field_device_choice(const FieldOptions& options, Count source_count) {
  check_count(source_count);
  const gpu::Placement place = chosen(options, source_count);
  return {place.device ? gpu::device_text(*place.device) : "cpu", place.why};
}

}  // namespace electret
