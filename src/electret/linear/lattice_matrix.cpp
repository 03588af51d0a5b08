#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/lattice_rows.hpp>
#include <electret/linear/lattice_matrix.hpp>

namespace electret {
namespace {

/// As far as a neighbour reaches, a whole number of registers.
Count reach(const LatticeShape& shape) {
  return (shape.offset(13) + 15) / 16 * 16;
}

}  // namespace

LatticeVector::LatticeVector(const LatticeShape& shape)
    : front_(reach(shape)),
      stride_((shape.size() + front_ + detail::overrun + 15) / 16 * 16),
      values_(static_cast<std::size_t>(front_ + 3 * stride_)) {}

LatticeMatrix::LatticeMatrix(const LatticeShape& shape)
    : shape_(shape),
      front_(reach(shape)),
      stride_((shape.size() + front_ + detail::overrun + 15) / 16 * 16),
      values_(static_cast<std::size_t>(front_ + 9 * codes * stride_)) {}

void LatticeMatrix::set_zero(Threads& threads) {
  constexpr Count chunk = 1 << 14;
  threads.for_chunks(static_cast<Count>(values_.size()), chunk, [&](Count begin, Count end) {
    std::fill(values_.begin() + begin, values_.begin() + end, 0.0F);
  });
}

void LatticeMatrix::clear(Index number) {
  for (int code = 0; code < codes; ++code)
    for (int k = 0; k < 9; ++k) {
      entry(code, k)[number] = 0.0F;
      entry(code, k)[number - shape_.offset(code)] = 0.0F;
    }
}

void LatticeMatrix::multiply(Threads& threads, const LatticeVector& x, LatticeVector& y) const {
  require(&x != &y, "a lattice product in place");
  const auto kernel = detail::lattice_kernels().multiply;
  const detail::LatticeRows rows = detail::rows_of(*this);
  threads.for_chunks(shape_.size(), detail::lattice_chunk, [&](Count begin, Count end) {
    kernel(rows, begin, end, detail::input(x), detail::output(y));
  });
}

}  // namespace electret
