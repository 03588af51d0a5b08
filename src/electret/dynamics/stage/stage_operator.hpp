#pragma once
/// \file
/// The exact Hessian of a stage as an operator, with the energies' own products at their last linearisation.

#include <vector>

#include <electret/dynamics/system.hpp>
#include <electret/linear/block_operator.hpp>
#include <electret/linear/krylov.hpp>
#include <electret/linear/stencil_matrix.hpp>

namespace electret {

/// The blocks of H: one for every two vertices that share an element.
BlockPattern hessian_pattern(const System& system);

/// H = M + a∇²E, and a matrix that may be added, with the rows and columns of pins.
class StageOperator final : public BlockOperator {
 public:
  /// `factor` a, s². `system` must outlive this.
  StageOperator(System& system, double factor);

  /// Call after each linearisation of the energies.
  void linearised();
  /// H has this matrix, too, as it is when products are taken; null: none. It must outlive the products.
  void add(const StencilMatrix* matrix) { added_ = matrix; }
  /// Takes float32 products from `map`, which must be H as just linearised, until the next linearisation.
  /// This is cheaper for energies without products by rows, such as solid elements.
  void use(LinearMap& map) { map_ = by_rows_ ? nullptr : &map; }
  [[nodiscard]] Index rows() const override { return system_.vertex_count(); }
  void multiply(PaddedView32 d, PaddedSpan32 out) override;
  [[nodiscard]] bool has_rows() const override { return by_rows_; }
  void multiply_rows(PaddedView32 d, PaddedSpan32 out, Count begin, Count end) const override;
  /// ∇²E d is not computed again for the same d, such as the solution of a solve whose residual was computed.
  void multiply(VectorView d, VectorSpan out) override;

 private:
  void take_elastic_product(VectorView d);
  void scale_by_masses(PaddedView32 d, PaddedSpan32 out, Count begin, Count end) const;

  System& system_;
  double factor_;
  LinearMap* map_ = nullptr;
  const StencilMatrix* added_ = nullptr;
  bool by_rows_ = false;         ///< Whether every energy has products by rows.
  std::vector<float> masses32_;  ///< n, kg.
  VectorArray multiplied_;       ///< d of the last float64 product.
  VectorArray elastic_;          ///< ∇²E d.
};

}  // namespace electret
