#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/stop_scope.hpp>
#include <electret/studio/session/job.hpp>

namespace electret::studio {

Job::Job(std::function<void(const HandOver&)> work)
    : thread_([this, work = std::move(work)] { run(work); }) {}

Job::~Job() {
  stop();
  thread_.join();
}

void Job::stop() {
  stop_.request_stop();
}

void Job::run(const std::function<void(const HandOver&)>& work) {
  const auto hand_over = [this](Part part) {
    throw_if_stopped();
    {
      const std::lock_guard lock(mutex_);
      parts_.push_back(std::move(part));
    }
    changed_.notify_one();
  };
  std::exception_ptr failure;
  try {
    const StopScope scope(stop_.get_token());
    work(hand_over);
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    is_done_ = true;
  }
  changed_.notify_one();
}

bool Job::attend(std::chrono::milliseconds patience) {
  std::vector<Part> parts;
  bool is_done = false;
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [this] { return is_done_ || !parts_.empty(); });
    std::swap(parts, parts_);
    is_done = is_done_;
  }
  if (is_stopped()) {
    if (is_done) throw Cancelled();
    return false;
  }
  for (const Part& part : parts) part();
  if (!is_done) return false;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return true;
}

}  // namespace electret::studio
