#pragma once
/// \file
/// Where derivatives by forces' parameters are added: in InputGradients, or in ParameterGradients.

#include <span>
#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// One force at a time: `of`, then the force adds to the spans, then `finish`. Allocates nothing once it has
/// seen every force.
class ForceParameterSlots {
 public:
  /// One span per parameter of `force`, the system's number `k`; valid until `finish`.
  std::span<const ScalarSpan> of(const ExplicitForce& force, std::size_t k, InputGradients& inputs,
                                 ParameterGradients& parameters);
  /// Adds what went to the arrays of external charges, which InputGradients keep as records.
  void finish(InputGradients& inputs);

 private:
  ScalarSpan slot(const ForceParameter& parameter, InputGradients& inputs, std::vector<double>& own);

  std::vector<ScalarSpan> spans_;
  std::vector<double> external_charges_, external_positions_;
};

}  // namespace electret
