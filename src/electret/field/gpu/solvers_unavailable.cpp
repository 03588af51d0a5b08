/// Replaces solvers and tests of devices in a build without OpenCL's headers, which has no device to choose.

#include <electret/core/errors.hpp>
#include <electret/field/gpu/self_test.hpp>
#include <electret/field/gpu/solvers.hpp>

namespace electret::gpu {
namespace {

constexpr const char* no_devices = "this build has no devices";

}  // namespace

bool is_first_use(std::string_view) {
  return false;
}

std::unique_ptr<FieldSolver> make_field_solver(std::string_view, const FieldOptions&, Threads&,
                                               std::string_view) {
  throw InternalError(no_devices);
}

std::vector<SelfTestRow> self_test(std::string_view) {
  throw InternalError(no_devices);
}

double pair_rate(std::string_view) {
  throw InternalError(no_devices);
}

void require_self_test(std::string_view) {
  throw InternalError(no_devices);
}

}  // namespace electret::gpu
