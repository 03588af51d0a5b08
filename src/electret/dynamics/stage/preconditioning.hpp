#pragma once
/// \file
/// What a preconditioner of a stage's Hessian is made of, and of what it is made next.

#include <electret/elastic/elastic_energy.hpp>

namespace electret {

enum class PreconditionerKind { block_jacobi, multigrid };

/// Where the coarse levels of multigrid are made, or are to be made, as seen from the place of the solves.
/// Block-Jacobi is made here or nowhere.
enum class MadeAt { nowhere, elsewhere, here };
/// Where the fine level is made. `nowhere`: no level is, and all have to be made where `MadeAt` says.
enum class FineMadeAt { nowhere, with_coarse, apart };
/// What the iterations lost to multigrid's age would have paid for: nothing yet, a new fine level, all
/// levels.
enum class PreconditionerAge { young, fine_old, old };
/// The bounds of eigenvalues that multigrid on a lattice smooths with: none of this step, those found with
/// its matrix, or those found earlier in the step.
enum class SmootherBounds { none, found, kept };

/// One of the two preconditioners of a stage.
struct Preconditioning {
  PreconditionerKind kind = PreconditionerKind::block_jacobi;
  HessianKind matrix = HessianKind::exact;
  MadeAt made_at = MadeAt::nowhere;
  FineMadeAt fine_made_at = FineMadeAt::nowhere;
  PreconditionerAge age = PreconditionerAge::young;
  SmootherBounds bounds = SmootherBounds::none;
  bool operator==(const Preconditioning&) const = default;
};

enum class PreconditioningEvent {
  needed,            ///< It is to serve a solve here.
  refused_matrix,    ///< Making it, its matrix turned out not to be positive definite.
  refused_in_solve,  ///< A solve with it found that it is not positive definite.
  unfinished,        ///< A solve has ended at its limit of iterations.
};

/// What `now` is to become. If nothing is left to be done, that is `now` itself. Another kind means the other
/// preconditioner, as it stands. Multigrid that is refused is made here, then of the clamped Hessian, which
/// is positive definite up to rounding. Block-Jacobi comes last.
Preconditioning next(Preconditioning now, PreconditioningEvent event);
/// Whether multigrid that is to become `wanted` has to be made here with all its levels.
bool is_made_anew(const Preconditioning& before, const Preconditioning& wanted);

}  // namespace electret
