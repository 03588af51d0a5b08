#pragma once
/// \file
/// Changes of a TOML text that keep all else as it was: lines that are added under headers or taken out, and
/// values that are added within brackets and braces or taken out.

#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/toml_layout.hpp>

namespace electret {

struct TextChange {
  TextRange at;
  std::string text;  ///< What is to stand there.
};
using TextChanges = std::vector<TextChange>;

/// The text with all changes, which do not overlap.
[[nodiscard]] std::string changed_text(std::string_view text, TextChanges changes);

/// "\r\n" if the text's first line ends so, else "\n".
[[nodiscard]] std::string_view line_end_of(std::string_view text);

/// A text, where everything stands in it, and how lines that are added to it end.
struct LaidOutText {
  std::string_view text;
  const TomlLayout& layout;
  std::string_view line_end;
};

/// A header and the lines below it.
struct NewSection {
  std::string key;  ///< As it is written: "body.springs".
  bool is_item = false;
  std::vector<std::string> lines;  ///< Without indentation and line ends.
};

/// Adds the section at `at`, where a line begins or the text ends. It is laid out as the one of header `like`
/// and the lines below that, or, with TomlStatement::none, without indentation.
[[nodiscard]] TextChange section_added(const LaidOutText& in, std::size_t at, std::size_t like,
                                       const NewSection& section);

/// Adds `KEY = VALUE` as the last one under `header`, or before all headers. With `after`, the number of
/// one of them, it comes after that one.
[[nodiscard]] TextChange key_added(const LaidOutText& in, std::size_t header, const std::string& line,
                                   std::size_t after = TomlStatement::none);

/// Takes out the lines of these statements, and one of the two blank lines around a header's.
[[nodiscard]] TextChanges statements_removed(std::string_view text, const TomlLayout& layout,
                                             const std::vector<std::size_t>& numbers);

/// Adds a value at the end of a list in brackets: on a line of its own if the last one has one.
[[nodiscard]] TextChanges item_added(std::string_view text, const Written& list, const std::string& value);
[[nodiscard]] TextChanges item_removed(std::string_view text, const Written& list, std::size_t number);

/// Adds `KEY = VALUE` at the end of a table in braces.
[[nodiscard]] TextChange pair_added(const Written& braces, const std::string& pair);
[[nodiscard]] TextChange pair_removed(const Written& braces, std::size_t number);

}  // namespace electret
