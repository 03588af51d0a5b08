#pragma once
/// \file
/// Coulomb's force between the bodies' charges: f_i = q_i E_i, U = ½ Σ_i q_i φ_i, summed by a field solver.
/// [MSC] §3.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/solver.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// Coulomb's force between `vertex_count` vertices. `options` choose the solver and the softening.
///
/// The force and the potential at the same positions share one field evaluation. It is repeated only if a
/// position or a charge differs. The results do not depend on which of the two is requested first. Parameter
/// 0: "charges" (n, C). Throws InputError as make_field_solver does. `threads` must outlive the force.
///
/// add_force and potential_energy throw DivergenceError if two non-zero charges coincide without softening.
/// The error names the two vertices; its step is 0, because only the caller knows the step.
std::unique_ptr<ExplicitForce> make_coulomb_force(const FieldOptions& options, Index vertex_count,
                                                  Threads& threads);

/// The same with a solver of the caller's.
std::unique_ptr<ExplicitForce> make_coulomb_force(std::unique_ptr<FieldSolver> solver, Index vertex_count,
                                                  Threads& threads);

}  // namespace electret
