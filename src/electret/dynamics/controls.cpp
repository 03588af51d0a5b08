#include <algorithm>
#include <iterator>
#include <numbers>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/controls.hpp>
#include <electret/scene/contact_start.hpp>
#include <electret/scene/rounded_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Throws InputError for a value that a scene may not have.
void require_range(const DrivenInput& control, ScalarView values) {
  const std::string allowed = to_string(control.range);
  if (allowed.empty()) return;
  for (const double value : values)
    if (!control.range.contains(value))
      throw InputError(
          Finding{{control.name, 0, 0}, "is set to " + number_text(value), "allowed: number " + allowed});
}

/// Whether the two controls write to some of the same numbers. Those of loads only add to them.
bool collide(const DrivenInput& a, const DrivenInput& b) {
  if (a.field != b.field || a.load != b.load) return false;
  if (a.column >= b.column + b.width() || b.column >= a.column + a.width()) return false;
  std::vector<std::size_t> of_a = a.members, of_b = b.members, common;
  std::sort(of_a.begin(), of_a.end());
  std::sort(of_b.begin(), of_b.end());
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
  return !common.empty();
}

/// Calls visit(member, axis, value) for each number that a control drives: the number `axis` of those of a
/// member, and the value that it gets.
template <class Visit>
void for_numbers(const DrivenInput& control, Visit&& visit) {
  const std::size_t width = control.width();
  for (std::size_t k = 0; k < control.members.size(); ++k)
    for (std::size_t axis = 0; axis < width; ++axis) visit(k, axis, (control.is_each ? k * width : 0) + axis);
}

void add_grabs(std::span<const PlacedGrab> grabs, Inputs& inputs) {
  inputs.grabs.insert(inputs.grabs.end(), grabs.begin(), grabs.end());
}

void check_state(const System& system, const State& state) {
  require_argument(state.positions.size() == system.assembly.masses.size(),
                   "the state does not have as many vertices as the system");
}

}  // namespace

std::vector<std::string> control_names(const System& system) {
  std::vector<std::string> names;
  for (const DrivenInput& input : driven_inputs(system.assembly)) names.push_back(input.name);
  return names;
}

Controls::Controls(const System& system, const std::vector<std::string>& names) : system_(&system) {
  const std::vector<DrivenInput> known = driven_inputs(system.assembly);
  std::vector<Finding> findings;
  for (const std::string& name : names) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const DrivenInput& input) { return input.name == name; });
    if (found == known.end()) {
      findings.push_back({{"controls", 0, 0},
                          "the scene has no input " + in_quotes(name),
                          suggestion(name, control_names(system))});
      continue;
    }
    for (const DrivenInput& other : list_)
      if (collide(*found, other))
        findings.push_back(
            {{"controls", 0, 0},
             in_quotes(name) + " drives numbers that " + in_quotes(other.name) + " drives already",
             "drive every number only once"});
    list_.push_back(*found);
    list_.back().first = size_;
    size_ += found->size();
    if (found->field == &input::pin_positions)
      pin_slots_.insert(pin_slots_.end(), found->members.begin(), found->members.end());
  }
  if (!findings.empty()) throw InputError(std::move(findings));
  system.schedule.evaluate(0.0, sizes_);
}

void Controls::write(ScalarView action, Inputs& inputs) const {
  require_argument(action.size() == size_, "the action does not have as many values as the controls");
  require_argument(
      list_.empty() || (wrong_size(inputs, sizes_).empty() && inputs.grabs.size() >= sizes_.grabs.size()),
      "the inputs are not those of the controls' system");
  for (const DrivenInput& control : list_)
    write_one(control, action.subspan(control.first, control.size()), inputs);
}

void Controls::write_one(const DrivenInput& control, ScalarView values, Inputs& inputs) const {
  require_range(control, values);
  if (control.field == &input::loads) inputs.loads.resize(system_->assembly.masses.size());
  const LoadTrack* replaced = control.load ? &system_->assembly.load_tracks[*control.load] : nullptr;
  const double factor = replaced == nullptr ? 0.0 : replaced->factor_at(inputs.time, system_->time_step);
  const InputRows<double> rows = rows_of(*control.field, inputs);
  for_numbers(control, [&](std::size_t k, std::size_t axis, std::size_t v) {
    double& number = rows(control.members[k], control.column + axis);
    double value = values[v] / control.parts;
    if (!control.origins.empty()) value += control.origins[k][static_cast<int>(axis)];
    if (replaced != nullptr) value -= factor * replaced->force(k)[static_cast<int>(axis)];
    number = control.field->is_sum ? number + value : value;
  });
}

template <class Visit>
void Controls::for_exact_obstacles(Visit&& visit) const {
  for (const DrivenInput& control : list_)
    if (control.field == &input::placements)
      for (const std::size_t row : control.members)
        if (system_->assembly.obstacles[row].is_exact) visit(row);
}

/// A step knows where an obstacle's surface comes to, and not the way there.
void Controls::require_slow_turn(std::size_t row, const Placement& placement) const {
  if (placement.turning == Vec3{}) return;
  const ObstacleTrack& track = system_->assembly.obstacles[row];
  const RigidSurface surface = track.sized();
  const double turn = norm(PlacedSurface(surface, placement).motion().turning) * system_->time_step;
  if (!(turn > most_turn * (1.0 + 1e-9))) return;
  constexpr double degrees = 180.0 / std::numbers::pi;
  throw InputError(Finding{{track.name + ".placement", 0, 0},
                           "turns the obstacle by " + brief_text(degrees * turn) + " degrees in a step",
                           "allowed: a turn of at most " + brief_text_below(degrees * most_turn) +
                               " degrees in a step of " + number_text(system_->time_step) + " s"});
}

