#pragma once
/// \file
/// Makes kinds of numbers from the members that hold them. The tables' files alone include it.
///
/// \code
///   constinit const NumberKind muscle_stiffness = numbers_of_tracks<&Assembly::muscles,
///   &MuscleTrack::stiffness>();
/// \endcode

#include <optional>
#include <type_traits>

#include <electret/scene/assembly.hpp>
#include <electret/scene/member_path.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {
namespace detail {

inline Numbers<const double> seen(const double& value) {
  return {&value, 1};
}
inline Numbers<const double> seen(const Vec3& value) {
  return {&value.x, 3};
}
inline Numbers<const double> seen(const std::optional<Vec3>& value) {
  static constexpr Vec3 none;
  return seen(value ? *value : none);
}
inline Numbers<const double> seen(const std::vector<double>& values) {
  return {values.data(), values.size()};
}
inline Numbers<const double> seen(const VectorArray& values) {
  return {values.empty() ? nullptr : &values.front().x, 3 * values.size()};
}

template <class Values>
constexpr std::size_t columns_of =
    std::is_same_v<Values, double> || std::is_same_v<Values, std::vector<double>> ? 1 : 3;

}  // namespace detail

/// The numbers that are a member of the assembly: &Assembly::masses.
template <auto... path>
constexpr NumberKind numbers_of() {
  return {detail::columns_of<detail::MemberAt<Assembly, path...>>,
          [](const Assembly&) -> std::size_t { return 1; },
          [](const Assembly& a, std::size_t) { return detail::seen(detail::member_at<path...>(a)); }};
}

/// One number of each item of a list: the array of them all.
template <auto list, auto member>
constexpr NumberKind numbers_of_items() {
  using Item = typename decltype(detail::value_of(list))::value_type;
  static_assert(sizeof(Item) % sizeof(double) == 0);
  return {1, [](const Assembly&) -> std::size_t { return 1; },
          [](const Assembly& a, std::size_t) -> Numbers<const double> {
            const auto& items = a.*list;
            if (items.empty()) return {};
            return {&(items.front().*member), items.size(), sizeof(Item) / sizeof(double)};
          }};
}

/// The numbers that each track of a list has.
template <auto list, auto... path>
constexpr NumberKind numbers_of_tracks() {
  using Track = typename decltype(detail::value_of(list))::value_type;
  return {detail::columns_of<detail::MemberAt<Track, path...>>,
          [](const Assembly& a) { return (a.*list).size(); },
          [](const Assembly& a, std::size_t k) {
            return detail::seen(detail::member_at<path...>((a.*list)[k]));
          }};
}

}  // namespace electret
