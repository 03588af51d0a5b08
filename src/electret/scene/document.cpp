#include <algorithm>
#include <optional>

#include <toml++/toml.h>

#include <electret/scene/document.hpp>
#include <electret/scene/syntax_hint.hpp>
#include <electret/scene/toml_layout.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

Place place_of(const toml::source_position& position) {
  return {static_cast<Count>(position.line), static_cast<Count>(position.column), -1};
}

constexpr std::string_view unset_mark = "--unset ";

bool is_before(const Place& a, const Place& b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

Node converted(const toml::node& from) {
  Node node;
  node.place = place_of(from.source().begin);
  if (const auto* table = from.as_table()) {
    for (const auto& [key, value] : *table)
      node.members.push_back({std::string(key.str()), place_of(key.source().begin), converted(value)});
    std::stable_sort(node.members.begin(), node.members.end(),
                     [](const auto& a, const auto& b) { return is_before(a.place, b.place); });
  } else if (const auto* array = from.as_array()) {
    node.kind = Node::Kind::array;
    node.items.reserve(array->size());
    for (const auto& item : *array) node.items.push_back(converted(item));
  } else if (const auto* text = from.as_string()) {
    node.kind = Node::Kind::text, node.text = text->get();
  } else if (const auto* whole = from.as_integer()) {
    node.kind = Node::Kind::whole, node.whole = whole->get(), node.number = static_cast<double>(whole->get());
  } else if (const auto* number = from.as_floating_point()) {
    node.kind = Node::Kind::number, node.number = number->get();
  } else if (const auto* boolean = from.as_boolean()) {
    node.kind = Node::Kind::boolean, node.boolean = boolean->get();
  } else {
    node.kind = Node::Kind::date;
  }
  return node;
}

/// Whether some key could have so many parts that the stack of a recursive parser overflows.
bool has_endless_key(std::string_view text) {
  constexpr int most_parts = 1000;
  int dots = 0;
  for (const char c : text) {
    if (c == '.') ++dots;
    if (c == '\n' || c == ',' || c == '=') dots = 0;
    if (dots > most_parts) return true;
  }
  return false;
}

void set_places(Node& node, const Place& place) {
  node.place = place;
  for (auto& member : node.members) member.place = place, set_places(member.node, place);
  for (auto& item : node.items) set_places(item, place);
}

std::vector<std::string> split_at_dots(std::string_view key) {
  std::vector<std::string> parts(1);
  for (const char c : key) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// The node that `part` of an override's key leads to within `node`. Null if nothing is there yet, and also
/// if nothing can be there; `problem` then says why.
Node* found_within(Node& node, const std::string& part, std::string& problem) {
  if (node.kind == Node::Kind::table) {
    for (auto& member : node.members)
      if (member.key == part) return &member.node;
    return nullptr;
  }
  if (node.kind != Node::Kind::array) {
    problem = "nothing is inside " + in_words(node.kind);
    return nullptr;
  }
  const auto number = item_number(part);
  const std::string list = "a list of " + std::to_string(node.items.size());
  if (!number)
    problem = in_quotes(part) + " is no number in " + list;
  else if (*number > node.items.size())
    problem = "there is no number " + part + " in " + list + ", counted from 0";
  else if (*number < node.items.size())
    return &node.items[*number];
  return nullptr;
}

/// Adds the node that `part` leads to and that is not there yet: a member of a table, or the next item of a
/// list.
Node& make_within(Node& node, const std::string& part, const Place& place) {
  if (node.kind == Node::Kind::array)
    node.items.emplace_back();
  else
    node.members.push_back({part, place, {}});
  Node& made = node.kind == Node::Kind::array ? node.items.back() : node.members.back().node;
  made.place = place;
  return made;
}

/// The node that the dotted key leads to from `root`. Nodes that are missing on the way are made: lists if a
/// number follows, else tables. If the key leads nowhere, it returns null and makes nothing; `problem` then
/// says why.
Node* node_at(Node& root, const std::vector<std::string>& parts, const Place& place, std::string& problem) {
  Node* node = &root;
  std::size_t p = 0;
  for (; p < parts.size(); ++p) {
    Node* next = found_within(*node, parts[p], problem);
    if (!problem.empty()) return nullptr;
    if (next == nullptr) break;
    node = next;
  }
  for (std::size_t q = p + 1; q < parts.size(); ++q)
    if (item_number(parts[q]).value_or(0) != 0) {
      problem = "there is no list yet that has a number " + parts[q] + "; its first is 0";
      return nullptr;
    }
  for (; p < parts.size(); ++p) {
    const bool holds_list = p + 1 < parts.size() && item_number(parts[p + 1]);
    node = &make_within(*node, parts[p], place);
    node->kind = holds_list ? Node::Kind::array : Node::Kind::table;
  }
  return node;
}

/// Removes the node that `parts`, from number `p` on, lead to within `node`, and a list of tables that
/// becomes empty. Returns false if nothing is there: `problem` says what is missing, and `allowed` what there
/// is.
bool remove_from(Node& node, const std::vector<std::string>& parts, std::size_t p, const Place& place,
                 std::string& problem, std::string& allowed) {
  Node* next = found_within(node, parts[p], problem);
  if (next == nullptr) {
    if (!problem.empty()) return false;
    std::vector<std::string> known;
    for (const auto& member : node.members) known.push_back(member.key);
    problem = node.kind == Node::Kind::array ? "there is no number " + parts[p] + " in a list of " +
                                                   std::to_string(node.items.size()) + ", counted from 0"
                                             : "there is no " + in_quotes(parts[p]);
    if (!known.empty()) allowed = suggestion(parts[p], known);
    return false;
  }
  if (p + 1 < parts.size()) {
    if (!remove_from(*next, parts, p + 1, place, problem, allowed)) return false;
    const bool has_emptied = next->kind == Node::Kind::array && next->items.empty();
    if (!has_emptied) return true;
  }
  if (node.kind == Node::Kind::array) {
    if (next->kind != Node::Kind::table) node.place = place;  // The removal made what is left.
    node.items.erase(node.items.begin() + (next - node.items.data()));
  } else {
    std::erase_if(node.members, [&](const Node::Member& member) { return &member.node == next; });
  }
  return true;
}

}  // namespace

const Node::Member* Node::member(std::string_view key) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
  return found == members.end() ? nullptr : &*found;
}

