#pragma once
/// \file
/// The interface of elastic energies, integrated implicitly, and of what they hand to solvers.
///
/// An energy is a sum over elements of one type (an element block). `ElementEnergy` (element_energy.hpp)
/// assembles and threads; a variant writes one element's stencil. Springs are the first block.

#include <limits>
#include <span>
#include <string_view>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret {

enum class ElementType { spring, triangle, tetrahedron, hexahedron };

/// Elements of one type: connectivity is (elements × vertices_per_element), owned by the energy.
struct ElementBlock {
  ElementType type = ElementType::spring;
  int vertices_per_element = 2;
  int quadrature_points = 1;  ///< An element.
  std::span<const Index> connectivity;

  [[nodiscard]] Count size() const { return static_cast<Count>(connectivity.size()) / vertices_per_element; }
};

/// Which second derivative: the exact one (may be indefinite), or clamped to be positive semi-definite.
enum class HessianKind { exact, clamped };

/// Receives the n×n scalar matrix L that acts alike on x, y and z (both triangles, duplicates summed).
class ScalarMatrixSink {
 public:
  virtual ~ScalarMatrixSink() = default;
  virtual void add(Index row, Index column, double value) = 0;
};

/// Receives 3×3 blocks of the 3n×3n Hessian (both triangles, duplicates summed).
class BlockMatrixSink {
 public:
  virtual ~BlockMatrixSink() = default;
  virtual void add(Index row, Index column, const Mat3& block) = 0;
};

/// A per-element parameter, "stiffness" or "rest_length": values are owned by the energy and may be written,
/// but not while an integrator is at work: its factor, and the forces it remembers, are those of the old
/// values.
struct ElasticParameter {
  std::string_view name;
  std::string_view unit;
  ScalarSpan values;
};

class ElasticEnergy {
 public:
  virtual ~ElasticEnergy() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual ElementBlock elements() const = 0;
  [[nodiscard]] virtual std::span<const ElasticParameter> parameters() = 0;

  /// E(x), J; +∞ where infeasible (an inverted element): a line search backs off.
  virtual double energy(VectorView x) = 0;
  /// g += ∇E(x), and returns E(x): one pass.
  virtual double add_gradient(VectorView x, VectorSpan g) = 0;
  /// out += ∇²E(x) d.
  virtual void add_hessian_product(VectorView x, VectorView d, HessianKind kind, VectorSpan out) = 0;
  /// The Hessian's 3×3 blocks.
  virtual void add_hessian_blocks(VectorView x, HessianKind kind, BlockMatrixSink& sink) = 0;

  /// L of a constant positive semi-definite majoriser of the Hessian (exact for springs' quadratic part): the
  /// prefactored matrix is M + aL. [MSC] eq. 5, [Liu13].
  virtual void add_majoriser(ScalarMatrixSink& sink) const = 0;
  /// True where the energy has a projection (local step): g = L x - J p.
  [[nodiscard]] virtual bool has_projection() const { return false; }
  /// out += J p(x) (n×3): the local step's right-hand side, p the projections of x. [MSC] eq. 5-7.
  virtual void add_projection(VectorView /*x*/, VectorSpan /*out*/) {}

  /// Σ over elements of the largest force an element's parameters can give (springs: the vector A(k l); its
  /// norm over free vertices sets the rounding floor of the stopping rule): out_i += Σ_s k_s l_s over the
  /// element's vertices.
  virtual void add_force_scale(ScalarSpan out) const = 0;

  /// out += ∂E/∂θ for parameter number `parameter` (one a element).
  virtual void add_energy_parameter_gradient(VectorView x, std::size_t parameter, ScalarSpan out) = 0;
  /// out += zᵀ ∂∇E/∂θ for parameter number `parameter` (one a element).
  virtual void add_gradient_parameter_product(VectorView x, VectorView z, std::size_t parameter,
                                              ScalarSpan out) = 0;
  /// out += ∇_x (zᵀ H_c(x) v), H_c the clamped Hessian (linear_implicit's adjoint).
  virtual void add_clamped_form_gradient(VectorView x, VectorView z, VectorView v, VectorSpan out) = 0;
  /// out += ∂_θ (zᵀ H_c(x) v) for parameter number `parameter`.
  virtual void add_clamped_form_parameter_gradient(VectorView x, VectorView z, VectorView v,
                                                   std::size_t parameter, ScalarSpan out) = 0;
};

}  // namespace electret
