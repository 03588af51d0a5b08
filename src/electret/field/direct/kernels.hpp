#pragma once
/// \file
/// What the direct solver's kernels compute, and the table of them for one instruction set.
///
/// Every kernel sums all sources for up to `group_size` targets. Kernels know nothing of units, padding or
/// threads: the solver passes scaled arrays and multiplies by the unit afterwards.
///
/// Translation units that are compiled for wider instruction sets than the rest of the library include this
/// header. It must therefore hold no function that the linker could share between them.

#include <electret/core/instruction_set.hpp>
#include <electret/core/types.hpp>

namespace electret::direct {

/// The number of targets of one kernel call. Arrays of targets are padded to a multiple of it.
inline constexpr int group_size = 64;

/// Coordinates as separate arrays. `*_low` (float32 with compensated differences only) holds what rounding to
/// T lost: x + x_low is the coordinate with twice T's digits.
template <class T>
struct Coordinates {
  const T *x = nullptr, *y = nullptr, *z = nullptr;
  const T *x_low = nullptr, *y_low = nullptr, *z_low = nullptr;
};

/// The pairs of the sums Σ_j q_j K(r_ij) and Σ_j q_j/ρ_ij.
template <class T>
struct FieldTask {
  Coordinates<T> targets, sources;
  const T* charges = nullptr;  ///< n
  Count source_count = 0;      ///< n
  T softening_squared = 0;
  bool targets_are_sources = false;
};

/// The pairs and vectors of the sums Σ_j q_j K'(r_ij)(z_i - u_j) and Σ_j q_j K(r_ij)·(z_i - u_j).
template <class T>
struct DerivativeTask {
  FieldTask<T> pairs;
  Coordinates<T> target_vectors;  ///< z, padded like the targets. float32 always uses `*_low`.
  Coordinates<T> source_vectors;  ///< u, n.
};

/// The sums of a group of targets, in scaled units.
struct GroupSums {
  alignas(64) double vector[3][group_size];   ///< Field, or the Jacobian product.
  alignas(64) double scalar[group_size];      ///< Potential, or the product for the charges.
  alignas(64) double field[3][group_size];    ///< The field, if summed in one pass with products.
  alignas(64) double potential[group_size];   ///< The potential, likewise.
  alignas(64) double coincident[group_size];  ///< Pairs left out: masked kernels only.
};

/// Sums all sources for `count` ≤ group_size targets from `first` (a multiple of group_size). Returns the
/// smallest ρ² of all pairs but self pairs and padding; a kernel that does not track it returns 1. Unless the
/// kernel is masked, a pair at distance 0 makes its target's sums non-finite.
template <class T>
using FieldKernel = T (*)(const FieldTask<T>& task, Count first, int count, GroupSums& sums);
template <class T>
using DerivativeKernel = T (*)(const DerivativeTask<T>& task, Count first, int count, GroupSums& sums);

/// The number of charges on either side of one symmetric kernel call. Arrays are padded to a multiple of 16
/// with zero charges.
inline constexpr int pair_block_size = 128;

/// Charges that are both sources and targets.
template <class T>
struct PairTask {
  Coordinates<T> points;
  const T* charges = nullptr;
  T softening_squared = 0;
};

/// Two blocks of charges whose pairs are summed. If both are the same block, each of its pairs is summed
/// once. Otherwise the rows come after the columns. The number of columns is a multiple of 16 in every block
/// but the last.
struct PairBlocks {
  Count first_row, rows, first_column, columns;
};

/// The sums at all charges so far, in scaled units: forces Σ_j q_i q_j K(r_ij), and q_i φ_i, twice the energy
/// of charge i.
struct PairSums {
  double* vector[3];
  double* scalar;  ///< Null if no potential is summed.
};

/// Adds each pair of two blocks to the sums of both its charges, with opposite forces. Returns what a
/// FieldKernel returns. A pair at distance 0 makes the sums of both its charges non-finite.
template <class T>
using PairKernel = T (*)(const PairTask<T>& task, const PairBlocks& blocks, const PairSums& sums);

/// The kernels of one instruction set. [0] sums no potential, [1] does. The derivative kernels sum field and
/// potential in [1] only; they track the smallest ρ² and take differences of coordinates as the field kernels
/// do, and in float32 they always compensate differences of vectors.
struct Kernels {
  const char* instruction_set;
  FieldKernel<float> float32[2];              ///< Plain differences; tracks the smallest ρ².
  FieldKernel<float> float32_compensated[2];  ///< (x - x') + (x_low - x_low'); tracks it too.
  FieldKernel<double> float64[2];
  FieldKernel<double> float64_masked;        ///< With potential; pairs at ρ = 0 are only counted.
  PairKernel<float> pairs32[2];              ///< As float32; the targets are the sources.
  PairKernel<float> pairs32_compensated[2];  ///< As float32_compensated, likewise.
  PairKernel<double> pairs64[2];             ///< As float64, likewise.
  DerivativeKernel<float> derivative32[2];
  DerivativeKernel<float> derivative32_compensated[2];
  DerivativeKernel<double> derivative64[2];
  DerivativeKernel<double> derivative64_masked[2];
};

using electret::InstructionSet;

/// The kernels of `set`. Throws std::invalid_argument if it is not supported.
const Kernels& kernels(InstructionSet set);

const Kernels& portable_kernels();
#ifdef ELECTRET_X86_KERNELS
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
#endif

}  // namespace electret::direct
