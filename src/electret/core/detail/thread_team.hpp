#pragma once
/// \file
/// Parallel loops on plain threads. `Threads` uses them in builds without TBB.

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Threads that wait between loops. A loop wakes as many of them as it has chunks for, and allocates nothing.
class ThreadTeam {
 public:
  using Function = void (*)(void* context, Count begin, Count end);

  /// Starts `helpers` ≥ 0 threads in addition to the caller's. Throws std::system_error if the machine cannot
  /// start that many.
  explicit ThreadTeam(int helpers);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Calls function(context, begin, end) once for every chunk [k·chunk, min(n, (k+1)·chunk)), in any order,
  /// and returns when all are done. If a call throws, the chunks that have not begun are skipped, and the
  /// first exception is rethrown here. Throws std::logic_error if this team is already running a loop: loops
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
  std::atomic<Count> next_{0};  ///< The next chunk to run.
  Count vacancies_ = 0;         ///< How many more helpers the loop has work for.
  Count working_ = 0;           ///< Helpers that are running the loop.
  bool is_running_ = false, is_dismissed_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> helpers_;
};

}  // namespace electret
