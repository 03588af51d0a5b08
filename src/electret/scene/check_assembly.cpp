#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/scene/check_assembly.hpp>
#include <electret/scene/tables/table.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The row of the key that sets the array `index`; null if there is none.
const SchemaRow* row_of(const SceneTable& table, const NumberRow& numbers, const Assembly& assembly,
                        std::size_t index) {
  for (const NumberKey& key : numbers.keys)
    if (key.applies == nullptr || key.applies(assembly, index)) return table.schema.row(key.key);
  return nullptr;
}

/// Whether a word of the numbers' key stands for an infinite one.
bool may_be_infinite(const SceneTable& table, const NumberRow& numbers) {
  return std::any_of(numbers.keys.begin(), numbers.keys.end(), [&](const NumberKey& key) {
    const SchemaRow* row = table.schema.row(key.key);
    return row != nullptr && row->type == "number" && !row->choices.empty();
  });
}

/// Numbers of vertices, springs and elements have the range of their key. A coefficient of a force may leave
/// it, as it does in a difference around 0.
void check_numbers(const SceneTable& table, const NumberRow& row, const Assembly& assembly) {
  for (std::size_t index = 0; index < row.kind->arrays(assembly); ++index) {
    const SchemaRow* key = row_of(table, row, assembly, index);
    const NumberRange range = key == nullptr || row.per == Per::own ? NumberRange{} : key->range;
    const auto values = row.kind->of(assembly, index);
    for (std::size_t k = 0; k < values.count; ++k)
      if (!(std::isfinite(values[k]) && range.contains(values[k])) &&
          !(values[k] == std::numeric_limits<double>::infinity() && may_be_infinite(table, row)))
        throw std::invalid_argument("assembly: " + (key == nullptr ? "a number" : in_quotes(key->key)) +
                                    " in " + table.schema.title() + " is " + number_text(values[k]) +
                                    ", out of range; " +
                                    (key == nullptr ? "allowed: finite numbers" : allowed_values(*key)));
  }
}

/// Checks the numbers of all kinds but masses, or masses alone.
void check_numbers(const Assembly& assembly, bool masses) {
  for (const SceneTable& table : scene_tables())
    for (const NumberRow& row : table.numbers)
      if ((row.kind == &number::masses) == masses) check_numbers(table, row, assembly);
}

}  // namespace

void check_assembly(const Assembly& assembly) {
  for (const SceneTable& table : scene_tables())
    if (table.check_assembly != nullptr) table.check_assembly(assembly);
  check_numbers(assembly, false);
}

void check_masses(const Assembly& assembly) {
  check_numbers(assembly, true);
}

}  // namespace electret
