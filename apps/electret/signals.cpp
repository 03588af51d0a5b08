#include "signals.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <unistd.h>

namespace electret::app {
namespace {

// A signal handler can reach nothing but globals.
std::array<int, 2> wake_pipe{-1, -1};
volatile std::sig_atomic_t received_signal = 0;

void on_signal(int signal) {
  received_signal = signal;
  std::signal(signal, SIG_DFL);  // a second one ends the program
  const int saved = errno;
  const char byte = 1;
  [[maybe_unused]] const auto written = write(wake_pipe[1], &byte, 1);
  errno = saved;
}

}  // namespace

SignalStop::SignalStop() {
  if (pipe(wake_pipe.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  received_signal = 0;
  watcher_ = std::thread([this] {
    char byte = 0;
    while (read(wake_pipe[0], &byte, 1) < 0 && errno == EINTR) {
    }
    if (byte == 1) source_.request_stop();
  });
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

SignalStop::~SignalStop() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  const char byte = 0;
  [[maybe_unused]] const auto written = write(wake_pipe[1], &byte, 1);
  watcher_.join();
  close(wake_pipe[0]);
  close(wake_pipe[1]);
}

int SignalStop::received() const {
  return received_signal;
}

}  // namespace electret::app
