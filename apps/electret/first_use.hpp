#pragma once
/// \file
/// What the command says before a device computes for the first time.

#include <string>

namespace electret::app {

/// Says on stderr that kernels are compiled and the device is tested first, which takes seconds, if `device`
/// (a value of coulomb.device) names a device that has not computed yet.
void tell_of_first_use(const std::string& device);

}  // namespace electret::app
