#pragma once
/// \file
/// Reads one value of a document into the member that a schema row names. Checks its type, range and choice.

#include <string>

#include <electret/scene/document.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/slot.hpp>

namespace electret {

/// The document that is read, and where findings and places go.
struct ReadContext {
  const Document& document;
  Report& report;
  SourceMap& source;
};

/// Reads `node`, written at `key` ("body.0.scale") in `table`, into `slot` as `row` says. If there are
/// findings, the target keeps its value.
void read_value(const ReadContext& context, const SchemaTable& table, const SchemaRow& row,
                const std::string& key, const Node& node, Slot slot);

/// "linear" → Interpolation::linear; the word must be one of the row's choices.
Interpolation interpolation_of(std::string_view word);

}  // namespace electret
