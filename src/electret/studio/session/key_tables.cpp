#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <electret/scene/keyframes.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/studio/session/key_tables.hpp>
#include <electret/studio/session/pulls.hpp>

namespace electret::studio {
namespace {

bool is_number_text(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool may_have_keys(const SchemaTable& table) {
  return table.row("times") != nullptr && std::any_of(table.rows.begin(), table.rows.end(),
                                                      [](const SchemaRow& row) { return row.is_framed; });
}

/// The key that says the same as `row` without times; null if there is none.
const SchemaRow* constant_of(const SchemaTable& table, const SchemaRow& row) {
  for (const Alternatives& each : table.alternatives) {
    const auto is_row = [&](const std::string& key) { return key == row.key; };
    if (std::none_of(each.keys.begin(), each.keys.end(), is_row)) continue;
    if (const SchemaRow* first = table.row(each.keys.front()); first != nullptr && first->key != row.key)
      return first;
  }
  return nullptr;
}

/// The table of the schema, and the key in it, of "body.0.pin.1.offsets" or "body.0.pin.1.offsets.2".
std::pair<const SchemaTable*, std::string> schema_place(const std::string& text) {
  const std::string key = key_of_override(text);
  std::string name;
  const SchemaTable* found = nullptr;
  std::string_view rest = key;
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    if (is_number_text(part)) continue;
    const std::string longer = (name.empty() ? "" : name + ".") + std::string(part);
    const auto& schema = scene_schema();
    const auto next = std::find_if(schema.begin(), schema.end(),
                                   [&](const SchemaTable& each) { return each.name == longer; });
    if (next == schema.end()) return {found, std::string(part)};
    found = &*next;
    name = longer;
  }
  return {found, ""};
}

std::string text_of(const Node& table, const char* key) {
  const Node::Member* found = table.member(key);
  return found != nullptr ? found->node.text : std::string();
}

std::string label_of(const SchemaTable& schema, const Node& node, std::size_t number,
                     const std::string& body) {
  const std::string kind = schema.name.substr(schema.name.rfind('.') + 1);
  const std::string group = text_of(node, "group"), name = text_of(node, "name");
  std::string label = kind == "group_charge"      ? group
                      : kind == "external_charge" ? "external charge " + std::to_string(number + 1)
                      : !name.empty()             ? kind + " " + name
                      : !group.empty()            ? kind + " " + group
                                                  : kind + " " + std::to_string(number + 1);
  if (!body.empty()) label += " of " + body;
  return label;
}

/// Whether `key` is one of what keys move, or may be edited beside it while the scene runs.
bool is_moved(const SchemaTable& schema, const std::string& key) {
  if (key == "times" || key == "interpolation" || key == "width") return true;
  return std::any_of(schema.rows.begin(), schema.rows.end(), [&](const SchemaRow& row) {
    if (!row.is_framed) return false;
    const SchemaRow* constant = constant_of(schema, row);
    return row.key == key || (constant != nullptr && constant->key == key);
  });
}

/// What a table moves. Entries of one group are counted among themselves, because they come and go while the
/// scene runs; of other lists each item is what it is by its number.
std::string identity_of(const SchemaTable& schema, const Node& list, std::size_t number,
                        const std::string& body) {
  const auto said = [&](const Node& item) {
    std::string all;
    for (const Node::Member& member : item.members)
      if (!is_moved(schema, member.key)) all += " " + member.key + "=" + toml_value(member.node);
    return all;
  };
  const std::string about = schema.name + " " + toml_string(body);
  if (list.kind != Node::Kind::array) return about + said(list);
  const std::string own = said(list.items[number]);
  if (schema.name != "body.group_charge")
    return about + own + " " + std::to_string(number) + " of " + std::to_string(list.items.size());
  // Later entries win: they are counted from the last one.
  const auto later = std::count_if(list.items.begin() + static_cast<std::ptrdiff_t>(number) + 1,
                                   list.items.end(), [&](const Node& each) { return said(each) == own; });
  return about + own + " " + std::to_string(later);
}

/// Numbers of a value: of a row of the table one after the other.
std::vector<double> numbers_of(const Node& node) {
  std::vector<double> numbers;
  if (node.kind == Node::Kind::number || node.kind == Node::Kind::whole) numbers.push_back(node.number);
  for (const Node& item : node.items)
    for (const double each : numbers_of(item)) numbers.push_back(each);
  return numbers;
}

KeyTable table_of(const SchemaTable& schema, const Node& node, const std::string& key, std::string label) {
  KeyTable table;
  table.key = key;
  table.label = std::move(label);
  if (const Node::Member* times = node.member("times")) table.times = numbers_of(times->node);
  const std::string interpolation = text_of(node, "interpolation");
  table.interpolation = interpolation.empty() ? "linear" : interpolation;
  table.says_interpolation = node.member("interpolation") != nullptr;
  for (const SchemaRow& row : schema.rows) {
    if (!row.is_framed) continue;
    KeyLane lane;
    lane.key = row.key;
    lane.unit = row.unit;
    lane.columns = row.type.find("3 numbers") != std::string::npos ? 3 : 1;
    if (const Node::Member* values = node.member(row.key)) lane.values = numbers_of(values->node);
    if (const SchemaRow* constant = constant_of(schema, row)) {
      lane.constant = constant->key;
      if (const Node::Member* value = node.member(constant->key)) lane.value = numbers_of(value->node);
    }
    table.lanes.push_back(std::move(lane));
  }
  return table;
}

/// Goes down the names of a table of the schema.
void add_tables(const SchemaTable& schema, std::string_view names, const Node& node, const std::string& key,
                const std::string& body, std::vector<KeyTable>& to) {
  const std::size_t dot = names.find('.');
  const std::string name(names.substr(0, dot));
  const Node::Member* found = node.member(name);
  if (found == nullptr) return;
  const std::string at = key.empty() ? name : key + "." + name;
  const bool is_list = found->node.kind == Node::Kind::array;
  const std::size_t count = is_list ? found->node.items.size() : 1;
  for (std::size_t k = 0; k < count; ++k) {
    const Node& item = is_list ? found->node.items[k] : found->node;
    const std::string own = is_list ? at + "." + std::to_string(k) : at;
    if (dot != std::string_view::npos)
      add_tables(schema, names.substr(dot + 1), item, own, name == "body" ? text_of(item, "name") : body, to);
    else
      to.push_back(table_of(schema, item, own, label_of(schema, item, k, body)));
    if (dot == std::string_view::npos) to.back().identity = identity_of(schema, found->node, k, body);
  }
}

std::string lane_toml(const KeyLane& lane, const std::vector<double>& numbers) {
  if (lane.columns == 1) return toml_value(list_node(numbers));
  VectorArray rows;
  for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
    rows.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  return toml_value(rows_node(rows));
}

std::string constant_toml(const KeyLane& lane, const std::vector<double>& numbers) {
  if (lane.columns == 1) return toml_value(number_node(numbers.at(0)));
  return toml_value(row_node({numbers.at(0), numbers.at(1), numbers.at(2)}));
}

/// The lane's values at key `k`.
std::vector<double> at_key(const KeyLane& lane, std::size_t k) {
  const auto from = lane.values.begin() + static_cast<std::ptrdiff_t>(k * lane.columns);
  return {from, from + static_cast<std::ptrdiff_t>(lane.columns)};
}

Interpolation interpolation_named(const std::string& word) {
  return word == "step"    ? Interpolation::step
         : word == "cubic" ? Interpolation::cubic
                           : Interpolation::linear;
}

/// A lane with keys, column by column: taken apart once, so that it can be asked at many times.
std::vector<KeyFrames<double>> columns_of(const KeyTable& table, const KeyLane& lane) {
  std::vector<KeyFrames<double>> columns;
  for (std::size_t column = 0; column < lane.columns; ++column) {
    KeyFrames<double>& keys =
        columns.emplace_back(KeyFrames<double>{table.times, {}, interpolation_named(table.interpolation)});
    for (std::size_t k = 0; k < table.times.size(); ++k)
      keys.values.push_back(lane.values[k * lane.columns + column]);
  }
  return columns;
}

/// Whether each lane with keys has a value for each time: a text with findings may have fewer.
bool is_whole(const KeyTable& table) {
  return std::all_of(table.lanes.begin(), table.lanes.end(), [&](const KeyLane& lane) {
    return (lane.values.empty() || lane.values.size() == table.times.size() * lane.columns) &&
           (lane.value.empty() || lane.value.size() == lane.columns);
  });
}

/// What a lane has at a time, also without keys.
class Lane {
 public:
  Lane(const KeyTable& table, const KeyLane& lane)
      : is_step_(table.interpolation == "step"), constant_(lane.value) {
    if (!table.times.empty() && !lane.values.empty())
      keys_ = columns_of(table, lane);
    else if (constant_.empty())
      constant_.assign(lane.columns, 0.0);
  }
  [[nodiscard]] std::size_t columns() const { return keys_.empty() ? constant_.size() : keys_.size(); }
  [[nodiscard]] double at(std::size_t column, double time) const {
    return keys_.empty() ? constant_[column] : evaluate(keys_[column], time, 0.0);
  }
  /// What it comes to at the end of an interval, s, within which no key is: a step's key has yet to act.
  [[nodiscard]] double before(std::size_t column, double begin, double end) const {
    return at(column, is_step_ ? begin : end);
  }

