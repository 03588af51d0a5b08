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

namespace electret {

/// A preconditioner and what of H it is made of.
class StageSide {
 public:
  virtual ~StageSide() = default;
  /// From the energies as they are linearised; `all`: of what is coarse, too. False: not positive definite.
  virtual bool refresh(bool all) = 0;
  virtual Preconditioner& preconditioner() = 0;
  /// Products with H in float32, the energies being linearised exactly at the place of the solves; null where
  /// none is assembled. `same`: the last refresh was of H itself.
  virtual LinearMap* products(bool same) = 0;
};

/// `factor` a, s²; `held`: 1 for each vertex that does not move, else 0. All must outlive the side.
std::unique_ptr<StageSide> make_jacobi_side(System& system, double factor, std::span<const char> held);
/// On background grids.
std::unique_ptr<StageSide> make_multigrid_side(System& system, double factor, std::span<const char> held);
/// Of a system whose vertices lie on `lattice`.
std::unique_ptr<StageSide> make_lattice_side(System& system, double factor, std::span<const char> held,
                                             const Lattice& lattice);

/// The lattice that the vertices of a system of one body lie on; none elsewhere.
std::optional<Lattice> lattice_of(const System& system);

}  // namespace electret
