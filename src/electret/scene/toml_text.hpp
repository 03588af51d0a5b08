#pragma once
/// \file
/// A tree of values as TOML text.

#include <string>

#include <electret/scene/document.hpp>

namespace electret {

/// The text of the table `root`: values first, then its tables and lists of tables under headers, in the
/// tree's order. Tables within lists are written on one line. Reading the text gives the same tree. Throws
/// InternalError for dates.
std::string toml_text(const Node& root);

/// One value on one line, as it stands behind `key = `.
std::string toml_value(const Node& node);
/// A text in double quotes, and a key, which has quotes only if it needs them.
std::string toml_string(std::string_view text);
std::string toml_key(std::string_view key);

/// These make nodes of a number, a text, a list of numbers, a list of rows of 3 numbers, and one row.
Node number_node(double value);
Node text_node(std::string text);
Node list_node(ScalarView values);
Node rows_node(VectorView rows);
Node row_node(const Vec3& row);

/// Sets `key` of the table `table`, whether it exists already or not.
void set_member(Node& table, const std::string& key, Node value);
/// Removes `key` from `table` if it is there.
void remove_member(Node& table, std::string_view key);

}  // namespace electret
