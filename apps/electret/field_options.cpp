#include "field_options.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/scene/words.hpp>

namespace electret::app {
namespace {

std::vector<std::string> solvers() {
  if (ddef_available()) return {"auto", "direct", "ddef", "fmm"};
  return {"auto", "direct", "fmm"};
}

/// True where the solver is one.
bool check_solver(const std::string& solver, std::vector<Finding>& findings) {
  const auto known = solvers();
  if (std::find(known.begin(), known.end(), solver) != known.end()) return true;
  const std::string asked = "--solver " + in_quotes(solver);
  if (solver == "ddef")
    findings.push_back({{},
                        asked + " is not available in this build: it was made without Qhull",
                        "allowed: " + joined(known)});
  else if (solver == "cuda")
    findings.push_back({{}, asked + " is not available in this version", "allowed: " + joined(known)});
  else
    findings.push_back({{}, asked + " is no field solver", suggestion(solver, known)});
  return false;
}

void check_ddef_only(const std::string& option, const std::string& solver, std::vector<Finding>& findings) {
  if (solver == "ddef") return;
  findings.push_back({{},
                      fmt::format("{} is used by the solver ddef alone, the solver here is {}", option,
                                  solver == "auto" ? "auto, which never takes ddef" : in_quotes(solver)),
                      "give --solver ddef, or leave " + option + " out"});
}

}  // namespace

void check_field_arguments(const FieldOptions& options) {
  std::vector<Finding> findings;
  // Of a solver that there is not nobody knows which settings it would take.
  const bool known = check_solver(options.solver, findings);
  if (options.solver == "fmm" && options.accuracy.value_or(1.0) < best_fmm_accuracy)
    findings.push_back(
        {{},
         fmt::format("--accuracy {} is beyond what the solver fmm promises", number_text(*options.accuracy)),
         fmt::format("allowed: {} or more with fmm; direct sums in float64",
                     number_text(best_fmm_accuracy))});
  if (known && options.ddef_grid_points) check_ddef_only("--grid-points", options.solver, findings);
  if (known && options.ddef_half_taylor) check_ddef_only("--half-taylor", options.solver, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
}

}  // namespace electret::app
