#pragma once
/// \file
/// Python's global interpreter lock (GIL), taken and left by threads that may outlive the interpreter.
///
/// If the interpreter is ending, Python ends a thread that asks for the GIL, by unwinding its stack.
/// Destructors and the library's frames do not survive that: the process would abort. Such a thread sleeps
/// instead until the process is gone, as Python's own threads do from version 3.14 on.

#include <Python.h>
#include <cxxabi.h>
#include <unistd.h>

namespace electret::python {

/// Calls `take`, which takes the GIL.
template <class Take>
void take_or_sleep(const Take& take) {
#ifdef __GLIBCXX__
  try {
    take();
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  take();
#endif
}

/// The GIL is released while this lives. Construct with the GIL held.
class ReleasedGil {
 public:
  ReleasedGil() : state_(PyEval_SaveThread()) {}
  ~ReleasedGil() {
    take_or_sleep([this] { PyEval_RestoreThread(state_); });
  }
  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;

 private:
  PyThreadState* state_;
};

/// The GIL is held while this lives, whether the thread had it before or not.
class HeldGil {
 public:
  HeldGil() {
    take_or_sleep([this] { state_ = PyGILState_Ensure(); });
  }
  ~HeldGil() { PyGILState_Release(state_); }
  HeldGil(const HeldGil&) = delete;
  HeldGil& operator=(const HeldGil&) = delete;

 private:
  PyGILState_STATE state_ = PyGILState_UNLOCKED;
};

}  // namespace electret::python
