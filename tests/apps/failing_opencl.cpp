/// \file
/// An OpenCL loader whose device fails: after ELECTRET_TEST_LAUNCHES launches of kernels, each further one
/// says that the device is out of resources. All other functions are those of the loader that it is linked
/// with.

#include <atomic>
#include <cstddef>
#include <cstdlib>

#include <dlfcn.h>

extern "C" {

using Launch = int (*)(void*, void*, unsigned, const std::size_t*, const std::size_t*, const std::size_t*,
                       unsigned, void* const*, void**);

/// clEnqueueNDRangeKernel, without the header of OpenCL.
__attribute__((visibility("default"))) int clEnqueueNDRangeKernel(
    void* queue, void* kernel, unsigned dimensions, const std::size_t* offset, const std::size_t* global,
    const std::size_t* local, unsigned events, void* const* wait, void** event) {
  constexpr int out_of_resources = -5;
  static const char* const most = std::getenv("ELECTRET_TEST_LAUNCHES");
  static std::atomic<long> launches = 0;
  if (most != nullptr && launches++ >= std::atol(most)) return out_of_resources;
  static const auto real = reinterpret_cast<Launch>(dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  return real(queue, kernel, dimensions, offset, global, local, events, wait, event);
}
}
