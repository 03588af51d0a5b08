#pragma once
/// \file
/// Work on a thread of its own, which hands over what it makes to the thread that asked for it.
///
/// \code
///   Job job([path](const Job::HandOver& hand_over) {
///     auto text = std::make_shared<std::string>(read(path));
///     hand_over([text] { show(*text); });
///   });
///   while (!job.attend(std::chrono::milliseconds(16))) look_at_other_things();
/// \endcode

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace electret::studio {

class Job {
 public:
  using Part = std::function<void()>;
  using HandOver = std::function<void(Part)>;

  /// `work` is called on the new thread. It heeds StopScope, and captures what it needs by value.
  explicit Job(std::function<void(const HandOver&)> work);
  /// Asks it to stop, and waits for that.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Nothing that is made from now on is handed over.
  void stop();
  [[nodiscard]] bool is_stopped() const { return stop_.stop_requested(); }
  /// Calls what was handed over, in its order; waits for it for up to `patience`. Whether the job has ended.
  /// Throws what it ended with: Cancelled if it was asked to stop before its last part was called.
  bool attend(std::chrono::milliseconds patience);

 private:
  void run(const std::function<void(const HandOver&)>& work);

  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Part> parts_;
  bool is_done_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace electret::studio
