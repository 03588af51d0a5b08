#pragma once
/// \file
/// The fast multipole method: O(n), to a requested accuracy.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/fmm/plan.hpp>
#include <electret/field/options.hpp>
#include <electret/field/solver.hpp>

namespace electret::fmm {

/// The solver, and what tests ask of it besides.
class FmmSolver : public FieldSolver {
 public:
  /// Moves the sources (n×3, m; they are the targets) but keeps tree, centres, radii and lists as `prepare`
  /// left them: what derivative products are the exact derivatives of. Points must stay about where they
  /// were.
  virtual void move_within_tree(VectorView sources) = 0;
};

/// Other targets than the charges may have no near pairs to outweigh the expansions' errors: there the solver
/// takes the plan for this part of the accuracy asked.
inline constexpr double accuracy_part_apart = 1.0 / 30.0;

/// A solver for the accuracy asked (absent: 1e-3).
std::unique_ptr<FmmSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                 InstructionSet instruction_set);

/// The same with settings of one's own: for calibration and tests.
std::unique_ptr<FmmSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                 InstructionSet instruction_set, const Plan& plan);

}  // namespace electret::fmm
