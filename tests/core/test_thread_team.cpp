#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <support/allocation_counter.hpp>

#include <electret/core/detail/thread_team.hpp>

namespace electret {
namespace {

template <class Body>
void run(ThreadTeam& team, Count n, Count chunk, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  team.run(
      n, chunk, [](void* context, Count begin, Count end) { (*static_cast<Plain*>(context))(begin, end); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

/// A body in which `threads` threads meet: it returns when so many are in it.
class Meeting {
 public:
  explicit Meeting(int threads) : missing_(threads) {}
  void operator()(Count, Count) {
    --missing_;
    while (missing_ > 0) std::this_thread::yield();
    const std::scoped_lock lock(mutex_);
    present_.insert(std::this_thread::get_id());
  }
  [[nodiscard]] const std::set<std::thread::id>& present() const { return present_; }

 private:
  std::atomic<int> missing_;
  std::mutex mutex_;
  std::set<std::thread::id> present_;
};

TEST(ThreadTeam, ManyLoopsVisitEachChunkOnce) {
  for (const int helpers : {0, 1, 6}) {
    ThreadTeam team(helpers);
    for (Count n = 0; n < 400; ++n) {
      std::vector<int> visits(static_cast<std::size_t>(n), 0);
      run(team, n, 3, [&](Count begin, Count end) {
        EXPECT_EQ(begin % 3, 0);
        EXPECT_EQ(end, std::min(n, begin + 3));
        for (Count i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), n);
    }
  }
}

TEST(ThreadTeam, LoopsShareTheSameThreads) {
  constexpr int threads = 4;
  ThreadTeam team(threads - 1);
  std::set<std::thread::id> all;
  for (int loop = 0; loop < 20; ++loop) {
    Meeting meeting(threads);
    run(team, threads, 1, meeting);
    EXPECT_TRUE(meeting.present().contains(std::this_thread::get_id()));
    all.insert(meeting.present().begin(), meeting.present().end());
  }
  EXPECT_EQ(all.size(), std::size_t{threads});
}

TEST(ThreadTeam, ALoopAllocatesNothing) {
  ThreadTeam team(2);
  std::atomic<Count> sum = 0;
  const auto add = [&](Count begin, Count end) { sum += end - begin; };
  run(team, 1000, 10, add);
  const test::AllocationCounter counter;
  for (int loop = 0; loop < 50; ++loop) run(team, 1000, 10, add);
  if (test::AllocationCounter::works()) {
    EXPECT_EQ(counter.count(), 0);
  }
  EXPECT_EQ(sum, 51000);
}

TEST(ThreadTeam, ExceptionsOfAnyThreadReachTheCallerAndTheTeamGoesOn) {
  ThreadTeam team(3);
  for (int loop = 0; loop < 50; ++loop) {
    const std::thread::id caller = std::this_thread::get_id();
    Meeting meeting(4);
    EXPECT_THROW(run(team, 4, 1,
                     [&](Count begin, Count end) {
                       meeting(begin, end);
                       if (std::this_thread::get_id() != caller) throw std::runtime_error("x");
                     }),
                 std::runtime_error);
    std::atomic<Count> visited = 0;
    EXPECT_NO_THROW(run(team, 100, 1, [&](Count begin, Count end) { visited += end - begin; }));
    EXPECT_EQ(visited, 100);
  }
}

TEST(ThreadTeam, AnExceptionKeepsChunksThatWereNotBegunFromRunning) {
  ThreadTeam team(0);
  Count last = -1;
  EXPECT_THROW(run(team, 100, 1,
                   [&](Count begin, Count) {
                     last = begin;
                     if (begin == 7) throw std::runtime_error("x");
                   }),
               std::runtime_error);
  EXPECT_EQ(last, 7);
}

TEST(ThreadTeam, RefusesALoopWithinALoop) {
  ThreadTeam team(1);
  EXPECT_THROW(run(team, 2, 1, [&](Count, Count) { run(team, 2, 1, [](Count, Count) {}); }),
               std::logic_error);
}

}  // namespace
}  // namespace electret
