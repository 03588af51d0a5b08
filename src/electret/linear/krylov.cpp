#include <electret/linear/detail/padded_sums.hpp>
#include <electret/linear/krylov.hpp>

namespace electret {

double LinearMap::apply_dot(Threads& threads, PaddedView32 x, PaddedSpan32 y) {
  if (!has_rows()) {
    apply(x, y);
    return detail::dot(threads, x, y);
  }
  return threads.sum(
      static_cast<Count>(x.size()),
      [&](Count begin, Count end) {
        apply_rows(x, y, begin, end);
        return detail::dot_rows(x, y, begin, end);
      },
      detail::sum_chunk);
}

}  // namespace electret
