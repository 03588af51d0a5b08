#pragma once
/// \file
/// A TOML text as a tree, with `--set` and `--unset` applied. Every value knows where it was written.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/core/errors.hpp>

namespace electret {

/// Where a value was written: a position in the text, or the number of an override. In a tree made in memory,
/// `override_number` is the index of a key.
struct Place {
  Count line = 0, column = 0;  ///< From 1, columns in characters.
  int override_number = -1;
};

/// One value.
struct Node {
  enum class Kind { table, array, text, whole, number, boolean, date };
  struct Member;

  Kind kind = Kind::table;
  Place place;
  std::string text;     ///< If it is a text.
  double number = 0.0;  ///< If it is a number or a whole number.
  Count whole = 0;      ///< If it is a whole number.
  bool boolean = false;
  std::vector<Member> members;  ///< If it is a table; in the text's order.
  std::vector<Node> items;      ///< If it is an array.

  [[nodiscard]] const Member* member(std::string_view key) const;
  [[nodiscard]] bool is_table_list() const;  ///< A non-empty array of tables only.
};

struct Node::Member {
  std::string key;
  Place place;
  Node node;
};

/// The KEY of an override "KEY=VALUE", or the key itself.
std::string key_of_override(std::string_view text);

/// The value of VALUE as overrides give it: TOML if it parses, else a bare text.
Node value_of_override(const std::string& text);

/// "a table", "a number", …, for findings about the wrong kind.
std::string in_words(Node::Kind kind);

class Document {
 public:
  /// Parses `text` and applies `overrides` ("a.b.0.c=VALUE", "--unset a.b.0.c") in order. Syntax errors, and
  /// overrides whose key leads nowhere, go to `findings`. After a syntax error the root is empty.
  Document(std::string text, std::string file_name, const std::vector<std::string>& overrides,
           std::vector<Finding>& findings);
  /// A tree made in memory, for example from a program's own tables. There is no file, so a place in it is
  /// the dotted key ("body.0.charge").
  Document(Node root, const std::vector<std::string>& overrides, std::vector<Finding>& findings);

  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] bool is_readable() const { return readable_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Sets a key as "KEY=VALUE" does, or removes one. It was written at `where`: findings about it, and about
  /// what it sets, are located there.
  void set(const std::string& assignment, const Location& where, std::vector<Finding>& findings);
  void unset(const std::string& key, const Location& where, std::vector<Finding>& findings);

  /// The keys that were removed, and where. Findings about what is then missing are located there.
  [[nodiscard]] const std::vector<std::pair<std::string, Location>>& removed() const { return removed_; }

  [[nodiscard]] Location locate(const Place& place) const;
  /// The value as the user wrote it. A long value is shortened; a text is in double quotes.
  [[nodiscard]] std::string as_written(const Node& node) const;
  /// Where the first character of a text is, if the text was written literally (no escapes, on one line);
  /// else line 0.
  [[nodiscard]] Location first_character(const Node& node) const;

 private:
  /// The text from `place` to the end of its line.
  [[nodiscard]] std::string_view rest_of_line(const Place& place) const;
  void parse(std::vector<Finding>& findings);
  void name_places(Node& node, const std::string& key);
  void apply(const std::string& override_text, std::vector<Finding>& findings);
  void set(const std::string& assignment, const Place& place, std::vector<Finding>& findings);
  void remove(const std::string& key, const Place& place, std::vector<Finding>& findings);
  /// The place of the next override, which is located at `where`.
  Place next_place(Location where);

  std::string text_, file_name_;
  /// "--set KEY", "--unset KEY"; for a tree in memory its keys; for changes where they are written.
  std::vector<Location> override_places_;
  std::vector<std::pair<std::string, Location>> removed_;
  std::vector<std::size_t> line_starts_;
  Node root_;
  bool readable_ = false;
};

}  // namespace electret
