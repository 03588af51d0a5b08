#pragma once
/// \file
/// What the direct solver's kernels compute, and the table of them for one instruction set.
///
/// Every kernel sums all sources for up to `group_size` targets. Kernels know nothing of units, padding or
/// threads: the solver hands them scaled arrays and multiplies by the unit afterwards.
///
/// This header is included by translation units compiled for wider instruction sets than the rest of the
/// library: it must hold no function that the linker could share between them.

#include <electret/core/types.hpp>

namespace electret::direct {

/// Targets handled by one kernel call; arrays of targets are padded to a multiple of it.
inline constexpr int group_size = 64;

/// Coordinates as separate arrays. `*_low` (float32 with compensated differences only) holds what rounding to
/// T lost: x + x_low is the coordinate to twice T's digits.
template <class T>
struct Coordinates {
  const T *x = nullptr, *y = nullptr, *z = nullptr;
  const T *x_low = nullptr, *y_low = nullptr, *z_low = nullptr;
};

/// Σ_j q_j K(r_ij), Σ_j q_j/ρ_ij.
template <class T>
struct FieldTask {
  Coordinates<T> targets, sources;
  const T* charges = nullptr;  ///< n
  Count source_count = 0;      ///< n
  T softening_squared = 0;
  bool targets_are_sources = false;
};

/// Σ_j q_j K'(r_ij)(z_i - u_j) and Σ_j q_j K(r_ij)·(z_i - u_j).
template <class T>
struct DerivativeTask {
  FieldTask<T> pairs;
  Coordinates<T> target_vectors;  ///< z, padded like the targets. float32 uses `*_low` always.
  Coordinates<T> source_vectors;  ///< u, n.
};

/// Sums for a group of targets, in scaled units.
struct GroupSums {
  alignas(64) double vector[3][group_size];   ///< Field, or the Jacobian product.
  alignas(64) double scalar[group_size];      ///< Potential, or the product for the charges.
  alignas(64) double field[3][group_size];    ///< With derivative products in one pass: the field
  alignas(64) double potential[group_size];   ///< and the potential besides.
  alignas(64) double coincident[group_size];  ///< Pairs left out: masked kernels only.
};

/// Sums for `count` ≤ group_size targets from `first` (a multiple of group_size). Returns the smallest ρ²
/// met, self pairs and padding aside (kernels that track it; 1 otherwise). Without mask a pair at distance 0
/// makes its target's sums non-finite.
template <class T>
using FieldKernel = T (*)(const FieldTask<T>& task, Count first, int count, GroupSums& sums);
template <class T>
using DerivativeKernel = T (*)(const DerivativeTask<T>& task, Count first, int count, GroupSums& sums);

/// Charges handled by one symmetric kernel call on either side; arrays are padded to a multiple of 16 with
/// zero charges.
inline constexpr int pair_block_size = 128;

/// Charges that are sources and targets.
template <class T>
struct PairTask {
  Coordinates<T> points;
  const T* charges = nullptr;
  T softening_squared = 0;
};

/// Two blocks whose charges meet. The same block twice: each of its pairs once; else the rows lie behind the
/// columns, and all columns but the last block's count a multiple of 16.
struct PairBlocks {
  Count first_row, rows, first_column, columns;
};

/// Sums of all charges so far, in scaled units: forces Σ_j q_i q_j K(r_ij) and twice the energies q_i φ_i.
struct PairSums {
  double* vector[3];
  double* scalar;  ///< Null without potential.
};

/// Adds each pair of two blocks to both its charges' sums: the force as it is and with the other sign.
/// Returns as a FieldKernel; a pair at distance 0 makes both its charges' sums non-finite.
template <class T>
using PairKernel = T (*)(const PairTask<T>& task, const PairBlocks& blocks, const PairSums& sums);

/// The kernels of one instruction set. [0] without potential, [1] with.
struct Kernels {
  const char* instruction_set;
  FieldKernel<float> float32[2];              ///< Plain differences; tracks the smallest ρ².
  FieldKernel<float> float32_compensated[2];  ///< (x - x') + (x_low - x_low'): close pairs keep accuracy;
                                              ///< tracks the smallest ρ².
  FieldKernel<double> float64[2];
  FieldKernel<double> float64_masked;        ///< With potential; pairs at ρ = 0 contribute nothing, counted.
  PairKernel<float> pairs32[2];              ///< As float32, float32_compensated and float64, where the
  PairKernel<float> pairs32_compensated[2];  ///< targets are the sources.
  PairKernel<double> pairs64[2];
  DerivativeKernel<float> derivative32[2];              ///< [1] sums field and potential, too. Differences
  DerivativeKernel<float> derivative32_compensated[2];  ///< and the smallest ρ² as of the field kernels;
  DerivativeKernel<double> derivative64[2];             ///< those of vectors are compensated in both.
  DerivativeKernel<double> derivative64_masked[2];
};

/// In the order of preference, last the best.
enum class InstructionSet { portable, avx2, avx512 };

/// What this processor and this build can run.
bool is_supported(InstructionSet set);
InstructionSet best_instruction_set();
/// Throws std::invalid_argument where it is not supported.
const Kernels& kernels(InstructionSet set);

const Kernels& portable_kernels();
#ifdef ELECTRET_X86_KERNELS
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
#endif

}  // namespace electret::direct
