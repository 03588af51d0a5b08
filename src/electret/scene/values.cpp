#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <electret/scene/messages.hpp>
#include <electret/scene/values.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

class ValueReader {
 public:
  ValueReader(const ReadContext& context, const SchemaTable& table, const SchemaRow& row,
              const std::string& key)
      : context_(context), table_(table), row_(row), key_(key) {}

  void read(const Node& node, Slot slot) {
    std::visit([&](auto* target) { store(node, *target); }, slot.target);
    findings_.report_omitted(context_.report, last_reported_, key_, named(), allowed_values(row_));
  }

 private:
  /// These return whether `target` was set; if not, there is a finding.
  bool store(const Node& node, double& target) {
    // Words of a number stand for an infinite one.
    if (node.kind == Node::Kind::text && !row_.choices.empty())
      return is_choice(node) && (target = std::numeric_limits<double>::infinity(), true);
    if (node.kind != Node::Kind::number && node.kind != Node::Kind::whole) return wrong_kind(node);
    if (!std::isfinite(node.number))
      return fault(node, named() + " is " + written(node) + ", not a finite number", allowed_values(row_));
    return in_range(node) && (target = node.number, true);
  }
  bool store(const Node& node, int& target) {
    Count value = 0;
    return whole(node, value, int_max) && (target = static_cast<int>(value), true);
  }
  bool store(const Node& node, Count& target) { return whole(node, target, count_max); }
  bool store(const Node& node, bool& target) {
    return node.kind == Node::Kind::boolean ? (target = node.boolean, true) : wrong_kind(node);
  }
  bool store(const Node& node, std::string& target) {
    if (node.kind != Node::Kind::text) return wrong_kind(node);
    if (row_.type == "expression") note_first_character(node, key_);
    return (row_.choices.empty() ? is_plain_text(node) : is_choice(node)) && (target = node.text, true);
  }
  bool store(const Node& node, Interpolation& target) {
    if (node.kind != Node::Kind::text) return wrong_kind(node);
    return is_choice(node) && (target = interpolation_of(node.text), true);
  }
  bool store(const Node& node, Vec3& target) {
    if (node.kind != Node::Kind::array || node.items.size() != 3) return wrong_kind(node);
    Vec3 value;
    bool is_whole = true;
    for (int axis = 0; axis < 3; ++axis)
      is_whole &= store(node.items[static_cast<std::size_t>(axis)], value[axis]);
    return is_whole && (target = value, true);
  }

  template <class T>
  bool store(const Node& node, std::optional<T>& target) {
    T value{};
    return store(node, value) && (target = std::move(value), true);
  }
  template <class T>
  bool store(const Node& node, PerItem<T>& target) {
    if (node.kind != Node::Kind::text) return store(node, target.values);
    return is_plain_text(node) && (target.file = node.text, true);
  }
  template <class T>
  bool store(const Node& node, std::vector<T>& target) {
    return list(node, target, [&](const Node& item, T& value) { return store(item, value); });
  }
  bool store(const Node& node, std::vector<Index>& target) {
    return list(node, target, [&](const Node& item, Index& value) { return index(item, value); });
  }

  bool store(const Node& node, Edge& pair) {
    if (node.kind != Node::Kind::array || node.items.size() != 2) return wrong_kind(node);
    if (!index(node.items[0], pair[0]) || !index(node.items[1], pair[1])) return false;
    if (pair[0] == pair[1])
      return fault(node, named() + " joins vertex " + std::to_string(pair[0]) + " to itself",
                   "allowed: pairs of two different vertices");
    return true;
  }

  bool store(const Node& node, Box& target) {
    if (node.kind != Node::Kind::array || node.items.size() != 2) return wrong_kind(node);
    Box box;
    if (!store(node.items[0], box[0]) || !store(node.items[1], box[1])) return false;
    for (int axis = 0; axis < 3; ++axis) {
      if (box[0][axis] <= box[1][axis]) continue;
      const char name = "xyz"[axis];
      return fault(node,
                   named() + " has its bounds in " + name + " the wrong way round: " +
                       number_text(box[0][axis]) + " > " + number_text(box[1][axis]),
                   allowed_values(row_));
    }
    return target = box, true;
  }

