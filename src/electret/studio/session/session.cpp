#include <utility>

#include <electret/studio/session/session.hpp>

namespace electret::studio {

Session::Session(const SessionOptions& options, Listener& listener) : machine_(options, listener) {
  machine_.begin();
  machine_.prepare_output();
}

Session::~Session() {
  try {
    stop();
  } catch (const std::exception&) {  // Who wants to know calls `stop`.
  }
}

void Session::start(std::function<void()> on_end) {
  on_end_ = std::move(on_end);
  thread_ = std::thread([this] { run(); });
}

bool Session::post(Posted posted) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= most_waiting) return false;
    waiting_.push_back(std::move(posted));
  }
  woken_.notify_one();
  return true;
}

void Session::set_pages(int pages) {
  {
    const std::lock_guard lock(mutex_);
    pages_ = pages;
  }
  woken_.notify_one();
}

void Session::leave(int page) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({page, 0.0, Leave{}});
  }
  woken_.notify_one();
}

void Session::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  woken_.notify_one();
  if (thread_.joinable()) thread_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

bool Session::hand_over(Machine::Time until) {
  std::deque<Posted> taken;
  int pages = 0;
  {
    std::unique_lock lock(mutex_);
    const int known = pages_;
    woken_.wait_until(lock, until, [&] { return stopping_ || !waiting_.empty() || pages_ != known; });
    if (stopping_) return false;
    std::swap(taken, waiting_);
    pages = pages_;
  }
  machine_.set_pages(pages);
  for (const Posted& posted : taken) {
    machine_.handle(posted);
    if (machine_.ended()) return false;
  }
  return true;
}

void Session::run() {
  try {
    while (hand_over(machine_.wake())) machine_.work();
  } catch (...) {
    failure_ = std::current_exception();
  }
  try {
    machine_.finish();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
  if (on_end_) on_end_();
}

}  // namespace electret::studio
