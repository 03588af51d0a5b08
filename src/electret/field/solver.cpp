#include <electret/field/solver.hpp>

namespace electret {

void FieldSolver::products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) {
  transposed_jacobian_product(charges, z, product);
  this->charge_gradient(charges, z, charge_gradient);
}

void FieldSolver::field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                                     VectorSpan product, ScalarSpan charge_gradient) {
  this->field(charges, field, potential);
  products(charges, z, product, charge_gradient);
}

}  // namespace electret
