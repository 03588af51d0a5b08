#include <algorithm>

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

}  // namespace

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
    return field->columns == 0 || field->derivatives(gradients).count == derivative_rows(*field, inputs);
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
                           (field.is_sum && (size_of(x) == 0 || size_of(x) == known.charges.size()));
        if (wrong.empty() && !right) wrong = field.name;
      },
      given, known);
  return wrong;
}

}  // namespace electret
