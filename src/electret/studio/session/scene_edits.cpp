#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <electret/scene/toml_text.hpp>
#include <electret/studio/session/edit_effect.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {
namespace {

bool is_same(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.text != b.text || a.number != b.number || a.whole != b.whole ||
      a.boolean != b.boolean || a.members.size() != b.members.size())
    return false;
  const auto has_same = [&](const Node::Member& own) {
    const Node::Member* other = b.member(own.key);
    return other != nullptr && is_same(own.node, other->node);
  };
  return std::all_of(a.members.begin(), a.members.end(), has_same) &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same);
}

/// Gathers what differs.
class Differences {
 public:
  void compare(const Node& before, const Node& after, const std::string& key) {
    if (is_same(before, after)) return;
    if (before.kind == Node::Kind::table && after.kind == Node::Kind::table)
      return compare_tables(before, after, key);
    if (before.is_table_list() && after.is_table_list()) return compare_lists(before, after, key);
    if (before.kind == Node::Kind::array && before.items.size() == after.items.size() &&
        after.kind == Node::Kind::array && compare_items(before, after, key))
      return;
    set(key, after);
  }
  Change change;

 private:
  void set(const std::string& key, const Node& value) { change.set.push_back(key + "=" + toml_value(value)); }

  void compare_tables(const Node& before, const Node& after, const std::string& key) {
    const auto within = [&](const std::string& name) {
      return (key.empty() ? "" : key + ".") + toml_key(name);
    };
    for (const Node::Member& own : before.members)
      if (after.member(own.key) == nullptr) change.unset.push_back(within(own.key));
    for (const Node::Member& own : after.members) {
      const Node::Member* old = before.member(own.key);
      if (old == nullptr)
        set(within(own.key), own.node);
      else
        compare(old->node, own.node, within(own.key));
    }
  }

  void compare_lists(const Node& before, const Node& after, const std::string& key) {
    const std::size_t both = std::min(before.items.size(), after.items.size());
    for (std::size_t k = before.items.size(); k-- > both;)
      change.unset.push_back(key + "." + std::to_string(k));
    for (std::size_t k = 0; k < both; ++k)
      compare(before.items[k], after.items[k], key + "." + std::to_string(k));
    for (std::size_t k = both; k < after.items.size(); ++k)
      set(key + "." + std::to_string(k), after.items[k]);
  }

  /// Item by item, if that says less.
  bool compare_items(const Node& before, const Node& after, const std::string& key) {
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < after.items.size(); ++k)
      if (!is_same(before.items[k], after.items[k])) others.push_back(k);
    if (3 * others.size() > after.items.size()) return false;
    for (const std::size_t k : others) set(key + "." + std::to_string(k), after.items[k]);
    return true;
  }
};

/// Assignments in their order, of which a later one takes the place of an earlier one of the same key. There
/// may be thousands, one per key-frame: each is looked at once.
class Assignments {
 public:
  explicit Assignments(std::vector<std::string> all) : all_(std::move(all)) {
    for (std::size_t k = 0; k < all_.size(); ++k) note(key_of_override(all_[k]), k);
  }

  void add(std::string assignment) {
    const std::string key = key_of_override(assignment);
    const auto same = last_.find(key), within = last_within_.find(key);
    // What is set within the value stands on it.
    if (same != last_.end() && (within == last_within_.end() || within->second < same->second))
      all_[same->second].clear();
    all_.push_back(std::move(assignment));
    note(key, all_.size() - 1);
  }
  [[nodiscard]] std::vector<std::string> all() && {
    std::erase(all_, "");
    return std::move(all_);
  }

 private:
  void note(const std::string& key, std::size_t place) {
    last_[key] = place;
    for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1))
      last_within_[key.substr(0, dot)] = place;
  }

  std::vector<std::string> all_;
  std::unordered_map<std::string, std::size_t> last_;         ///< Where a key was set last,
  std::unordered_map<std::string, std::size_t> last_within_;  ///< and something within it.
};

