#pragma once
/// \file
/// An electric field that a function of the caller gives.

#include <memory>

#include <electret/force/explicit_force.hpp>
#include <electret/scene/expression.hpp>

namespace electret {

/// f_i = q_i e(x_i, t). It has no potential; its work is accounted as field work. Parameter 0: "charges" (n,
/// C). Exceptions that the function throws reach the caller. The products throw InputError if `function` has
/// no transposed product.
std::unique_ptr<ExplicitForce> make_field_function_force(std::shared_ptr<const FieldFunction> function,
                                                         Index vertex_count);

}  // namespace electret
