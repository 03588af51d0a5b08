/// Replaces the device's solver in a build without Qhull.

#include <electret/field/gpu/ddef/solver.hpp>

namespace electret::gpu {

std::unique_ptr<DdefFieldSolver> make_device_ddef_field_solver(const FieldOptions& options, Threads& threads,
                                                               std::unique_ptr<Device>) {
  return make_ddef_field_solver(options, threads);  // which refuses
}

}  // namespace electret::gpu
