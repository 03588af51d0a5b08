#pragma once
/// \file
/// NVIDIA's driver interface, loaded at run time from libcuda.so.1. Its header is not needed: the functions
/// that are called are declared here, with the types of NVIDIA's documentation.

#include <cstddef>
#include <cstdint>
#include <string>

namespace electret::ptx {

using Status = int;  ///< CUresult; 0 is success.
using DeviceNumber = int;
using Address = std::uint64_t;  ///< CUdeviceptr
using Context = struct ContextOfDriver*;
using Module = struct ModuleOfDriver*;
using Function = struct FunctionOfDriver*;
using Stream = struct StreamOfDriver*;
using Event = struct EventOfDriver*;

/// Every function that is called, by the name of its symbol and its type.
#define ELECTRET_CUDA_FUNCTIONS(X)                                                                        \
  X(cuInit, (unsigned flags))                                                                             \
  X(cuDeviceGetCount, (int* count))                                                                       \
  X(cuDeviceGet, (DeviceNumber * device, int ordinal))                                                    \
  X(cuDeviceGetName, (char* name, int size, DeviceNumber device))                                         \
  X(cuDevicePrimaryCtxRetain, (Context * context, DeviceNumber device))                                   \
  X(cuCtxSetCurrent, (Context context))                                                                   \
  X(cuStreamCreate, (Stream * stream, unsigned flags))                                                    \
  X(cuStreamDestroy_v2, (Stream stream))                                                                  \
  X(cuStreamSynchronize, (Stream stream))                                                                 \
  X(cuMemAlloc_v2, (Address * address, std::size_t bytes))                                                \
  X(cuMemFree_v2, (Address address))                                                                      \
  X(cuMemcpyHtoDAsync_v2, (Address to, const void* from, std::size_t bytes, Stream stream))               \
  X(cuMemcpyDtoHAsync_v2, (void* to, Address from, std::size_t bytes, Stream stream))                     \
  X(cuMemcpyDtoDAsync_v2, (Address to, Address from, std::size_t bytes, Stream stream))                   \
  X(cuMemsetD32Async, (Address to, unsigned word, std::size_t words, Stream stream))                      \
  X(cuModuleLoadDataEx, (Module * module, const void* text, unsigned options, int* names, void** values)) \
  X(cuModuleGetFunction, (Function * function, Module module, const char* name))                          \
  X(cuLaunchKernel, (Function function, unsigned groups, unsigned groups_y, unsigned groups_z,            \
                     unsigned lanes, unsigned lanes_y, unsigned lanes_z, unsigned local_bytes,            \
                     Stream stream, void** arguments, void** other))                                      \
  X(cuEventCreate, (Event * event, unsigned flags))                                                       \
  X(cuEventDestroy_v2, (Event event))                                                                     \
  X(cuEventRecord, (Event event, Stream stream))                                                          \
  X(cuEventElapsedTime, (float* milliseconds, Event from, Event to))                                      \
  X(cuGetErrorString, (Status status, const char** text))

/// The functions of libcuda.so.1.
struct Driver {
#define ELECTRET_CUDA_MEMBER(name, arguments) Status(*name) arguments = nullptr;
  ELECTRET_CUDA_FUNCTIONS(ELECTRET_CUDA_MEMBER)
#undef ELECTRET_CUDA_MEMBER
};

/// The functions, loaded once a process; null where there is no such library, or if it lacks one of them or
/// finds no GPU.
const Driver* driver();
/// Why `driver()` is null.
std::string why_no_driver();

/// Throws DeviceError unless `status` is 0. `what` says what was being done: "copying to the device".
void check(Status status, const char* what);

}  // namespace electret::ptx
