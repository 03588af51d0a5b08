#pragma once
/// \file
/// SIGINT, SIGTERM and SIGHUP become a stop request; one more, half a second later or after that, a request
/// to give up.

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

namespace electret::app {

/// A pipe or terminal whose reader is gone refuses what is written to it, as a full disk does, and ends
/// nothing.
void ignore_closed_pipes();

/// While it lives, the first signal requests a stop through `token()`. Signals within half a second of it are
/// the same request (`timeout` sends two); a later one requests, through `give_up()`, not to wait any longer.
/// One object at a time. A signal that is ignored already stays so (`nohup`, `trap '' INT`, a script's `&`).
/// SIGXFSZ is ignored, so that a full quota is an error of the write that met it.
///
/// A signal handler may do almost nothing, a stop callback may do anything: the handler writes a byte to a
/// pipe and a thread that reads it makes the requests.
class SignalStop {
 public:
  /// `on_first` is called, on that thread, before the stop is requested. Without `waits_for_more` a later
  /// signal ends the program at once.
  explicit SignalStop(std::function<void(int signal)> on_first = {}, bool waits_for_more = false);
  ~SignalStop();
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] std::stop_token give_up() const { return give_up_.get_token(); }
  /// The first signal that came, or 0.
  [[nodiscard]] int received() const { return received_; }

 private:
  void watch();

  std::function<void(int)> on_first_;
  bool waits_for_more_;
  std::atomic<int> received_ = 0;
  std::stop_source stop_, give_up_;
  std::thread watcher_;
};

}  // namespace electret::app
