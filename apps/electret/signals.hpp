#pragma once
/// \file
/// Turns SIGINT, SIGTERM and SIGHUP into a stop request. Another signal, half a second later or after that,
/// becomes a request to give up.

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

namespace electret::app {

/// After this call, a write to a pipe or terminal whose reader is gone fails, as on a full disk, and does not
/// end the process. Neither does a write beyond a limit on files' lengths (`ulimit -f`).
void let_writes_fail();

/// While it lives, the first signal requests a stop through `token()`. Signals within half a second of it
/// count as the same request, because `timeout` sends two. A later one requests through `give_up()` not to
/// wait any longer. Only one object may live at a time. A signal that is ignored already stays ignored
/// (`nohup`, `trap '' INT`, a script's `&`).
///
/// A signal handler may do almost nothing, whereas a stop callback may do anything. The handler therefore
/// writes a byte to a pipe, and a thread that reads it makes the requests.
class SignalStop {
 public:
  /// `on_first` is called on that thread before the stop is requested. Without `waits_for_more`, a later
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
