#include "parameter_list.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <electret/scene/parameters.hpp>

#include "print.hpp"

namespace electret::app {
namespace {

/// "6e-06"; "[0, 0, -9.81]" for one vector; "0.5 … 2" for several values that differ.
std::string value_or_range(const Parameter& parameter, const Assembly& assembly) {
  if (parameter.rows() == 1 && parameter.columns == 3) {
    const std::vector<double> vector = parameter.read(assembly);
    return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", vector[0], vector[1], vector[2]);
  }
  // Members that share a value may differ. Their range shows that; their mean would not.
  Parameter one_by_one = parameter;
  one_by_one.is_common = false;
  const std::vector<double> values = one_by_one.read(assembly);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low == *high ? fmt::format("{:.6g}", *low) : fmt::format("{:.6g} … {:.6g}", *low, *high);
}

/// Such as "3", "145 × 3".
std::string count_of(const Parameter& parameter) {
  return parameter.rows() > 1 && parameter.columns > 1
             ? fmt::format("{} × {}", parameter.rows(), parameter.columns)
             : fmt::format("{}", parameter.size());
}

}  // namespace

void print_parameters(const Assembly& assembly) {
  const std::vector<Parameter> all = parameters(assembly);
  std::size_t name = 4;
  for (const Parameter& parameter : all) name = std::max(name, printable(parameter.name).size());
  say("{:<{}}  {:<6}  {:>10}  {}\n", "name", name, "unit", "count", "value or range");
  for (const Parameter& parameter : all) {
    say("{:<{}}  {:<6}  {:>10}  {}\n", parameter.name, name, parameter.unit.empty() ? "-" : parameter.unit,
        count_of(parameter), value_or_range(parameter, assembly));
  }
}

}  // namespace electret::app