  bool store(const Node& node, Expressions& target) {
    if (node.kind != Node::Kind::array || node.items.size() != 3) return wrong_kind(node);
    Expressions texts;
    for (std::size_t i = 0; i < 3; ++i) {
      const Node& item = node.items[i];
      const std::string key = key_ + "." + std::to_string(i);
      context_.source[key] = context_.document.locate(item.place);
      if (item.kind != Node::Kind::text) return wrong_kind(item);
      note_first_character(item, key);
      texts[i] = item.text;
    }
    return target = texts, true;
  }

  bool store(const Node& node, Constants& target) {
    if (node.kind != Node::Kind::table) return wrong_kind(node);
    bool is_whole = true;
    for (const auto& member : node.members) {
      const std::string key = key_ + "." + member.key;
      context_.source[key] = context_.document.locate(member.place);
      is_whole &= is_constant_name(member.key) && store(member.node, target[member.key]);
      if (!is_constant_name(member.key))
        context_.report.add(context_.source, key, "a constant cannot be called " + in_quotes(member.key),
                            allowed_constant_names());
    }
    return is_whole;
  }

  bool store(const Node& node, NamedTexts& target) {
    if (node.kind != Node::Kind::table) return wrong_kind(node);
    bool is_whole = true;
    for (const auto& member : node.members) {
      const std::string key = key_ + "." + member.key;
      context_.source[key] = context_.document.locate(member.node.place);
      if (member.node.kind == Node::Kind::text)
        target.emplace_back(member.key, member.node.text);
      else
        is_whole = wrong_kind(member.node);
    }
    return is_whole;
  }

  bool store(const Node& node, ListedValues& target) {
    if (node.kind != Node::Kind::array) return wrong_kind(node);
    if (node.items.empty()) return fault(node, named() + " is empty", allowed_values(row_));
    for (std::size_t k = 0; k < node.items.size(); ++k) {
      const Node& item = node.items[k];
      context_.source[key_ + "." + std::to_string(k)] = context_.document.locate(item.place);
      if (item.kind == Node::Kind::table || item.kind == Node::Kind::array || item.kind == Node::Kind::date)
        return wrong_kind(item);
      target.texts.push_back(item.kind == Node::Kind::text      ? item.text
                             : item.kind == Node::Kind::whole   ? std::to_string(item.whole)
                             : item.kind == Node::Kind::boolean ? (item.boolean ? "true" : "false")
                                                                : decimal_text(item.number));
    }
    return true;
  }

  bool store(const Node& node, FibreDirection& target) {
    if (node.kind != Node::Kind::table) return store(node, target.along);
    FibreDirection fibre;
    bool is_whole = true;
    for (const auto& [name, place, value] : node.members) {
      if (name != "around") {
        is_whole = fault(value, "unknown key " + in_quotes(name) + " in \"fibre\"",
                         suggestion(name, std::vector<std::string>{"around"}));
        continue;
      }
      Vec3 axis;
      is_whole &= store(value, axis);
      fibre.around = axis;
    }
    if (node.members.empty())
      is_whole = fault(node, "\"fibre\" has no \"around\"", "write for example { around = [0, 1, 0] }");
    return is_whole && (target = fibre, true);
  }

  bool store(const Node& node, GeneratorSpec& target) {
    if (node.kind != Node::Kind::table) return wrong_kind(node);
    GeneratorSpec spec;
    bool is_whole = true;
    for (const auto& [name, place, value] : node.members) {
      context_.source[key_ + "." + name] = context_.document.locate(value.place);
      if (name == "shape" && value.kind == Node::Kind::text)
        spec.shape = value.text;
      else if (name == "shape")
        is_whole =
            fault(value, "\"shape\" in \"generate\" is " + described(value), "allowed: the name of a shape");
      else if (value.kind == Node::Kind::text)
        spec.parameters[name] = value.text;
      else if (value.kind == Node::Kind::whole || value.kind == Node::Kind::number)
        spec.parameters[name] = value.number;
      else if (auto list = numbers_of(value))
        spec.parameters[name] = std::move(*list);
      else
        is_whole = fault(value, in_quotes(name) + " in \"generate\" is " + described(value),
                         "allowed: a number, a text or a list of numbers");
    }
    if (node.member("shape") == nullptr)
      is_whole = fault(node, "\"generate\" has no \"shape\"", "write for example { shape = \"torus\" }");
    return is_whole && (target = std::move(spec), true);
  }

  /// Findings within an expression count its characters from there.
  void note_first_character(const Node& node, const std::string& key) {
    const Location inside = context_.document.first_character(node);
    if (inside.line > 0) context_.source[key + ".text"] = inside;
  }

