#include <electret/dynamics/force_parameter_slots.hpp>

namespace electret {
namespace {

/// The numbers of all placements.
ScalarSpan flat(std::vector<Placement>& values) {
  return values.empty() ? ScalarSpan() : ScalarSpan(&values[0].offset.x, 12 * values.size());
}

/// The numbers of all grabs.
ScalarSpan flat(std::vector<InputGradients::Grab>& values) {
  return values.empty() ? ScalarSpan() : ScalarSpan(&values[0].target.x, 5 * values.size());
}

/// The numbers of an n×3 array.
ScalarSpan flat(VectorArray& values) {
  return values.empty() ? ScalarSpan() : ScalarSpan(&values[0].x, 3 * values.size());
}

}  // namespace

std::span<const ScalarSpan> ForceParameterSlots::of(const ExplicitForce& force, std::size_t k,
                                                    InputGradients& inputs, ParameterGradients& parameters) {
  external_charges_.clear();
  external_positions_.clear();
  spans_.clear();
  const auto asked = force.parameters();
  for (std::size_t p = 0; p < asked.size(); ++p)
    spans_.push_back(slot(asked[p], inputs, parameters.forces[k][p]));
  return spans_;
}

ScalarSpan ForceParameterSlots::slot(const ForceParameter& parameter, InputGradients& inputs,
                                     std::vector<double>& own) {
  switch (parameter.owner) {
    case ParameterOwner::charges:
      return inputs.charges;
    case ParameterOwner::external_charges:
      external_charges_.assign(parameter.size, 0.0);
      return external_charges_;
    case ParameterOwner::external_positions:
      external_positions_.assign(parameter.size, 0.0);
      return external_positions_;
    case ParameterOwner::loads:
      return flat(inputs.loads);
    case ParameterOwner::placements:
      return flat(inputs.placements);
    case ParameterOwner::grabs:
      return flat(inputs.grabs);
    case ParameterOwner::force:
      break;
  }
  return own;
}

void ForceParameterSlots::finish(InputGradients& inputs) {
  for (std::size_t c = 0; c < external_charges_.size(); ++c) {
    InputGradients::External& external = inputs.external_charges[c];
    external.charge += external_charges_[c];
    for (int axis = 0; axis < 3; ++axis)
      external.position[axis] += external_positions_[3 * c + static_cast<std::size_t>(axis)];
  }
}

}  // namespace electret
