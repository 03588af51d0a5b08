/// \file
/// `electret gradient SCENE`: prints a loss and its derivatives with respect to named parameters as JSON;
/// without parameters the loss alone.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/parameters.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "first_use.hpp"
#include "print.hpp"
#include "scene_input.hpp"
#include "scene_options.hpp"
#include "sign_of_life.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "warnings.hpp"

namespace electret::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* usage_footer = R"(
'electret check SCENE --parameters' lists what --wrt takes. Without --wrt the loss alone is printed.

The gradient is only as exact as the steps are solved. Methods with a tolerance need one of 1e-10 or less.
--check adds derivatives by differences of whole runs (up to 29 runs per value), and a relative error per value:
|gradient - difference| over the parameter's largest difference. If that difference is below 1e-7 of the loss per
change of the whole parameter, the error is relative to this number instead. At a loss of 0 it is 1e-7 of the largest
loss that the runs of the differences met, per hundredth of the parameter.

Exit status: 1 if the run diverges or a derivative does not exist; it is then null.

Examples:
  electret gradient scene.toml --loss final_position:goal.obj --wrt body.torus.charge,body.torus.stiffness
  electret gradient scene.toml --loss energy --wrt body.torus.charges --check > gradient.json
  electret gradient scene.toml --loss centre_of_mass:0,0,1)";

/// The command's help, with one paragraph per loss.
std::string gradient_footer() {
  std::string text = "Losses:\n";
  for (const LossForm& form : loss_forms()) text += fmt::format("  {}: {}\n", written(form), form.is);
  return text + usage_footer;
}

struct GradientCommand {
  SceneOptions scene;
  std::string loss, parameters;
  double memory = 0.0;  ///< GB; 0: half of the free memory.
  bool check = false;
};

/// Splits a list at its commas. The name of a body, group or obstacle may have commas, too: where the text
/// goes on with the name of a parameter that ends at a comma, it is that name, the longest one if there are
/// several.
std::vector<std::string> split(const std::string& list, const Assembly& assembly) {
  const std::vector<Parameter> known = parameters(assembly);
  std::vector<std::string> names;
  for (std::size_t begin = 0; !list.empty() && begin <= list.size();) {
    std::size_t end = std::min(list.find(',', begin), list.size());
    for (const Parameter& parameter : known) {
      const std::size_t past = begin + parameter.name.size();
      const bool is_here = list.compare(begin, parameter.name.size(), parameter.name) == 0;
      if (is_here && past > end && (past == list.size() || list[past] == ',')) end = past;
    }
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

/// What the two arguments name. `parse` reports the findings about both at once.
struct Asked {
  std::vector<Parameter> parameters;
  std::unique_ptr<Loss> loss;
  std::vector<std::string> groups;  ///< Those of the loss.
};

Asked parse(const GradientCommand& options, const Assembly& assembly) {
  Asked asked;
  std::vector<Finding> findings;
  const auto gather = [&](const InputError& error, const char* option) {
    for (Finding finding : error.findings()) {
      if (finding.where.file.empty()) finding.where.file = option;
      findings.push_back(std::move(finding));
    }
  };
  std::set<std::string> named;
  for (const std::string& name : split(options.parameters, assembly)) {
    if (!named.insert(name).second) {
      findings.push_back({{"--wrt", 0, 0}, in_quotes(name) + " is named twice", "name each parameter once"});
      continue;
    }
    try {
      asked.parameters.push_back(find_parameter(assembly, name));
    } catch (const InputError& error) {
      gather(error, "--wrt");
    }
  }
  try {
    asked.loss = parse_loss(options.loss, assembly, {"--loss", 0, 0});
    asked.groups = groups_of_loss(options.loss, assembly, {"--loss", 0, 0});
  } catch (const InputError& error) {
    gather(error, "--loss");
  }
  if (options.parameters.empty() && options.check)
    findings.push_back(
        {{"--check", 0, 0}, "there are no derivatives to compare", "name parameters with --wrt"});
  if (!options.parameters.empty())
    for (Finding& finding : findings_about_changes(assembly.scene, "a gradient"))
      findings.push_back(std::move(finding));
  if (!options.parameters.empty() && assembly.scene.time.steps == 0)
    findings.push_back(
        {{options.scene.scene, 0, 0}, "the scene has no step", "a gradient needs at least one"});
  if (!findings.empty()) throw InputError(findings);
  return asked;
}

/// A number, a list of numbers, a vector or a list of vectors, in the parameter's own shape.
Json shaped(const Parameter& parameter, const std::vector<double>& values) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < parameter.rows(); ++r) {
    if (parameter.columns == 1) {
      rows.push_back(values[r]);
      continue;
    }
    Json row = Json::array();
    for (std::size_t c = 0; c < parameter.columns; ++c) row.push_back(values[r * parameter.columns + c]);
    rows.push_back(std::move(row));
  }
  return parameter.is_list ? rows : rows[0];
}