const Node* item_of(const Node& root, const char* list, std::size_t index) {
  const Node::Member* found = root.member(list);
  return found != nullptr && index < found->node.items.size() ? &found->node.items[index] : nullptr;
}

std::string key_of(std::size_t body, const std::string& key) {
  return "body." + std::to_string(body) + "." + key;
}

void remove_if_there(const Node& table, const std::string& prefix, std::initializer_list<const char*> keys,
                     std::vector<TextEdit>& edits) {
  for (const char* key : keys)
    if (table.member(key) != nullptr) edits.push_back(TextEdit::remove(prefix + key));
}

bool is_of_group(const Node& entry, const std::string& group) {
  const Node::Member* name = entry.member("group");
  return name != nullptr && name->node.text == group;
}

/// Later entries win: what is set must be the last one of those that share its vertices.
std::vector<TextEdit> set_group_charge(const Node& body, const std::string& list, const std::string& group,
                                       double charge, const SharesVertices& shares) {
  const std::string value = toml_value(number_node(charge));
  std::vector<TextEdit> edits;
  const Node::Member* entries = body.member("group_charge");
  const std::size_t count = entries != nullptr ? entries->node.items.size() : 0;
  std::size_t own = count;
  for (std::size_t k = 0; k < count; ++k)
    if (is_of_group(entries->node.items[k], group)) own = k;
  bool is_last = own < count;
  for (std::size_t k = own + 1; is_last && k < count; ++k) {
    const Node::Member* later = entries->node.items[k].member("group");
    is_last = later != nullptr && !shares(group, later->node.text);
  }
  if (is_last) {
    const std::string at = list + "." + std::to_string(own) + ".";
    edits.push_back(TextEdit::set(at + "value", value));
    remove_if_there(entries->node.items[own], at, {"times", "values", "interpolation"}, edits);
    return edits;
  }
  if (own < count) edits.push_back(TextEdit::remove(list + "." + std::to_string(own)));
  edits.push_back(TextEdit::append(list, {"group = " + toml_string(group), "value = " + value}));
  return edits;
}

/// Sets one of the keys by which a body's own charges are said, of which only one may be written, in the line
/// where another one stood.
std::vector<TextEdit> set_alone(const Node& root, std::size_t body, const std::string& key,
                                std::string value) {
  const Node* own = item_of(root, "body", body);
  const Node::Member* now = own != nullptr ? own->member(key) : nullptr;
  std::vector<TextEdit> edits;
  bool is_there = now != nullptr;
  for (const char* other : {"charge", "total_charge", "charges"}) {
    if (own == nullptr || key == other || own->member(other) == nullptr) continue;
    edits.push_back(is_there ? TextEdit::remove(key_of(body, other))
                             : TextEdit::rename(key_of(body, other), key));
    is_there = true;
  }
  // What has the value stays as it was written.
  if (now == nullptr || toml_value(now->node) != value)
    edits.push_back(TextEdit::set(key_of(body, key), std::move(value)));
  return edits;
}

}  // namespace

Change difference(const Node& before, const Node& after) {
  Differences differences;
  differences.compare(before, after, "");
  return std::move(differences.change);
}

std::optional<std::string> charged_body(const std::string& text) {
  constexpr std::array names{"charge", "total_charge", "charges", "group_charge"};
  const std::string key = key_of_override(text);
  const auto parts = parts_of(key);
  if (parts.size() < 3 || parts[0] != "body") return std::nullopt;
  // A group that is set whole is a new one.
  const bool is_one = parts[2] == "group" ? parts.size() <= 4
                                          : std::find(names.begin(), names.end(), parts[2]) != names.end();
  return is_one ? std::optional(std::string(parts[1])) : std::nullopt;
}

std::optional<std::string> external_of_key(const std::string& text) {
  constexpr std::array names{"charge", "charges", "position", "positions", "times", "interpolation", "width"};
  const std::string key = key_of_override(text);
  const auto parts = parts_of(key);
  if (parts[0] != "external_charge") return std::nullopt;
  const bool is_within = parts.size() >= 3 && std::find(names.begin(), names.end(), parts[2]) != names.end();
  return is_within ? std::string(parts[1]) : std::string();
}

