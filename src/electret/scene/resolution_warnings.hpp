#pragma once
/// \file
/// Warnings about forces that float64 does not resolve beside others.

#include <string>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

struct ResolutionWarning {
  std::string key;  ///< "body.0.springs.0.stiffness".
  std::string what, advice;
};

/// Bodies whose springs are so stiff that the rounding of their forces hides the weight, once each. Explicit
/// methods have none.
std::vector<ResolutionWarning> resolution_warnings(const Assembly& assembly);

}  // namespace electret
