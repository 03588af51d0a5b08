#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include <electret/record/energy_table.hpp>
#include <electret/scene/schema.hpp>
#include <electret/sweep/units.hpp>

namespace electret {
namespace {

/// By what the names of columns of observables.csv begin with.
constexpr std::array<std::pair<std::string_view, const char*>, 7> observable_units{
    {{"centre_of_mass", "m"},
     {"radius_of_gyration", "m"},
     {"linear_momentum", "kg m/s"},
     {"angular_momentum", "kg m²/s"},
     {"smallest_charge_distance", "m"},
     {"force_of_", "N"},
     {"contact_energy", "J"}}};

}  // namespace

std::string unit_of_key(const std::string& key) {
  std::string table, last;
  std::istringstream parts(key);
  for (std::string part; std::getline(parts, part, '.');) {
    if (part.find_first_not_of("0123456789") == std::string::npos) continue;  // Which one of a list.
    if (!last.empty()) table += (table.empty() ? "" : ".") + last;
    last = part;
  }
  for (const SchemaTable& each : scene_schema())
    if (each.name == table)
      if (const SchemaRow* row = each.row(last)) return row->unit;
  return "";
}

std::string unit_of(const Quantity& quantity) {
  const std::string& column = quantity.column;
  if (column.empty()) return "";
  if (column == "time" || quantity.reduction == Reduction::time_of_largest) return "s";
  if (("," + std::string(energy_header) + ",").find("," + column + ",") != std::string::npos) return "J";
  for (const auto& [start, unit] : observable_units)
    if (column.starts_with(start)) return unit;
  return "";
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " (" + unit + ")";
}

}  // namespace electret
