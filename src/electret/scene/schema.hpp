#pragma once
/// \file
/// The scene format as a table: one row per key. The reader, the check for unknown keys and the reference in
/// docs/scene-format.md all read it. A new key is one row of its table (tables/) and one member of its
/// struct.

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace electret {

/// Where a key's value goes: a pointer to a member of one of the types that the reader knows (see slot.hpp).
struct Slot;

/// The range of numbers that a key accepts. It applies to every number of a list.
struct NumberRange {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_excluded = false;
  bool maximum_excluded = false;

  [[nodiscard]] bool contains(double value) const {
    return (minimum_excluded ? value > minimum : value >= minimum) &&
           (maximum_excluded ? value < maximum : value <= maximum);
  }
};

/// "> 0", "≥ 1", "0 … 9"; "" for all numbers.
std::string to_string(const NumberRange& range);

/// Words that are not allowed, but that users try, and what a finding says to them.
struct WordsToAvoid {
  std::vector<std::string> words;
  std::string what;     ///< "is no field solver".
  std::string instead;  ///< "for a GPU: device = \"gpu\"".
};

/// One key of a table.
struct SchemaRow {
  std::string key;
  std::string type;           ///< The value in words: "number", "3 numbers", ….
  std::string unit;           ///< "m", "N/C", …; "" without one.
  std::string default_value;  ///< As it would be written; "" without one.
  NumberRange range;
  std::vector<std::string> choices;        ///< Words of this version; empty: any. Of a number: infinite ones.
  std::vector<std::string> later_choices;  ///< Words that are "not available in this version".
  /// Whether a word is allowed that is not among `choices`, where one of them stands for many: "gpu:NAME".
  bool (*accepts)(std::string_view word) = nullptr;
  WordsToAvoid avoid;
  std::string description;
  bool is_required = false;
  bool names_file = false;               ///< A text here, or one within the table here, may be a file's path.
  bool is_framed = false;                ///< One value for each of the table's `times`.
  bool is_later = false;                 ///< The key itself is "not available in this version".
  Slot (*slot)(void* object) = nullptr;  ///< The member of the table's struct; null if `is_later`.
};

/// Keys of which at most one, or exactly one, may be written.
struct Alternatives {
  std::vector<std::string> keys;
  bool one_is_required = false;
  bool mesh_may_provide_one = false;  ///< One is required unless the mesh has such numbers.
};

/// A table: `[time]`, or one that may be repeated, `[[body]]`.
struct SchemaTable {
  std::string name;  ///< "time", "body.springs", ….
  bool is_repeated = false;
  bool is_required = false;
  std::string description;
  std::vector<SchemaRow> rows{};
  std::vector<Alternatives> alternatives{};

  /// "[time]", "[[body]]".
  [[nodiscard]] std::string title() const;
  /// The row of `key`, or null.
  [[nodiscard]] const SchemaRow* row(std::string_view key) const;
};

/// The whole format, tables in the order of the documentation.
const std::vector<SchemaTable>& scene_schema();

/// A key whose text, if it is one, is the path of a file, relative to the scene's folder.
struct FileKey {
  std::string table;  ///< "body.springs", or a key that holds a table: "body.generate".
  std::string key;
};

/// All keys that may name files.
std::vector<FileKey> file_keys();

/// The table called `name` ("body.springs"). Throws InternalError if there is none.
const SchemaTable& schema_table(std::string_view name);

/// Whether this version allows `word` as a value of `row`.
bool allows_word(const SchemaRow& row, std::string_view word);

/// What a finding says of a word that `row` does not allow, and what is allowed instead.
struct WordFinding {
  std::string message, allowed;
};
WordFinding word_finding(const SchemaRow& row, const std::string& word);

/// The allowed values of `row`: "a number > 0, in s", `one of "linear", "step", "cubic"`.
std::string allowed_values(const SchemaRow& row);

/// A section of a reference: a heading, a description and a Markdown table of the table's rows.
std::string table_reference(const SchemaTable& table);

/// The reference part of docs/scene-format.md: a Markdown table for each table of the schema, including the
/// shapes.
std::string schema_reference();

}  // namespace electret
