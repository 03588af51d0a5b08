#pragma once
/// \file
/// Helpers of the generators: rows of the parameter table, and access to checked values.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <electret/geometry/generators.hpp>

namespace electret::parameters {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();
inline constexpr Count most_vertices = 10'000'000;  ///< Of a body of rows.

/// A length: any number greater than 0, m.
ShapeParameter length(std::string_view name, double default_value, std::string_view description);
ShapeParameter integer(std::string_view name, std::optional<Count> default_value, Count minimum,
                       Count maximum, std::string_view description);
ShapeParameter choice(std::string_view name, std::string_view default_value,
                      std::vector<std::string_view> choices, std::string_view description);
/// Three integers, each from 1 to `maximum`.
ShapeParameter triple(std::string_view name, std::array<Count, 3> default_value, Count maximum,
                      std::string_view description);
/// A mesh file; the parameter is required.
ShapeParameter file(std::string_view name, std::string_view description);
ShapeParameter seed(std::uint64_t default_value);

/// The value for `name` if it is given, else `fallback`.
double value(const ParameterValues& values, std::string_view name, double fallback);
Count value(const ParameterValues& values, std::string_view name, Count fallback);
std::uint64_t value(const ParameterValues& values, std::string_view name, std::uint64_t fallback);
std::string value(const ParameterValues& values, std::string_view name, const char* fallback);
std::array<Count, 3> value(const ParameterValues& values, std::string_view name,
                           std::array<Count, 3> fallback);

/// "12" or "0.4": a number as a person writes it.
std::string written(double value);

/// The next uniform number in [0, 1). It is the same on every platform, unlike that of the standard
/// distributions.
inline double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// Adds to `mesh` the group `name` of the vertices i for which belongs(i).
template <class Belongs>
void add_group(Mesh& mesh, const std::string& name, Belongs&& belongs) {
  auto& members = mesh.groups[name];
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (belongs(i)) members.push_back(static_cast<Index>(i));
}

/// True if `count` is within 2 % of `wanted`, as every generator promises.
constexpr bool is_near(Count count, Count wanted) {
  return 50 * (count > wanted ? count - wanted : wanted - count) <= wanted;
}

}  // namespace electret::parameters
