#include "field_options.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/scene/words.hpp>

namespace electret::app {
namespace {

std::vector<std::string> solvers() {
  std::vector<std::string> names(field_solvers.begin(), field_solvers.end());
  if (!ddef_available()) std::erase(names, "ddef");
  return names;
}

template <class Words>
std::string allowed(const Words& words) {
  return "allowed: " + joined(words);
}

bool is_gpu_word(const std::string& word) {
  return std::find(gpu_words.begin(), gpu_words.end(), word) != gpu_words.end();
}

/// Whether the solver exists.
bool check_solver(const std::string& solver, std::vector<Finding>& findings) {
  const auto known = solvers();
  if (std::find(known.begin(), known.end(), solver) != known.end()) return true;
  const std::string asked = "--solver " + in_quotes(solver);
  if (solver == "ddef")
    findings.push_back(
        {{}, asked + " is not available in this build: it was made without Qhull", allowed(known)});
  else
    findings.push_back(
        {{},
         asked + " is no field solver",
         is_gpu_word(solver) ? "for a GPU: --device gpu; " + allowed(known) : suggestion(solver, known)});
  return false;
}

/// Whether this machine has the device; the finding says what to do.
void check_device(const std::string& device, std::vector<Finding>& findings) {
  const std::string asked = "--device " + in_quotes(device);
  if (!is_field_device(device)) {
    findings.push_back({{}, asked + " is no device", allowed(field_devices)});
    return;
  }
  if (!asks_for_gpu(device)) return;
  try {
    static_cast<void>(gpu::device_facts(device));
  } catch (const InputError& error) {
    const std::string in_a_scene = "coulomb.device = ";
    for (Finding finding : error.findings()) {
      if (finding.message.starts_with(in_a_scene)) finding.message.replace(0, in_a_scene.size(), "--device ");
      findings.push_back(std::move(finding));
    }
  }
}

void check_ddef_only(const std::string& option, const std::string& solver, std::vector<Finding>& findings) {
  if (solver == "ddef") return;
  findings.push_back(
      {{}, used_only_by_ddef(option, solver), "give --solver ddef, or leave " + option + " out"});
}

using Typed = std::optional<std::string>;

/// The number that was typed; absent if there was none, or none that `is_allowed`.
std::optional<double> number(const std::string& option, const Typed& typed, bool (*is_allowed)(double),
                             const std::string& allowed, std::vector<Finding>& findings) {
  if (!typed) return std::nullopt;
  const input::Number read = input::number(*typed);
  if (read.fault.empty() && is_allowed(read.value)) return read.value;
  findings.push_back({{}, fmt::format("{}: {} is not a number {}", option, in_quotes(*typed), allowed), ""});
  return std::nullopt;
}

std::optional<Count> whole_number(const std::string& option, const Typed& typed, Count least, Count most,
                                  const std::string& allowed, std::vector<Finding>& findings) {
  if (!typed) return std::nullopt;
  const auto read = input::integer(*typed);
  if (read && *read >= least && *read <= most) return static_cast<Count>(*read);
  findings.push_back(
      {{}, fmt::format("{}: {} is not a whole number {}", option, in_quotes(*typed), allowed), ""});
  return std::nullopt;
}

void check_together(const FieldArguments& arguments, const FieldOptions& options,
                    std::vector<Finding>& findings) {
  check_device(arguments.device, findings);
  // If the solver is unknown, so are the settings that it would take.
  if (!check_solver(arguments.solver, findings)) return;
  if (options.solver == "fmm" && options.accuracy.value_or(1.0) < best_fmm_accuracy)
    findings.push_back(
        {{},
         fmt::format("--accuracy {} is beyond what the solver fmm promises", number_text(*options.accuracy)),
         fmt::format("allowed: {} or more with fmm; direct sums in float64",
                     number_text(best_fmm_accuracy))});
  if (arguments.grid_points) check_ddef_only("--grid-points", options.solver, findings);
  if (arguments.half_taylor) check_ddef_only("--half-taylor", options.solver, findings);
}

}  // namespace

FieldSettings field_settings(const FieldArguments& arguments, std::vector<Finding>& findings) {
  const auto positive = [](double value) { return value > 0.0; };
  FieldSettings settings;
  FieldOptions& options = settings.options;
  options.solver = arguments.solver;
  options.device = arguments.device;
  options.ddef_half_taylor = arguments.half_taylor;
  options.accuracy = number(
      "--accuracy", arguments.accuracy, [](double value) { return value > 0.0 && value <= 1.0; },
      "> 0 and ≤ 1", findings);
  options.constant =
      number("--constant", arguments.constant, positive, "> 0", findings).value_or(coulomb_constant);
  options.softening =
      number(
          "--softening", arguments.softening, [](double value) { return value >= 0.0; }, "≥ 0", findings)
          .value_or(0.0);
  options.ddef_grid_points = whole_number("--grid-points", arguments.grid_points, 1, most_ddef_grid_points,
                                          fmt::format("from 1 to {}", most_ddef_grid_points), findings);
  settings.verify =
      whole_number("--verify", arguments.verify, 1, std::numeric_limits<Count>::max(), "> 0", findings)
          .value_or(0);
  settings.threads = static_cast<int>(
      whole_number("--threads", arguments.threads, 0, 4096, "from 0 to 4096", findings).value_or(0));
  check_together(arguments, options, findings);
  return settings;
}

}  // namespace electret::app
