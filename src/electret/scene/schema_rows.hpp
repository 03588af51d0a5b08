#pragma once
/// \file
/// Writes the schema's rows as sentences:
///
/// \code
///   row<&TimeTable::step>("step").unit("s").above(0).required().says("Time step h.")
/// \endcode

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <electret/scene/member_path.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/slot.hpp>
#include <electret/scene/words.hpp>

namespace electret::schema {

/// The words for a value of type `Value` in findings and in the reference.
template <class Value>
std::string type_in_words() {
  const auto is = [](auto* candidate) {
    return std::is_same_v<Value, std::remove_pointer_t<decltype(candidate)>>;
  };
  if (is((double*)nullptr) || is((std::optional<double>*)nullptr)) return "number";
  if (is((int*)nullptr) || is((Count*)nullptr) || is((std::optional<Count>*)nullptr)) return "whole number";
  if (is((bool*)nullptr)) return "true or false";
  if (is((std::string*)nullptr) || is((Interpolation*)nullptr)) return "text";
  if (is((Vec3*)nullptr) || is((std::optional<Vec3>*)nullptr)) return "3 numbers";
  if (is((PerItem<double>*)nullptr)) return "list of numbers, or a CSV file";
  if (is((PerItem<Vec3>*)nullptr)) return "list of 3 numbers each, or a CSV file";
  if (is((std::vector<double>*)nullptr)) return "list of numbers";
  if (is((std::vector<std::string>*)nullptr)) return "list of texts";
  if (is((std::vector<Vec3>*)nullptr)) return "list of 3 numbers each";
  if (is((std::vector<Index>*)nullptr)) return "list of vertex indices";
  if (is((std::vector<Edge>*)nullptr)) return "list of pairs of vertex indices";
  if (is((std::optional<Box>*)nullptr)) return "2 corners of 3 numbers each, the lower one first";
  if (is((Expressions*)nullptr)) return "3 expressions";
  if (is((Constants*)nullptr)) return "table of named numbers";
  if (is((NamedTexts*)nullptr)) return "table of named texts";
  if (is((ListedValues*)nullptr)) return "list of numbers, texts, or true and false";
  if (is((std::optional<FibreDirection>*)nullptr)) return "3 numbers, or a table with an axis";
  return "table with a shape and its parameters";
}

/// The default that a struct gives a member, as it would be written; "" for a member that may be absent.
template <class Value>
std::string default_text(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<Value, double>)
    return decimal_text(value);
  else if constexpr (std::is_integral_v<Value>)
    return std::to_string(value);
  else if constexpr (std::is_same_v<Value, std::string>)
    return value.empty() ? "" : in_quotes(value);
  else if constexpr (std::is_same_v<Value, Vec3>)
    return "[" + decimal_text(value.x) + ", " + decimal_text(value.y) + ", " + decimal_text(value.z) + "]";
  else
    return "";
}

/// A row that is being written; `says` completes it.
class RowBuilder {
 public:
  explicit RowBuilder(std::string key) { row_.key = std::move(key); }
  RowBuilder&& unit(std::string text) && { return row_.unit = std::move(text), std::move(*this); }
  RowBuilder&& above(double bound) && {
    row_.range.minimum = bound, row_.range.minimum_excluded = true;
    return std::move(*this);
  }
  RowBuilder&& at_least(double bound) && { return row_.range.minimum = bound, std::move(*this); }
  RowBuilder&& at_most(double bound) && { return row_.range.maximum = bound, std::move(*this); }
  RowBuilder&& below(double bound) && {
    row_.range.maximum = bound, row_.range.maximum_excluded = true;
    return std::move(*this);
  }
  RowBuilder&& one_of(std::span<const std::string_view> words) && {
    return row_.choices.assign(words.begin(), words.end()), std::move(*this);
  }
  RowBuilder&& later(std::span<const std::string_view> words) && {
    return row_.later_choices.assign(words.begin(), words.end()), std::move(*this);
  }
  RowBuilder&& one_of(std::initializer_list<std::string_view> words) && {
    return std::move(*this).one_of(std::span(words));
  }
  RowBuilder&& later(std::initializer_list<std::string_view> words) && {
    return std::move(*this).later(std::span(words));
  }
  RowBuilder&& accepts(bool (*test)(std::string_view)) && { return row_.accepts = test, std::move(*this); }
  RowBuilder&& avoid(std::span<const std::string_view> words, std::string what, std::string instead) && {
    row_.avoid = {{words.begin(), words.end()}, std::move(what), std::move(instead)};
    return std::move(*this);
  }
  /// A default that the struct does not have: of a member that may be absent, or of an empty text.
  RowBuilder&& standard(std::string text) && {
    return row_.default_value = std::move(text), std::move(*this);
  }
  RowBuilder&& framed() && { return row_.is_framed = true, std::move(*this); }
  RowBuilder&& path() && { return row_.names_file = true, std::move(*this); }
  /// Another text for the values than that of their type.
  RowBuilder&& in_words(std::string text) && { return row_.type = std::move(text), std::move(*this); }
  RowBuilder&& required() && {
    row_.default_value.clear();
    return row_.is_required = true, std::move(*this);
  }
  SchemaRow says(std::string text) && { return row_.description = std::move(text), std::move(row_); }

  SchemaRow row_;
};

/// A row that fills the member at the end of a path.
template <auto first, auto... rest>
RowBuilder row(std::string key) {
  using Object = decltype(detail::object_of(first));
  using Value = detail::MemberAt<Object, first, rest...>;
  RowBuilder builder(std::move(key));
  builder.row_.type = type_in_words<Value>();
  builder.row_.names_file = std::is_same_v<Value, PerItem<double>> || std::is_same_v<Value, PerItem<Vec3>> ||
                            std::is_same_v<Value, std::optional<GeneratorSpec>>;
  const Object standard{};
  builder.row_.default_value = default_text(detail::member_at<first, rest...>(standard));
  builder.row_.slot = [](void* object) {
    return Slot{&detail::member_at<first, rest...>(*static_cast<Object*>(object))};
  };
  return builder;
}

/// The values of the key-frames that are the member `keys`.
template <auto keys>
RowBuilder values_row(std::string key) {
  return row<keys, &decltype(detail::value_of(keys))::values>(std::move(key)).framed();
}

/// Their times.
template <auto... path>
SchemaRow times_row() {
  return row<path...>("times").unit("s").says("Key-frames: strictly increasing times.");
}

/// How they are joined.
template <auto... path>
SchemaRow interpolation_row() {
  return row<path...>("interpolation")
      .one_of({"linear", "step", "cubic"})
      .standard("\"linear\"")
      .says(
          "How values change between the keys. Outside the keys they are constant. `step` takes the last key "
          "at or before the time. `cubic` "
          "is the non-uniform Catmull-Rom spline with one-sided end tangents.");
}

}  // namespace electret::schema
