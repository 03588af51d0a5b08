#include <electret/field/solver.hpp>

namespace electret {

void FieldSolver::field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                                     VectorSpan product, ScalarSpan charge_gradient) {
  this->field(charges, field, potential);
  transposed_jacobian_product(charges, z, product);
  this->charge_gradient(charges, z, charge_gradient);
}

}  // namespace electret
