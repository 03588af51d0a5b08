#pragma once
/// \file
/// The contract of field solvers: every solver is one row of `solver_cases`.

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/solver.hpp>

namespace electret::test {

/// A solver under test, with what it promises.
struct SolverCase {
  std::string name;  ///< Letters and digits.
  std::function<std::unique_ptr<FieldSolver>(const FieldOptions&, Threads&)> make;
  std::string solver_name;        ///< What name() says.
  double field_accuracy = 1e-14;  ///< Relative L2 of field and potential against the reference.
  /// Of the field on sets made to break solvers, against the sum of its terms' magnitudes, at worst; nearly
  /// all sets keep to field_accuracy. 0: field_accuracy.
  double degenerate_accuracy = 0.0;
  double product_accuracy = 1e-13;  ///< Relative L2 of derivative products against the reference.
  /// Of the adjoint at few separate targets, whose terms may cancel to a sixtieth. 0: product_accuracy.
  double adjoint_accuracy = 0.0;
  double momentum = 1e-14;            ///< |Σ q_i E_i| / Σ |q_i E_i|.
  double difference_step = 1e-5;      ///< Step of central differences of the field, of the cloud's size ~1.
  double difference_accuracy = 1e-6;  ///< Of derivative products against them.
  /// Called before differences are taken: holds what the solver's derivative products hold fixed. May be
  /// empty.
  std::function<void(FieldSolver&)> hold;
  /// The solver computes behind a driver, which allocates as it likes.
  bool driver_allocates = false;
};

/// For GoogleTest's messages.
inline std::ostream& operator<<(std::ostream& out, const SolverCase& solver) {
  return out << solver.name;
}

/// "portable", "avx2", "avx512".
/// A direct solver with that instruction set and arithmetic, and the accuracy it is used for.
SolverCase direct_case(InstructionSet set, direct::Arithmetic arithmetic);

/// A fast multipole solver for that accuracy, with small leaves.
SolverCase fmm_case(InstructionSet set, double accuracy, const std::string& name);

/// The solver ddef with its own number of grid points; none in a build without it.
std::vector<SolverCase> ddef_cases();

/// All solvers this processor can run.
std::vector<SolverCase> solver_cases();

}  // namespace electret::test
