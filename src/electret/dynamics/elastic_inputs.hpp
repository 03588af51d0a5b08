#pragma once
/// \file
/// The part of Inputs that elastic energies read (activations), and derivatives with respect to it.

#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// Sets the energies' activations to those of `inputs`. Call it before the energies are evaluated or
/// linearised at another time.
void set_elastic_inputs(System& system, const Inputs& inputs);

/// zᵀ∂∇E/∂θ of all energies, with respect to their parameters and the inputs that they read.
class ElasticProducts {
 public:
  /// `system` must outlive this.
  explicit ElasticProducts(System& system) : system_(system) {}

  /// Adds the products at `x` (n×3, m) with the inputs that were set last. Allocates nothing after the first
  /// call.
  void add(VectorView x, VectorView z, InputGradients& by_inputs, ParameterGradients& by_parameters);

 private:
  System& system_;
  std::vector<ScalarSpan> spans_;  ///< Of an energy's parameters.
};

}  // namespace electret
