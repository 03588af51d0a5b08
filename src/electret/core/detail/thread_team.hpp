#pragma once
/// \file
/// Parallel loops on plain threads: what `Threads` runs on where there is no TBB.

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Threads that wait between loops: a loop wakes as many as it has work for, and allocates nothing.
class ThreadTeam {
 public:
  using Function = void (*)(void* context, Count begin, Count end);

  /// `helpers` ≥ 0 threads beside the caller's. Throws std::system_error where the machine has no more.
  explicit ThreadTeam(int helpers);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Calls function(context, begin, end) for every chunk [k·chunk, min(n, (k+1)·chunk)), each once, in any
  /// order; returns when all are done. The first exception thrown is thrown again here, and keeps chunks that
  /// were not begun from running. Throws std::logic_error when a loop of this team runs already: loops
  /// neither nest nor come from two threads.
  void run(Count n, Count chunk, Function function, void* context);

 private:
  struct Loop {
    Count n = 0, chunk = 1, chunks = 0;
    Function function = nullptr;
    void* context = nullptr;
  };

  void wait_for_loops();
  void do_chunks() noexcept;
  void begin(const Loop& loop);
  std::exception_ptr end();
  void dismiss();

  std::mutex mutex_;
  std::condition_variable loop_begins_, helpers_are_done_;
  Loop loop_;
  std::atomic<Count> next_{0};  ///< The chunk to be done next.
  Count vacancies_ = 0;         ///< Helpers the loop still has work for.
  Count working_ = 0;           ///< Helpers in the loop.
  bool is_running_ = false, is_dismissed_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> helpers_;
};

}  // namespace electret
