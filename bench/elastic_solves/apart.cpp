#include "elastic_solves/apart.hpp"

#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace electret::bench {

bool run_apart_bytes(void (*write)(void* context, void* buffer), void* context, void* buffer,
                     std::size_t bytes, unsigned seconds) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit most{seconds, seconds};
    ::setrlimit(RLIMIT_CPU, &most);
    ::alarm(10 * seconds);
    try {
      write(context, buffer);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench_elastic_solves: %s\n", error.what());
      ::_exit(1);
    }
    const bool written = ::write(ends[1], buffer, bytes) == static_cast<ssize_t>(bytes);
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  const bool whole = child > 0 && ::read(ends[0], buffer, bytes) == static_cast<ssize_t>(bytes);
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return whole;
}

double peak_megabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

BusyPrograms::BusyPrograms(int count) {
  for (int k = 0; k < count; ++k) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      volatile double x = 1.0;
      while (true) x = std::sqrt(x + 1.0);
    }
    if (child > 0) children_.push_back(child);
  }
}

BusyPrograms::~BusyPrograms() {
  for (const pid_t child : children_) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
}

}  // namespace electret::bench
