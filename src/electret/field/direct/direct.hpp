#pragma once
/// \file
/// Direct summation: every pair, vectorised and threaded; O(n·t).

#include <memory>
#include <optional>

#include <electret/core/parallel.hpp>
#include <electret/field/direct/kernels.hpp>
#include <electret/field/solver.hpp>

namespace electret::direct {

/// The arithmetic of the field and of derivative products. Where two charges are too close for it, the
/// evaluation is done in the next one up, for all targets (so that forces stay pairwise opposite). float32
/// products take the vectors' differences from twice float32's digits in either arithmetic.
enum class Arithmetic {
  float64,
  float32_compensated,  ///< float32 pairs; coordinates and their differences of twice its digits.
  float32,              ///< float32 pairs.
};

/// The cheapest arithmetic whose error stays within `accuracy` (relative L2); float64 where none is asked.
Arithmetic arithmetic_for(std::optional<double> accuracy);

/// `make_field_solver` uses the best instruction set and `arithmetic_for(options.accuracy)`; tests and
/// benchmarks choose. Throws std::invalid_argument where the processor lacks the instruction set.
std::unique_ptr<FieldSolver> make_direct_field_solver(const FieldOptions& options, Threads& threads,
                                                      InstructionSet instruction_set, Arithmetic arithmetic);

}  // namespace electret::direct
