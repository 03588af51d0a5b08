#pragma once
/// \file
/// What of Inputs the elastic energies read, activations, and derivatives by it.

#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// Makes the energies those of `inputs`. Whoever evaluates or linearises them at some time does this first.
void set_elastic_inputs(System& system, const Inputs& inputs);

/// zᵀ∂∇E/∂θ of all energies, by their parameters and by the inputs they read.
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
