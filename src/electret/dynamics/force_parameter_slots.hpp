#pragma once
/// \file
/// Where derivatives with respect to forces' parameters are added: InputGradients or ParameterGradients.

#include <span>
#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// Serves one force at a time: call `of`, let the force add to the spans, then call `finish`. Allocates
/// nothing once it has seen every force.
class ForceParameterSlots {
 public:
  /// One span per parameter of `force`, whose index in the system is `k`. The spans are valid until `finish`.
  std::span<const ScalarSpan> of(const ExplicitForce& force, std::size_t k, InputGradients& inputs,
                                 ParameterGradients& parameters);
  /// Moves the derivatives with respect to external charges from flat arrays into the records of `inputs`.
  void finish(InputGradients& inputs);

 private:
  ScalarSpan slot(const ForceParameter& parameter, InputGradients& inputs, std::vector<double>& own);

  std::vector<ScalarSpan> spans_;
  std::vector<double> external_charges_, external_positions_;
};

}  // namespace electret