/// Says in one line how the linear systems of the backward sweep were solved; nothing if the method has none.
void report_methods(const GradientReport& report) {
  if (report.solves == 0) return;
  const Count others =
      report.multigrid_solves + report.quasi_newton_solves + report.direct_solves + report.gmres_solves;
  std::string methods;
  for (const auto& [count, method] :
       {std::pair(report.solves - others, "conjugate gradients"),
        std::pair(report.multigrid_solves, "conjugate gradients behind multigrid"),
        std::pair(report.gmres_solves, "GMRES"),
        std::pair(report.quasi_newton_solves, "the quasi-Newton iteration"),
        std::pair(report.direct_solves, "a factorisation")})
    if (count > 0) methods += fmt::format("{}{} by {}", methods.empty() ? "" : ", ", count, method);
  tell("electret: backward solves: {}; {:.1f} iterations each, residuals up to {:.1e}\n", methods,
       static_cast<double>(report.iterations) / static_cast<double>(report.solves), report.worst_residual);
}

void report_solves(const GradientReport& report, const Scene& scene) {
  tell_capped_steps(report.capped_steps, report.steps, scene);
  if (report.capped_steps > 0) tell("electret: the gradient is only as exact as these steps\n");
  report_methods(report);
  if (!(report.worst_residual <= 1e-8))  // A NaN, too.
    tell("electret: the backward solve of step {} stopped at a relative residual of {:.1e}\n",
         report.worst_step + 1, report.worst_residual);
}

/// Says which derivatives do not exist; the JSON has null there. Returns whether all do.
bool tell_no_derivatives(const std::vector<Parameter>& parameters, const AssemblyGradient& gradient) {
  bool all_exist = true;
  for (const Parameter& parameter : parameters) {
    const std::vector<double> slope = parameter.pull(gradient);
    const auto none =
        std::count_if(slope.begin(), slope.end(), [](double each) { return !std::isfinite(each); });
    if (none == 0) continue;
    all_exist = false;
    const std::string part =
        slope.size() > 1 ? fmt::format("{} of the {} values of ", none, slope.size()) : "";
    tell(
        "electret: the loss has no derivative with respect to {}{}: a formula of the scene is not smooth "
        "there "
        "or its derivative is beyond all numbers\n",
        part, parameter.name);
  }
  return all_exist;
}

/// Says that differences are missing.
void tell_missing(const std::string& parameter, std::size_t missing, std::size_t of) {
  if (missing == 0) return;
  const std::string part = of > 1 ? fmt::format("{} of the {} values of ", missing, of) : "";
  tell(
      "electret: no difference can be made by {}{}: with it moved to either side by any step, a run has no "
      "value\n",
      part, parameter);
}

/// Adds "finite_difference" and "relative_error". The error is relative to the parameter's largest
/// difference. If that is next to nothing, it is relative to 1e-7 of the loss for a change of the whole
/// parameter, below which differences say little. At a loss of 0 that number is that of the losses to which
/// the differences moved the parameter, by a hundredth of its size. Where no difference can be made, both are
/// null.
void check(const Assembly& assembly, const GradientCommand& options, const Asked& asked,
           const Control& control, const LossAndGradient& got, Json& result) {
  double largest = 0.0;  // Of the losses that a parameter's differences met.
  const auto loss = [&](Assembly changed) {
    Simulator simulator(compile(std::move(changed), options.scene.threads));
    const double met = loss_of_run(simulator, *asked.loss);
    if (std::isfinite(met)) largest = std::max(largest, std::abs(met));
    return met;
  };
  for (const Parameter& parameter : asked.parameters) {
    std::vector<double> found, relative;
    std::size_t missing = 0;
    largest = 0.0;
    const double typical = typical_size(assembly, parameter, parameter.read(assembly));
    double size = 1e-7 * std::abs(got.loss) / typical;
    for (const Difference& difference : differences(assembly, parameter, loss, control)) {
      found.push_back(difference.value);
      if (std::isnan(difference.value))
        ++missing;
      else
        size = std::max(size, std::abs(difference.value));
    }
    if (got.loss == 0.0) size = std::max(size, 1e-7 * largest / (0.01 * typical));
    tell_missing(parameter.name, missing, found.size());
    const std::vector<double> slope = parameter.pull(got.gradient);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double apart = std::abs(slope[k] - found[k]);
      relative.push_back(apart == 0.0 ? 0.0 : apart / (size > 0.0 ? size : std::abs(slope[k])));
    }
    result["finite_difference"][parameter.name] = shaped(parameter, found);
    result["relative_error"][parameter.name] = shaped(parameter, relative);
  }
}