bool Node::is_table_list() const {
  return kind == Kind::array && !items.empty() &&
         std::all_of(items.begin(), items.end(), [](const Node& item) { return item.kind == Kind::table; });
}

Node value_of_override(const std::string& text) {
  if (!has_endless_key(text)) {
    try {
      const toml::table table = toml::parse("value = " + text);
      if (table.size() == 1) return converted(*table.get("value"));
    } catch (const toml::parse_error&) {  // It is not TOML, but a text without its quotes, such as `verlet`.
    }
  }
  Node node;
  node.kind = Node::Kind::text, node.text = text;
  return node;
}

std::string key_of_override(std::string_view text) {
  return trimmed(text.substr(0, text.find_first_of("=\r\n")));
}

std::string in_words(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::table:
      return "a table";
    case Node::Kind::array:
      return "a list";
    case Node::Kind::text:
      return "a text";
    case Node::Kind::whole:
      return "a whole number";
    case Node::Kind::number:
      return "a number";
    case Node::Kind::boolean:
      return "true or false";
    case Node::Kind::date:
      return "a date or time";
  }
  return "a value";
}

Document::Document(std::string text, std::string file_name, const std::vector<std::string>& overrides,
                   std::vector<Finding>& findings)
    : text_(std::move(text)), file_name_(std::move(file_name)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  root_.place = {1, 1, -1};
  parse(findings);
  if (!readable_) return;
  for (const auto& override_text : overrides) apply(override_text, findings);
}

Document::Document(Node root, const std::vector<std::string>& overrides, std::vector<Finding>& findings)
    : root_(std::move(root)), readable_(true) {
  root_.place = {};
  name_places(root_, "");
  for (const auto& override_text : overrides) apply(override_text, findings);
}

/// Every table and key has a name of its own; the plain values of a list share the list's name.
void Document::name_places(Node& node, const std::string& key) {
  const auto name = [&](Node& inner, const std::string& part) {
    const std::string own = key.empty() ? part : key + "." + part;
    set_places(inner, next_place({own, 0, 0}));
    name_places(inner, own);
  };
  for (Node::Member& member : node.members) {
    name(member.node, member.key);
    member.place = member.node.place;
  }
  const bool has_tables = std::any_of(node.items.begin(), node.items.end(),
                                      [](const Node& item) { return item.kind == Node::Kind::table; });
  for (std::size_t i = 0; has_tables && i < node.items.size(); ++i) name(node.items[i], std::to_string(i));
}

void Document::parse(std::vector<Finding>& findings) {
  if (has_endless_key(text_)) {
    findings.push_back(
        {{file_name_, 1, 1}, "a key has more than 1000 parts", "allowed: the keys of the scene format"});
    return;
  }
  try {
    root_ = converted(toml::parse(std::string_view(text_), std::string_view(file_name_)));
    root_.place = {1, 1, -1};
    readable_ = true;
  } catch (const toml::parse_error& error) {
    const Place place = electret::place_of(error.source().begin);
    const auto line = trimmed(rest_of_line({place.line, 1, -1}));
    findings.push_back({locate(place),
                        "syntax: " + std::string(error.description()) + " in " + in_quotes(line),
                        syntax_hint(line, error.description())});
  }
}

Place Document::next_place(Location where) {
  override_places_.push_back(std::move(where));
  return {0, 0, static_cast<int>(override_places_.size()) - 1};
}

