#include <electret/core/errors.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/solver.hpp>

namespace electret {
namespace {

void check_available(const FieldOptions& options) {
  std::vector<Finding> findings;
  const bool later = options.solver == "ddef" || options.solver == "fmm" || options.solver == "cuda";
  if (later)
    findings.push_back({{},
                        "coulomb.solver = \"" + options.solver + "\" is not available in this version",
                        "allowed: auto, direct"});
  else if (options.solver != "auto" && options.solver != "direct")
    findings.push_back(
        {{}, "coulomb.solver = \"" + options.solver + "\" is no field solver", "allowed: auto, direct"});
  if (options.device == "cuda")
    findings.push_back(
        {{}, "coulomb.device = \"cuda\" is not available in this version", "allowed: auto, cpu"});
  else if (options.device != "auto" && options.device != "cpu")
    findings.push_back(
        {{}, "coulomb.device = \"" + options.device + "\" is no device", "allowed: auto, cpu"});
  if (!findings.empty()) throw InputError(std::move(findings));
}

}  // namespace

std::unique_ptr<FieldSolver> make_field_solver(const FieldOptions& options, Count, Threads& threads) {
  check_available(options);
  return direct::make_direct_field_solver(options, threads, direct::best_instruction_set(),
                                          direct::arithmetic_for(options.accuracy));
}

std::string field_solver_choice(const FieldOptions& options, Count source_count) {
  check_available(options);
  const auto arithmetic = direct::arithmetic_for(options.accuracy);
  std::string text = "direct: ";
  text += options.solver == "auto" ? "auto takes it for any number of charges, here " : "asked for; it sums ";
  text += std::to_string(source_count) + (options.solver == "auto" ? ", " : " charges ");
  text += arithmetic == direct::Arithmetic::float64               ? "in float64"
          : arithmetic == direct::Arithmetic::float32_compensated ? "in float32 with compensated differences"
                                                                  : "in float32";
  text += options.accuracy ? ", which meets the asked accuracy" : ", since no accuracy is asked";
  text += std::string(" (") + direct::kernels(direct::best_instruction_set()).instruction_set + " kernels)";
  return text;
}

}  // namespace electret
