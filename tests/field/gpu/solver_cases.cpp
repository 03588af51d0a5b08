/// The rows of the conformance suite for solvers on a device.

#include <algorithm>

#include <field/gpu/device_for_tests.hpp>
#include <field/solver_conformance.hpp>

#include <electret/core/errors.hpp>
#include <electret/field/gpu/ddef/solver.hpp>
#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>

namespace electret::test {
namespace {

SolverCase device_direct_case(double accuracy, const std::string& name) {
  SolverCase c;
  c.name = "gpuDirect" + name;
  c.make = [=](const FieldOptions& options, Threads& threads) {
    FieldOptions asked = options;
    asked.accuracy = accuracy;
    return gpu::make_direct_field_solver(asked, threads, test_device());
  };
  c.solver_name = "direct";
  c.field_accuracy = c.product_accuracy = 0.8 * accuracy;  // a fifth is kept as margin
  c.adjoint_accuracy = std::max(c.product_accuracy, 60 * 4e-7);
  c.momentum = 1e-6;
  c.driver_allocates = true;
  // The field carries 1e-7 of noise: a larger step, and what noise and truncation leave.
  c.difference_step = 2e-2;
  c.difference_accuracy = 2e-3;
  return c;
}

/// As the CPU's rows, with small leaves.
SolverCase device_fmm_case(double accuracy, const std::string& name) {
  SolverCase c;
  c.name = "gpuFmm" + name;
  c.make = [=](const FieldOptions& options, Threads& threads) {
    FieldOptions asked = options;
    asked.accuracy = accuracy;
    fmm::Plan plan = fmm::plan_for(accuracy);
    plan.leaf_size = 12;
    return gpu::make_device_fmm_field_solver(asked, threads, test_device(), plan);
  };
  c.solver_name = "fmm";
  c.field_accuracy = c.product_accuracy = accuracy;
  c.degenerate_accuracy = std::min(50 * accuracy, 0.8);
  c.momentum = 1e-6;
  c.driver_allocates = true;
  c.difference_step = 2e-2;
  c.difference_accuracy = 10 * accuracy + 2e-3;
  return c;
}

SolverCase device_float64_case() {
  SolverCase c = device_direct_case(1e-12, "Float64");
  c.field_accuracy = 2e-14;
  c.product_accuracy = c.adjoint_accuracy = 1e-13;
  c.momentum = 1e-14;
  c.difference_step = 1e-5;
  c.difference_accuracy = 1e-6;
  return c;
}

SolverCase device_ddef_case(double accuracy, bool half_taylor, const std::string& name) {
  SolverCase c;
  c.name = "gpuDdef" + name;
  c.make = [=](const FieldOptions& options, Threads& threads) {
    FieldOptions asked = options;
    asked.accuracy = accuracy;
    asked.ddef_half_taylor = half_taylor;
    return gpu::make_device_ddef_field_solver(asked, threads, test_device());
  };
  c.solver_name = "ddef";
  constexpr double of_irregular_clouds = 0.1;  // ddef promises none
  c.field_accuracy = c.product_accuracy = c.momentum = of_irregular_clouds;
  c.adjoint_accuracy = c.product_accuracy;
  c.driver_allocates = true;
  c.hold = [](FieldSolver& solver) { dynamic_cast<DdefFieldSolver&>(solver).hold(true); };
  c.difference_step = 2e-2;
  c.difference_accuracy = 2e-3;
  return c;
}

}  // namespace

bool has_test_device() {
  try {
    gpu::device_facts(test_device_name());
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<SolverCase> solver_cases() {
  if (!has_test_device()) return {};
  std::vector<SolverCase> cases = {device_direct_case(2e-4, "Plain"), device_direct_case(2e-6, "Compensated"),
                                   device_fmm_case(1e-1, "1digit"), device_fmm_case(1e-3, "3digits"),
                                   device_fmm_case(1e-6, "6digits")};
  if (gpu::device_facts(test_device_name()).float64) cases.push_back(device_float64_case());
  if (ddef_available()) {
    cases.push_back(device_ddef_case(1e-3, false, "Plain"));
    cases.push_back(device_ddef_case(1e-6, true, "CompensatedHalfTaylor"));
  }
  return cases;
}

}  // namespace electret::test
