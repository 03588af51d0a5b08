#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include <electret/scene/toml_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// `open` item, item `close`.
template <class Items, class ItemText>
std::string enclosed(const char* open, const Items& items, const char* close, ItemText&& text) {
  std::string result = open;
  for (const auto& item : items) result += (&item == &items.front() ? "" : ", ") + text(item);
  return result + close;
}

bool has_header(const Node& node, bool is_root) {
  return node.is_table_list() || (is_root && node.kind == Node::Kind::table);
}

void append_table(std::string& text, const std::string& prefix, const Node& table, bool is_root) {
  for (const Node::Member& member : table.members)
    if (!has_header(member.node, is_root))
      text += toml_key(member.key) + " = " + toml_value(member.node) + "\n";
  for (const Node::Member& member : table.members) {
    if (!has_header(member.node, is_root)) continue;
    const std::string header = prefix + toml_key(member.key);
    if (member.node.kind == Node::Kind::table) {
      text += (text.empty() ? "[" : "\n[") + header + "]\n";
      append_table(text, header + ".", member.node, false);
      continue;
    }
    for (const Node& item : member.node.items) {
      text += (text.empty() ? "[[" : "\n[[") + header + "]]\n";
      append_table(text, header + ".", item, false);
    }
  }
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04X", byte);
      result += escape.data();
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string toml_key(std::string_view key) {
  const bool is_bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return is_bare ? std::string(key) : toml_string(key);
}

std::string toml_value(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table:
      return enclosed("{ ", node.members, " }", [](const Node::Member& member) {
        return toml_key(member.key) + " = " + toml_value(member.node);
      });
    case Node::Kind::array:
      return enclosed("[", node.items, "]", toml_value);
    case Node::Kind::text:
      return toml_string(node.text);
    case Node::Kind::whole:
      return std::to_string(node.whole);
    case Node::Kind::number:
      return decimal_text(node.number);
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    case Node::Kind::date:
      break;
  }
  throw InternalError("a date was to be written to a scene");
}

std::string toml_text(const Node& root) {
  std::string text;
  append_table(text, "", root, true);
  return text;
}

Node number_node(double value) {
  Node node;
  node.kind = Node::Kind::number, node.number = value;
  return node;
}

Node text_node(std::string text) {
  Node node;
  node.kind = Node::Kind::text, node.text = std::move(text);
  return node;
}

Node list_node(ScalarView values) {
  Node node;
  node.kind = Node::Kind::array;
  for (const double value : values) node.items.push_back(number_node(value));
  return node;
}

Node row_node(const Vec3& row) {
  return list_node(std::array{row.x, row.y, row.z});
}

Node rows_node(VectorView rows) {
  Node node;
  node.kind = Node::Kind::array;
  for (const Vec3& row : rows) node.items.push_back(row_node(row));
  return node;
}

void set_member(Node& table, const std::string& key, Node value) {
  for (Node::Member& member : table.members)
    if (member.key == key) {
      member.node = std::move(value);
      return;
    }
  table.members.push_back({key, {}, std::move(value)});
}

void remove_member(Node& table, std::string_view key) {
  std::erase_if(table.members, [&](const Node::Member& member) { return member.key == key; });
}

}  // namespace electret
