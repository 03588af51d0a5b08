# The field on a GPU. OpenCL is loaded at run time: the build needs its headers alone, and without them devices are
# left out. Appends to `sources`.
set(ELECTRET_OPENCL AUTO CACHE STRING "The field on a GPU by OpenCL: ON, OFF, or AUTO (where CL/cl.h is found)")
find_path(ELECTRET_OPENCL_HEADERS CL/cl.h)
mark_as_advanced(ELECTRET_OPENCL_HEADERS)
if(ELECTRET_OPENCL STREQUAL "ON" AND NOT ELECTRET_OPENCL_HEADERS)
  message(FATAL_ERROR "ELECTRET_OPENCL is ON, but CL/cl.h is missing (apt-get install opencl-c-headers)")
endif()

list(APPEND sources gpu/crossover.cpp gpu/limits.cpp gpu/placement.cpp)
if(ELECTRET_OPENCL_HEADERS AND NOT ELECTRET_OPENCL STREQUAL "OFF")
  set(ELECTRET_HAS_OPENCL TRUE)
  list(APPEND sources gpu/cache_files.cpp gpu/close_pairs.cpp gpu/kernel_texts.cpp gpu/rows.cpp gpu/self_test.cpp
    gpu/solvers.cpp gpu/verdicts.cpp
    gpu/direct/direct.cpp gpu/direct/products.cpp gpu/direct/sums.cpp
    gpu/fmm/device_crowds.cpp gpu/fmm/device_interactions.cpp gpu/fmm/device_sort.cpp gpu/fmm/device_tree.cpp
    gpu/fmm/device_walk.cpp gpu/fmm/evaluation.cpp gpu/fmm/far_passes.cpp gpu/fmm/fmm.cpp gpu/fmm/host_lists.cpp
    gpu/fmm/host_tree.cpp gpu/fmm/m2l_text.cpp gpu/fmm/near_pass.cpp gpu/fmm/products.cpp gpu/fmm/series_tables.cpp
    gpu/fmm/taylor_passes.cpp gpu/fmm/taylor_tables.cpp
    gpu/opencl/binary_cache.cpp gpu/opencl/device.cpp gpu/opencl/library.cpp gpu/opencl/platform.cpp
    gpu/opencl/program.cpp ${CMAKE_CURRENT_BINARY_DIR}/gpu_kernels.cpp)
  if(TARGET Qhull::qhull_r)
    list(APPEND sources gpu/ddef/solver.cpp gpu/ddef/sums.cpp gpu/ddef/tables.cpp)
  else()
    list(APPEND sources gpu/ddef/unavailable.cpp)
  endif()
  # Each text becomes one string of the binary. A change of a text configures anew.
  file(GLOB texts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/gpu/kernels/*.cl ${CMAKE_CURRENT_SOURCE_DIR}/gpu/kernels/*.h)
  set(rows "")
  foreach(text ${texts})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${text})
    get_filename_component(name ${text} NAME)
    file(READ ${text} content)
    string(APPEND rows "    {\"${name}\", R\"electret(${content})electret\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT gpu_kernels.cpp CONTENT [[
#include <iterator>

#include <electret/field/gpu/kernel_texts.hpp>

namespace electret::gpu {
namespace {

constexpr EmbeddedText texts[] = {
@rows@};

}  // namespace

const EmbeddedText* embedded_texts_begin() {
  return std::begin(texts);
}
const EmbeddedText* embedded_texts_end() {
  return std::end(texts);
}

}  // namespace electret::gpu
]] @ONLY)
else()
  set(ELECTRET_HAS_OPENCL FALSE)
  message(STATUS "OpenCL's headers are missing or not wanted (apt-get install opencl-c-headers): no field on a GPU")
  list(APPEND sources gpu/solvers_unavailable.cpp gpu/unavailable.cpp)
endif()
