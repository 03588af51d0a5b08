#include <algorithm>
#include <array>
#include <set>

#include <electret/scene/document.hpp>
#include <electret/studio/session/edit_effect.hpp>
#include <electret/studio/session/key_tables.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {
namespace {

template <std::size_t size>
bool is_among(std::string_view word, const std::array<std::string_view, size>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether it is of what is an input of the next step.
bool is_of_inputs(const std::string& text) {
  const auto external = external_of_key(text);
  return charged_body(text) || (external && !external->empty()) || is_of_keys(text);
}

/// `auto` chooses once, where the scene begins: how it chooses depends on the whole run.
bool asks_for_auto(const std::string& text) {
  const std::string key = key_of_override(text);
  if (key.size() >= text.size()) return false;
  const Node value = value_of_override(text.substr(key.size() + 1));
  const Node::Member* method = value.member("method");
  return (key == "integrator.method" && value.text == "auto") ||
         (key == "integrator" && method != nullptr && method->node.text == "auto");
}

EditEffect effect_in_body(const std::vector<std::string_view>& parts) {
  constexpr std::array<std::string_view, 11> at_start{
      "name",     "mesh",       "generate",          "scale", "rotate", "translate",
      "velocity", "velocities", "initial_positions", "pin",   "group"};
  return parts.size() < 3 || is_among(parts[2], at_start) ? EditEffect::reset : EditEffect::live;
}

/// Pages count obstacles, and a run records forces of those that push exactly.
EditEffect effect_in_obstacle(const std::vector<std::string_view>& parts) {
  constexpr std::array<std::string_view, 4> at_start{"name", "shape", "mesh", "law"};
  return parts.size() < 3 || is_among(parts[2], at_start) ? EditEffect::reset : EditEffect::live;
}

/// What touches what stays: a run records forces of contact.
EditEffect effect_in_contact(const std::vector<std::string_view>& parts) {
  constexpr std::array<std::string_view, 3> at_start{"against", "law", "bodies"};
  constexpr std::array<std::string_view, 2> of_pair{"between", "ignore"};
  if (parts.size() < 2 || is_among(parts[1], at_start)) return EditEffect::reset;
  if (parts[1] != "pair") return EditEffect::live;
  return parts.size() < 4 || is_among(parts[3], of_pair) ? EditEffect::reset : EditEffect::live;
}

/// The list in which a key's item is known by its number alone; "" of others.
std::string list_of(const std::string& text) {
  const std::string key = key_of_override(text);
  return key == "contact.pair" || key.starts_with("contact.pair.") ? "contact.pair" : list_of_keys(text);
}

/// Moves what `is_taken` out of the two lists of a change; what was moved, removals first.
template <class Is>
std::vector<std::string> taken_out(Change& change, const Is& is_taken) {
  std::vector<std::string> taken;
  const auto takes = [&](const std::string& text) {
    if (!is_taken(text)) return false;
    taken.push_back(text);
    return true;
  };
  std::erase_if(change.unset, takes);
  std::erase_if(change.set, takes);
  return taken;
}

void add_keys(const std::vector<std::string>& texts, std::vector<std::string>& keys) {
  for (const std::string& text : texts) keys.push_back(key_of_override(text));
}

template <class Is>
bool is_any(const Change& change, const Is& is) {
  return std::any_of(change.set.begin(), change.set.end(), is) ||
         std::any_of(change.unset.begin(), change.unset.end(), is);
}

bool is_number(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

const char* name_of(EditEffect effect) {
  return effect == EditEffect::input ? "input" : effect == EditEffect::live ? "live" : "reset";
}

std::vector<std::string_view> parts_of(std::string_view key) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = key.find('.');
    parts.push_back(key.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    key.remove_prefix(dot + 1);
  }
}

EditEffect effect_of(const std::string& text) {
  constexpr std::array<std::string_view, 5> at_start{"scene", "output", "change", "grab", "external_charge"};
  if (is_of_inputs(text)) return EditEffect::input;
  const std::string key = key_of_override(text);
  const auto parts = parts_of(key);
  if (is_among(parts[0], at_start) || asks_for_auto(text)) return EditEffect::reset;
  if (parts[0] == "time") return key == "time.step" ? EditEffect::live : EditEffect::reset;
  if (parts[0] == "body") return effect_in_body(parts);
  if (parts[0] == "obstacle") return effect_in_obstacle(parts);
  if (parts[0] == "contact") return effect_in_contact(parts);
  // Where the field is computed is found out when the scene begins.
  return key == "coulomb.device" ? EditEffect::reset : EditEffect::live;
}

bool is_of_inputs(const Change& change) {
  return !is_any(change, [](const std::string& text) { return !is_of_inputs(text); });
}

bool keeps_grips(const Change& change) {
  constexpr std::array<std::string_view, 3> forces{"gravity", "electric_field", "coulomb"};
  return !is_any(change, [&](const std::string& text) {
    const std::string key = key_of_override(text);
    return !is_of_inputs(text) && !is_among(parts_of(key)[0], forces);
  });
}

std::vector<std::string> take_what_waits(Change& change) {
  const auto is_other_body = [](const std::string& text) {
    const std::string key = key_of_override(text);
    const auto parts = parts_of(key);
    return parts[0] == "body" && (parts.size() < 3 || (parts.size() == 3 && parts[2] == "name"));
  };
  const bool waits_whole = is_any(change, is_other_body);
  std::vector<std::string> waiting;
  add_keys(
      taken_out(change,
                [&](const std::string& text) { return waits_whole || effect_of(text) == EditEffect::reset; }),
      waiting);
  // Where items of a list wait, the numbers of the others may be those of other items in the scene that runs.
  std::set<std::string> lists;
  for (const std::string& key : waiting) lists.insert(list_of(key));
  lists.erase("");
  add_keys(taken_out(change, [&](const std::string& text) { return lists.contains(list_of(text)); }),
           waiting);
  return waiting;
}

std::vector<std::string> take_keys_of_motion(Change& change) {
  std::vector<std::string> taken;
  add_keys(taken_out(change,
                     [](const std::string& text) {
                       return !charged_body(text) && !external_of_key(text) && is_of_keys(text);
                     }),
           taken);
  return taken;
}

std::vector<std::string> take_what_is_live(Change& change) {
  return taken_out(change, [](const std::string& text) { return !is_of_inputs(text); });
}

bool are_related(const std::string& one, const std::string& other) {
  const std::string a = key_of_override(one), b = key_of_override(other);
  const auto parts = parts_of(a), others = parts_of(b);
  for (std::size_t k = 0; k < std::min(parts.size(), others.size()); ++k) {
    const bool may_be_any = k == 1 && parts[0] == "body" && (!is_number(parts[k]) || !is_number(others[k]));
    if (parts[k] != others[k] && !may_be_any) return false;
  }
  return true;
}

}  // namespace electret::studio
