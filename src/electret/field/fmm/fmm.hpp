#pragma once
/// \file
/// The solver of the fast multipole method. It computes Coulomb sums in O(n) to a requested accuracy.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/fmm/plan.hpp>
#include <electret/field/options.hpp>
#include <electret/field/solver.hpp>

namespace electret::fmm {

/// The FMM solver. It has one more function, for tests.
class FmmSolver : public FieldSolver {
 public:
  /// Moves the sources (n×3, m; they are also the targets). Tree, centres, radii and interaction lists stay
  /// as `prepare` left them. The field is then a smooth function of the positions, and the derivative
  /// products are its exact derivatives. Points must stay about where they were.
  virtual void move_within_tree(VectorView sources) = 0;
};

/// At separate targets, the solver uses the plan for the requested accuracy times this factor. Such targets
/// may have no near pairs that outweigh the errors of the expansions.
inline constexpr double accuracy_part_apart = 1.0 / 30.0;

/// Makes a solver for the requested accuracy (1e-3 if it is absent).
std::unique_ptr<FmmSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                 InstructionSet instruction_set);

/// Makes a solver with the caller's settings, for calibration and tests.
std::unique_ptr<FmmSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                 InstructionSet instruction_set, const Plan& plan);

}  // namespace electret::fmm
