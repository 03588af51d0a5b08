#pragma once
/// \file
/// Work that a page asks for and that goes on beside the session: one at a time of a kind.

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <electret/studio/session/job.hpp>

namespace electret::studio {

/// What to tell a user of what was thrown.
[[nodiscard]] std::string reason_of(const std::exception_ptr& thrown);

class PageJob {
 public:
  /// Begins; nothing may be going on. `work` is as that of Job, and returns what is to be done with its
  /// result once it has ended. It gives way to the steps of the session.
  using Work = std::function<Job::Part(const Job::HandOver&)>;
  void begin(int page, std::uint32_t number, Work work);
  [[nodiscard]] bool is_going() const { return job_ != nullptr; }
  [[nodiscard]] int page() const { return page_; }
  /// Asks it to end; `attend` tells when it has.
  void stop();

  struct Ended {
    int page = 0;
    std::uint32_t number = 0;
    std::string error{};  ///< Why it has not come to its end.
  };
  /// Calls what it hands over, for which it waits for up to `patience`, and at its end what it returned. How
  /// it ended, once.
  std::optional<Ended> attend(std::chrono::milliseconds patience = {});

 private:
  int page_ = 0;
  std::uint32_t number_ = 0;
  std::shared_ptr<Job::Part> result_;
  std::unique_ptr<Job> job_;
};

}  // namespace electret::studio
