#include <algorithm>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {
namespace {

void check_id(const Assembly& assembly, NumberId id) {
  require_argument(id.kind != nullptr && id.index < id.kind->arrays(assembly), "numbers of another assembly");
}

}  // namespace

Numbers<const double> numbers(const Assembly& assembly, NumberId id) {
  check_id(assembly, id);
  return id.kind->of(assembly, id.index);
}

Numbers<double> numbers(Assembly& assembly, NumberId id) {
  check_id(assembly, id);
  if (id.kind->make != nullptr) id.kind->make(assembly);
  const auto [first, count, stride] = id.kind->of(assembly, id.index);
  return {const_cast<double*>(first), count, stride};  // The assembly is not const.
}

AssemblyGradient AssemblyGradient::zero(const Assembly& assembly) {
  AssemblyGradient gradient;
  std::size_t rows = 0;
  for (const NumberKind* kind : number_kinds()) {
    gradient.first_arrays_.push_back(gradient.arrays_.size());
    for (std::size_t k = 0; k < kind->arrays(assembly); ++k) {
      const std::size_t count = kind->of(assembly, k).count;
      gradient.arrays_.push_back({rows, count});
      rows += (count + 2) / 3;
    }
  }
  gradient.first_arrays_.push_back(gradient.arrays_.size());
  gradient.rows_.resize(rows);
  return gradient;
}

const AssemblyGradient::Array& AssemblyGradient::array(NumberId id) const {
  const auto kinds = number_kinds();
  const auto kind = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), id.kind) - kinds.begin());
  require_argument(
      kind + 1 < first_arrays_.size() && id.index < first_arrays_[kind + 1] - first_arrays_[kind],
      "a gradient of another assembly");
  return arrays_[first_arrays_[kind] + id.index];
}

ScalarView AssemblyGradient::scalars(NumberId id) const {
  const Array& found = array(id);
  if (found.count == 0) return {};
  return {&rows_[found.first].x, found.count};
}

ScalarSpan AssemblyGradient::scalars(NumberId id) {
  const Array& found = array(id);
  if (found.count == 0) return {};
  return {&rows_[found.first].x, found.count};
}

VectorView AssemblyGradient::vectors(NumberId id) const {
  const Array& found = array(id);
  require(id.kind->columns == 3, "numbers of one column are no vectors");
  return VectorView(rows_).subspan(found.first, found.count / 3);
}

VectorSpan AssemblyGradient::vectors(NumberId id) {
  const Array& found = array(id);
  require(id.kind->columns == 3, "numbers of one column are no vectors");
  return VectorSpan(rows_).subspan(found.first, found.count / 3);
}

Numbers<double> numbers(AssemblyGradient& gradient, NumberId id) {
  const ScalarSpan values = gradient.scalars(id);
  return {values.data(), values.size()};
}

Numbers<const double> numbers(const AssemblyGradient& gradient, NumberId id) {
  const ScalarView values = gradient.scalars(id);
  return {values.data(), values.size()};
}

}  // namespace electret
