#pragma once
/// \file
/// The interface of elastic energies, which are integrated implicitly, and of what they pass to solvers.
///
/// An energy is a sum over elements of one kind (an ElementBlock). `ElementEnergy` (element_energy.hpp) does
/// the assembly and the threads. A variant writes one element's stencil, or overrides whole-array operations.
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
#include <electret/elastic/element_costs.hpp>

namespace electret {

class BlockMatrix;
class BlockPattern;
class LatticeMatrix;
struct Lattice;

/// Which second derivative: the exact one, which may be indefinite, or one that is clamped to be positive
/// semi-definite.
enum class HessianKind { exact, clamped };

/// Receives the n×n scalar matrix L that acts alike on x, y and z. Both triangles are added; duplicates are
/// summed.
class ScalarMatrixSink {
 public:
  virtual ~ScalarMatrixSink() = default;
  virtual void add(Index row, Index column, double value) = 0;
};

/// What a parameter has a value for.
enum class ParameterScope { element, vertex, body };

/// A parameter of an energy: `numbers` values for each of `count` elements, vertices or bodies, in their
/// order. Values are read-only; for other values, make another energy.
struct ElasticParameter {
  std::string_view name;  ///< Such as "stiffness".
  std::string_view unit;  ///< Such as "N/m".
  ParameterScope per = ParameterScope::element;
  Count count = 0;
  int numbers = 1;
  ScalarView values;  ///< count × numbers.
};

/// Arrays are n×3, one row per vertex; arrays of another size throw InternalError. Results are bitwise the
/// same for any number of threads. Operations allocate nothing after their first call.
class ElasticEnergy {
 public:
  virtual ~ElasticEnergy() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual const ElementBlock& elements() const = 0;
  [[nodiscard]] virtual std::span<const ElasticParameter> parameters() const = 0;

  /// What a message to the user calls its elements: "springs", "elements".
  [[nodiscard]] virtual std::string_view words() const = 0;
  /// Whether the elements fill a volume. Only those of solids may have an infinite energy (inverted
  /// elements).
  [[nodiscard]] virtual bool is_solid() const = 0;
  /// b with H ≼ b blockdiag(H) for its clamped Hessian H, and L ≼ b diag(L) for its majoriser L: at most the
  /// number of an element's vertices, which is near for springs alone. 0 if a solver had better estimate it.
  [[nodiscard]] virtual double smoother_bound() const = 0;
  /// What one element costs a solver.
  [[nodiscard]] virtual ElementCosts element_costs() const = 0;

  /// The bytes that it keeps for float32 products and blocks; 0 if they are only few per element.
  [[nodiscard]] virtual double memory_needed() const { return 0.0; }

  /// E(x), J. It is +∞ if x is infeasible (an inverted element), from which a line search backs off.
  virtual double energy(VectorView x) = 0;
  /// g += ∇E(x); returns E(x). Computes both in one pass.
  virtual double add_gradient(VectorView x, VectorSpan g) = 0;

  /// As `add_gradient`, with the same bits. Also keeps what the products and blocks at x share. Products and
  /// blocks belong to this x until the next `linearise`, whatever else is called. Before the first
  /// `linearise` they throw InternalError. If `g` is empty, no gradient is computed and 0 is returned.
  virtual double linearise(VectorView x, HessianKind kind, VectorSpan g) = 0;
  /// out += ∇²E d at the last `linearise`, in float64.
  virtual void add_hessian_product(VectorView d, VectorSpan out) = 0;
  /// out += factor ∇²E d at the last `linearise`, in float32.
  virtual void add_hessian_product(float factor, PaddedView32 d, PaddedSpan32 out) = 0;

  /// Whether some rows of the float32 product can be computed without the others. Call it after each
  /// `linearise`.
  virtual bool begin_row_products() { return false; }
  /// out_v += factor (∇²E d)_v for the rows v = begin … end-1, on the caller's thread, with the bits of the
  /// whole product. Call it only after `begin_row_products` has returned true.
  virtual void add_hessian_product_rows(float /*factor*/, PaddedView32 /*d*/, PaddedSpan32 /*out*/,
                                        Count /*begin*/, Count /*end*/) const {}
  /// blocks_v += factor (∇²E)_vv at the last `linearise`; 9 floats per vertex, column-major.
  virtual void add_hessian_diagonal(float factor, std::span<float> blocks) = 0;

  /// Finds the places of this energy's blocks in matrices of `pattern`, which need not outlive the call.
  /// Throws InternalError if the pattern lacks a block.
  virtual void attach(const BlockPattern& pattern) = 0;
  /// h += factor ∇²E at the last `linearise`. `h` has the attached pattern. Rows are computed in parallel,
  /// each written by one thread in a fixed order.
  virtual void add_hessian_blocks(float factor, BlockMatrix& h) = 0;
  /// The same if the vertices lie on `lattice` and elements join only neighbours there.
  virtual void add_hessian_to_lattice(float factor, const Lattice& lattice, LatticeMatrix& h) = 0;

  /// Adds L, a constant positive semi-definite majoriser of the Hessian, which is exact for springs'
  /// quadratic part. The prefactored matrix is M + aL. [MSC] eq. 5, [Liu13].
  virtual void add_majoriser(ScalarMatrixSink& sink) const = 0;

  /// Adds to each vertex of each element the largest force that the element's parameters can give. For
  /// springs: out_i += Σ_s k_s l_s over the springs s at i. The norm of `out` over free vertices sets the
  /// rounding floor of the stopping rule.
  virtual void add_force_scale(ScalarSpan out) const = 0;

  /// outs[p] += ∂E/∂θ_p for each parameter p (shape: count × numbers), in one pass. Parameters with an empty
  /// span are left out.
  virtual void add_energy_parameter_gradients(VectorView x, std::span<const ScalarSpan> outs) = 0;
  /// outs[p] += zᵀ ∂∇E/∂θ_p for each parameter p, in one pass. Parameters with an empty span are left out.
  virtual void add_gradient_parameter_products(VectorView x, VectorView z,
                                               std::span<const ScalarSpan> outs) = 0;

  /// Whether activations act on it, as on muscles.
  [[nodiscard]] virtual bool reads_activations() const { return false; }
  /// Sets the activations. `all` holds those of every muscle element of the scene; the energy reads its own.
  /// Call `linearise` again before further products and blocks. Throws InternalError if there are too few.
  virtual void set_activations(ScalarView /*all*/) {}
  /// out += ∂E/∂(all activations).
  virtual void add_energy_activation_gradient(VectorView /*x*/, ScalarSpan /*out*/) {}
  /// out += zᵀ ∂∇E/∂(all activations).
  virtual void add_gradient_activation_products(VectorView /*x*/, VectorView /*z*/, ScalarSpan /*out*/) {}

  /// Whether it depends on the rest positions from which its elements were made, as solid elements do.
  [[nodiscard]] virtual bool has_rest_shape() const { return false; }
  /// out (n×3) += ∂E/∂X for the rest positions X, with x held.
  virtual void add_energy_rest_gradient(VectorView /*x*/, VectorSpan /*out*/) {}
  /// out (n×3) += ∂(zᵀ∇E)/∂X.
  virtual void add_gradient_rest_products(VectorView /*x*/, VectorView /*z*/, VectorSpan /*out*/) {}

  /// Third derivatives, owned by the energy. If it is null, the energy has none, and linear_implicit has no
  /// adjoint.
  [[nodiscard]] virtual ClampedForm* clamped_form() { return nullptr; }
};

}  // namespace electret
