#pragma once
/// \file
/// Parallel loops whose result does not depend on the number of threads.
///
/// \code
///   electret::Threads threads(2);
///   threads.for_chunks(n, 256, [&](Count begin, Count end) { ... writes only its own part ... });
///   double sum = threads.sum(n, [&](Count begin, Count end) { ... partial sum ... });
/// \endcode
///
/// Work is cut into chunks of a fixed size, whatever the number of threads. Partial sums are added as a
/// binary tree over the chunks (tree_sum.hpp). The loops themselves allocate nothing.

#include <memory>
#include <type_traits>
#include <vector>

#include <electret/core/tree_sum.hpp>
#include <electret/core/types.hpp>

namespace electret {

/// A team of threads (an arena; nothing is global). Not copyable; share it by reference. A team runs one loop
/// at a time: use it from one thread, and start no loop from within a loop's body.
class Threads {
 public:
  /// `count` threads; 0 means one for every core that this process may run on. Throws std::invalid_argument
  /// for a negative count.
  explicit Threads(int count = 0);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  [[nodiscard]] int count() const noexcept { return count_; }

  /// Calls body(begin, end) for every chunk [k·chunk, min(n, (k+1)·chunk)), in any order and concurrently. An
  /// exception that the body throws reaches the caller. Throws std::invalid_argument if `chunk` is below 1.
  template <class Body>
  void for_chunks(Count n, Count chunk, Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    run(
        n, chunk, [](void* context, Count begin, Count end) { (*static_cast<Plain*>(context))(begin, end); },
        const_cast<void*>(static_cast<const void*>(&body)));
  }

  /// Σ over chunks of partial(begin, end), added as a binary tree over the chunks (TreeSum). The result has
  /// the same bits for any number of threads. To get the same bits without a team, add the partial sums of
  /// the same chunks to a TreeSum, in the order of the chunks. Throws as for_chunks does.
  template <class Partial>
  double sum(Count n, Partial&& partial, Count chunk = default_chunk) {
    check_chunk(chunk);
    if (n <= chunk) return n > 0 ? partial(Count{0}, n) : 0.0;
    double* parts = scratch((n + chunk - 1) / chunk);
    for_chunks(n, chunk, [&](Count begin, Count end) { parts[begin / chunk] = partial(begin, end); });
    TreeSum total;
    for (Count k = 0; k * chunk < n; ++k) total.add(parts[k]);
    return total.total();
  }

  static constexpr Count default_chunk = 1024;

 private:
  using Function = void (*)(void*, Count, Count);
  void run(Count n, Count chunk, Function function, void* context);
  static void check_chunk(Count chunk);
  double* scratch(Count size);  ///< Grows and never shrinks: allocates only to grow.

  struct Arena;
  int count_;
  std::unique_ptr<Arena> arena_;
  std::vector<double> scratch_;
};

}  // namespace electret
