#pragma once
/// \file
/// Stops work that is far below the function to which a stop token was given, and that would otherwise need
/// one more parameter at each level: the making of meshes, the search for neighbours.
///
/// \code
///   const electret::StopScope scope(control.stop);
///   Mesh mesh = make();  // Its loops call throw_if_stopped().
/// \endcode

#include <stop_token>

namespace electret {

/// While it lives, throw_if_stopped() heeds the token on this thread, and those of the scopes around it.
class StopScope {
 public:
  explicit StopScope(std::stop_token token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  friend void throw_if_stopped();
  std::stop_token token_;
  const StopScope* outer_;
};

/// Throws Cancelled if a stop was requested. Takes a few nanoseconds. Loops call it at least every few
/// milliseconds.
void throw_if_stopped();

}  // namespace electret
