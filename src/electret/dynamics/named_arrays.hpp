#pragma once
/// \file
/// Arrays of numbers by name, so that those who store, restore and hand them over need not know who made
/// them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct NamedArrays {
  struct Array {
    std::string name;
    std::vector<double> values;
  };
  std::vector<Array> arrays;

  /// The values of that name. If there are not exactly `count` of them, they become `count` zeros first. They
  /// stay where they are until these are asked for with another count, or `arrays` is changed otherwise.
  ScalarSpan values(std::string_view name, std::size_t count);
  /// The values of that name; empty if there are none.
  [[nodiscard]] std::span<const double> find(std::string_view name) const;
};

/// Row i of an array that has three numbers per vertex.
inline Vec3 row_of(std::span<const double> array, std::size_t i) {
  return {array[3 * i], array[3 * i + 1], array[3 * i + 2]};
}
inline void set_row(std::span<double> array, std::size_t i, const Vec3& row) {
  array[3 * i] = row.x, array[3 * i + 1] = row.y, array[3 * i + 2] = row.z;
}

}  // namespace electret