void Controls::place_starts(Inputs& start) const {
  for_exact_obstacles([&](std::size_t row) {
    Placement& placement = start.placements[row];
    require_slow_turn(row, placement);
    placement.offset -= system_->time_step * placement.velocity;
    placement.rotation -= system_->time_step * placement.turning;
  });
}

void Controls::check(std::span<const double> fractions, const StepInputGradients& by_inputs,
                     VectorSpan by_positions) const {
  const auto fits = [&](const InputGradients& by) { return have_shapes_of(by, sizes_); };
  const auto& stages = by_inputs.stages;
  require_argument(
      list_.empty() ||
          (fits(by_inputs.start) && fits(by_inputs.end) && stages.size() == fractions.size() &&
           std::all_of(stages.begin(), stages.end(), fits) && by_positions.size() == sizes_.charges.size()),
      "the derivatives with respect to inputs are not those of the controls' system");
}

void Controls::take_pin_starts(std::span<const double> fractions, StepInputGradients& by_inputs,
                               VectorSpan by_positions) const {
  check(fractions, by_inputs, by_positions);
  // Pins: the places within the step lie between those at its start, which are the state's, and those at its
  // end.
  for (const std::size_t slot : pin_slots_) {
    Vec3& by_start = by_inputs.start.pin_positions[slot];
    Vec3& at_start = by_positions[static_cast<std::size_t>(system_->pins[slot])];
    at_start += by_start;
    by_start = {};
    for (std::size_t s = 0; s < fractions.size(); ++s) {
      Vec3& by_stage = by_inputs.stages[s].pin_positions[slot];
      at_start += (1.0 - fractions[s]) * by_stage;
      by_stage *= fractions[s];
    }
  }
}

void Controls::take_gradient(std::span<const double> fractions, StepInputGradients& by_inputs,
                             VectorSpan by_positions, ScalarSpan by_action) const {
  require_argument(by_action.size() == size_,
                   "the derivatives by the action are not as many as the controls' values");
  take_pin_starts(fractions, by_inputs, by_positions);
  for_exact_obstacles([&](std::size_t row) {
    Placement& by = by_inputs.start.placements[row];
    by.velocity -= system_->time_step * by.offset;
    by.turning -= system_->time_step * by.rotation;
  });
  for (const DrivenInput& control : list_) {
    const ScalarSpan by_values = by_action.subspan(control.first, control.size());
    take_one(control, by_inputs.start, by_values);
    for (InputGradients& stage : by_inputs.stages) take_one(control, stage, by_values);
    take_one(control, by_inputs.end, by_values);
  }
}

void Controls::take_one(const DrivenInput& control, InputGradients& by_inputs, ScalarSpan by_values) const {
  const InputRows<double> rows = rows_of(*control.field, by_inputs);
  for_numbers(control, [&](std::size_t k, std::size_t axis, std::size_t v) {
    double& by = rows(control.members[k], control.column + axis);
    by_values[v] += by / control.parts;
    if (!control.field->is_sum) by = 0.0;
  });
}

void Controls::clear_driven(AssemblyGradient& gradient) const {
  for (const DrivenInput& control : list_) {
    if (!control.load) continue;
    for (const NumberKind* kind : {&number::load_forces, &number::load_factors}) {
      const ScalarSpan values = gradient.scalars({*kind, *control.load});
      std::fill(values.begin(), values.end(), 0.0);
    }
  }
}

DrivenSteps::DrivenSteps(const System& system, const Controls& controls, std::span<const double> fractions)
    : system_(system), controls_(controls), fractions_(fractions), schedule_(system, fractions) {}

const StepInputs& DrivenSteps::inputs(const State& state, ScalarView action,
                                      std::span<const PlacedGrab> grabs) {
  check_state(system_, state);
  schedule_.evaluate(state.step);
  inputs_ = schedule_.inputs();
  if (!action.empty()) {
    controls_.write(action, inputs_.start);
    for (Inputs& stage : inputs_.stages) controls_.write(action, stage);
    controls_.write(action, inputs_.end);
    controls_.place_starts(inputs_.start);
  }
  add_grabs(grabs, inputs_.start);
  for (Inputs& stage : inputs_.stages) add_grabs(grabs, stage);
  add_grabs(grabs, inputs_.end);
  for (const std::size_t slot : controls_.pin_slots()) {
    const Vec3 from = state.positions[static_cast<std::size_t>(system_.pins[slot])];
    const Vec3 way = inputs_.end.pin_positions[slot] - from;
    inputs_.start.pin_positions[slot] = from;
    for (std::size_t s = 0; s < fractions_.size(); ++s)
      inputs_.stages[s].pin_positions[slot] = from + fractions_[s] * way;
  }
  return inputs_;
}

Inputs DrivenSteps::inputs_at(const State& state, ScalarView action,
                              std::span<const PlacedGrab> grabs) const {
  check_state(system_, state);
  Inputs inputs;
  system_.schedule.evaluate(system_.time(state.step), inputs);
  if (!action.empty()) controls_.write(action, inputs);
  add_grabs(grabs, inputs);
  for (const std::size_t slot : controls_.pin_slots())
    inputs.pin_positions[slot] = state.positions[static_cast<std::size_t>(system_.pins[slot])];
  return inputs;
}

}  // namespace electret
