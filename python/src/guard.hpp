#pragma once
/// \file
/// What holds at every entry into the library from Python: an object works for one thread and one process at
/// a time, and computes in the default floating-point environment, whatever the caller's is.

#include <cfenv>
#include <chrono>
#include <optional>
#include <thread>

#include <electret/core/parallel.hpp>

namespace electret::python {

/// The default floating-point environment while it lives; the caller's afterwards. Threads of an arena keep
/// the environment in which it was made, so constructors need it, too.
class DefaultFloats {
 public:
  DefaultFloats() : outer_(current_) {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
    current_ = this;
  }
  ~DefaultFloats() {
    current_ = outer_;
    std::fesetenv(&callers_);
  }
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;

 private:
  friend class CallersFloats;
  inline static thread_local DefaultFloats* current_ = nullptr;  ///< The innermost one of this thread.
  DefaultFloats* outer_;
  std::fenv_t callers_{};
};

/// The caller's floating-point environment while it lives, for the caller's functions. What they change of it
/// stays the caller's.
class CallersFloats {
 public:
  CallersFloats() : within_(DefaultFloats::current_) {
    if (within_ != nullptr) std::fesetenv(&within_->callers_);
  }
  ~CallersFloats() {
    if (within_ == nullptr) return;
    std::fegetenv(&within_->callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  CallersFloats(const CallersFloats&) = delete;
  CallersFloats& operator=(const CallersFloats&) = delete;

 private:
  DefaultFloats* within_;
};

/// An object with work buffers and threads of its own. Its fields are touched with the GIL held.
class Guarded {
 public:
  /// `kind`: "simulator", as messages call it.
  explicit Guarded(const char* kind);

  /// Throws std::runtime_error in a forked child.
  void check_process() const;
  /// The same, and while another call is under way that is not waiting for a callback of this thread.
  void check_readable() const;
  /// The same, and while a callback runs: nothing may be changed under the call that waits for it.
  void check_free() const;
  /// Whether it came into this process by a fork.
  [[nodiscard]] bool is_inherited() const { return process_ != forks(); }
  [[nodiscard]] bool is_free() const { return !busy_ && process_ == forks(); }

 private:
  friend class Entry;
  friend class ReadingEntry;
  friend class InCallback;
  const char* kind_;
  static int forks();
  int process_;  ///< How many forks lie between the import and its making.
  bool busy_ = false, in_callback_ = false;
  std::thread::id thread_;
};

/// A call that computes, under way while this lives. Construct and destroy with the GIL held.
class Entry {
 public:
  explicit Entry(Guarded& object);
  ~Entry();
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

 private:
  Guarded& object_;
  DefaultFloats floats_;
};

/// A call that computes and changes nothing, under way while this lives. In a callback it is part of the call
/// that waits there, so that callbacks may make it. Construct and destroy with the GIL held; in between the
/// GIL may be released, because other threads are turned away.
class ReadingEntry {
 public:
  explicit ReadingEntry(Guarded& object) {
    object.check_readable();
    if (!object.busy_) entry_.emplace(object);
  }

 private:
  DefaultFloats floats_;
  std::optional<Entry> entry_;
};

/// While it lives the call under way waits for a callback, in the caller's floating-point environment:
/// reading is allowed. With the GIL held.
class InCallback {
 public:
  explicit InCallback(Guarded& object) : object_(object) { object_.in_callback_ = true; }
  ~InCallback() { object_.in_callback_ = false; }
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;

 private:
  Guarded& object_;
  CallersFloats floats_;
};

/// Asks Python for signals between steps. Seldom, as each look waits for the GIL, which other threads hold.
class SignalLook {
 public:
  /// Without the GIL. Throws what the signal's handler raised (KeyboardInterrupt).
  void now_and_then();
  /// Whether it is time to look.
  bool is_due();

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// `threads` as asked for; 1 in a forked child, where a team's threads stayed behind in the parent.
int threads_here(int threads);

/// From now on a forked child knows that it is one.
void watch_forks();

}  // namespace electret::python
