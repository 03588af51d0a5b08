#pragma once
/// \file
/// The fast multipole method: O(n), to an asked accuracy.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/fmm/plan.hpp>
#include <electret/field/options.hpp>
#include <electret/field/solver.hpp>

namespace electret::fmm {

/// A solver for the accuracy asked (absent: 1e-3).
std::unique_ptr<FieldSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                   InstructionSet instruction_set);

/// The same with settings of one's own: for calibration and tests.
std::unique_ptr<FieldSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                   InstructionSet instruction_set, const Plan& plan);

}  // namespace electret::fmm
