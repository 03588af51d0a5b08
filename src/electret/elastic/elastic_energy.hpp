#pragma once
/// \file
/// The interface of elastic energies, integrated implicitly, and of what they hand to solvers.
///
/// An energy is a sum over elements of one type (an ElementBlock). `ElementEnergy` (element_energy.hpp)
/// assembles and threads; a variant writes one element's stencil, or overrides whole-array operations.
///
/// \code
///   const double e = energy.linearise(x, HessianKind::exact, gradient);  // once at x,
///   energy.add_hessian_product(d, product);                              // then as often as needed
/// \endcode

#include <span>
#include <string_view>

#include <electret/core/padded.hpp>
#include <electret/core/types.hpp>
#include <electret/elastic/clamped_form.hpp>
#include <electret/elastic/element_block.hpp>

namespace electret {

class BlockMatrix;
class BlockPattern;
class LatticeMatrix;
struct Lattice;

/// Which second derivative: the exact one (may be indefinite), or clamped to be positive semi-definite.
enum class HessianKind { exact, clamped };

/// Receives the n×n scalar matrix L that acts alike on x, y and z (both triangles, duplicates summed).
class ScalarMatrixSink {
 public:
  virtual ~ScalarMatrixSink() = default;
  virtual void add(Index row, Index column, double value) = 0;
};

/// What a parameter has a value for.
enum class ParameterScope { element, vertex, body };

/// A parameter of an energy: `numbers` values for each of `count` elements, vertices or bodies, in their
/// order. Values are read-only: another value means another energy.
struct ElasticParameter {
  std::string_view name;  ///< "stiffness".
  std::string_view unit;  ///< "N/m".
  ParameterScope per = ParameterScope::element;
  Count count = 0;
  int numbers = 1;
  ScalarView values;  ///< count × numbers.
};

/// Arrays are n×3, one row for each vertex; others throw InternalError. Results are bitwise the same for any
/// number of threads. Operations allocate nothing after their first call.
class ElasticEnergy {
 public:
  virtual ~ElasticEnergy() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual const ElementBlock& elements() const = 0;
  [[nodiscard]] virtual std::span<const ElasticParameter> parameters() const = 0;

  /// Bytes that float32 products and blocks keep, where they are many for each element.
  [[nodiscard]] virtual double memory_needed() const { return 0.0; }

  /// E(x), J; +∞ where infeasible (an inverted element): a line search backs off.
  virtual double energy(VectorView x) = 0;
  /// g += ∇E(x), and returns E(x): one pass.
  virtual double add_gradient(VectorView x, VectorSpan g) = 0;

  /// As `add_gradient`, to the same bits, and keeps what the products and blocks at x share. They are those
  /// of this x until the next `linearise`, whatever else is called; before the first they throw
  /// InternalError. An empty `g` is not asked for: then 0 is returned.
  virtual double linearise(VectorView x, HessianKind kind, VectorSpan g) = 0;
  /// out += ∇²E d at the last `linearise`, in float64.
  virtual void add_hessian_product(VectorView d, VectorSpan out) = 0;
  /// out += factor ∇²E d at the last `linearise`, in float32.
  virtual void add_hessian_product(float factor, PaddedView32 d, PaddedSpan32 out) = 0;

  /// Whether rows of the float32 product can be had without the others; to be asked after each `linearise`.
  virtual bool begin_row_products() { return false; }
  /// out_v += factor (∇²E d)_v for the rows v = begin … end-1, on the caller's thread: the bits of the whole
  /// product. Only after `begin_row_products` returned true.
  virtual void add_hessian_product_rows(float /*factor*/, PaddedView32 /*d*/, PaddedSpan32 /*out*/,
                                        Count /*begin*/, Count /*end*/) const {}
  /// blocks_v += factor (∇²E)_vv at the last `linearise`: 9 floats a vertex, column-major.
  virtual void add_hessian_diagonal(float factor, std::span<float> blocks) = 0;

  /// Finds the places of this energy's blocks in matrices of `pattern`, which need not outlive the call.
  /// Throws InternalError where the pattern lacks one.
  virtual void attach(const BlockPattern& pattern) = 0;
  /// h += factor ∇²E at the last `linearise`, `h` being of the attached pattern. Rows in parallel, each
  /// written by one thread in a fixed order.
  virtual void add_hessian_blocks(float factor, BlockMatrix& h) = 0;
  /// The same where the vertices lie on `lattice`, and elements join neighbours there alone.
  virtual void add_hessian_to_lattice(float factor, const Lattice& lattice, LatticeMatrix& h) = 0;

  /// L of a constant positive semi-definite majoriser of the Hessian (exact for springs' quadratic part): the
  /// prefactored matrix is M + aL. [MSC] eq. 5, [Liu13].
  virtual void add_majoriser(ScalarMatrixSink& sink) const = 0;

  /// Σ over elements of the largest force an element's parameters can give (springs: the vector A(k l); its
  /// norm over free vertices sets the rounding floor of the stopping rule): out_i += Σ_s k_s l_s over the
  /// element's vertices.
  virtual void add_force_scale(ScalarSpan out) const = 0;

  /// outs[p] += ∂E/∂θ_p for each parameter p (shape: count × numbers), in one pass; an empty span is not
  /// asked for.
  virtual void add_energy_parameter_gradients(VectorView x, std::span<const ScalarSpan> outs) = 0;
  /// outs[p] += zᵀ ∂∇E/∂θ_p for each parameter p, in one pass; an empty span is not asked for.
  virtual void add_gradient_parameter_products(VectorView x, VectorView z,
                                               std::span<const ScalarSpan> outs) = 0;

  /// Whether activations act on it: muscles.
  [[nodiscard]] virtual bool reads_activations() const { return false; }
  /// From now on the energy is that of `all`, the activations of every muscle element of the scene, of which
  /// it reads its own. What is linearised is not, until the next `linearise`. Throws InternalError for too
  /// few.
  virtual void set_activations(ScalarView /*all*/) {}
  /// out += ∂E/∂(all activations).
  virtual void add_energy_activation_gradient(VectorView /*x*/, ScalarSpan /*out*/) {}
  /// out += zᵀ ∂∇E/∂(all activations).
  virtual void add_gradient_activation_products(VectorView /*x*/, VectorView /*z*/, ScalarSpan /*out*/) {}

  /// Whether it depends on the rest positions that its elements were made of: solid elements.
  [[nodiscard]] virtual bool has_rest_shape() const { return false; }
  /// out (n×3) += ∂E/∂X, X the rest positions, x held.
  virtual void add_energy_rest_gradient(VectorView /*x*/, VectorSpan /*out*/) {}
  /// out (n×3) += ∂(zᵀ∇E)/∂X.
  virtual void add_gradient_rest_products(VectorView /*x*/, VectorView /*z*/, VectorSpan /*out*/) {}

  /// Third derivatives; null where the energy has none, and then linear_implicit has no adjoint. Owned by the
  /// energy.
  [[nodiscard]] virtual ClampedForm* clamped_form() { return nullptr; }
};

}  // namespace electret