void Document::apply(const std::string& override_text, std::vector<Finding>& findings) {
  if (override_text.starts_with(unset_mark)) {
    const std::string key = trimmed(std::string_view(override_text).substr(unset_mark.size()));
    if (key.empty())
      findings.push_back({{"--unset", 0, 0}, "the key is empty", "give one, or leave the option out"});
    else
      remove(key, next_place({std::string(unset_mark) + key, 0, 0}), findings);
    return;
  }
  const std::string key = key_of_override(override_text);
  set(override_text, next_place({key.empty() ? "--set" : "--set " + key, 0, 0}), findings);
}

void Document::set(const std::string& assignment, const Location& where, std::vector<Finding>& findings) {
  set(assignment, next_place(where), findings);
}

void Document::unset(const std::string& key, const Location& where, std::vector<Finding>& findings) {
  remove(trimmed(key), next_place(where), findings);
}

void Document::set(const std::string& assignment, const Place& place, std::vector<Finding>& findings) {
  const auto equals = assignment.find('=');
  const std::string key = key_of_override(assignment);
  if (equals == std::string::npos || key.empty()) {
    findings.push_back({locate(place), "no KEY=VALUE in " + in_quotes(assignment),
                        "write for example " +
                            std::string(locate(place).file.starts_with("--set") ? "--set " : "") +
                            "time.step=0.01"});
    return;
  }
  if (assignment.find_first_of("\r\n") != std::string::npos) {
    findings.push_back(
        {locate(place), in_quotes(key) + " is set to more than one line", "write it on one line"});
    return;
  }
  if (!is_utf8(assignment)) {
    findings.push_back({locate(place), "is set to a text that is not valid UTF-8", "write it in UTF-8"});
    return;
  }
  const std::vector<std::string> parts = split_at_dots(key);
  constexpr std::size_t deepest = 16;
  std::string problem = parts.size() > deepest ? "the key has too many parts" : "";
  if (problem.empty() && std::any_of(parts.begin(), parts.end(), [](auto& part) { return part.empty(); }))
    problem = "the key has an empty part";
  Node* node = problem.empty() ? node_at(root_, parts, place, problem) : nullptr;
  if (node == nullptr) {
    findings.push_back({locate(place), in_quotes(key) + " leads nowhere: " + problem,
                        "write the keys of the scene with dots, lists by number from 0 up to their end: "
                        "body.0.charge"});
    return;
  }
  *node = value_of_override(trimmed(std::string_view(assignment).substr(equals + 1)));
  set_places(*node, place);
}

void Document::remove(const std::string& key, const Place& place, std::vector<Finding>& findings) {
  std::string problem,
      allowed = "write the keys of the scene with dots, lists by number from 0: body.0.charge";
  if (remove_from(root_, split_at_dots(key), 0, place, problem, allowed)) {
    removed_.emplace_back(key, locate(place));
    return;
  }
  findings.push_back({locate(place), in_quotes(key) + " cannot be removed: " + problem, allowed});
}

Location Document::locate(const Place& place) const {
  if (place.override_number >= 0) return override_places_[static_cast<std::size_t>(place.override_number)];
  return {file_name_, place.line, place.column};
}

std::string_view Document::rest_of_line(const Place& place) const {
  if (place.line < 1 || static_cast<std::size_t>(place.line) > line_starts_.size()) return {};
  std::size_t at = line_starts_[static_cast<std::size_t>(place.line) - 1];
  std::string_view line = std::string_view(text_).substr(at, text_.find('\n', at) - at);
  // Columns count characters; UTF-8 continuation bytes belong to the character before them.
  Count column = 1;
  std::size_t skip = 0;
  while (skip < line.size() && column < place.column) {
    ++skip;
    while (skip < line.size() && (static_cast<unsigned char>(line[skip]) & 0xC0U) == 0x80U) ++skip;
    ++column;
  }
  return line.substr(skip);
}

std::string Document::as_written(const Node& node) const {
  if (node.kind == Node::Kind::text) return in_quotes(node.text);
  if (node.kind == Node::Kind::table || node.kind == Node::Kind::array) {
    return in_words(node.kind) + " of " + std::to_string(std::max(node.items.size(), node.members.size()));
  }
  const std::string_view line = rest_of_line(node.place);
  std::string token = trimmed(line.substr(0, line.find_first_of(",]}# \t\r")));
  if (node.place.override_number < 0 && !token.empty()) return token;
  switch (node.kind) {
    case Node::Kind::whole:
      return std::to_string(node.whole);
    case Node::Kind::number:
      return number_text(node.number);
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    default:
      return in_words(node.kind);
  }
}

Location Document::first_character(const Node& node) const {
  if (node.place.override_number >= 0) return {};
  const std::string_view line = rest_of_line(node.place);
  const bool is_plain = line.size() > node.text.size() + 1 && (line[0] == '"' || line[0] == '\'') &&
                        line.substr(1, node.text.size()) == node.text &&
                        line[node.text.size() + 1] == line[0];
  if (!is_plain) return {};
  return {file_name_, node.place.line, node.place.column + 1};
}

}  // namespace electret
