#include <algorithm>
#include <numeric>

#include <electret/core/errors.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/driven_inputs.hpp>
#include <electret/scene/tables/ball_contacts.hpp>
#include <electret/scene/tables/cameras.hpp>
#include <electret/scene/tables/changes.hpp>
#include <electret/scene/tables/contact.hpp>
#include <electret/scene/tables/damping.hpp>
#include <electret/scene/tables/settings.hpp>
#include <electret/scene/tables/table.hpp>

namespace electret {

const std::vector<SceneTable>& scene_tables() {
  static const std::vector<SceneTable> all = {
      scene_table(),          time_table(),         integrator_table(),
      coulomb_table(),        ddef_table(),         gravity_table(),
      damping_table(),        body_table(),         springs_table(),
      group_table(),          group_charge_table(), pin_table(),
      body_contact_table(),   load_table(),         material_table(),
      element_group_table(),  muscle_table(),       external_charge_table(),
      electric_field_table(), grab_table(),         hydrodynamics_table(),
      ball_contact_table(),   obstacle_table(),     contact_table(),
      contact_pair_table(),   camera_table(),       change_table(),
      output_table()};
  return all;
}

std::string key_of(const SceneTable& table, const std::string& key) {
  const std::string& name = table.schema.name;
  return (key.empty() ? "" : key + ".") + name.substr(name.rfind('.') + 1);  // npos + 1 is 0.
}

std::vector<const SceneTable*> tables_within(std::string_view name) {
  std::vector<const SceneTable*> within;
  for (const SceneTable& table : scene_tables()) {
    const std::string_view own = table.schema.name;
    const auto dot = own.rfind('.');
    if ((dot == std::string_view::npos ? "" : own.substr(0, dot)) == name) within.push_back(&table);
  }
  return within;
}

const std::vector<SchemaTable>& scene_schema() {
  static const std::vector<SchemaTable> schema = [] {
    std::vector<SchemaTable> tables;
    for (const SceneTable& table : scene_tables()) tables.push_back(table.schema);
    return tables;
  }();
  return schema;
}

std::span<const NumberKind* const> number_kinds() {
  static const std::vector<const NumberKind*> kinds = [] {
    std::vector<const NumberKind*> all;
    for (const SceneTable& table : scene_tables())
      for (const NumberRow& row : table.numbers) all.push_back(row.kind);
    return all;
  }();
  return kinds;
}

std::vector<bool> joined_vertices(const Assembly& assembly) {
  std::vector<bool> joined(assembly.masses.size(), false);
  for (const SceneTable& table : scene_tables())
    if (table.join != nullptr) table.join(assembly, joined);
  return joined;
}

std::vector<DrivenInput> driven_inputs(const Assembly& assembly) {
  std::vector<DrivenInput> all;
  for (const SceneTable& table : scene_tables())
    if (table.drive != nullptr) table.drive(table, assembly, all);
  return all;
}

std::vector<std::size_t> consecutive(std::size_t first, std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

}  // namespace electret
