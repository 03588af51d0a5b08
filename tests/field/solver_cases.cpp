#include <algorithm>

#include <field/solver_conformance.hpp>

namespace electret::test {

using direct::Arithmetic;

SolverCase direct_case(InstructionSet set, Arithmetic arithmetic) {
  SolverCase c;
  c.name = name_of(set);
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
  c.field_accuracy = c.product_accuracy = compensated ? 0.8 * 2e-6 : 0.8 * 2e-4;
  c.momentum = 1e-6;
  // The field carries 1e-7 of noise: a larger step, and what noise and truncation leave.
  c.difference_step = 2e-2;
  c.difference_accuracy = 2e-3;
  return c;
}

SolverCase fmm_case(InstructionSet set, double accuracy, const std::string& name) {
  SolverCase c;
  c.name = "fmm" + name;
  c.make = [=](const FieldOptions& options, Threads& threads) {
    FieldOptions asked = options;
    asked.accuracy = accuracy;
    fmm::Plan plan = fmm::plan_for(accuracy);
    plan.leaf_size = 12;  // cells enough in clouds of a few hundred
    return fmm::make_fmm_field_solver(asked, threads, set, plan);
  };
  c.solver_name = "fmm";
  c.field_accuracy = accuracy;
  c.product_accuracy = accuracy;
  // Charges piled up at the corners of cells, with no near pairs to speak of: the order rule knows a mean
  // case. A field of zeros is off by 1 in most sets.
  c.degenerate_accuracy = std::min(50 * accuracy, 0.8);
  const bool float64 = fmm::plan_for(accuracy).float64;
  c.momentum = float64 ? 1e-13 : 1e-6;
  // Against differences of the field with the tree rebuilt: what the expansions leave out.
  c.difference_step = float64 ? 1e-5 : 2e-2;
  c.difference_accuracy = float64 ? 1e-6 : 10 * accuracy + 2e-3;
  return c;
}

std::vector<SolverCase> solver_cases() {
  SolverCase reference;
  reference.name = reference.solver_name = "reference";
  reference.make = [](const FieldOptions& options, Threads&) { return make_reference_field_solver(options); };
  std::vector<SolverCase> cases = {reference};
  for (const auto set : instruction_sets)
    if (is_supported(set))
      for (const auto arithmetic :
           {Arithmetic::float64, Arithmetic::float32_compensated, Arithmetic::float32})
        cases.push_back(direct_case(set, arithmetic));
  const InstructionSet used = instruction_set();
  cases.push_back(fmm_case(used, 1e-1, "1digit"));
  cases.push_back(fmm_case(used, 1e-3, "3digits"));
  cases.push_back(fmm_case(used, 1e-6, "6digits"));
  cases.push_back(fmm_case(used, 1e-9, "9digits"));
  if (is_supported(InstructionSet::avx2)) {
    cases.push_back(fmm_case(InstructionSet::avx2, 1e-6, "6digitsAvx2"));
    cases.push_back(fmm_case(InstructionSet::avx2, 1e-9, "9digitsAvx2"));
    cases.push_back(fmm_case(InstructionSet::avx2, 1e-2, "2digitsAvx2"));
  }
  cases.push_back(fmm_case(InstructionSet::portable, 1e-2, "2digitsPortable"));
  cases.push_back(fmm_case(InstructionSet::portable, 1e-6, "6digitsPortable"));
  cases.push_back(fmm_case(InstructionSet::portable, 1e-9, "9digitsPortable"));
  for (auto& ddef : ddef_cases()) cases.push_back(std::move(ddef));
  return cases;
}

}  // namespace electret::test
