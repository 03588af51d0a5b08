#include <electret/core/same_bits.hpp>
#include <electret/scene/inputs.hpp>

namespace electret {
namespace {

std::size_t size_of(double) {
  return 1;
}
template <class T>
std::size_t size_of(const std::vector<T>& values) {
  return values.size();
}

}  // namespace

InputGradients InputGradients::zero(const Inputs& inputs) {
  InputGradients gradients;
  gradients.charges.resize(inputs.charges.size());
  gradients.external_charges.resize(inputs.external_charges.size());
  gradients.pin_positions.resize(inputs.pin_positions.size());
  gradients.loads.resize(inputs.charges.size());
  gradients.activations.resize(inputs.activations.size());
  gradients.placements.resize(inputs.placements.size());
  return gradients;
}

bool same_inputs(const Inputs& a, const Inputs& b, unsigned uses) {
  bool same = true;
  visit_inputs(
      [&](const InputField& field, const auto& x, const auto& y) {
        if (same && (field.uses & uses) != 0) same = same_bits(x, y);
      },
      a, b);
  return same;
}

void copy_inputs(const Inputs& from, Inputs& to, unsigned uses) {
  visit_inputs(
      [&](const InputField& field, const auto& x, auto& y) {
        if ((field.uses & uses) != 0) y = x;
      },
      from, to);
}

std::string_view wrong_size(const Inputs& given, const Inputs& known) {
  std::string_view wrong;
  visit_inputs(
      [&](const InputField& field, const auto& x, const auto& y) {
        const bool right = size_of(x) == size_of(y) ||
                           (field.may_be_left && (size_of(x) == 0 || size_of(x) == known.charges.size()));
        if (wrong.empty() && !right) wrong = field.name;
      },
      given, known);
  return wrong;
}

}  // namespace electret