  /// The numbers of a list; nothing if it is something else.
  static std::optional<std::vector<double>> numbers_of(const Node& node) {
    if (node.kind != Node::Kind::array) return std::nullopt;
    std::vector<double> numbers;
    for (const Node& item : node.items) {
      if (item.kind != Node::Kind::whole && item.kind != Node::Kind::number) return std::nullopt;
      numbers.push_back(item.number);
    }
    return numbers;
  }

  bool whole(const Node& node, Count& target, Count largest) {
    // A user who writes 1e9 means a whole number, though TOML reads it as floating-point.
    const bool is_whole =
        node.kind == Node::Kind::whole || (node.kind == Node::Kind::number && std::isfinite(node.number) &&
                                           node.number == std::floor(node.number));
    if (!is_whole) return wrong_kind(node);
    if (!in_range(node)) return false;
    const auto most = static_cast<double>(count_max);
    const Count value = node.kind == Node::Kind::whole
                            ? node.whole
                            : static_cast<Count>(std::clamp(node.number, -2.0 * most, 2.0 * most));
    if (value > largest || value < -largest)
      return fault(node, named() + " is " + written(node) + ", out of range",
                   "allowed: up to " + std::to_string(largest));
    return target = value, true;
  }

  bool index(const Node& node, Index& value) {
    if ((node.kind == Node::Kind::whole || node.kind == Node::Kind::number) && node.number < 0.0)
      return fault(node, named() + " holds the vertex " + written(node),
                   "allowed: vertices of the body, from 0");
    return store(node, value);
  }

  template <class T, class ReadItem>
  bool list(const Node& node, std::vector<T>& target, ReadItem read_item) {
    if (node.kind != Node::Kind::array) return wrong_kind(node);
    if (node.items.empty()) return fault(node, named() + " is empty", allowed_values(row_));
    std::vector<T> values(node.items.size());
    bool is_whole = true;
    for (std::size_t i = 0; i < values.size(); ++i) is_whole &= read_item(node.items[i], values[i]);
    return is_whole && (target = std::move(values), true);
  }

  bool in_range(const Node& node) {
    if (row_.range.contains(node.number)) return true;
    return fault(node, named() + " is " + written(node) + ", out of range", allowed_values(row_));
  }

  bool is_choice(const Node& node) {
    if (allows_word(row_, node.text)) return true;
    WordFinding finding = word_finding(row_, node.text);
    return fault(node, std::move(finding.message), std::move(finding.allowed));
  }

  /// Names, groups and files may be any text but the empty one; only `[scene] name` may be empty.
  bool is_plain_text(const Node& node) {
    if (node.text.empty() && row_.default_value != "\"\"")
      return fault(node, named() + " is empty", "allowed: a text of at least one character");
    if (node.text.find('\0') != std::string::npos)
      return fault(node, named() + " holds a character of code 0", "allowed: printable text");
    return true;
  }

  bool wrong_kind(const Node& node) {
    return fault(node, named() + " is " + described(node), allowed_values(row_));
  }

  std::string described(const Node& node) const {
    if (node.kind == Node::Kind::table || node.kind == Node::Kind::array) return written(node);
    if (node.kind == Node::Kind::boolean) return written(node);
    return written(node) + ", " + in_words(node.kind);
  }

  std::string named() const { return in_quotes(row_.key) + " in " + table_.title(); }
  std::string written(const Node& node) const { return context_.document.as_written(node); }

  /// Adds a finding. Always returns false, so that a check can return it.
  bool fault(const Node& node, std::string message, std::string allowed) {
    if (!findings_.admit_another()) return false;
    last_reported_ = context_.document.locate(node.place);
    context_.report.add_at(last_reported_, key_, std::move(message), std::move(allowed));
    return false;
  }

  static constexpr Count int_max = std::numeric_limits<int>::max();
  static constexpr Count count_max = Count{1} << 53;  // Exact as a double.

  const ReadContext& context_;
  const SchemaTable& table_;
  const SchemaRow& row_;
  const std::string& key_;
  ListFindings findings_;
  Location last_reported_;  ///< The place of the last reported finding.
};

}  // namespace

void read_value(const ReadContext& context, const SchemaTable& table, const SchemaRow& row,
                const std::string& key, const Node& node, Slot slot) {
  ValueReader(context, table, row, key).read(node, slot);
}

Interpolation interpolation_of(std::string_view word) {
  return word == "step"    ? Interpolation::step
         : word == "cubic" ? Interpolation::cubic
                           : Interpolation::linear;
}

}  // namespace electret
