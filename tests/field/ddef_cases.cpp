#include <field/solver_conformance.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/field/ddef/ddef.hpp>

namespace electret::test {
namespace {

SolverCase ddef_case(direct::Arithmetic arithmetic, bool half_taylor, const std::string& name) {
  SolverCase c;
  c.name = "ddef" + name;
  c.make = [=](const FieldOptions& options, Threads& threads) {
    FieldOptions asked = options;
    asked.ddef_half_taylor = half_taylor;
    return make_ddef_field_solver(asked, threads, instruction_set(), arithmetic);
  };
  c.solver_name = "ddef";
  constexpr double accuracy = 0.1;  // of the suite's irregular clouds; ddef promises none
  c.field_accuracy = accuracy;
  c.product_accuracy = accuracy;
  c.momentum = accuracy;
  c.hold = [](FieldSolver& solver) { dynamic_cast<DdefFieldSolver&>(solver).hold(true); };
  if (arithmetic == direct::Arithmetic::float64) return c;
  c.difference_step = 2e-2;
  c.difference_accuracy = 2e-3;
  return c;
}

}  // namespace

std::vector<SolverCase> ddef_cases() {
  if (!ddef_available()) return {};
  return {ddef_case(direct::Arithmetic::float64, false, "Float64"),
          ddef_case(direct::Arithmetic::float32, false, "Float32"),
          ddef_case(direct::Arithmetic::float64, true, "HalfTaylor")};
}

}  // namespace electret::test
