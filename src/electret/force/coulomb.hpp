#pragma once
/// \file
/// The bodies' charges on each other: f_i = q_i E_i, U = ½ Σ_i q_i φ_i, by a field solver. [MSC] §3.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/solver.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// Coulomb's force between `vertex_count` vertices, by the solver `options` choose, with its softening.
///
/// The force and the potential of one place come from one field evaluation: it is repeated only when a
/// position or a charge differs, and the results are the same whichever was asked first. Parameter 0:
/// "charges" (n, C). Throws InputError as make_field_solver does. `threads` must outlive the force.
///
/// add_force and potential_energy throw DivergenceError (step 0: the caller knows it) naming the two
/// vertices where two non-zero charges coincide without softening.
std::unique_ptr<ExplicitForce> make_coulomb_force(const FieldOptions& options, Index vertex_count,
                                                  Threads& threads);

/// The same by a solver of the caller's.
std::unique_ptr<ExplicitForce> make_coulomb_force(std::unique_ptr<FieldSolver> solver, Index vertex_count,
                                                  Threads& threads);

}  // namespace electret
