#pragma once
/// \file
/// Checks that serve members of any type of a scene: whether the user has set it, whether its numbers are in
/// range.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <electret/scene/schema.hpp>
#include <electret/scene/slot.hpp>

namespace electret::detail {

/// Whether a member holds something that the user must have set.
struct IsGiven {
  template <class T>
  bool operator()(const std::optional<T>* value) const {
    return value->has_value();
  }
  template <class T>
  bool operator()(const PerItem<T>* value) const {
    return value->given();
  }
  template <class T>
  bool operator()(const std::vector<T>* value) const {
    return !value->empty();
  }
  bool operator()(const std::string* value) const { return !value->empty(); }
  template <class T>
  bool operator()(const T*) const {
    return false;
  }
};

/// The first number within a member that its row does not allow.
class OutOfRange {
 public:
  explicit OutOfRange(const SchemaRow& row) : range_(row.range), has_words_(!row.choices.empty()) {}

  template <class T>
  std::optional<double> operator()(const T* value) const {
    return find(*value);
  }

 private:
  std::optional<double> find(double v) const {
    const bool is_word = has_words_ && v == std::numeric_limits<double>::infinity();
    return is_word || (std::isfinite(v) && range_.contains(v)) ? std::nullopt : std::optional(v);
  }
  std::optional<double> find(int v) const { return find(static_cast<double>(v)); }
  std::optional<double> find(Count v) const { return find(static_cast<double>(v)); }
  std::optional<double> find(const Vec3& v) const {
    for (int axis = 0; axis < 3; ++axis)
      if (auto found = find(v[axis])) return found;
    return std::nullopt;
  }
  std::optional<double> find(const Edge& pair) const { return find(std::min(pair[0], pair[1])); }
  std::optional<double> find(const Box& box) const { return find_in(box); }
  std::optional<double> find(const Constants& constants) const {
    for (const auto& [name, v] : constants)
      if (auto found = find(v)) return found;
    return std::nullopt;
  }
  template <class T>
  std::optional<double> find(const std::optional<T>& v) const {
    return v ? find(*v) : std::nullopt;
  }
  template <class T>
  std::optional<double> find(const PerItem<T>& v) const {
    return find_in(v.values);
  }
  template <class T>
  std::optional<double> find(const std::vector<T>& v) const {
    return find_in(v);
  }
  std::optional<double> find(bool) const { return std::nullopt; }
  std::optional<double> find(const std::string&) const { return std::nullopt; }
  std::optional<double> find(Interpolation) const { return std::nullopt; }
  std::optional<double> find(const Expressions&) const { return std::nullopt; }
  std::optional<double> find(const NamedTexts&) const { return std::nullopt; }
  std::optional<double> find(const ListedValues&) const { return std::nullopt; }
  std::optional<double> find(const GeneratorSpec&) const { return std::nullopt; }
  std::optional<double> find(const FibreDirection& fibre) const {
    return find(fibre.around.value_or(fibre.along));
  }

  template <class List>
  std::optional<double> find_in(const List& list) const {
    for (const auto& v : list)
      if (auto found = find(v)) return found;
    return std::nullopt;
  }

  const NumberRange& range_;
  bool has_words_;
};

}  // namespace electret::detail
