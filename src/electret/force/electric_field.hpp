#pragma once
/// \file
/// An electric field given by three expressions in x, y, z, t and named constants.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/scene/expression.hpp>

namespace electret {

/// f_i = q_i e(x_i, t), the force of one `[[electric_field]]`. It has no potential; its work is accounted as
/// field work. Parameters: 0 "charges" (n, C), then one per named constant, called by that name, in the order
/// of `field.constant_names`. `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_electric_field_force(FieldExpression field, Index vertex_count,
                                                         Threads& threads);

}  // namespace electret
