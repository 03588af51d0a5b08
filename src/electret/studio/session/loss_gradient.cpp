#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/tables/bodies.hpp>
#include <electret/scene/tables/group_charges.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/loss_gradient.hpp>

namespace electret::studio {
namespace {

/// Of states that the backward sweep holds, bytes: the session needs memory, too.
constexpr double most_memory = 1e9;
constexpr std::size_t most_gradient_rows = 500;

/// The scene without its changes.
Assembly assembled_without_changes(const SceneSource& source, const Control& control) {
  std::vector<Finding> ignored;
  const Document document(source.text, source.file, source.overrides, ignored);
  std::vector<std::string> without;
  if (const Node::Member* changes = document.root().member("change"); changes != nullptr)
    for (std::size_t k = changes->node.items.size(); k-- > 0;)
      without.push_back("--unset change." + std::to_string(k));
  return source.assembled(without, control);
}

std::unique_ptr<Loss> loss_of(const GradientOrder& order, const Assembly& assembly) {
  const std::string& text = order.loss;
  const std::string form = text.substr(0, text.find(':'));
  constexpr std::array<std::string_view, 3> allowed{"energy", "centre_of_mass", "final_position"};
  if (std::find(allowed.begin(), allowed.end(), form) == allowed.end())
    throw InputError(Finding{{},
                             "there is no loss " + in_quotes(text),
                             "allowed: energy, centre_of_mass:x,y,z or final_position:FILE"});
  if (form == "final_position" && text.size() > form.size() + 1) {
    const std::string file = text.substr(form.size() + 1);
    const std::string path = file.starts_with('/') ? file : order.source.folder + "/" + file;
    if (!is_within(path, order.source.folder))
      throw InputError(Finding{{},
                               in_quotes(file) + " is not a regular file in the scene's folder",
                               "allowed: a mesh or a table beside the scene"});
  }
  return parse_loss(text, assembly, Location{}, order.source.folder);
}

/// What is done to the vertices of a group is done to each of them.
void add_group_charges(const Assembly& assembly, const AssemblyGradient& gradient,
                       std::vector<double>& by_charge) {
  for (std::size_t k = 0; k < assembly.charge_tracks.size(); ++k) {
    const ScalarView keys = gradient.scalars({number::group_charges, k});
    const std::vector<Index>& vertices = assembly.charge_tracks[k].vertices;
    const double sum = std::accumulate(keys.begin(), keys.end(), 0.0);
    for (const Index vertex : vertices)
      by_charge[static_cast<std::size_t>(vertex)] = sum / static_cast<double>(vertices.size());
  }
}

std::vector<GradientRow> gradient_rows(const Assembly& assembly, const AssemblyGradient& gradient) {
  std::vector<GradientRow> rows;
  for (const Parameter& parameter : parameters(assembly)) {
    if (rows.size() == most_gradient_rows) break;
    const std::vector<double> slope = parameter.pull(gradient);
    double squares = 0.0;
    for (const double each : slope) squares += each * each;
    rows.push_back({parameter.name, parameter.unit, static_cast<Count>(slope.size()),
                    slope.size() == 1 ? slope[0] : std::sqrt(squares)});
  }
  return rows;
}

}  // namespace

SceneGradient gradient_of(const GradientOrder& order, const Control& control) {
  const Assembly assembly = assembled_without_changes(order.source, control);
  const auto loss = loss_of(order, assembly);
  SceneGradient result;
  result.steps = std::llround(order.time / assembly.scene.time.step);
  if (result.steps < 1)
    throw InputError(Finding{{}, "the play head is at the start", "a gradient needs at least one step"});
  Simulator simulator(compile(assembly, order.threads, IdleForces::kept));
  result.notice = gradient_tolerance_notice(simulator.system(), simulator.integrator());
  GradientOptions options;
  options.steps = result.steps;
  options.memory = most_memory;
  options.control = control;
  const LossAndGradient got = loss_and_gradient(simulator, *loss, options);
  result.loss = got.loss;
  const ScalarView charges = got.gradient.scalars(number::charges);
  const VectorView places = got.gradient.vectors(number::initial_positions);
  result.by_charge.assign(charges.begin(), charges.end());
  result.by_place.assign(places.begin(), places.end());
  add_group_charges(assembly, got.gradient, result.by_charge);
  result.table = gradient_rows(assembly, got.gradient);
  return result;
}

}  // namespace electret::studio
