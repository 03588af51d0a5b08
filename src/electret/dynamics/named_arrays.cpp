#include <electret/dynamics/named_arrays.hpp>

namespace electret {

ScalarSpan NamedArrays::values(std::string_view name, std::size_t count) {
  for (Array& array : arrays) {
    if (array.name != name) continue;
    if (array.values.size() != count) array.values.assign(count, 0.0);
    return array.values;
  }
  // Arrays move when there are more, but their numbers do not.
  return arrays.emplace_back(Array{std::string(name), std::vector<double>(count, 0.0)}).values;
}

std::span<const double> NamedArrays::find(std::string_view name) const {
  for (const Array& array : arrays)
    if (array.name == name) return array.values;
  return {};
}

}  // namespace electret
