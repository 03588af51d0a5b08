#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <electret/core/errors.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/words.hpp>

namespace electret {

std::string SchemaTable::title() const {
  return is_repeated ? "[[" + name + "]]" : "[" + name + "]";
}

const SchemaRow* SchemaTable::row(std::string_view key) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const SchemaRow& r) { return r.key == key; });
  return found == rows.end() ? nullptr : &*found;
}

const SchemaTable& schema_table(std::string_view name) {
  for (const SchemaTable& table : scene_schema())
    if (table.name == name) return table;
  throw InternalError("the scene's schema has no table \"" + std::string(name) + "\"");
}

std::vector<FileKey> file_keys() {
  std::vector<FileKey> keys;
  for (const SchemaTable& table : scene_schema())
    for (const SchemaRow& row : table.rows) {
      if (!row.names_file) continue;
      if (row.key != "generate") {
        keys.push_back({table.name, row.key});
        continue;
      }
      std::set<std::string> files;
      for (const Shape& shape : shapes())
        for (const ShapeParameter& parameter : shape.parameters)
          if (parameter.kind == ParameterKind::file) files.emplace(parameter.name);
      for (const std::string& file : files) keys.push_back({table.name + "." + row.key, file});
    }
  return keys;
}

std::string to_string(const NumberRange& range) {
  const bool low = range.minimum > -std::numeric_limits<double>::infinity();
  const bool high = range.maximum < std::numeric_limits<double>::infinity();
  // A million as a count has its digits, not an exponent.
  const auto bound = [](double value) {
    const bool whole = std::abs(value) < 1e9 && value == std::floor(value);
    return whole ? std::to_string(static_cast<Count>(value)) : number_text(value);
  };
  std::string text;
  if (low) text = (range.minimum_excluded ? "> " : "≥ ") + bound(range.minimum);
  if (high)
    text += (low ? " and " : "") + std::string(range.maximum_excluded ? "< " : "≤ ") + bound(range.maximum);
  return text;
}

bool allows_word(const SchemaRow& row, std::string_view word) {
  return std::find(row.choices.begin(), row.choices.end(), word) != row.choices.end() ||
         (row.accepts != nullptr && row.accepts(word));
}

WordFinding word_finding(const SchemaRow& row, const std::string& word) {
  const auto has = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const std::string text = row.key + " " + in_quotes(word);
  const std::string allowed = allowed_values(row);
  if (has(row.later_choices)) return {text + " is not available in this version", allowed};
  if (has(row.avoid.words)) return {text + " " + row.avoid.what, row.avoid.instead + "; " + allowed};
  const std::string close = closest_name(word, row.choices);
  return {"unknown " + text, close.empty() ? allowed : "did you mean " + in_quotes(close) + "? " + allowed};
}

std::string allowed_values(const SchemaRow& row) {
  if (!row.choices.empty() && row.type != "number") {
    std::string text = row.type.starts_with("list") ? "allowed: a list of" : "allowed:";
    const std::string start = text;
    for (const auto& choice : row.choices) text += (text == start ? " \"" : ", \"") + choice + "\"";
    return text;
  }
  std::string text = "allowed: " + row.type;
  const std::string range = to_string(row.range);
  if (!range.empty()) text += (row.type.starts_with("list") ? ", each " : " ") + range;
  if (!row.unit.empty()) text += ", in " + row.unit;
  for (const auto& word : row.choices) text += ", or " + in_quotes(word);
  return text;
}

}  // namespace electret
