#pragma once
/// \file
/// The kernels that `ddef` has in addition to those of the direct solver, and their table for one instruction
/// set: fields with their gradients, one target against a stream of sources, and the transposes of
/// half-Taylor sums.
///
/// Like direct/kernels.hpp, this is included by translation units that are compiled for wider instruction
/// sets than the rest of the library. It must therefore hold no function that the linker could share between
/// them.

#include <electret/field/direct/kernels.hpp>

namespace electret::ddef {

using direct::Coordinates;
using direct::FieldTask;
using direct::group_size;

/// A symmetric matrix as xx, yy, zz, xy, xz, yz.
inline constexpr int symmetric_size = 6;

/// One target (x, y, z) and its sources: Σ_j q_j K(r_j), Σ_j q_j/ρ_j and, if requested, Σ_j q_j K'(r_j). The
/// sources' arrays are padded to a multiple of 16 with zero charges at finite places.
template <class T>
struct RowTask {
  T x = 0, y = 0, z = 0;
  Coordinates<T> sources;
  const T* charges = nullptr;
  Count source_count = 0;
  T softening_squared = 0;
};
struct RowSums {
  double vector[3];
  double scalar;
  double gradient[symmetric_size];
};

/// The sums of a group of targets, as direct::GroupSums, with Σ_j q_j K'(r_ij) in addition.
struct GradientSums {
  alignas(64) double vector[3][group_size];
  alignas(64) double scalar[group_size];
  alignas(64) double gradient[symmetric_size][group_size];
};

/// Sources that have a weight W (a vector) and a moment M (symmetric). With r = target - source and D(r):M =
/// ∂(K'(r):M)/∂r = -3 (r tr M + 2 M r)/ρ⁵ + 15 r (r·M r)/ρ⁷, the sums are Σ_j [D(r):M_j - K'(r) W_j] and Σ_j
/// [K'(r):M_j - K(r)·W_j].
struct MomentTask {
  Coordinates<double> targets, sources, weights;
  const double* moments[symmetric_size] = {};
  Count source_count = 0;
  double softening_squared = 0;
};

template <class T>
using RowKernel = void (*)(const RowTask<T>& task, RowSums& sums);
/// As direct::FieldKernel: sums all sources for `count` targets from `first`. Returns the smallest ρ²
/// (float32).
template <class T>
using GradientKernel = T (*)(const FieldTask<T>& task, Count first, int count, GradientSums& sums);
using MomentKernel = void (*)(const MomentTask& task, Count first, int count, direct::GroupSums& sums);

/// The kernels of one instruction set. A pair at distance 0 makes the sums of an unmasked kernel non-finite;
/// masked kernels ignore it. Row kernels [1] sum gradients too.
struct Kernels {
  RowKernel<float> row32[2];
  RowKernel<double> row64[2];
  RowKernel<double> row64_masked;  ///< With gradients.
  GradientKernel<float> gradient32;
  GradientKernel<double> gradient64;
  GradientKernel<double> gradient64_masked;
  MomentKernel moment;
  MomentKernel moment_masked;
};

/// The kernels of `set`. Throws std::invalid_argument if the processor lacks the instruction set.
const Kernels& kernels(direct::InstructionSet set);

const Kernels& portable_kernels();
#ifdef ELECTRET_X86_KERNELS
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
#endif

}  // namespace electret::ddef
