/// Replaces the devices in a build without OpenCL's headers.

#include <electret/core/errors.hpp>
#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

std::vector<Listed> devices() {
  return {};
}

std::string why_none() {
  return "this build has no OpenCL: it was made without the headers (Debian: opencl-c-headers), or with "
         "ELECTRET_OPENCL=OFF";
}

std::unique_ptr<Device> open_device(std::string_view name, bool) {
  device_facts(name);
  return nullptr;
}

Facts device_facts(std::string_view) {
  throw InputError(
      Finding{{}, "coulomb.device names a GPU, but " + why_none(), "allowed here: \"cpu\", \"auto\""});
}

}  // namespace electret::gpu
