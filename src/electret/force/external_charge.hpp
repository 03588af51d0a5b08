#pragma once
/// \file
/// The force of external charges, which belong to no body: points and Gaussian balls, fixed or moved by
/// key-frames.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// f_i = q_i Σ_c e_c(x_i) over Inputs::external_charges (`external_count` of them), with `constant` = k_c (N
/// m²/C²) and never softened. An external charge of 0 C is not computed, except for derivatives by it.
/// Parameters: 0 "charges" (n, C), 1 "external_charges.charge" (C), 2 "external_charges.position" (3 per
/// external charge, m). `threads` must outlive the force.
///
/// add_force and potential_energy throw DivergenceError if a charged vertex is exactly on a point charge. The
/// step of the error is 0, because only the caller knows the step.
std::unique_ptr<ExplicitForce> make_external_charge_force(double constant, Index vertex_count,
                                                          Index external_count, Threads& threads);

}  // namespace electret
