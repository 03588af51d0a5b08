#pragma once
/// \file
/// A device behind NVIDIA's driver interface. Its programs are PTX texts that make_ptx.py has compiled
/// beforehand. It is for measurements: the solvers run on it as they do through OpenCL.

#include <memory>
#include <string>

#include <electret/field/gpu/device.hpp>

namespace electret::ptx {

/// What loading the programs took since the process began: the driver compiles PTX for its GPU.
struct LoadingTimes {
  Count programs = 0;
  double seconds = 0.0;  ///< The sum over all programs. Several threads may load at once.
};
LoadingTimes loading_times();

/// Opens the GPU that OpenCL calls `facts.name`. `folder` has the programs, NAME.cl beside NAME.ptx (see
/// kernel_texts.hpp for the names). `timed` is as for gpu::open_device. Throws DeviceError if there is no
/// driver or no such GPU.
std::unique_ptr<gpu::Device> open_device(const gpu::Facts& facts, const std::string& folder, bool timed);

}  // namespace electret::ptx
