#include <algorithm>
#include <cmath>

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

/// The rows of derivatives by a field of `inputs`.
std::size_t derivative_rows(const InputField& field, const Inputs& inputs) {
  return field.is_sum ? inputs.charges.size() : field.values(inputs).count;
}

/// The rows as those of an object that is not const.
InputRows<double> writable(const InputRows<const double>& rows) {
  return {const_cast<double*>(rows.first), rows.count, rows.stride};
}

/// Grabs have arrays of their own, so that their memory cannot be compared at once.
template <class T>
bool same(const T& a, const T& b) {
  return same_bits(a, b);
}
bool same(const std::vector<PlacedGrab>& a, const std::vector<PlacedGrab>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PlacedGrab& x, const PlacedGrab& y) {
    return same_bits(x.target.x, y.target.x) && same_bits(x.target.y, y.target.y) &&
           same_bits(x.target.z, y.target.z) && same_bits(x.stiffness, y.stiffness) &&
           same_bits(x.damping, y.damping) && x.vertices == y.vertices && same_bits(x.weights, y.weights);
  });
}

/// What is wrong with one grab.
std::string fault_of(const PlacedGrab& grab, std::size_t vertices) {
  const auto is_size = [](double value) { return std::isfinite(value) && value >= 0.0; };
  if (grab.weights.size() != grab.vertices.size()) return "does not have one weight per vertex";
  double sum = 0.0;
  for (std::size_t k = 0; k < grab.vertices.size(); ++k) {
    const Index i = grab.vertices[k];
    if (i < 0 || static_cast<std::size_t>(i) >= vertices)
      return "names vertex " + std::to_string(i) + ", which does not exist";
    if (!is_size(grab.weights[k])) return "has a weight that is below 0 or not finite";
    sum += grab.weights[k];
  }
  if (!(std::abs(sum - 1.0) <= grab_weight_tolerance)) return "has weights that do not sum to 1";
  if (!is_size(grab.stiffness) || !is_size(grab.damping))
    return "has a stiffness or damping that is below 0 or not finite";
  return is_finite(grab.target) ? "" : "has a target that is not finite";
}

}  // namespace

std::string wrong_grab(const std::vector<PlacedGrab>& grabs, std::size_t vertices) {
  for (std::size_t g = 0; g < grabs.size(); ++g)
    if (const std::string fault = fault_of(grabs[g], vertices); !fault.empty())
      return "grab " + std::to_string(g) + " " + fault;
  return {};
}

InputRows<double> rows_of(const InputField& field, Inputs& inputs) {
  return writable(field.values(inputs));
}

InputRows<double> rows_of(const InputField& field, InputGradients& gradients) {
  return writable(field.derivatives(gradients));
}

InputGradients InputGradients::zero(const Inputs& inputs) {
  InputGradients gradients;
  for (const InputField* field : input_fields)
    if (field->columns > 0) field->resize(gradients, derivative_rows(*field, inputs));
  return gradients;
}

bool have_shapes_of(const InputGradients& gradients, const Inputs& inputs) {
  return std::all_of(input_fields.begin(), input_fields.end(), [&](const InputField* field) {
    const std::size_t rows = field->columns == 0 ? 0 : field->derivatives(gradients).count;
    const std::size_t needed = field->columns == 0 ? 0 : derivative_rows(*field, inputs);
    return field->is_open ? rows >= needed : rows == needed;
  });
}

void add_scaled(const InputGradients& from, double factor, unsigned uses, InputGradients& to) {
  for (const InputField* field : input_fields) {
    if (field->columns == 0 || (field->uses & uses) == 0) continue;
    const InputRows<const double> rows = field->derivatives(from);
    const InputRows<double> sum = rows_of(*field, to);
    for (std::size_t r = 0; r < rows.count; ++r)
      for (std::size_t c = 0; c < field->columns; ++c) sum(r, c) += factor * rows(r, c);
  }
}

bool same_inputs(const Inputs& a, const Inputs& b, unsigned uses) {
  bool are_same = true;
  visit_inputs(
      [&](const InputField& field, const auto& x, const auto& y) {
        if (are_same && (field.uses & uses) != 0) are_same = same(x, y);
      },
      a, b);
  return are_same;
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
        const bool right = size_of(x) == size_of(y) || field.is_open ||
                           (field.is_sum && (size_of(x) == 0 || size_of(x) == known.charges.size()));
        if (wrong.empty() && !right) wrong = field.name;
      },
      given, known);
  return wrong;
}

}  // namespace electret