 private:
  bool is_step_;
  std::vector<double> constant_;
  std::vector<KeyFrames<double>> keys_;
};

/// Compares two tables that have the same lanes.
class Comparison {
 public:
  Comparison(const KeyTable& a, const KeyTable& b)
      : is_cubic_(a.interpolation == "cubic" || b.interpolation == "cubic") {
    for (std::size_t lane = 0; lane < a.lanes.size(); ++lane) {
      double most = 0.0;
      for (const KeyLane* each : {&a.lanes[lane], &b.lanes[lane]})
        for (const std::vector<double>* values : {&each->values, &each->value})
          for (const double value : *values) most = std::max(most, std::abs(value));
      lanes_.push_back({Lane(a, a.lanes[lane]), Lane(b, b.lanes[lane]), 1e-12 * most});
    }
  }

  [[nodiscard]] bool is_same_at(double time) const {
    return is_same([time](const Lane& lane, std::size_t column) { return lane.at(column, time); });
  }
  /// Between two times, if it is so at the first one: cubic pieces are the same if they are at four places.
  [[nodiscard]] bool is_same_until(double begin, double end) const {
    for (const double part : {1.0 / 3.0, 2.0 / 3.0})
      if (is_cubic_ && !is_same_at(begin + part * (end - begin))) return false;
    return is_same(
        [begin, end](const Lane& lane, std::size_t column) { return lane.before(column, begin, end); });
  }

