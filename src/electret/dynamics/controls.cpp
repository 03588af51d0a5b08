#include <algorithm>
#include <numeric>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/controls.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

std::vector<std::size_t> numbers_from(std::size_t first, std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

std::vector<std::size_t> rows_of(const std::vector<Index>& vertices) {
  return {vertices.begin(), vertices.end()};
}

/// Everything that can be driven, in the order of the assembly's lists.
class Catalogue {
 public:
  explicit Catalogue(const System& system) : system_(system), assembly_(system.assembly) {
    for (std::size_t b = 0; b < assembly_.scene.bodies.size(); ++b) add_body(b);
    add_externals();
    for (const PinTrack& track : assembly_.pin_tracks) add_pins(track);
    for (std::size_t k = 0; k < assembly_.load_tracks.size(); ++k) {
      const LoadTrack& track = assembly_.load_tracks[k];
      add(track.name + ".force", "N", ControlKind::load_force, k, rows_of(track.vertices), 1, 3);
    }
    std::size_t first = 0;
    for (const MuscleTrack& track : assembly_.muscles) {
      const std::size_t count = track.elements.size();
      add(track.name + ".activation", "", ControlKind::activation, 0, numbers_from(first, count), 1, 1);
      add(track.name + ".activations", "", ControlKind::activations, 0, numbers_from(first, count), count, 1);
      first += count;
    }
    for (std::size_t o = 0; o < assembly_.obstacles.size(); ++o)
      add(assembly_.obstacles[o].name + ".placement", "", ControlKind::placement, 0, {o}, 4, 3);
  }

  std::vector<DrivenInput> inputs;

 private:
  void add(std::string name, const char* unit, ControlKind kind, std::size_t index,
           std::vector<std::size_t> members, std::size_t rows, std::size_t columns) {
    inputs.push_back({std::move(name), unit, kind, index, std::move(members), rows, columns, 0});
  }

  void add_body(std::size_t number) {
    const std::string name = "body." + assembly_.scene.bodies[number].name;
    const auto first = static_cast<std::size_t>(assembly_.body_offsets[number]);
    const auto count = static_cast<std::size_t>(assembly_.body_offsets[number + 1]) - first;
    add(name + ".charge", "C", ControlKind::charge, 0, numbers_from(first, count), 1, 1);
    for (const NamedGroup& group : assembly_.groups)
      if (group.body == number)
        add(name + ".charge[" + group.name + "]", "C", ControlKind::charge, 0, rows_of(group.vertices), 1, 1);
    add(name + ".charges", "C", ControlKind::charges, 0, numbers_from(first, count), count, 1);
    add(name + ".forces", "N", ControlKind::forces, 0, numbers_from(first, count), count, 3);
  }

  void add_externals() {
    std::size_t first = 0;
    for (std::size_t k = 0; k < assembly_.external_charges.size(); ++k) {
      const std::size_t count = assembly_.external_charges[k].points.size();
      const std::string name = "external_charge." + std::to_string(k);
      add(name + ".charge", "C", ControlKind::external_charge, k, numbers_from(first, count), 1, 1);
      add(name + ".position", "m", ControlKind::external_position, k, numbers_from(first, count), 1, 3);
      first += count;
    }
  }

  void add_pins(const PinTrack& track) {
    std::vector<std::size_t> slots;
    for (const Index vertex : track.vertices)
      slots.push_back(static_cast<std::size_t>(
          std::lower_bound(system_.pins.begin(), system_.pins.end(), vertex) - system_.pins.begin()));
    const std::size_t count = slots.size();
    add(track.name + ".offset", "m", ControlKind::pin_offset, 0, slots, 1, 3);
    add(track.name + ".positions", "m", ControlKind::pin_positions, 0, slots, count, 3);
  }

  const System& system_;
  const Assembly& assembly_;
};

/// Controls of one family write to the same numbers.
int family_of(ControlKind kind) {
  switch (kind) {
    case ControlKind::charge:
    case ControlKind::charges:
      return 0;
    case ControlKind::external_charge:
      return 1;
    case ControlKind::external_position:
      return 2;
    case ControlKind::pin_offset:
    case ControlKind::pin_positions:
      return 3;
    case ControlKind::forces:
      return 4;
    case ControlKind::activation:
    case ControlKind::activations:
      return 5;
    case ControlKind::placement:
      return 7;
    case ControlKind::load_force:
      break;
  }
  return 6;
}

/// Throws InputError for an activation that a scene may not have.
void require_activations(const DrivenInput& control, ScalarView values) {
  for (const double value : values)
    if (!(value >= 0.0))
      throw InputError(
          Finding{{control.name, 0, 0}, "is set to " + number_text(value), "allowed: number ≥ 0"});
}

/// Whether the two controls write to some of the same numbers.
bool collide(const DrivenInput& a, const DrivenInput& b) {
  if (family_of(a.kind) != family_of(b.kind)) return false;
  if (a.kind == ControlKind::load_force) return a.index == b.index;
  std::vector<std::size_t> of_a = a.members, of_b = b.members, common;
  std::sort(of_a.begin(), of_a.end());
  std::sort(of_b.begin(), of_b.end());
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
  return !common.empty();
}

Vec3 vector_at(ScalarView values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

void check_state(const System& system, const State& state) {
  require_argument(state.positions.size() == system.assembly.masses.size(),
                   "the state does not have as many vertices as the system");
}

void add_vector(const Vec3& value, std::size_t row, ScalarSpan to) {
  for (int axis = 0; axis < 3; ++axis) to[3 * row + static_cast<std::size_t>(axis)] += value[axis];
}

}  // namespace

std::vector<std::string> control_names(const System& system) {
  std::vector<std::string> names;
  for (const DrivenInput& input : Catalogue(system).inputs) names.push_back(input.name);
  return names;
}

Controls::Controls(const System& system, const std::vector<std::string>& names) : system_(&system) {
  const Catalogue catalogue(system);
  std::vector<Finding> findings;
  for (const std::string& name : names) {
    const auto found = std::find_if(catalogue.inputs.begin(), catalogue.inputs.end(),
                                    [&](const DrivenInput& input) { return input.name == name; });
    if (found == catalogue.inputs.end()) {
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
    if (family_of(found->kind) == family_of(ControlKind::pin_offset))
      pin_slots_.insert(pin_slots_.end(), found->members.begin(), found->members.end());
  }
  if (!findings.empty()) throw InputError(std::move(findings));
  system.schedule.evaluate(0.0, sizes_);
}

void Controls::write(ScalarView action, Inputs& inputs) const {
  require_argument(action.size() == size_, "the action does not have as many values as the controls");
  require_argument(list_.empty() || wrong_size(inputs, sizes_).empty(),
                   "the inputs are not those of the controls' system");
  for (const DrivenInput& control : list_)
    write_one(control, action.subspan(control.first, control.size()), inputs);
}

void Controls::write_one(const DrivenInput& control, ScalarView values, Inputs& inputs) const {
  const Assembly& assembly = system_->assembly;
  const bool is_load = control.kind == ControlKind::forces || control.kind == ControlKind::load_force;
  if (is_load) inputs.loads.resize(assembly.masses.size());
  if (family_of(control.kind) == family_of(ControlKind::activation)) require_activations(control, values);
  for (std::size_t k = 0; k < control.members.size(); ++k) {
    const std::size_t row = control.members[k];
    switch (control.kind) {
      case ControlKind::charge:
        inputs.charges[row] = values[0];
        break;
      case ControlKind::charges:
        inputs.charges[row] = values[k];
        break;
      case ControlKind::external_charge:
        inputs.external_charges[row].charge = values[0] / static_cast<double>(control.members.size());
        break;
      case ControlKind::external_position:
        inputs.external_charges[row].position =
            assembly.external_charges[control.index].points[k] + vector_at(values, 0);
        break;
      case ControlKind::pin_offset:
        inputs.pin_positions[row] =
            assembly.initial_positions[static_cast<std::size_t>(system_->pins[row])] + vector_at(values, 0);
        break;
      case ControlKind::pin_positions:
        inputs.pin_positions[row] = vector_at(values, k);
        break;
      case ControlKind::forces:
        inputs.loads[row] += vector_at(values, k);
        break;
      case ControlKind::load_force: {
        const LoadTrack& track = assembly.load_tracks[control.index];
        const double factor =
            track.factor.empty() ? 1.0 : evaluate(track.factor, inputs.time, system_->time_step);
        inputs.loads[row] += vector_at(values, 0) - factor * track.force(k);
        break;
      }
      case ControlKind::activation:
        inputs.activations[row] = values[0];
        break;
      case ControlKind::activations:
        inputs.activations[row] = values[k];
        break;
      case ControlKind::placement:
        inputs.placements[row] = {vector_at(values, 0), vector_at(values, 1), vector_at(values, 2),
                                  vector_at(values, 3)};
        break;
    }
  }
}

void Controls::check(std::span<const double> fractions, const StepInputGradients& by_inputs,
                     VectorSpan by_positions) const {
  const auto fits = [&](const InputGradients& by) {
    return by.charges.size() == sizes_.charges.size() && by.loads.size() == sizes_.charges.size() &&
           by.external_charges.size() == sizes_.external_charges.size() &&
           by.pin_positions.size() == sizes_.pin_positions.size() &&
           by.activations.size() == sizes_.activations.size() &&
           by.placements.size() == sizes_.placements.size();
  };
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
  for (const DrivenInput& control : list_) {
    const ScalarSpan by_values = by_action.subspan(control.first, control.size());
    take_one(control, by_inputs.start, by_values);
    for (InputGradients& stage : by_inputs.stages) take_one(control, stage, by_values);
    take_one(control, by_inputs.end, by_values);
  }
}

void Controls::take_one(const DrivenInput& control, InputGradients& by_inputs, ScalarSpan by_values) const {
  const auto take = [](auto& value) {
    const auto taken = value;
    value = {};
    return taken;
  };
  for (std::size_t k = 0; k < control.members.size(); ++k) {
    const std::size_t row = control.members[k];
    switch (control.kind) {
      case ControlKind::charge:
        by_values[0] += take(by_inputs.charges[row]);
        break;
      case ControlKind::charges:
        by_values[k] += take(by_inputs.charges[row]);
        break;
      case ControlKind::external_charge:
        by_values[0] +=
            take(by_inputs.external_charges[row].charge) / static_cast<double>(control.members.size());
        break;
      case ControlKind::external_position:
        add_vector(take(by_inputs.external_charges[row].position), 0, by_values);
        break;
      case ControlKind::pin_offset:
        add_vector(take(by_inputs.pin_positions[row]), 0, by_values);
        break;
      case ControlKind::pin_positions:
        add_vector(take(by_inputs.pin_positions[row]), k, by_values);
        break;
      case ControlKind::forces:
        add_vector(by_inputs.loads[row], k, by_values);
        break;
      case ControlKind::load_force:
        add_vector(by_inputs.loads[row], 0, by_values);
        break;
      case ControlKind::activation:
        by_values[0] += take(by_inputs.activations[row]);
        break;
      case ControlKind::activations:
        by_values[k] += take(by_inputs.activations[row]);
        break;
      case ControlKind::placement: {
        const Placement by = take(by_inputs.placements[row]);
        add_vector(by.offset, 0, by_values);
        add_vector(by.rotation, 1, by_values);
        add_vector(by.velocity, 2, by_values);
        add_vector(by.turning, 3, by_values);
        break;
      }
    }
  }
}

void Controls::clear_driven(AssemblyGradient& gradient) const {
  for (const DrivenInput& control : list_) {
    if (control.kind != ControlKind::load_force) continue;
    for (const NumberKind* kind : {&number::load_forces, &number::load_factors}) {
      const ScalarSpan values = gradient.scalars({*kind, control.index});
      std::fill(values.begin(), values.end(), 0.0);
    }
  }
}

DrivenSteps::DrivenSteps(const System& system, const Controls& controls, std::span<const double> fractions)
    : system_(system), controls_(controls), fractions_(fractions), schedule_(system, fractions) {}

const StepInputs& DrivenSteps::inputs(const State& state, ScalarView action) {
  check_state(system_, state);
  schedule_.evaluate(state.step);
  inputs_ = schedule_.inputs();
  if (!action.empty()) {
    controls_.write(action, inputs_.start);
    for (Inputs& stage : inputs_.stages) controls_.write(action, stage);
    controls_.write(action, inputs_.end);
  }
  for (const std::size_t slot : controls_.pin_slots()) {
    const Vec3 from = state.positions[static_cast<std::size_t>(system_.pins[slot])];
    const Vec3 way = inputs_.end.pin_positions[slot] - from;
    inputs_.start.pin_positions[slot] = from;
    for (std::size_t s = 0; s < fractions_.size(); ++s)
      inputs_.stages[s].pin_positions[slot] = from + fractions_[s] * way;
  }
  return inputs_;
}

Inputs DrivenSteps::inputs_at(const State& state, ScalarView action) const {
  check_state(system_, state);
  Inputs inputs;
  system_.schedule.evaluate(system_.time(state.step), inputs);
  if (!action.empty()) controls_.write(action, inputs);
  for (const std::size_t slot : controls_.pin_slots())
    inputs.pin_positions[slot] = state.positions[static_cast<std::size_t>(system_.pins[slot])];
  return inputs;
}

}  // namespace electret
