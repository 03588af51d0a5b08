#pragma once
/// \file
/// Members of members, as template arguments: `&Pin::offsets, &KeyFrames<Vec3>::times`.

#include <type_traits>
#include <utility>

namespace electret::detail {

template <class Object, class Value>
Object object_of(Value Object::*);
template <class Object, class Value>
Value value_of(Value Object::*);

/// The member at the end of a path.
template <auto... path, class Object>
auto& member_at(Object& object) {
  return (object.*....*path);
}

template <class Object, auto... path>
using MemberAt = std::remove_cvref_t<decltype(member_at<path...>(std::declval<Object&>()))>;

}  // namespace electret::detail
