#pragma once
/// \file
/// What Python's callbacks and signals raise while a call of the library is under way.

#include <memory>
#include <stop_token>
#include <utility>

#include <pybind11/pybind11.h>

#include "gil.hpp"
#include "guard.hpp"

namespace electret::python {

/// Keeps what a callback or a signal's handler raised, and asks the call to stop, so that it ends in order
/// first. Without the GIL unless a function says otherwise.
class Raised {
 public:
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }

  /// With the GIL: calls and keeps what it raises, unless something was raised before.
  template <class Call>
  void catching(Call&& call) {
    if (!error_) even_so(std::forward<Call>(call));
  }
  /// With the GIL: calls even if something was raised before, which remains what is raised.
  template <class Call>
  void even_so(Call&& call) {
    const CallersFloats floats;
    try {
      call();
    } catch (pybind11::error_already_set& error) {
      if (error_) return;
      error_ = std::make_unique<pybind11::error_already_set>(std::move(error));
      stop_.request_stop();
    }
  }
  /// Looks for signals if it is time to.
  void look_for_signals() {
    if (!look_.is_due()) return;
    const HeldGil gil;
    catching([] { check_signals(); });
  }
  /// With the GIL: throws what a signal's handler raises.
  static void check_signals() {
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
  }
  /// With the GIL: throws what was kept, if anything was.
  void rethrow() {
    if (!error_) return;
    const auto error = std::move(error_);
    throw pybind11::error_already_set(*error);
  }

 private:
  std::stop_source stop_;
  SignalLook look_;
  std::unique_ptr<pybind11::error_already_set> error_;
};

}  // namespace electret::python
