#include <algorithm>
#include <stdexcept>
#include <thread>

#include <electret/core/arguments.hpp>
#include <electret/core/detail/usable_cores.hpp>
#include <electret/core/parallel.hpp>

#ifdef ELECTRET_HAS_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#else
#include <electret/core/detail/thread_team.hpp>
#endif

namespace electret {
namespace {

#ifdef ELECTRET_HAS_TBB
/// Up to this many chunks per thread, each chunk is handed out by itself.
constexpr Count few_a_thread = 32;
#endif

int resolved(int count) {
  if (count < 0) throw std::invalid_argument("the number of threads must be 0 (all) or more");
  if (count > 0) return count;
  return usable_cores();
}

}  // namespace

#ifdef ELECTRET_HAS_TBB

struct Threads::Arena {
  explicit Arena(int count)
      : limit(tbb::global_control::max_allowed_parallelism,
              std::max<std::size_t>(static_cast<std::size_t>(count), std::thread::hardware_concurrency())),
        arena(count) {}
  /// TBB runs no more threads than cores, and prints a warning on stderr, unless a global_control allows
  /// more. The smallest of all limits that are set applies, so a small team sets no limit below the machine's
  /// number of cores.
  tbb::global_control limit;
  tbb::task_arena arena;
};

void Threads::run(Count n, Count chunk, Function function, void* context) {
  check_chunk(chunk);
  const Count chunks = n > 0 ? (n + chunk - 1) / chunk : 0;
  const auto one = [=](Count k) { function(context, k * chunk, std::min(n, (k + 1) * chunk)); };
  if (count_ == 1 || chunks <= 1) {
    for (Count k = 0; k < chunks; ++k) one(k);
    return;
  }
  arena_->arena.execute([&] {
    // Few chunks are long chunks. TBB would hand them out several at a time and let threads wait at the end.
    if (chunks <= few_a_thread * count_)
      tbb::parallel_for(Count{0}, chunks, one, tbb::simple_partitioner{});
    else
      tbb::parallel_for(Count{0}, chunks, one);
  });
}

#else

struct Threads::Arena {
  explicit Arena(int count) : team(count - 1) {}
  ThreadTeam team;
};

void Threads::run(Count n, Count chunk, Function function, void* context) {
  check_chunk(chunk);
  arena_->team.run(n, chunk, function, context);
}

#endif

Threads::Threads(int count) : count_(resolved(count)), arena_(std::make_unique<Arena>(count_)) {}

Threads::~Threads() = default;

void Threads::check_chunk(Count chunk) {
  require_argument(chunk >= 1, "the chunks of a parallel loop have less than one index each");
}

double* Threads::scratch(Count size) {
  if (scratch_.size() < static_cast<std::size_t>(size)) scratch_.resize(static_cast<std::size_t>(size));
  return scratch_.data();
}

}  // namespace electret
