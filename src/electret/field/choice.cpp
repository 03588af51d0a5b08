/// Chooses the solver: by name, or by a committed table of measured costs. Neither a clock nor the number of
/// threads plays a part, so a scene uses the same method on every machine.

#include <algorithm>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/text.hpp>
#include <electret/field/crossover.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/fmm/passes/acceptance.hpp>
#include <electret/field/solver.hpp>

namespace electret {
namespace {

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Adds a finding if `value` is not one of the `known` words of `key`. `kind` says what it names: "field
/// solver" or "device".
void check_word(const std::string& key, const std::string& value, const char* kind,
                std::span<const std::string_view> known, std::span<const std::string_view> later,
                std::vector<Finding>& findings) {
  if (is_one_of(known, value)) return;
  findings.push_back(
      {{},
       key + " = " + in_quotes(value) +
           (is_one_of(later, value) ? " is not available in this version" : std::string(" is no ") + kind),
       "allowed: " + joined(known)});
}

void check_available(const FieldOptions& options) {
  std::vector<Finding> findings;
  const std::string& solver = options.solver;
  check_word("coulomb.solver", solver, "field solver", field_solvers, {}, findings);
  if (solver == "ddef" && !ddef_available())
    findings.push_back({{},
                        "coulomb.solver = \"ddef\" is not available in this build: it was made without Qhull",
                        "allowed: " + joined(all_but("ddef", field_solvers))});
  if (solver == "fmm" && options.accuracy && *options.accuracy > 0.0 && *options.accuracy < best_fmm_accuracy)
    findings.push_back({{},
                        "coulomb.accuracy is beyond what solver \"fmm\" promises",
                        "allowed: 1e-10 or more with fmm; direct sums in float64"});
  check_word("coulomb.device", options.device, "device", field_devices, later_field_devices, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
}

std::string chosen(const FieldOptions& options, Count source_count) {
  if (options.solver != "auto") return options.solver;
  return source_count < fmm_crossover(options) ? "direct" : "fmm";
}

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string why(const FieldOptions& options, Count source_count, const std::string& solver) {
  if (options.solver != "auto") return "requested";
  const Count crossover = fmm_crossover(options);
  if (crossover == std::numeric_limits<Count>::max())
    return "auto takes it if an accuracy below " + number(1e-9) + " is requested";
  return "auto takes it for " + std::string(solver == "direct" ? "fewer than " : "") +
         std::to_string(crossover) + (options.softening > 0.0 ? " softened" : "") + " charges" +
         (solver == "direct" ? "" : " or more") + ", here " + std::to_string(source_count);
}

std::string how(const FieldOptions& options, const std::string& solver, bool apart) {
  const double aim = options.accuracy.value_or(default_field_accuracy);
  const std::string asked = options.accuracy ? ", as requested" : ", the default";
  if (solver == "fmm") {
    const fmm::Plan plan = fmm::plan_for(apart ? fmm::accuracy_part_apart * aim : aim);
    return "it aims at " + number(aim) + asked +
           (apart ? " (with the settings for " + number(fmm::accuracy_part_apart * aim) +
                        ", because the targets are not the charges)"
                  : "") +
           ", with expansions to order " + std::to_string(plan.order) +
           (options.softening > 0.0
                ? ", of softened cells to order " + std::to_string(fmm::highest_taylor_order(plan)) + ","
                : "") +
           " in " + (plan.float64 ? "float64" : "float32");
  }
  if (solver == "ddef")
    return "its error has no bound and is typically up to about " + number(ddef_typical_error) +
           (options.accuracy && *options.accuracy < ddef_typical_error ? ", more than requested" : "");
  require(solver == "direct", "field_solver_choice: a solver that does not say how it computes");
  const auto arithmetic = direct::arithmetic_for(options.accuracy);
  return std::string("it sums in ") +
         (arithmetic == direct::Arithmetic::float64               ? "float64"
          : arithmetic == direct::Arithmetic::float32_compensated ? "float32 with compensated differences"
                                                                  : "float32") +
         (!options.accuracy           ? ", because no accuracy is requested"
          : *options.accuracy < 1e-15 ? ", whose rounding error of about 1e-15 is more than requested"
                                      : ", which meets the requested accuracy");
}

void check_count(Count source_count) {
  require_argument(source_count >= 0, "a negative number of charges");
}

}  // namespace

std::unique_ptr<FieldSolver> make_field_solver(const FieldOptions& options, Count source_count,
                                               Threads& threads) {
  check_count(source_count);
  check_available(options);
  const std::string solver = chosen(options, source_count);
  if (solver == "fmm") return fmm::make_fmm_field_solver(options, threads, instruction_set());
  if (solver == "ddef") return make_ddef_field_solver(options, threads);
  require(solver == "direct", "make_field_solver: a solver that is not made here");
  return direct::make_direct_field_solver(options, threads, instruction_set(),
                                          direct::arithmetic_for(options.accuracy));
}

Choice field_solver_choice(const FieldOptions& options, Count source_count, bool apart) {
  check_count(source_count);
  check_available(options);
  const std::string solver = chosen(options, source_count);
  return {solver, why(options, source_count, solver) + "; " + how(options, solver, apart) + " (" +
                      direct::kernels(instruction_set()).instruction_set + " kernels)"};
}

}  // namespace electret
