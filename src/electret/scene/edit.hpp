#pragma once
/// \file
/// Edits of a scene's text that leave everything else as it was written: comments, order, indentation, line
/// ends and a byte order mark.
///
/// \code
///   std::string text = electret::edited_text(before, "torus.toml", {electret::TextEdit::set("time.step",
///   "0.01")});
/// \endcode
///
/// A value that is set takes the place of the old one's characters. A new key becomes the last one of its
/// section, with the indentation of the one above it; a new table comes below the last line of the table to
/// which it belongs. What is removed takes its lines with it, with the comments on them, but no line that has
/// only a comment. Tables in braces and lists in brackets change within them.

#include <string>
#include <string_view>
#include <vector>

#include <electret/core/errors.hpp>

namespace electret {

/// One edit. Keys are as for `--set` (read.hpp): dotted, items of lists by number from 0.
struct TextEdit {
  enum class Kind { set, append, rename, remove };

  /// Sets `key` to a value in TOML, or to a text without its quotes if it is no TOML. Values and lists may
  /// stand on several lines. The number after a list's last one adds an item.
  static TextEdit set(std::string key, std::string toml) {
    return {Kind::set, std::move(key), {std::move(toml)}};
  }
  /// Adds a table to the list of tables `list`, which may be missing. Each of the lines is `KEY = VALUE` or a
  /// comment.
  static TextEdit append(std::string list, std::vector<std::string> lines) {
    return {Kind::append, std::move(list), std::move(lines)};
  }
  /// Gives the last part of `key` another name.
  static TextEdit rename(std::string key, std::string name) {
    return {Kind::rename, std::move(key), {std::move(name)}};
  }
  /// Removes what `key` names, a list that this leaves empty, and a table that only the removed keys named.
  static TextEdit remove(std::string key) { return {Kind::remove, std::move(key), {}}; }

  Kind kind = Kind::set;
  std::string key;
  std::vector<std::string> lines;  ///< The value, the lines, or the name.
};

/// The text after all edits, in their order. It is read again after each one, and holds exactly the values of
/// the text with the override of the same words. Throws InputError with the findings of all edits, at "--set
/// KEY", "--unset KEY", "append KEY" or "rename KEY", and for a text that is not TOML with its own.
[[nodiscard]] std::string edited_text(std::string_view text, const std::string& file_name,
                                      const std::vector<TextEdit>& edits);

/// An override of a scene (read.hpp) as an edit: "KEY=VALUE" or "--unset KEY". Throws InputError.
[[nodiscard]] TextEdit edit_of_override(const std::string& override_text);

}  // namespace electret
