#pragma once
/// \file
/// The fast multipole method: O(n), to a requested accuracy.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/fmm/plan.hpp>
#include <electret/field/options.hpp>
#include <electret/field/solver.hpp>

namespace electret::fmm {

/// The solver, with one more function for tests.
class FmmSolver : public FieldSolver {
 public:
  /// Moves the sources (n×3, m; they are the targets) but keeps tree, centres, radii and lists as `prepare`
  /// left them. The derivative products are the exact derivatives of the field that is computed so. Points
  /// must stay about where they were.
  virtual void move_within_tree(VectorView sources) = 0;
};

/// At other points than the charges the solver takes the plan for this part of the requested accuracy,
/// because such points may have no near pairs that outweigh the expansions' errors.
inline constexpr double accuracy_part_apart = 1.0 / 30.0;

/// A solver for the requested accuracy (absent: 1e-3).
std::unique_ptr<FmmSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                 InstructionSet instruction_set);

/// The same with the caller's settings, for calibration and tests.
std::unique_ptr<FmmSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                 InstructionSet instruction_set, const Plan& plan);

}  // namespace electret::fmm