void add_change(Change change, std::vector<Change>& changes) {
  // What is removed is removed first: it would not see what was set before it.
  if (changes.empty() || changes.back().step != change.step || !change.unset.empty())
    return changes.push_back(std::move(change));
  Assignments set(std::move(changes.back().set));
  for (std::string& assignment : change.set) set.add(std::move(assignment));
  changes.back().set = std::move(set).all();
}

std::string changes_override(const std::vector<Change>& changes) {
  if (changes.empty()) return "--unset change";
  Node list;
  list.kind = Node::Kind::array;
  const auto texts = [](const std::vector<std::string>& all) {
    Node node;
    node.kind = Node::Kind::array;
    for (const std::string& each : all) node.items.push_back(text_node(each));
    return node;
  };
  for (const Change& change : changes) {
    Node& one = list.items.emplace_back();
    Node step;
    step.kind = Node::Kind::whole;
    step.whole = change.step;
    step.number = static_cast<double>(change.step);
    set_member(one, "step", std::move(step));
    if (!change.set.empty()) set_member(one, "set", texts(change.set));
    if (!change.unset.empty()) set_member(one, "unset", texts(change.unset));
  }
  return "change=" + toml_value(list);
}

std::vector<TextEdit> set_charge(const Node& root, std::size_t body, const std::optional<std::string>& group,
                                 double charge, const SharesVertices& shares) {
  if (!group) return set_alone(root, body, "charge", toml_value(number_node(charge)));
  const Node* own = item_of(root, "body", body);
  return own != nullptr ? set_group_charge(*own, key_of(body, "group_charge"), *group, charge, shares)
                        : std::vector<TextEdit>();
}

std::vector<TextEdit> set_charges(const Node& root, std::size_t body, const std::vector<double>& charges) {
  return set_alone(root, body, "charges", toml_value(list_node(charges)));
}

std::vector<TextEdit> set_charges_file(const Node& root, std::size_t body, const std::string& file) {
  return set_alone(root, body, "charges", toml_string(file));
}

std::string charge_table(const Node& root, std::size_t body, const std::string& group) {
  const Node* own = item_of(root, "body", body);
  const Node::Member* entries = own != nullptr ? own->member("group_charge") : nullptr;
  if (entries == nullptr) return "";
  // Later entries win.
  for (std::size_t k = entries->node.items.size(); k-- > 0;)
    if (is_of_group(entries->node.items[k], group)) return key_of(body, "group_charge." + std::to_string(k));
  return "";
}

std::vector<TextEdit> set_external(const Node& root, std::size_t number, const std::optional<double>& charge,
                                   const std::optional<Vec3>& position) {
  const Node* own = item_of(root, "external_charge", number);
  if (own == nullptr) return {};
  const std::string at = "external_charge." + std::to_string(number) + ".";
  const auto has = [&](const char* key) { return own->member(key) != nullptr; };
  std::vector<TextEdit> edits;
  if (charge) {
    edits.push_back(TextEdit::set(at + "charge", toml_value(number_node(*charge))));
    remove_if_there(*own, at, {"charges"}, edits);
  }
  if (position) {
    edits.push_back(TextEdit::set(at + "position", toml_value(row_node(*position))));
    remove_if_there(*own, at, {"positions"}, edits);
  }
  // Times belong to what is still key-framed.
  const bool is_framed = (has("charges") && !charge) || (has("positions") && !position);
  if (!is_framed) remove_if_there(*own, at, {"times", "interpolation"}, edits);
  return edits;
}

std::vector<TextEdit> add_group(std::size_t body, const std::string& name, std::vector<Index> vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  std::string indices = "indices = [";
  for (std::size_t k = 0; k < vertices.size(); ++k)
    indices += (k > 0 ? ", " : "") + std::to_string(vertices[k]);
  return {TextEdit::append(key_of(body, "group"), {"name = " + toml_string(name), indices + "]"})};
}

}  // namespace electret::studio
