#pragma once
/// \file
/// What is probably meant where a scene is no TOML.

#include <string>
#include <string_view>

namespace electret {

/// What is allowed on `line`, in which the TOML reader found an error that it describes by `description`:
/// the likely remedy, else "allowed: TOML 1.0".
std::string syntax_hint(std::string_view line, std::string_view description);

}  // namespace electret
