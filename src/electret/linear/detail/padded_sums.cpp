#include <electret/linear/detail/padded_sums.hpp>
#include <electret/linear/detail/vector_kernels.hpp>

namespace electret::detail {
namespace {

template <class View>
auto* row_at(View x, Count row) {
  return x[static_cast<std::size_t>(row)].lane;
}

}  // namespace

double dot_rows(PaddedView32 a, PaddedView32 b, Count begin, Count end) {
  return vector_kernels().dot(row_at(a, begin), row_at(b, begin), end - begin);
}

double dot(Threads& threads, PaddedView32 a, PaddedView32 b) {
  return threads.sum(
      static_cast<Count>(a.size()), [&](Count begin, Count end) { return dot_rows(a, b, begin, end); },
      sum_chunk);
}

void add_scaled(Threads& threads, double s, PaddedView32 x, PaddedSpan32 y) {
  const VectorKernels& kernels = vector_kernels();
  threads.for_chunks(static_cast<Count>(x.size()), sum_chunk, [&](Count begin, Count end) {
    kernels.add_scaled(static_cast<float>(s), row_at(x, begin), row_at(y, begin), end - begin);
  });
}

void scale_and_add(Threads& threads, double s, PaddedView32 x, PaddedSpan32 y) {
  const VectorKernels& kernels = vector_kernels();
  threads.for_chunks(static_cast<Count>(x.size()), sum_chunk, [&](Count begin, Count end) {
    kernels.scale_and_add(static_cast<float>(s), row_at(x, begin), row_at(y, begin), end - begin);
  });
}

double step(Threads& threads, double s, PaddedView32 p, PaddedView32 q, PaddedSpan32 x, PaddedSpan32 r) {
  const VectorKernels& kernels = vector_kernels();
  return threads.sum(
      static_cast<Count>(p.size()),
      [&](Count begin, Count end) {
        return kernels.step(static_cast<float>(s), row_at(p, begin), row_at(q, begin), row_at(x, begin),
                            row_at(r, begin), end - begin);
      },
      sum_chunk);
}

}  // namespace electret::detail
