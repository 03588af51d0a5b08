#pragma once
/// \file
/// The interface of the kernels P2M, M2M, M2L, L2L, L2P and P2P, and their table for one instruction set.
///
/// Expansions are series in the solid harmonics H_a (harmonics.hpp). The reduced powers h_a(x) are the
/// coefficients of e^{x·ξ} modulo ξ_x² + ξ_y² + ξ_z² = 0: the powers x^a/a!, reduced to z-powers 0 and 1. A
/// constant matrix B converts them: H = B h. A cell has the centre c and the scale σ, a power of two near its
/// radius. Its expansions are
///
///   moments M_b = Σ_j q_j H_b((c - x_j)/σ),     locals L_a with φ(x) = Σ_a L_a H_a((x - c)/σ).
///
/// Translation units that are compiled for wider instruction sets than the rest of the library include this
/// header. It must therefore hold no function that the linker could share between them.

#include <electret/core/types.hpp>
#include <electret/field/direct/kernels.hpp>
#include <electret/field/fmm/expansions/harmonics.hpp>
#include <electret/field/fmm/passes/acceptance_task.hpp>

namespace electret::fmm {

/// The largest number of cells, or of pairs of cells, in one kernel call.
inline constexpr int max_lanes = 16;

/// Points in tree order, centred and scaled. For T = float, `*_low` holds what rounding lost.
template <class T>
struct Points {
  const T *x = nullptr, *y = nullptr, *z = nullptr;
  const T *x_low = nullptr, *y_low = nullptr, *z_low = nullptr;
};

/// The three components of vectors, in separate arrays.
template <class T>
struct Vectors {
  const T *x = nullptr, *y = nullptr, *z = nullptr;
};

/// A leaf's points. Kernels compute (x - centre)/σ from them. The arrays hold a full register beyond `count`.
template <class T>
struct LeafPoints {
  Points<T> points;  ///< From the leaf's first point.
  int count = 0;
  T centre[3], centre_low[3];
  T inverse_scale;  ///< 1/σ
};

/// P2M of one leaf: the moments of its charges and, with `dipoles`, the moments of q_j u_j as well. The
/// second are the derivative of the first as the points move along u.
template <class T>
struct MomentTask {
  LeafPoints<T> leaf;
  int order;
  const T* charges;    ///< From the leaf's first point.
  Vectors<T> dipoles;  ///< q_j u_j. Null: none.
  T* moments;          ///< Overwritten.
  T* dipole_moments;   ///< Overwritten.
};

/// M2M or L2L of up to max_lanes cells. M2M adds children's moments to their parents, L2L adds parents'
/// locals to their children. `offset` is the child's centre minus the parent's, divided by the parent's σ.
/// `ratio` is the child's σ divided by the parent's.
template <class T>
struct ShiftBatch {
  int count = 0, order = 1, sets = 1;  ///< Orders begin at 1.
  std::int64_t set_stride = 0;
  const T* from[max_lanes];
  T* to[max_lanes];
  alignas(64) T offset[3][max_lanes];
  alignas(64) T ratio[max_lanes];
};

/// The distance between two sets in FarBatch::sums, which is stored as [set][coefficient][lane]. Each lane
/// sums a target's locals there until the lanes are added up.
inline constexpr int lane_sums_stride = (coefficients(max_order) + max_lanes - 1) / max_lanes * max_lanes;

/// M2L of up to max_lanes well-separated pairs of cells: the source's moments become locals of the target.
/// All products of degrees n + k ≤ order count. If all pairs have the same target, each lane may add to its
/// own `sums`, which are added up later.
template <class T>
struct FarBatch {
  int count = 0, order = 1, sets = 1;  ///< Orders begin at 1.
  std::int64_t set_stride = 0;
  const T* moments[max_lanes];
  T* locals[max_lanes];                ///< Not read if `sums` is given.
  T* sums = nullptr;                   ///< 2 lane_sums_stride registers; harmonic series only.
  T softening_squared = 0;             ///< Taylor series only.
  alignas(64) T offset[3][max_lanes];  ///< The target's centre minus the source's.
  alignas(64) T target_scale[max_lanes], source_scale[max_lanes];
};

/// The sums at a leaf's points. Each array has `count` elements, rounded up to full registers. Kernels add to
/// them. A null array is not requested; the three components of a vector are requested together.
template <class T>
struct LeafSums {
  T* field[3] = {};
  T* potential = nullptr;
  T* product[3] = {};           ///< Σ_j q_j K'(r_ij)(z_i - u_j)
  T* charge_product = nullptr;  ///< Σ_j q_j K(r_ij)·(z_i - u_j)
};

/// L2P of one leaf: its locals, evaluated at its points.
template <class T>
struct LocalTask {
  LeafPoints<T> leaf;
  int order;
  const T* locals;
  const T* dipole_locals;  ///< Null: only field and potential are computed.
  Vectors<T> z;            ///< From the leaf's first point. Read only with dipole_locals.
  LeafSums<T> sums;
};

/// Points that are copied relative to a centre. The difference (x - centre) uses both low parts and is
/// rounded once.
template <class T>
struct CentringTask {
  Points<T> points;
  const T* charges;  ///< Copied with the points. Null: none.
  T centre[3], centre_low[3];
};
template <class T>
struct CentredPoints {
  T *x, *y, *z;
  T* charges;  ///< Written if the task has charges.
};

/// P2P of one leaf with gathered sources. The first `own` sources are the leaf's own points, in order, padded
/// to whole registers.
template <class T>
struct NearTask {
  Points<T> targets;
  const T* target_charges = nullptr;  ///< Read only with `columns`.
  int count = 0;
  Vectors<T> z;
  Points<T> sources;
  const T* charges = nullptr;
  Vectors<T> u;
  int own = 0, source_count = 0;  ///< Multiples of the register width.
  T softening_squared = 0;
  LeafSums<T> sums;
  /// Mutual kernels add the sums at the sources here, as far as the leaf's points cause them. Sources that
  /// are the leaf's own points have no columns: their pairs are in `sums` already. The source's u serves as
  /// its z. Vectors have their own sign, potential and charge product the opposite sign.
  LeafSums<T> columns;
};

/// Mutual P2P: each pair of a leaf's point and a source is computed once, for both sides. [0] sums no
/// potential, [1] does.
template <class T>
struct MutualKernels {
  T (*estimated[2])(const NearTask<T>&);  ///< Plain differences; ρ⁻³ is wrong by `estimate_error` at most.
  T (*plain[2])(const NearTask<T>&);
  T (*near[2])(const NearTask<T>&);
  T (*products[2])(const NearTask<T>&);
  double estimate_error;
  /// Adds `count` elements of each sum. `add_columns` reverses the sign of potential and charge product.
  void (*add)(const LeafSums<T>& from, int count, const LeafSums<T>& to);
  void (*add_columns)(const LeafSums<T>& from, int count, const LeafSums<T>& to);
};

/// The translation operators of one kind of expansion.
template <class T>
struct SeriesKernels {
  void (*p2m)(const MomentTask<T>&);  ///< From a leaf's charges to its moments.
  void (*m2m)(const ShiftBatch<T>&);  ///< From children's moments to their parents'.
  void (*m2l)(const FarBatch<T>&);    ///< From moments to locals of well-separated cells.
  void (*l2l)(const ShiftBatch<T>&);  ///< From parents' locals to their children's.
  void (*l2p)(const LocalTask<T>&);   ///< From a leaf's locals to the sums at its points.
};

/// The kernels of one instruction set for the floating-point type T.
template <class T>
struct ExpansionKernels {
  int width;
  /// The acceptance criterion for several sources of one target, without and with softening. It always
  /// computes in float64, so that verdicts depend neither on T nor on the instruction set.
  void (*accept)(const AcceptanceTask&);
  void (*accept_softened)(const AcceptanceTask&);
  SeriesKernels<T> harmonic;  ///< Series in solid harmonics, for 1/r.
  SeriesKernels<T> taylor;    ///< Taylor series, for the softened 1/ρ (taylor.hpp).
  /// Adds the lanes of harmonic `sums` up to that order to `locals`, and clears the sums.
  void (*collect_lanes)(T* sums, int order, int sets, T* locals, std::int64_t set_stride);
  /// Copies points [begin, end) relative to a centre. `out` has room for one more register.
  void (*centre)(const CentringTask<T>&, Index begin, Index end, const CentredPoints<T>& out);
  /// P2P with plain differences: [0] field, [1] field and potential. For T = float the points must be
  /// relative to their leaf.
  T (*near_plain[2])(const NearTask<T>&);
  /// P2P: [0] field, [1] field and potential, [2] field and products. Returns the smallest ρ² of all pairs
  /// except self pairs (1 for T = double). Pairs at distance 0 make the sums non-finite.
  T (*near[3])(const NearTask<T>&);
  MutualKernels<T> mutual;
};

struct Kernels {
  const char* instruction_set;
  ExpansionKernels<float> float32;
  ExpansionKernels<double> float64;
  template <class T>
  const ExpansionKernels<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float))
      return float32;
    else
      return float64;
  }
};

using direct::InstructionSet;

/// Throws std::invalid_argument if the processor lacks the instruction set.
const Kernels& kernels(InstructionSet set);

const Kernels& portable_kernels();
#ifdef ELECTRET_X86_KERNELS
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
#endif

}  // namespace electret::fmm
