#include <algorithm>
#include <stdexcept>
#include <utility>

#include <electret/core/detail/thread_team.hpp>

namespace electret {

ThreadTeam::ThreadTeam(int helpers) {
  helpers_.reserve(static_cast<std::size_t>(helpers));
  try {
    for (int k = 0; k < helpers; ++k) helpers_.emplace_back([this] { wait_for_loops(); });
  } catch (...) {
    dismiss();
    throw;
  }
}

ThreadTeam::~ThreadTeam() {
  dismiss();
}

void ThreadTeam::dismiss() {
  {
    const std::scoped_lock lock(mutex_);
    is_dismissed_ = true;
  }
  loop_begins_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void ThreadTeam::wait_for_loops() {
  std::unique_lock lock(mutex_);
  while (true) {
    loop_begins_.wait(lock, [this] { return vacancies_ > 0 || is_dismissed_; });
    if (is_dismissed_) return;
    --vacancies_, ++working_;
    lock.unlock();
    do_chunks();
    lock.lock();
    if (--working_ == 0) helpers_are_done_.notify_one();
  }
}

void ThreadTeam::do_chunks() noexcept {
  try {
    for (Count k = next_++; k < loop_.chunks; k = next_++)
      loop_.function(loop_.context, k * loop_.chunk, std::min(loop_.n, (k + 1) * loop_.chunk));
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_ = loop_.chunks;
  }
}

void ThreadTeam::begin(const Loop& loop) {
  const std::scoped_lock lock(mutex_);
  if (is_running_) throw std::logic_error("a team of threads runs one loop at a time");
  is_running_ = true;
  loop_ = loop;
  next_ = 0;
  vacancies_ = std::min(static_cast<Count>(helpers_.size()), loop.chunks - 1);
  for (Count k = 0; k < vacancies_; ++k) loop_begins_.notify_one();
}

/// Called when no chunk is left to begin. A helper that has not woken up by now need not wake up at all.
std::exception_ptr ThreadTeam::end() {
  std::unique_lock lock(mutex_);
  vacancies_ = 0;
  helpers_are_done_.wait(lock, [this] { return working_ == 0; });
  is_running_ = false;
  return std::exchange(failure_, nullptr);
}

void ThreadTeam::run(Count n, Count chunk, Function function, void* context) {
  if (n <= 0) return;
  begin({n, chunk, (n + chunk - 1) / chunk, function, context});
  do_chunks();
  if (const std::exception_ptr failure = end()) std::rethrow_exception(failure);
}

}  // namespace electret
