#pragma once
/// \file
/// The controls that every long call takes: a progress callback, a notice callback and a stop token.

#include <functional>
#include <stop_token>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

struct Progress {
  Count done = 0;   ///< Steps (or other units) finished.
  Count total = 0;  ///< Steps (or other units) in all.
};

struct Control {
  std::function<void(const Progress&)>
      progress{};  ///< Called from time to time, on the caller's thread; may be empty.
  std::function<void(std::string_view)> notice{};  ///< Called once per message for the user; may be empty.
  std::stop_token stop{};  ///< Once a stop is requested, the call ends after the current step.
};

}  // namespace electret