/// Prints the loss alone.
int run_loss(const GradientCommand& options, const Assembly& assembly, const Asked& asked,
             std::optional<SignOfLife>& sign) {
  const SignalStop signals;
  ProgressDisplay display("run");
  if (assembly.scene.coulomb) tell_of_first_use(assembly.scene.coulomb->device);
  Simulator simulator(compile(assembly, options.scene.threads));
  const StepChoice step = step_choice(simulator.system(), simulator.integrator(), true);
  const auto warnings = run_warnings(simulator.system(), simulator.integrator(), step, "", asked.groups);
  sign.reset();
  tell(warnings, options.scene.stop_on_warning);
  Control control;
  control.stop = signals.token();
  control.progress = [&](const Progress& progress) { display.update(progress); };
  Json result;
  try {
    result["loss"] = loss_of_run(simulator, *asked.loss, 0, control);
    display.clear();
  } catch (const Cancelled&) {
    display.clear();
    tell("electret: interrupted; nothing is written\n");
    return ended_by(signals.received());
  }
  say("{}\n", result.dump(-1, ' ', true));
  return Status::done;
}

int run_gradient(const GradientCommand& options) {
  std::optional<SignOfLife> sign(std::in_place, preparing);
  const Assembly assembly = assembled_scene(options.scene);
  const Asked asked = parse(options, assembly);
  if (asked.parameters.empty()) return run_loss(options, assembly, asked, sign);
  const SignalStop signals;
  ProgressDisplay display("gradient");
  GradientOptions how;
  how.memory = 1e9 * options.memory;
  how.rest_positions = std::any_of(asked.parameters.begin(), asked.parameters.end(), [](const Parameter& p) {
    return p.source.kind == &number::rest_positions;
  });
  how.control.stop = signals.token();
  how.control.progress = [&](const Progress& progress) { display.update(progress); };
  if (assembly.scene.coulomb) tell_of_first_use(assembly.scene.coulomb->device);
  Simulator simulator(compile(assembly, options.scene.threads, IdleForces::kept));
  const auto warnings =
      gradient_warnings(simulator.system(), simulator.integrator(), how.rest_positions, asked.groups);
  sign.reset();
  tell(warnings, options.scene.stop_on_warning);
  const std::string notice = gradient_tolerance_notice(simulator.system(), simulator.integrator());
  if (!notice.empty()) tell("electret: {}\n", notice);
  Json result;
  bool all_exist = true;
  try {
    const LossAndGradient got = loss_and_gradient(simulator, *asked.loss, how);
    display.clear();
    report_solves(got.report, assembly.scene);
    result["loss"] = got.loss;
    all_exist = tell_no_derivatives(asked.parameters, got.gradient);
    for (const Parameter& parameter : asked.parameters)
      result["gradient"][parameter.name] = shaped(parameter, parameter.pull(got.gradient));
    ProgressDisplay checking("check");
    Control control;
    control.stop = signals.token();
    // The differences of one parameter count themselves alone.
    Count made = 0, all = 0;
    for (const Parameter& parameter : asked.parameters) all += static_cast<Count>(parameter.size());
    control.progress = [&](const Progress& progress) {
      const Count now = made + progress.done;
      checking.update(fmt::format("difference {} of {}", now, all),
                      static_cast<double>(now) / static_cast<double>(all));
      if (progress.done == progress.total) made = now;
    };
    if (options.check) check(assembly, options, asked, control, got, result);
    checking.clear();
  } catch (const Cancelled&) {
    display.clear();
    tell("electret: interrupted; nothing is written\n");
    return ended_by(signals.received());
  }
  say("{}\n", result.dump(-1, ' ', true));
  return all_exist ? Status::done : Status::failed;
}

}  // namespace

void add_gradient(CommandLine& line) {
  auto options = std::make_shared<GradientCommand>();
  Command command =
      line.add("gradient", "Differentiate a loss of a scene's motion with respect to parameters");
  add_scene_and_settings(command, options->scene);
  command.option("--loss", options->loss, "The loss to differentiate: " + written_loss_forms())
      .required()
      .type_name("LOSS");
  command.option("--wrt", options->parameters, "Parameters, separated by commas; default: the loss alone")
      .type_name("PARAM[,PARAM...]")
      .not_empty();
  command.flag("--check", options->check, "Add derivatives by differences, and relative errors");
  add_memory_option(command, options->memory);
  add_stop_on_warning_option(command, options->scene.stop_on_warning);
  command.footer(gradient_footer());
  command.does([options] { return run_gradient(*options); });
}

}  // namespace electret::app
