#include <algorithm>
#include <numeric>

#include <electret/core/errors.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/tables/table.hpp>

namespace electret {
namespace {

std::vector<Index> range(Count first, Count last) {
  std::vector<Index> members(static_cast<std::size_t>(last - first));
  std::iota(members.begin(), members.end(), static_cast<Index>(first));
  return members;
}

std::string joined_name(const std::string& first, const std::string& last) {
  return last.empty() ? first : first + "." + last;
}

/// Finds the parameters that one key makes.
class Finder {
 public:
  Finder(const SceneTable& table, const NumberRow& row, const NumberKey& key, const Assembly& assembly)
      : table_(table), row_(row), key_(key), assembly_(assembly) {}

  std::vector<Parameter> find() {
    if (row_.per == Per::vertex)
      add_bodies(assembly_.body_offsets);
    else if (row_.per == Per::spring)
      add_bodies(assembly_.body_spring_offsets);
    else
      add_arrays();
    if (key_.adjust != nullptr) key_.adjust(assembly_, found_);
    return std::move(found_);
  }

 private:
  /// One parameter per body. It covers the body's vertices or springs.
  void add_bodies(const std::vector<Count>& offsets) {
    for (std::size_t b = 0; b + 1 < offsets.size(); ++b)
      add(body_key(assembly_, b), 0, range(offsets[b], offsets[b + 1]));
  }

  void add_arrays() {
    for (std::size_t k = 0; k < row_.kind->arrays(assembly_); ++k) {
      if (key_.applies != nullptr && !key_.applies(assembly_, k)) continue;
      const std::size_t rows = row_.kind->of(assembly_, k).count / row_.kind->columns;
      add(name_of(k), k, range(0, static_cast<Count>(rows)));
    }
  }

  [[nodiscard]] std::string name_of(std::size_t index) const {
    if (table_.name_of != nullptr) return table_.name_of(assembly_, index);
    return table_.schema.name + (table_.schema.is_repeated ? "." + std::to_string(index) : "");
  }

  void add(const std::string& name, std::size_t index, std::vector<Index> members) {
    const SchemaRow* key = table_.schema.row(key_.key);
    Parameter& p = found_.emplace_back();
    p.name = joined_name(name, key_.called);
    p.key = key_.key;
    p.source = {*row_.kind, index};
    p.columns = row_.kind->columns;
    p.members = std::move(members);
    p.is_list = key == nullptr || key->type.starts_with("list");
    p.is_common = row_.per != Per::own && !p.is_list;
    p.unit = key == nullptr ? key_.unit : key->unit;
    if (key != nullptr) p.range = key->range;
  }

  const SceneTable& table_;
  const NumberRow& row_;
  const NumberKey& key_;
  const Assembly& assembly_;
  std::vector<Parameter> found_;
};

}  // namespace

std::string body_key(const Assembly& assembly, std::size_t b) {
  const auto& bodies = assembly.scene.bodies;
  return "body." + (b < bodies.size() ? bodies[b].name : "body" + std::to_string(b + 1));
}

const std::vector<ParameterRow>& parameter_rows() {
  static const std::vector<ParameterRow> all = [] {
    std::vector<ParameterRow> rows;
    for (const SceneTable& table : scene_tables())
      for (const NumberRow& number : table.numbers)
        for (const NumberKey& key : number.keys) {
          const SchemaRow* row = table.schema.row(key.key);
          require(row != nullptr || key.key.empty(), "a table has no key of this name");
          rows.push_back({joined_name(table.called, key.called), row == nullptr ? key.unit : row->unit,
                          row == nullptr ? NumberRange{} : row->range, key.description, &table, &number,
                          &key});
        }
    return rows;
  }();
  return all;
}

std::vector<Parameter> ParameterRow::find(const Assembly& assembly) const {
  return Finder(*table, *number, *key, assembly).find();
}

}  // namespace electret
