#pragma once
/// \file
/// Subscripts of the standard containers.

#include <concepts>
#include <cstddef>

namespace electret::detail {

/// `index`, which is not negative, as the containers want it.
constexpr std::size_t at(std::signed_integral auto index) {
  return static_cast<std::size_t>(index);
}

}  // namespace electret::detail
