#pragma once
/// \file
/// OpenCL 1.2, loaded at run time. Nothing is linked, so the same binary runs where no OpenCL exists.

#define CL_TARGET_OPENCL_VERSION 120
#include <string>

#include <CL/cl.h>

namespace electret::gpu {

/// Every function of OpenCL that is called.
#define ELECTRET_OPENCL_FUNCTIONS(X) \
  X(clGetPlatformIDs)                \
  X(clGetPlatformInfo)               \
  X(clGetDeviceIDs)                  \
  X(clGetDeviceInfo)                 \
  X(clCreateContext)                 \
  X(clCreateCommandQueue)            \
  X(clReleaseCommandQueue)           \
  X(clCreateBuffer)                  \
  X(clReleaseMemObject)              \
  X(clCreateProgramWithSource)       \
  X(clCreateProgramWithBinary)       \
  X(clBuildProgram)                  \
  X(clGetProgramInfo)                \
  X(clGetProgramBuildInfo)           \
  X(clReleaseProgram)                \
  X(clCreateKernel)                  \
  X(clReleaseKernel)                 \
  X(clGetKernelWorkGroupInfo)        \
  X(clSetKernelArg)                  \
  X(clEnqueueNDRangeKernel)          \
  X(clEnqueueReadBuffer)             \
  X(clEnqueueWriteBuffer)            \
  X(clEnqueueCopyBuffer)             \
  X(clEnqueueFillBuffer)             \
  X(clGetEventProfilingInfo)         \
  X(clReleaseEvent)                  \
  X(clFinish)

/// The functions of the loader `libOpenCL.so.1`.
struct OpenCl {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration's name has none.
#define ELECTRET_OPENCL_MEMBER(name) decltype(&::name) name = nullptr;
  ELECTRET_OPENCL_FUNCTIONS(ELECTRET_OPENCL_MEMBER)
#undef ELECTRET_OPENCL_MEMBER
};

/// The functions, loaded once a process; null if there is no loader or it lacks one of them. The
/// environment's ELECTRET_OPENCL_LIBRARY names another loader.
const OpenCl* opencl();
/// Why `opencl()` is null, with the remedy.
std::string why_no_opencl();

/// Throws OutOfDeviceMemory or DeviceError unless `code` is CL_SUCCESS. `what` says what was being done:
/// "copying to the device".
void check(cl_int code, const char* what);

}  // namespace electret::gpu
