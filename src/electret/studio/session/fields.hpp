#pragma once
/// \file
/// The numbers, words and formulas of a scene's text as fields. What they are is told by the schema, so that
/// a new key is a field by itself.

#include <optional>
#include <string>
#include <vector>

#include <electret/scene/document.hpp>
#include <electret/scene/edit.hpp>
#include <electret/scene/schema.hpp>
#include <electret/studio/session/edit_effect.hpp>
#include <electret/studio/session/events.hpp>

namespace electret::studio {

/// A key of a table that is a field.
struct FieldRow {
  const SchemaRow* row = nullptr;
  /// "number", "whole", "flag", "choice", "vector", "text" (a formula), "toml", or "numbers": named ones,
  /// each a field of its own.
  std::string kind{};
  EditEffect effect = EditEffect::live;
};
/// A table of the schema that has fields.
struct FieldSchema {
  const SchemaTable* table = nullptr;
  std::vector<FieldRow> rows{};
};

/// All tables with fields, in the schema's order.
[[nodiscard]] const std::vector<FieldSchema>& field_schema();

/// The tables of a scene's text that have fields, with their values; also those of the scene as a whole that
/// are not in the text, and work without.
[[nodiscard]] FieldsInfo fields_of(const Node& root);

/// What gives the field `key` ("body.0.springs.0.stiffness") the value `toml`, or removes it. Other keys go
/// that may not stand beside it. Throws InputError if the text has no such field, or `toml` is no value.
[[nodiscard]] std::vector<TextEdit> edits_of_field(const Node& root, const std::string& key,
                                                   const std::optional<std::string>& toml);

}  // namespace electret::studio