 private:
  struct Pair {
    Lane one, other;
    double near;  ///< Rounding.
  };
  template <class Value>
  [[nodiscard]] bool is_same(const Value& value) const {
    for (const auto& [one, other, near] : lanes_)
      for (std::size_t column = 0; column < one.columns(); ++column)
        if (!(std::abs(value(one, column) - value(other, column)) <= near)) return false;
    return true;
  }

  bool is_cubic_;
  std::vector<Pair> lanes_;
};

/// The keys of a lane with samples in the place of those between the first and the last of them. Sets the
/// table's interpolation where it has none yet. Where other lanes have keys, they stay keys of all.
std::vector<KeySample> merged_keys(KeyTable& table, const KeyLane& lane,
                                   const std::vector<KeySample>& samples, double step) {
  const double first = samples.front().time, last = samples.back().time, near = 1e-6 * step;
  const bool is_shared = std::any_of(table.lanes.begin(), table.lanes.end(), [&](const KeyLane& other) {
    return other.key != lane.key && !other.values.empty();
  });
  std::vector<KeySample> keys;
  const auto own = [&](std::size_t k) { return lane.values.empty() ? lane.value : at_key(lane, k); };
  if (table.times.empty()) {
    table.interpolation = "step";
    if (first > near && !lane.value.empty()) keys.push_back({0.0, lane.value});
  }
  std::size_t old = 0;
  for (; old < table.times.size() && table.times[old] < first - near; ++old)
    if (!own(old).empty()) keys.push_back({table.times[old], own(old)});
  for (const KeySample& sample : samples) {
    // Keys of the other lanes stay between the samples, which hold there.
    for (; old < table.times.size() && table.times[old] < sample.time + near; ++old)
      if (is_shared && table.times[old] < sample.time - near && !keys.empty())
        keys.push_back({table.times[old], keys.back().values});
    const bool holds =
        table.interpolation != "step" && !keys.empty() && sample.time - step > keys.back().time + near;
    if (holds) keys.push_back({rounded_time(sample.time - step, step), keys.back().values});
    keys.push_back(sample);
  }
  for (; old < table.times.size(); ++old)
    if (table.times[old] > last + near)
      keys.push_back({table.times[old], lane.values.empty() ? keys.back().values : own(old)});
  return keys;
}

}  // namespace

std::vector<KeyTable> key_tables(const Node& root) {
  std::vector<KeyTable> tables;
  for (const SchemaTable& schema : scene_schema())
    if (may_have_keys(schema)) add_tables(schema, schema.name, root, "", "", tables);
  return tables;
}

std::vector<KeyTable> key_tables_of(const std::string& text) {
  std::vector<Finding> findings;
  const Document document(text, "", {}, findings);
  return findings.empty() ? key_tables(document.root()) : std::vector<KeyTable>();
}

bool is_of_keys(const std::string& text) {
  const auto [table, key] = schema_place(text);
  if (table == nullptr || key.empty() || !may_have_keys(*table)) return false;
  if (key == "times" || key == "interpolation") return true;
  return std::any_of(table->rows.begin(), table->rows.end(),
                     [&, name = key, schema = table](const SchemaRow& row) {
                       if (!row.is_framed) return false;
                       const SchemaRow* constant = constant_of(*schema, row);
                       return row.key == name || (constant != nullptr && constant->key == name);
                     });
}

std::string list_of_keys(const std::string& text) {
  const std::string key = key_of_override(text);
  std::string name;
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    const std::string part = key.substr(begin, end - begin);
    begin = end + 1;
    if (is_number_text(part)) continue;
    name += (name.empty() ? "" : ".") + part;
    const auto& schema = scene_schema();
    const auto found = std::find_if(schema.begin(), schema.end(),
                                    [&](const SchemaTable& each) { return each.name == name; });
    if (found == schema.end()) return "";
    if (may_have_keys(*found)) return key.substr(0, end);
  }
  return "";
}

