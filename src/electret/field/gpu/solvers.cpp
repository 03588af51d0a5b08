#include <utility>

#include <electret/core/errors.hpp>
#include <electret/field/crossover.hpp>
#include <electret/field/gpu/ddef/solver.hpp>
#include <electret/field/gpu/device.hpp>
#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>
#include <electret/field/gpu/self_test.hpp>
#include <electret/field/gpu/solvers.hpp>
#include <electret/field/gpu/verdicts.hpp>

namespace electret::gpu {

bool is_first_use(std::string_view device) {
  try {
    return !was_passed(verdict_key(device_facts(device)));
  } catch (const InputError&) {
    return false;
  }
}

std::unique_ptr<FieldSolver> make_field_solver(std::string_view solver, const FieldOptions& options,
                                               Threads& threads, std::string_view device) {
  require_self_test(device);
  FieldOptions asked = options;
  if (options.solver == "auto") asked.accuracy = options.accuracy.value_or(default_field_accuracy);
  std::unique_ptr<Device> opened = open_device(device);
  if (solver == "direct") return make_direct_field_solver(asked, threads, std::move(opened));
  if (solver == "fmm") return make_device_fmm_field_solver(asked, threads, std::move(opened));
  require(solver == "ddef", "make_field_solver: a solver that no device has");
  return make_device_ddef_field_solver(asked, threads, std::move(opened));
}

}  // namespace electret::gpu
