#pragma once
/// \file
/// The loops of volume elements, eight elements of a batch at a time, one set an instruction set. No inline
/// code here: the files that implement it are compiled with flags of their own.
///
/// Every number below stands for eight: one for each element of the batch, side by side. Matrices are stored
/// row after row; `points` is 1 for a tetrahedron, 8 for a hexahedron.

#include <cstdint>

namespace electret::detail {

/// Of the elements of one batch at the points q: J⁻¹ (9) and the weight w, `stride` numbers from point to
/// point: 0 where they are the same at all of them.
struct BatchShape {
  const double* values;
  std::int64_t stride;
};

/// μ and λ of the elements of one batch.
struct BatchLame {
  const double* mu;
  const double* lambda;
};

/// The points that a fast formula does not serve: bit 8q + l is that of point q of element l.
using PointMask = std::uint64_t;

/// The symmetric ∂P/∂F: 45 entries, those of its upper triangle row after row.
constexpr int tangent_entries = 45;

/// Where the block K_ab of the first element of a batch goes in a lattice matrix: entry 3i + j to
/// first[(3i + j)·stride], of the transposed block if so said; those of the next elements behind it.
struct LatticePlace {
  float* first;
  bool transposed;
};

/// For tetrahedra or for hexahedra. Blocks K_ab of an element matrix with a ≤ b, 9 numbers each: (0, 0),
/// (0, 1), …, (1, 1), ….
struct ElementKernels {
  /// Σ_a v_a G_aᵀ at every point from the corners' vectors v (corners × 3).
  void (*gradients)(const BatchShape& shape, const double* v, double* gradients);
  /// Σ_q w_q P_q G_a from the stresses P of the points.
  void (*forces)(const BatchShape& shape, const double* stresses, double* forces);
  /// K_ab = Σ_q w_q (G_a, G_b contracted with the tangents of the points).
  void (*matrices)(const BatchShape& shape, const float* tangents, float* blocks);
  /// out_a = Σ_b K_ab d_b.
  void (*product)(const float* blocks, const float* d, float* out);
  /// Adds factor · the matrices of the first `elements` elements to blocks of 9 floats each, column-major:
  /// K_ab is that of number slots[element][corners · a + b].
  void (*scatter)(const float* blocks, const std::int32_t* const* slots, int elements, float factor,
                  float* values);
  /// Adds factor · the matrices of eight elements to neighbouring rows of a lattice matrix; a place a block.
  void (*add_to_lattice)(const float* blocks, const LatticePlace* places, std::int64_t stride, float factor);
};

/// For the points of elements of one material, in the order of MaterialModel. `f`: F of the points.
struct PointKernels {
  /// Ψ and P. Masked points have numbers of no meaning.
  PointMask (*stress)(int points, const double* f, const BatchLame& lame, double* energies, double* stresses);
  /// The exact tangents.
  PointMask (*tangent)(int points, const double* f, const BatchLame& lame, double* tangents);
  PointMask (*tangent32)(int points, const double* f, const BatchLame& lame, float* tangents);
  /// The nearest positive semi-definite ones.
  PointMask (*clamped)(int points, const double* f, const BatchLame& lame, double* tangents);
  PointMask (*clamped32)(int points, const double* f, const BatchLame& lame, float* tangents);
};

struct VolumeKernels {
  ElementKernels tetrahedron, hexahedron;
  PointKernels models[6];
  /// The tangents times the changes of F: the changes of P.
  void (*multiply)(int points, const double* tangents, const double* changes, double* results);
  /// (P:D) I - FᵀdP - DᵀP of F, of a field's gradients D, of the stresses P and of their changes dP.
  void (*rest_stress)(int points, const double* f, const double* d, const double* p, const double* dp,
                      double* results);
};

extern const VolumeKernels portable_volume_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const VolumeKernels avx2_volume_kernels;
#endif

/// The widest set that this machine has.
const VolumeKernels& volume_kernels();

}  // namespace electret::detail