std::string table_of_keys(const std::string& text) {
  return is_of_keys(text) ? schema_place(text).first->name : std::string();
}

bool is_of_keys(const std::string& text, const std::string& table) {
  return key_of_override(text).starts_with(table + ".") && is_of_keys(text);
}

std::vector<TextEdit> edits_of_keys(const KeyTable& before, const KeyTable& after) {
  const std::string at = before.key + ".";
  std::vector<TextEdit> edits;
  if (after.times != before.times) {
    if (!after.times.empty())
      edits.push_back(TextEdit::set(at + "times", toml_value(list_node(after.times))));
    else
      edits.push_back(TextEdit::remove(at + "times"));
  }
  for (std::size_t k = 0; k < before.lanes.size(); ++k) {
    const KeyLane &was = before.lanes[k], &is = after.lanes[k];
    if (is.values != was.values) {
      if (!is.values.empty())
        edits.push_back(TextEdit::set(at + was.key, lane_toml(was, is.values)));
      else
        edits.push_back(TextEdit::remove(at + was.key));
    }
    if (was.constant.empty() || is.value == was.value) continue;
    if (!is.value.empty())
      edits.push_back(TextEdit::set(at + was.constant, constant_toml(was, is.value)));
    else
      edits.push_back(TextEdit::remove(at + was.constant));
  }
  // Without times there is nothing to be interpolated.
  if (after.times.empty() && before.says_interpolation)
    edits.push_back(TextEdit::remove(at + "interpolation"));
  else if (!after.times.empty() && after.interpolation != before.interpolation)
    edits.push_back(TextEdit::set(at + "interpolation", toml_string(after.interpolation)));
  return edits;
}

