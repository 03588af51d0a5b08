#pragma once
/// \file
/// Where everything in a TOML text is written: its statements, and its tables, lists and values as bytes of
/// the text. The editor of texts (edit.hpp) needs this; readers take a Document.

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace electret {

/// The bytes begin … end - 1 of a text.
struct TextRange {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// One part of a dotted key.
struct WrittenKey {
  std::string name;  ///< Without quotes and escapes.
  TextRange at;
};

/// `KEY = VALUE`, `[KEY]` or `[[KEY]]`. One in braces, `{ KEY = VALUE, … }`, is one, too.
struct TomlStatement {
  enum class Kind { value, table, list_item };
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  Kind kind = Kind::value;
  TextRange at;  ///< From its first character to its last; a comment behind it does not belong to it.
  std::vector<WrittenKey> key;
  TextRange value;
  std::size_t section = none;  ///< The number of the header above it.

  [[nodiscard]] bool is_header() const { return kind != Kind::value; }
};

/// A table, list or plain value, as it is written.
struct Written {
  enum class Kind { plain, table, list };
  enum class Form {
    section,  ///< By headers: the root, `[table]`, the list of `[[item]]`s and each item.
    dotted,   ///< By keys of several parts: `table` of `table.key = 1`.
    enclosed  ///< As a value: `1`, `{ … }`, `[ … ]`.
  };
  struct Member;

  Kind kind = Kind::table;
  Form form = Form::section;
  TextRange at;                         ///< If it is enclosed.
  std::vector<TextRange> names;         ///< Everywhere it is named.
  std::vector<std::size_t> statements;  ///< All that write it or what is in it, of the text or of the braces
                                        ///< around it.
  std::size_t header = TomlStatement::none;  ///< Its own, if it is a table with one.
  std::vector<TomlStatement> pairs;          ///< If it is in braces.
  std::vector<Member> members;               ///< If it is a table.
  std::vector<Written> items;                ///< If it is a list.

  [[nodiscard]] bool is_enclosed(Kind what) const { return form == Form::enclosed && kind == what; }
  /// Not null if it is there.
  [[nodiscard]] const Written* member(std::string_view name) const;
  /// What `part` of a dotted key leads to: a member, or an item by its number. Null if it is not there.
  [[nodiscard]] const Written* part(const std::string& part) const;
};

struct Written::Member {
  std::string name;
  Written written;
};

/// The number of a list's item, if `part` of a dotted key is one.
[[nodiscard]] std::optional<std::size_t> item_number(const std::string& part);

/// The layout of a text that is TOML. Of any other text it is of no use, but it can be made.
class TomlLayout {
 public:
  explicit TomlLayout(std::string_view text);

  [[nodiscard]] const Written& root() const { return root_; }
  [[nodiscard]] const std::vector<TomlStatement>& statements() const { return statements_; }

 private:
  void add_header(std::size_t number);
  void add_value(std::size_t number, Written value);

  Written root_;
  std::vector<TomlStatement> statements_;
};

/// The first byte after a byte order mark.
[[nodiscard]] std::size_t start_of(std::string_view text);
/// The first byte of the line of byte `at`, and the first one of the line after it.
[[nodiscard]] std::size_t line_start(std::string_view text, std::size_t at);
[[nodiscard]] std::size_t next_line(std::string_view text, std::size_t at);
/// The bytes of all lines on which a range stands, with their line ends.
[[nodiscard]] TextRange lines_around(std::string_view text, TextRange range);
/// The first byte from `at` on that is no space, tab, line end or part of a comment.
[[nodiscard]] std::size_t after_space(std::string_view text, std::size_t at);

}  // namespace electret
