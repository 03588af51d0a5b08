#pragma once
/// \file
/// SIGINT and SIGTERM become a stop request; a second one ends the program at once.

#include <stop_token>
#include <thread>

namespace electret::app {

/// While it lives, SIGINT and SIGTERM request a stop through `token()`. One at a time. SIGXFSZ is ignored, so
/// that a full quota is an error of the write that met it.
///
/// A signal handler may do almost nothing, a stop callback may do anything: the handler writes a byte to a
/// pipe and a thread that reads it requests the stop.
class SignalStop {
 public:
  SignalStop();
  ~SignalStop();
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  /// The signal that came, or 0.
  [[nodiscard]] int received() const;

 private:
  std::stop_source source_;
  std::thread watcher_;
};

}  // namespace electret::app
