#include <field/solver_conformance.hpp>

namespace electret::test {

using direct::Arithmetic;
using direct::InstructionSet;

SolverCase direct_case(InstructionSet set, Arithmetic arithmetic) {
  SolverCase c;
  c.name = set == InstructionSet::portable ? "portable" : set == InstructionSet::avx2 ? "avx2" : "avx512";
  c.make = [=](const FieldOptions& options, Threads& threads) {
    return direct::make_direct_field_solver(options, threads, set, arithmetic);
  };
  c.solver_name = "direct";
  if (arithmetic == Arithmetic::float64) {
    c.name += "Float64";
    c.field_accuracy = 2e-14;
    return c;
  }
  const bool compensated = arithmetic == Arithmetic::float32_compensated;
  c.name += compensated ? "Float32Compensated" : "Float32";
  // The smallest accuracy `arithmetic_for` uses the arithmetic for; a fifth of it is kept as margin.
  c.field_accuracy = compensated ? 0.8 * 2e-6 : 0.8 * 2e-4;
  c.momentum = 1e-6;
  // The field carries 1e-7 of noise: a larger step, and what noise and truncation leave.
  c.difference_step = 2e-2;
  c.difference_accuracy = 2e-3;
  return c;
}

std::vector<SolverCase> solver_cases() {
  SolverCase reference;
  reference.name = reference.solver_name = "reference";
  reference.make = [](const FieldOptions& options, Threads&) { return make_reference_field_solver(options); };
  std::vector<SolverCase> cases = {reference};
  for (const auto set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512})
    if (direct::is_supported(set))
      for (const auto arithmetic :
           {Arithmetic::float64, Arithmetic::float32_compensated, Arithmetic::float32})
        cases.push_back(direct_case(set, arithmetic));
  return cases;
}

}  // namespace electret::test
