#pragma once
/// \file
/// Work that a page asks for and that goes on beside the session: one at a time of a kind.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <electret/studio/session/job.hpp>

namespace electret::studio {

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
  /// Calls what it hands over, and at its end what it returned. How it ended, once.
  std::optional<Ended> attend();

 private:
  int page_ = 0;
  std::uint32_t number_ = 0;
  std::shared_ptr<Job::Part> result_;
  std::unique_ptr<Job> job_;
};

}  // namespace electret::studio
