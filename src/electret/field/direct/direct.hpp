#pragma once
/// \file
/// Direct summation of every pair, vectorised and threaded; O(n·t).

#include <memory>
#include <optional>

#include <electret/core/parallel.hpp>
#include <electret/field/direct/kernels.hpp>
#include <electret/field/solver.hpp>

namespace electret::direct {

/// The arithmetic of the field and of derivative products. If two charges are too close for it, the whole
/// evaluation uses the next more accurate one, so that forces stay pairwise opposite. In both float32
/// arithmetics, products take the vectors' differences from twice float32's digits.
enum class Arithmetic {
  float64,
  float32_compensated,  ///< float32 pairs; coordinates and differences have twice its digits.
  float32,              ///< float32 pairs.
};

/// The cheapest arithmetic whose error stays within `accuracy` (relative L2); float64 if no accuracy is
/// requested.
Arithmetic arithmetic_for(std::optional<double> accuracy);

/// The direct solver with a given instruction set and arithmetic, for tests and benchmarks.
/// `make_field_solver` uses the instruction set in force and `arithmetic_for(options.accuracy)`. Throws
/// std::invalid_argument if the processor lacks the instruction set.
std::unique_ptr<FieldSolver> make_direct_field_solver(const FieldOptions& options, Threads& threads,
                                                      InstructionSet instruction_set, Arithmetic arithmetic);

}  // namespace electret::direct
