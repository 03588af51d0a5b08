#pragma once
/// \file
/// The text of M2L for one order.

#include <string>

namespace electret::gpu {

/// A kernel `m2l` of this order, without loops over numbers: all numbers are scalars, which compilers keep in
/// registers, and all constants are literal. It needs geometry.cl and m2l.cl. The arithmetic is that of the
/// CPU's kernel (expansions/translation_bodies.hpp).
[[nodiscard]] std::string m2l_text(int order);

}  // namespace electret::gpu
