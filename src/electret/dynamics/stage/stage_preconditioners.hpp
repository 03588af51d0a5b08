#pragma once
/// \file
/// The preconditioners of a stage's Hessian H = M + a∇²E, and how each is made from the energies as they are
/// linearised.

#include <memory>
#include <optional>
#include <span>

#include <electret/dynamics/system.hpp>
#include <electret/linear/krylov.hpp>
#include <electret/linear/lattice_multigrid.hpp>
#include <electret/linear/preconditioner.hpp>
#include <electret/linear/stencil_matrix.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret {

/// A preconditioner with the parts of H from which it is made.
class StagePreconditioner {
 public:
  virtual ~StagePreconditioner() = default;
  /// Refreshes the preconditioner from the energies as they are linearised; with `all` its coarse levels,
  /// too. With `same_step`, bounds of eigenvalues that the last refresh has found may serve again. Returns
  /// false if H turns out not to be positive definite.
  virtual bool refresh(bool all, bool same_step) = 0;
  virtual Preconditioner& preconditioner() = 0;
  /// From the next refresh on, systems with these constraints are expected. Block-Jacobi takes the
  /// constraints of any system as they are.
  virtual void expect(std::span<const VertexConstraint> /*constraints*/) {}
  /// H has this matrix, too, from the next refresh on, which is at the places `x`; null: none. Block-Jacobi
  /// alone takes it into account.
  virtual void add(const StencilMatrix* /*matrix*/, VectorView /*x*/) {}
  /// Products with H in float32, with the energies linearised exactly at the place of the solves; null if
  /// none is assembled. `same` says that the last refresh was from H itself.
  virtual LinearMap* products(bool same) = 0;
};

/// Block-Jacobi, with a correction by the motions of whole bodies where they touch each other.
/// `factor` a, s². `held` is 1 for each vertex that does not move, else 0. All arguments must outlive the
/// preconditioner.
std::unique_ptr<StagePreconditioner> make_stage_jacobi(System& system, double factor,
                                                       std::span<const char> held);
/// Multigrid on background grids.
std::unique_ptr<StagePreconditioner> make_stage_multigrid(System& system, double factor,
                                                          std::span<const char> held);
/// Multigrid for a system whose vertices lie on `lattice`.
std::unique_ptr<StagePreconditioner> make_stage_lattice(System& system, double factor,
                                                        std::span<const char> held, const Lattice& lattice);

/// The lattice on which the vertices of a system of one body lie; none for other systems.
std::optional<Lattice> lattice_of(const System& system);

}  // namespace electret
