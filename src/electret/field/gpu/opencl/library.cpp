#include <cstdlib>

#include <dlfcn.h>

#include <electret/field/gpu/device.hpp>
#include <electret/field/gpu/opencl/library.hpp>

namespace electret::gpu {
namespace {

struct Loaded {
  OpenCl functions;
  bool complete = false;
  std::string why;
};

std::string library_name() {
  const char* other = std::getenv("ELECTRET_OPENCL_LIBRARY");
  return other && *other ? other : "libOpenCL.so.1";
}

Loaded load() {
  Loaded loaded;
  const std::string name = library_name();
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    loaded.why = "no OpenCL on this machine: " + name +
                 " is not there; install the loader (Debian: ocl-icd-libopencl1) and the GPU's driver";
    return loaded;
  }
  loaded.complete = true;
#define ELECTRET_OPENCL_LOAD(function)                                                            \
  loaded.functions.function = reinterpret_cast<decltype(&::function)>(dlsym(library, #function)); \
  if (!loaded.functions.function && loaded.complete) {                                            \
    loaded.complete = false;                                                                      \
    loaded.why = name + " is no loader of OpenCL 1.2 or newer: it lacks " #function               \
                        "; install another one (Debian: ocl-icd-libopencl1)";                     \
  }
  ELECTRET_OPENCL_FUNCTIONS(ELECTRET_OPENCL_LOAD)
#undef ELECTRET_OPENCL_LOAD
  return loaded;
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

const char* name_of(cl_int code) {
  switch (code) {
    case CL_DEVICE_NOT_AVAILABLE:
      return "device not available";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
      return "no memory left for a buffer";
    case CL_OUT_OF_RESOURCES:
      return "out of resources";
    case CL_OUT_OF_HOST_MEMORY:
      return "no memory left on the host";
    case CL_INVALID_BUFFER_SIZE:
      return "a buffer larger than the device allows";
    case CL_INVALID_COMMAND_QUEUE:
      return "the queue was lost";
    case CL_INVALID_CONTEXT:
      return "the device was lost";
    default:
      return "failed";
  }
}

}  // namespace

const OpenCl* opencl() {
  return loaded().complete ? &loaded().functions : nullptr;
}

std::string why_no_opencl() {
  return loaded().why;
}

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  const std::string message = std::string("the device failed while ") + what + ": " + name_of(code) +
                              " (OpenCL " + std::to_string(code) + ")";
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE)
    throw OutOfDeviceMemory(message);
  throw DeviceError(message);
}

}  // namespace electret::gpu
