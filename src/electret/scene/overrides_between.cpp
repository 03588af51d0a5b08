#include <algorithm>

#include <electret/core/same_bits.hpp>
#include <electret/scene/overrides_between.hpp>
#include <electret/scene/toml_text.hpp>

namespace electret {
namespace {

bool is_number(const Node& node) {
  return node.kind == Node::Kind::number || node.kind == Node::Kind::whole;
}

bool is_same(const Node& a, const Node& b) {
  if (is_number(a) && is_number(b)) return same_bits(a.number, b.number);
  const auto is_same_member = [&](const Node::Member& member) {
    const Node::Member* other = b.member(member.key);
    return other != nullptr && is_same(member.node, other->node);
  };
  return a.kind == b.kind && a.text == b.text && a.boolean == b.boolean &&
         a.members.size() == b.members.size() &&
         std::all_of(a.members.begin(), a.members.end(), is_same_member) &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same);
}

/// Whether the key can stand in an override.
bool is_plain(const Node::Member& member) {
  return !member.key.empty() && member.key.find_first_of(". \t\r\n=\"'") == std::string::npos;
}

class Differences {
 public:
  std::vector<std::string> of_tables(const Node& before, const Node& after) {
    table("", before, after);
    return std::move(found_);
  }

 private:
  static std::string within(const std::string& key, const std::string& part) {
    return key.empty() ? part : key + "." + part;
  }

  void table(const std::string& key, const Node& before, const Node& after) {
    for (const Node::Member& member : before.members)
      if (after.member(member.key) == nullptr) found_.push_back("--unset " + within(key, member.key));
    for (const Node::Member& member : after.members) {
      const Node::Member* old = before.member(member.key);
      if (old == nullptr)
        set(within(key, member.key), member.node);
      else
        value(within(key, member.key), old->node, member.node);
    }
  }

  void value(const std::string& key, const Node& before, const Node& after) {
    if (is_same(before, after)) return;
    const auto can_name_members = [](const Node& node) {
      return std::all_of(node.members.begin(), node.members.end(), is_plain);
    };
    if (before.kind == Node::Kind::table && after.kind == Node::Kind::table && can_name_members(before) &&
        can_name_members(after))
      return table(key, before, after);
    if (!before.is_table_list() || !after.is_table_list() || before.items.size() != after.items.size())
      return set(key, after);
    for (std::size_t k = 0; k < after.items.size(); ++k)
      value(within(key, std::to_string(k)), before.items[k], after.items[k]);
  }

  void set(const std::string& key, const Node& node) { found_.push_back(key + "=" + toml_value(node)); }

  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> overrides_between(const Node& before, const Node& after) {
  return Differences().of_tables(before, after);
}

}  // namespace electret
