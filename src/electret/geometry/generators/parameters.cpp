#include <cmath>

#include <fmt/format.h>

#include <electret/geometry/generators/parameters.hpp>

namespace electret::parameters {

ShapeParameter length(std::string_view name, double default_value, std::string_view description) {
  ShapeParameter row;
  row.name = name;
  row.kind = ParameterKind::number;
  row.default_value = default_value;
  row.maximum = unbounded;
  row.minimum_excluded = true;
  row.unit = "m";
  row.description = description;
  return row;
}

ShapeParameter integer(std::string_view name, std::optional<Count> default_value, Count minimum,
                       Count maximum, std::string_view description) {
  ShapeParameter row;
  row.name = name;
  row.kind = ParameterKind::integer;
  if (default_value) row.default_value = static_cast<double>(*default_value);
  row.minimum = static_cast<double>(minimum);
  row.maximum = static_cast<double>(maximum);
  row.description = description;
  return row;
}

ShapeParameter choice(std::string_view name, std::string_view default_value,
                      std::vector<std::string_view> choices, std::string_view description) {
  ShapeParameter row;
  row.name = name;
  row.kind = ParameterKind::choice;
  row.default_value = std::string(default_value);
  row.choices = std::move(choices);
  row.description = description;
  return row;
}

ShapeParameter triple(std::string_view name, std::array<Count, 3> default_value, Count maximum,
                      std::string_view description) {
  ShapeParameter row;
  row.name = name;
  row.kind = ParameterKind::triple;
  row.default_value = std::vector<double>(default_value.begin(), default_value.end());
  row.minimum = 1.0;
  row.maximum = static_cast<double>(maximum);
  row.description = description;
  return row;
}

ShapeParameter file(std::string_view name, std::string_view description) {
  ShapeParameter row;
  row.name = name;
  row.kind = ParameterKind::file;
  row.is_required = true;
  row.description = description;
  return row;
}

ShapeParameter seed(std::uint64_t default_value) {
  return integer("seed", static_cast<Count>(default_value), 0, Count{1} << 53, "of the random numbers");
}

double value(const ParameterValues& values, std::string_view name, double fallback) {
  const auto found = values.find(std::string(name));
  return found == values.end() ? fallback : std::get<double>(found->second);
}

Count value(const ParameterValues& values, std::string_view name, Count fallback) {
  return static_cast<Count>(value(values, name, static_cast<double>(fallback)));
}

std::uint64_t value(const ParameterValues& values, std::string_view name, std::uint64_t fallback) {
  return static_cast<std::uint64_t>(value(values, name, static_cast<double>(fallback)));
}

std::string value(const ParameterValues& values, std::string_view name, const char* fallback) {
  const auto found = values.find(std::string(name));
  return found == values.end() ? fallback : std::get<std::string>(found->second);
}

std::array<Count, 3> value(const ParameterValues& values, std::string_view name,
                           std::array<Count, 3> fallback) {
  const auto found = values.find(std::string(name));
  if (found == values.end()) return fallback;
  const auto& triple = std::get<std::vector<double>>(found->second);
  return {static_cast<Count>(triple[0]), static_cast<Count>(triple[1]), static_cast<Count>(triple[2])};
}

std::string written(double value) {
  return fmt::format("{}", value);
}

}  // namespace electret::parameters
