#pragma once
/// \file
/// What the fast multipole method's kernels (P2M, M2M, M2L, L2L, L2P, P2P) compute, and the table of them for
/// one instruction set.
///
/// Expansions are series of solid harmonics (harmonics.hpp). With h_a(x) the coefficients of e^{x·ξ} modulo
/// ξ_x² + ξ_y² + ξ_z² = 0, x^a/a! reduced to z-powers 0 and 1, and B the matrix that makes harmonics of them,
/// H = B h, a cell of centre c and scale σ (a power of two about its radius) has
///
///   moments M_b = Σ_j q_j H_b((c - x_j)/σ),     locals L_a with φ(x) = Σ_a L_a H_a((x - c)/σ).
///
/// This header is included by translation units compiled for wider instruction sets than the rest of the
/// library: it must hold no function that the linker could share between them.

#include <electret/core/types.hpp>
#include <electret/field/direct/kernels.hpp>
#include <electret/field/fmm/expansions/harmonics.hpp>
#include <electret/field/fmm/passes/acceptance_task.hpp>

namespace electret::fmm {

/// Cells or pairs of cells handled by one kernel call at most.
inline constexpr int max_lanes = 16;

/// Points in tree order, centred and scaled; T = float: `*_low` holds what rounding lost.
template <class T>
struct Points {
  const T *x = nullptr, *y = nullptr, *z = nullptr;
  const T *x_low = nullptr, *y_low = nullptr, *z_low = nullptr;
};

/// Three components apart.
template <class T>
struct Vectors {
  const T *x = nullptr, *y = nullptr, *z = nullptr;
};

/// A leaf's points relative to its centre: (x - centre)/σ. Arrays hold a full register beyond `count`.
template <class T>
struct LeafPoints {
  Points<T> points;  ///< At the leaf's first.
  int count = 0;
  T centre[3], centre_low[3];
  T inverse_scale;  ///< 1/σ
};

/// Moments of a leaf: of charges, and with `dipoles` also of q_j u_j, the derivative of the moments as the
/// points move along u.
template <class T>
struct MomentTask {
  LeafPoints<T> leaf;
  int order;
  const T* charges;    ///< At the leaf's first.
  Vectors<T> dipoles;  ///< Null: none. q_j u_j.
  T* moments;          ///< Overwritten.
  T* dipole_moments;   ///< Overwritten.
};

/// Up to max_lanes cells whose expansions move to another centre: children to parents (moments, added) or
/// parents to children (locals, added). `offset` is child minus parent centre over the parent's σ, `ratio`
/// the child's σ over the parent's.
template <class T>
struct ShiftBatch {
  int count = 0, order = 1, sets = 1;  ///< Orders from 1 on.
  std::int64_t set_stride = 0;
  const T* from[max_lanes];
  T* to[max_lanes];
  alignas(64) T offset[3][max_lanes];
  alignas(64) T ratio[max_lanes];
};

/// Where a lane's sums of one target wait to be added up: [set][number][lane], sets this many numbers apart.
inline constexpr int lane_sums_stride = (coefficients(max_order) + max_lanes - 1) / max_lanes * max_lanes;

/// Up to max_lanes pairs of cells far enough apart: the source's moments become locals of the target, every
/// product of degrees n + k ≤ order. Pairs of one target need not be added up at once: with `sums` each
/// lane adds to its own.
template <class T>
struct FarBatch {
  int count = 0, order = 1, sets = 1;  ///< Orders from 1 on.
  std::int64_t set_stride = 0;
  const T* moments[max_lanes];
  T* locals[max_lanes];                ///< Not read with `sums`.
  T* sums = nullptr;                   ///< Of 2 lane_sums_stride registers; harmonic series only.
  T softening_squared = 0;             ///< Taylor series only.
  alignas(64) T offset[3][max_lanes];  ///< Target minus source centre.
  alignas(64) T target_scale[max_lanes], source_scale[max_lanes];
};

/// What is summed at a leaf's points, arrays of `count` rounded up to full registers, added to. Null: not
/// asked (vectors come together).
template <class T>
struct LeafSums {
  T* field[3] = {};
  T* potential = nullptr;
  T* product[3] = {};           ///< Σ_j q_j K'(r_ij)(z_i - u_j)
  T* charge_product = nullptr;  ///< Σ_j q_j K(r_ij)·(z_i - u_j)
};

/// The locals of a leaf at its points.
template <class T>
struct LocalTask {
  LeafPoints<T> leaf;
  int order;
  const T* locals;
  const T* dipole_locals;  ///< Null: field and potential only.
  Vectors<T> z;            ///< At the leaf's first; with dipole_locals.
  LeafSums<T> sums;
};

/// Points to be had relative to a centre: (x - centre) with what rounding lost of both, rounded once.
template <class T>
struct CentringTask {
  Points<T> points;
  const T* charges;  ///< Copied along; null: none.
  T centre[3], centre_low[3];
};
template <class T>
struct CentredPoints {
  T *x, *y, *z;
  T* charges;  ///< With the task's.
};

/// A leaf against gathered sources: `own` of them, padded to whole registers, are the leaf itself in order.
template <class T>
struct NearTask {
  Points<T> targets;
  const T* target_charges = nullptr;  ///< With `columns`.
  int count = 0;
  Vectors<T> z;
  Points<T> sources;
  const T* charges = nullptr;
  Vectors<T> u;
  int own = 0, source_count = 0;  ///< Multiples of the width; own comes first.
  T softening_squared = 0;
  LeafSums<T> sums;
  /// Mutual kernels only: the sums at each source that is not the leaf's own, due to the leaf's points. Added
  /// to. The source's u serves as its z. Vectors are stored as they are, potential and charge product times
  /// -1. The leaf's own points need no columns: their pairs are in `sums` already.
  LeafSums<T> columns;
};

/// P2P, mutual: every pair of a leaf's point with a source is computed once, for both; [0] without, [1] with
/// the potential.
template <class T>
struct MutualKernels {
  T (*estimated[2])(const NearTask<T>&);  ///< Plain differences, ρ⁻³ off by `estimate_error` at most.
  T (*plain[2])(const NearTask<T>&);
  T (*near[2])(const NearTask<T>&);
  T (*products[2])(const NearTask<T>&);
  double estimate_error;
  /// Adds `count` numbers of each sum; columns hold some of them times -1.
  void (*add)(const LeafSums<T>& from, int count, const LeafSums<T>& to);
  void (*add_columns)(const LeafSums<T>& from, int count, const LeafSums<T>& to);
};

/// The kernels of one kind of expansions.
template <class T>
struct SeriesKernels {
  void (*p2m)(const MomentTask<T>&);  ///< A leaf's charges to its moments.
  void (*m2m)(const ShiftBatch<T>&);  ///< Children's moments to their parents'.
  void (*m2l)(const FarBatch<T>&);    ///< Moments to locals of cells far away.
  void (*l2l)(const ShiftBatch<T>&);  ///< Parents' locals to their children's.
  void (*l2p)(const LocalTask<T>&);   ///< A leaf's locals to sums at its points.
};

/// The kernels of one instruction set for one type.
template <class T>
struct ExpansionKernels {
  int width;
  /// What becomes of several sources for one target, without softening or with. In float64 for either T:
  /// verdicts depend neither on it nor on the instruction set.
  void (*accept)(const AcceptanceTask&);
  void (*accept_softened)(const AcceptanceTask&);
  SeriesKernels<T> harmonic;  ///< Solid harmonics, of 1/r.
  SeriesKernels<T> taylor;    ///< All powers, of 1/ρ (taylor.hpp).
  /// Adds the lanes of harmonic `sums`, up to that order, to locals and clears them.
  void (*collect_lanes)(T* sums, int order, int sets, T* locals, std::int64_t set_stride);
  /// Points [begin, end) relative to a centre. `out` has a register more.
  void (*centre)(const CentringTask<T>&, Index begin, Index end, const CentredPoints<T>& out);
  /// P2P: [0] field, [1] field and potential. Plain differences: T = float for points relative to their leaf.
  T (*near_plain[2])(const NearTask<T>&);
  /// P2P: [0] field, [1] field and potential, [2] field and products. Returns the smallest ρ² of other
  /// pairs than a point with itself (T = double: 1); pairs at distance 0 leave non-finite sums.
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

/// Throws std::invalid_argument where it is not supported.
const Kernels& kernels(InstructionSet set);

const Kernels& portable_kernels();
#ifdef ELECTRET_X86_KERNELS
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
#endif

}  // namespace electret::fmm
