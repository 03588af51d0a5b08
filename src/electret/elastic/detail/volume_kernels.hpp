#pragma once
/// \file
/// The loops of volume elements, eight elements of a batch at a time, one set of functions per instruction
/// set. There is no inline code here, because the files that implement the sets are compiled with flags of
/// their own.
///
/// Every number below stands for eight numbers side by side, one per element of the batch. Matrices are
/// stored row after row. `points` is 1 for a tetrahedron and 8 for a hexahedron.

#include <cstdint>

namespace electret::detail {

/// J⁻¹ (9 numbers) and the weight w of the elements of one batch at the points q. `stride` is the distance
/// from point to point; it is 0 if they are the same at all points.
struct BatchShape {
  const double* values;
  std::int64_t stride;
};

/// μ and λ of the elements of one batch.
struct BatchLame {
  const double* mu;
  const double* lambda;
};

/// The points for which a fast formula does not hold; bit 8q + l belongs to point q of element l.
using PointMask = std::uint64_t;

/// The symmetric ∂P/∂F has 45 entries, those of its upper triangle row after row.
constexpr int tangent_entries = 45;

/// Where the block K_ab of the first element of a batch is added in a lattice matrix: entry 3i + j, of the
/// transposed block if `transposed`, to first[(3i + j)·stride]. Those of the next elements follow it.
struct LatticePlace {
  float* first;
  bool transposed;
};

/// The kernels of tetrahedra or of hexahedra. An element matrix is stored as its blocks K_ab with a ≤ b, 9
/// numbers each: (0, 0), (0, 1), …, (1, 1), ….
struct ElementKernels {
  /// Σ_a v_a G_aᵀ at every point from the corners' vectors v (corners × 3).
  void (*gradients)(const BatchShape& shape, const double* v, double* gradients);
  /// Σ_q w_q P_q G_a from the stresses P of the points.
  void (*forces)(const BatchShape& shape, const double* stresses, double* forces);
  /// K_ab = Σ_q w_q (G_a, G_b contracted with the tangents of the points).
  void (*matrices)(const BatchShape& shape, const float* tangents, float* blocks);
  /// out_a = Σ_b K_ab d_b.
  void (*product)(const float* blocks, const float* d, float* out);
  /// Adds factor · the matrices of the first `elements` elements to blocks of 9 floats each, column-major.
  /// K_ab is added to the block with the index slots[element][corners · a + b].
  void (*scatter)(const float* blocks, const std::int32_t* const* slots, int elements, float factor,
                  float* values);
  /// Adds factor · the matrices of eight elements to neighbouring rows of a lattice matrix, with one place
  /// per block.
  void (*add_to_lattice)(const float* blocks, const LatticePlace* places, std::int64_t stride, float factor);
};

/// The kernels for points of one material. `f` holds F at the points.
struct PointKernels {
  /// Ψ and P. The numbers of masked points have no meaning.
  PointMask (*stress)(int points, const double* f, const BatchLame& lame, double* energies, double* stresses);
  /// The exact tangents.
  PointMask (*tangent)(int points, const double* f, const BatchLame& lame, double* tangents);
  PointMask (*tangent32)(int points, const double* f, const BatchLame& lame, float* tangents);
  /// The nearest positive semi-definite ones.
  PointMask (*clamped)(int points, const double* f, const BatchLame& lame, double* tangents);
  PointMask (*clamped32)(int points, const double* f, const BatchLame& lame, float* tangents);
};

/// The muscle of the elements of one batch: k (Pa) and the activation a of each element, and its unit vector
/// m: the components x of all elements, then y, then z.
struct BatchMuscle {
  const double* stiffness;
  const double* activation;
  const double* fibre;
};

/// The kernels of muscles of tetrahedra or of hexahedra (muscle_stencil.hpp), from the corners' positions x
/// and other vectors at them (corners × 3).
struct MuscleKernels {
  /// The elements' energies, and their gradients.
  void (*gradient)(const BatchShape& shape, const BatchMuscle& muscle, const double* x, double* energies,
                   double* gradients);
  /// The Hessians, clamped or exact, times d.
  void (*product)(const BatchShape& shape, const BatchMuscle& muscle, bool clamped, const double* x,
                  const double* d, double* out);
  /// The Hessians as blocks K_ab with a ≤ b.
  void (*matrices)(const BatchShape& shape, const BatchMuscle& muscle, bool clamped, const double* x,
                   float* blocks);
  /// ∂E/∂k and ∂E/∂a.
  void (*energy_slopes)(const BatchShape& shape, const BatchMuscle& muscle, const double* x,
                        double* by_stiffness, double* by_activation);
  /// zᵀ ∂∇E/∂k and zᵀ ∂∇E/∂a.
  void (*gradient_slopes)(const BatchShape& shape, const BatchMuscle& muscle, const double* x,
                          const double* z, double* by_stiffness, double* by_activation);
  /// The stresses P of the points and, for a field's gradients D, their changes dP from F.
  void (*stresses)(const BatchMuscle& muscle, const double* f, const double* d, double* p, double* dp);
};

struct VolumeKernels {
  ElementKernels tetrahedron, hexahedron;
  PointKernels models[6];  ///< In the order of MaterialModel.
  /// Computes the changes of P, which are the tangents times the changes of F.
  void (*multiply)(int points, const double* tangents, const double* changes, double* results);
  /// (P:D) I - FᵀdP - DᵀP from F, a field's gradients D, the stresses P and their changes dP.
  void (*rest_stress)(int points, const double* f, const double* d, const double* p, const double* dp,
                      double* results);
  MuscleKernels tetrahedron_muscle, hexahedron_muscle;
};

extern const VolumeKernels portable_volume_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const VolumeKernels avx2_volume_kernels;
extern const VolumeKernels avx512_volume_kernels;
#endif

/// Those of the instruction set in force.
const VolumeKernels& volume_kernels();

}  // namespace electret::detail
