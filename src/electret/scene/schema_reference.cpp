#include <electret/geometry/generators.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Text within a Markdown table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string code(const std::string& text) {
  return text.empty() ? "" : "`" + text + "`";
}

std::string allowed(const SchemaRow& row) {
  std::string text;
  if (row.type == "number" && !row.choices.empty()) {
    text = row.type + " " + to_string(row.range);
    for (const auto& word : row.choices) text += ", or " + code(word);
    return text;
  }
  for (const auto& choice : row.choices) text += (text.empty() ? "" : ", ") + code(choice);
  if (row.choices.empty()) text = row.type;
  if (!row.choices.empty() && row.type.starts_with("list")) text = "list of " + text;
  const std::string range = to_string(row.range);
  if (range.empty()) return text;
  return text + (row.type.starts_with("list") ? ", each " : " ") + range;
}

std::string described(const SchemaRow& row) {
  std::string text = row.description;
  if (row.is_later) text += " *Not available in this version.*";
  if (!row.later_choices.empty()) {
    text += " Not available in this version:";
    for (const auto& choice : row.later_choices) text += (text.back() == ':' ? " " : ", ") + code(choice);
    text += ".";
  }
  return text;
}

std::string rows_of(const SchemaTable& table) {
  std::string text = "| key | value | unit | default | |\n| --- | --- | --- | --- | --- |\n";
  for (const SchemaRow& row : table.rows) {
    const std::string standard = row.is_required ? "**required**" : code(row.default_value);
    text += "| `" + row.key + "` | " + cell(allowed(row)) + " | " + cell(row.unit) + " | " + cell(standard) +
            " | " + cell(described(row)) + " |\n";
  }
  return text;
}

std::string alternatives_of(const SchemaTable& table) {
  std::string text;
  for (const Alternatives& choice : table.alternatives) {
    std::vector<std::string> keys;
    for (const auto& key : choice.keys) keys.push_back(code(key));
    text +=
        (choice.one_is_required || choice.mesh_may_provide_one ? "* exactly one of " : "* at most one of ") +
        joined(keys) + (choice.mesh_may_provide_one ? ", unless the mesh brings its own" : "") + "\n";
  }
  return text.empty() ? "" : "\n" + text;
}

std::string default_of(const ShapeParameter& parameter) {
  if (parameter.is_required) return "**required**";
  if (!parameter.default_value) return "";
  if (const auto* number = std::get_if<double>(&*parameter.default_value)) return code(number_text(*number));
  if (const auto* triple = std::get_if<std::vector<double>>(&*parameter.default_value)) {
    std::string text;
    for (const double number : *triple) text += (text.empty() ? "" : ", ") + number_text(number);
    return code("[" + text + "]");
  }
  return code("\"" + std::get<std::string>(*parameter.default_value) + "\"");
}

std::string values_of(const ShapeParameter& parameter) {
  if (parameter.kind == ParameterKind::file) return "path of a mesh file";
  if (parameter.kind == ParameterKind::choice) {
    std::string text;
    for (const auto& choice : parameter.choices)
      text += (text.empty() ? "" : ", ") + code(std::string(choice));
    return text;
  }
  const NumberRange range{parameter.minimum, parameter.maximum, parameter.minimum_excluded, false};
  const char* kind = parameter.kind == ParameterKind::triple    ? "3 whole numbers "
                     : parameter.kind == ParameterKind::integer ? "whole number "
                                                                : "number ";
  return kind + to_string(range);
}

std::string shape_reference(const Shape& shape) {
  std::string text = "\n### `" + std::string(shape.name) + "`\n\n" + std::string(shape.description) + "\n\n";
  text += "| parameter | value | unit | default | |\n| --- | --- | --- | --- | --- |\n";
  for (const ShapeParameter& parameter : shape.parameters)
    text += "| `" + std::string(parameter.name) + "` | " + cell(values_of(parameter)) + " | " +
            std::string(parameter.unit) + " | " + cell(default_of(parameter)) + " | " +
            cell(std::string(parameter.description)) + " |\n";
  if (!shape.groups.empty()) {
    text += "\nGroups:";
    for (const auto& group : shape.groups)
      text += (text.back() == ':' ? " " : ", ") + code(std::string(group));
    text += ".\n";
  }
  return text;
}

}  // namespace

std::string table_reference(const SchemaTable& table) {
  std::string text = "\n### `" + table.title() + "`\n\n" + table.description;
  if (table.is_required) text += " Required.";
  text += "\n";
  if (!table.rows.empty()) text += "\n" + rows_of(table) + alternatives_of(table);
  return text;
}

std::string schema_reference() {
  std::string text;
  for (const SchemaTable& table : scene_schema()) text += table_reference(table);
  text += "\n## Shapes\n\nWhat `generate = { shape = \"…\", … }` makes.\n";
  for (const Shape& shape : shapes()) text += shape_reference(shape);
  return text;
}

}  // namespace electret