std::string why_no_keys(const KeyTable& table, const KeyTable& wanted) {
  const std::size_t keys = wanted.times.size();
  if (wanted.lanes.size() != table.lanes.size()) return "a table of keys has all of its lanes";
  bool is_any = false;
  for (std::size_t k = 0; k < table.lanes.size(); ++k) {
    const KeyLane &own = table.lanes[k], &lane = wanted.lanes[k];
    if (lane.key != own.key) return "there is no lane \"" + lane.key + "\" at this place";
    if (!lane.values.empty() && lane.values.size() != keys * own.columns)
      return "\"" + lane.key + "\" has not one value for each time";
    if (!lane.value.empty() && (own.constant.empty() || lane.value.size() != own.columns))
      return "\"" + lane.key + "\" has no such constant";
    if (!lane.values.empty() && !lane.value.empty()) return "\"" + lane.key + "\" has keys and a constant";
    is_any |= !lane.values.empty();
  }
  if (keys > 0 && !is_any) return "there are times without values";
  return "";
}

std::optional<double> first_difference(const KeyTable& a, const KeyTable& b, double from) {
  const bool have_same_lanes =
      std::equal(a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(),
                 [](const KeyLane& one, const KeyLane& other) { return one.columns == other.columns; });
  if (!have_same_lanes || !is_whole(a) || !is_whole(b)) return a == b ? std::nullopt : std::optional(from);
  // Between these times both are one piece.
  std::vector<double> times{from};
  for (const std::vector<double>* all : {&a.times, &b.times})
    std::copy_if(all->begin(), all->end(), std::back_inserter(times),
                 [&](double time) { return time > from; });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const Comparison tables(a, b);
  for (std::size_t k = 0; k < times.size(); ++k)
    if (!tables.is_same_at(times[k]) ||
        (k + 1 < times.size() && !tables.is_same_until(times[k], times[k + 1])))
      return times[k];
  return std::nullopt;
}

double rounded_time(double time, double step) {
  for (double size = std::abs(step); size > 1e-12 * std::abs(step); size *= 0.1)
    if (const double few = rounded_beside(time, size); std::abs(few - time) <= 1e-10 * step) return few;
  return time;
}

KeyTable with_samples(KeyTable table, const std::string& lane_key, const std::vector<KeySample>& samples,
                      double step) {
  const auto found = std::find_if(table.lanes.begin(), table.lanes.end(),
                                  [&](const KeyLane& each) { return each.key == lane_key; });
  if (found == table.lanes.end() || samples.empty() || !is_whole(table)) return table;
  const KeyTable before = table;
  KeyLane& lane = *found;
  const std::vector<KeySample> keys = merged_keys(table, lane, samples, step);
  lane.values.clear();
  lane.value.clear();
  table.times.clear();
  for (const KeySample& key : keys) {
    table.times.push_back(key.time);
    lane.values.insert(lane.values.end(), key.values.begin(), key.values.end());
  }
  // Lanes share their times.
  for (std::size_t k = 0; k < table.lanes.size(); ++k) {
    KeyLane& other = table.lanes[k];
    if (other.key == lane_key || other.values.empty()) continue;
    const std::vector<KeyFrames<double>> columns = columns_of(before, before.lanes[k]);
    other.values.clear();
    for (const double time : table.times)
      for (const KeyFrames<double>& column : columns) other.values.push_back(evaluate(column, time, step));
  }
  return table;
}

}  // namespace electret::studio
