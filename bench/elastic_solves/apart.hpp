#pragma once
/// \file
/// Measurements in processes of their own: each has its own peak of memory, and may be given up.

#include <optional>
#include <type_traits>
#include <vector>

#include <sys/types.h>

namespace electret::bench {

/// What `bytes` of `write(buffer)` in a child process are; false where it fails or takes more than
/// `seconds` of processor time or ten times as many in all.
bool run_apart_bytes(void (*write)(void* context, void* buffer), void* context, void* buffer,
                     std::size_t bytes, unsigned seconds);

/// measure() in a child process; none where that fails or takes too long. The caller has started
/// no threads.
template <class Measure>
auto run_apart(Measure measure, unsigned seconds) {
  using Result = decltype(measure());
  static_assert(std::is_trivially_copyable_v<Result>);
  Result result{};
  const auto write = [](void* context, void* buffer) {
    *static_cast<Result*>(buffer) = (*static_cast<Measure*>(context))();
  };
  const bool ended = run_apart_bytes(write, &measure, &result, sizeof result, seconds);
  return ended ? std::optional<Result>(result) : std::nullopt;
}

/// Peak of this process's resident memory, MB.
double peak_megabytes();

/// Programs that do nothing but keep a core each busy, while this lives.
class BusyPrograms {
 public:
  explicit BusyPrograms(int count);
  ~BusyPrograms();
  BusyPrograms(const BusyPrograms&) = delete;
  BusyPrograms& operator=(const BusyPrograms&) = delete;

 private:
  std::vector<pid_t> children_;
};

}  // namespace electret::bench
