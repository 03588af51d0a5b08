#include <new>
#include <utility>

#include <sys/resource.h>

#include <electret/core/errors.hpp>
#include <electret/studio/session/page_job.hpp>

namespace electret::studio {
namespace {

/// Steps and pages come first. Threads that this one starts do as it does.
void be_modest() {
  constexpr int niceness = 10;
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, niceness));  // On Linux that of the thread alone.
}

}  // namespace

std::string reason_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Cancelled&) {
    return "it was stopped";
  } catch (const InputError& error) {
    return to_string(error.findings().front());
  } catch (const DivergenceError& error) {
    return error.cause() + "; " + error.advice();
  } catch (const std::bad_alloc&) {
    return "there is not enough memory for it";
  } catch (const std::exception& error) {
    return error.what();
  }
}

void PageJob::begin(int page, std::uint32_t number, Work work) {
  page_ = page;
  number_ = number;
  result_ = std::make_shared<Job::Part>();
  job_ = std::make_unique<Job>([work = std::move(work), result = result_](const Job::HandOver& hand_over) {
    be_modest();
    *result = work(hand_over);
  });
}

void PageJob::stop() {
  if (job_) job_->stop();
}

std::optional<PageJob::Ended> PageJob::attend(std::chrono::milliseconds patience) {
  if (!job_) return std::nullopt;
  Ended ended{page_, number_};
  try {
    if (!job_->attend(patience)) return std::nullopt;
  } catch (...) {
    ended.error = reason_of(std::current_exception());
  }
  job_.reset();
  const auto result = std::exchange(result_, nullptr);
  if (ended.error.empty()) (*result)();
  return ended;
}

}  // namespace electret::studio
