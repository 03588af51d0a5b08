#include "signals.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace electret::app {
namespace {

constexpr std::array<int, 3> caught{SIGINT, SIGTERM, SIGHUP};

// A signal handler can reach nothing but globals.
std::array<int, 2> wake_pipe{-1, -1};

/// Signal numbers are small; 0 ends the watcher.
void wake(int signal) {
  const int saved = errno;
  const auto byte = static_cast<unsigned char>(signal);
  [[maybe_unused]] const auto written = write(wake_pipe[1], &byte, 1);
  errno = saved;
}

int next_signal() {
  unsigned char byte = 0;
  while (read(wake_pipe[0], &byte, 1) < 0 && errno == EINTR) {
  }
  return byte;
}

void handle(int signal, void (*handler)(int)) {
  const auto before = std::signal(signal, handler);
  if (before == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

void let_writes_fail() {
  std::signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

SignalStop::SignalStop(std::function<void(int)> on_first, bool waits_for_more)
    : on_first_(std::move(on_first)), waits_for_more_(waits_for_more) {
  if (pipe(wake_pipe.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  watcher_ = std::thread([this] { watch(); });
  for (const int signal : caught) handle(signal, wake);
}

SignalStop::~SignalStop() {
  for (const int signal : caught) handle(signal, SIG_DFL);
  wake(0);
  watcher_.join();
  close(wake_pipe[0]);
  close(wake_pipe[1]);
}

void SignalStop::watch() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds same_request{500};
  Clock::time_point first;
  while (const int signal = next_signal()) {
    if (received_ == 0) {
      received_ = signal;
      first = Clock::now();
      if (on_first_) on_first_(signal);
      stop_.request_stop();
    } else if (Clock::now() - first > same_request) {
      if (!waits_for_more_) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
      }
      give_up_.request_stop();
    }
  }
}

}  // namespace electret::app
