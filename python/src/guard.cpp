#include "guard.hpp"

#include <stdexcept>
#include <string>

#include <pthread.h>
#include <pybind11/pybind11.h>

#include "gil.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

constexpr std::chrono::milliseconds look_interval{50};

/// Forks since the import that led to this process. Asked at every call: the process's number costs a system
/// call.
int fork_count = 0;

}  // namespace

int Guarded::forks() {
  return fork_count;
}

Guarded::Guarded(const char* kind) : kind_(kind), process_(fork_count) {}

void Guarded::check_process() const {
  if (fork_count == process_) return;
  throw std::runtime_error(
      std::string("this ") + kind_ +
      " was made before the process forked, and its threads and files belong to the parent process; make "
      "a new one here, or start processes by \"spawn\"");
}

void Guarded::check_readable() const {
  check_process();
  if (busy_ && !(in_callback_ && thread_ == std::this_thread::get_id()))
    throw std::runtime_error(std::string("this ") + kind_ +
                             " is in use by another call; give each thread one of its own");
}

void Guarded::check_free() const {
  check_readable();
  if (busy_)
    throw std::runtime_error(std::string("this ") + kind_ +
                             " is waiting for this callback, which may read it but not change or step it");
}

Entry::Entry(Guarded& object) : object_(object) {
  object.check_free();
  object.busy_ = true;
  object.thread_ = std::this_thread::get_id();
}

Entry::~Entry() {
  object_.busy_ = false;
}

bool SignalLook::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < look_interval) return false;
  last_ = now;
  return true;
}

void SignalLook::now_and_then() {
  if (!is_due()) return;
  const HeldGil gil;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

int threads_here(int threads) {
  return fork_count == 0 ? threads : 1;
}

void watch_forks() {
  pthread_atfork(nullptr, nullptr, [] { ++fork_count; });
}

}  // namespace electret::python
