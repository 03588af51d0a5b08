#pragma once
/// \file
/// An electric field given by a function of the caller's.

#include <memory>

#include <electret/force/explicit_force.hpp>
#include <electret/scene/expression.hpp>

namespace electret {

/// f_i = q_i e(x_i, t). It has no potential: its work is accounted as field work. Parameter: 0 "charges" (n,
/// C). What the function throws passes through. Products throw InputError where the function has none.
std::unique_ptr<ExplicitForce> make_field_function_force(std::shared_ptr<const FieldFunction> function,
                                                         Index vertex_count);

}  // namespace electret
