#pragma once
/// \file
/// The product's version, as written into its files.

#include <string>

namespace electret {

/// "0.1.0".
std::string version();

}  // namespace electret
