#pragma once
/// \file
/// What every long call takes: a progress callback, a notice callback and a stop token.

#include <functional>
#include <stop_token>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

struct Progress {
  Count done = 0;   ///< Steps (or other units) finished.
  Count total = 0;  ///< Of how many.
};

struct Control {
  std::function<void(const Progress&)>
      progress;  ///< Called now and then, on the caller's thread; may be empty.
  std::function<void(std::string_view)>
      notice;            ///< Told once of each thing the user should know; may be empty.
  std::stop_token stop;  ///< When asked to stop, the call ends after the current step.
};

}  // namespace electret
