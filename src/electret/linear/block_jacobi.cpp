#include <algorithm>
#include <atomic>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/detail/block_kernels.hpp>

namespace electret {
namespace {

constexpr Count chunk = 512;

/// The inverse of a symmetric 3×3 block by its cofactors; false unless its three leading minors are positive.
bool invert(const float* block, float* inverse) {
  const double a = block[0], b = 0.5 * (double{block[1]} + block[3]), c = 0.5 * (double{block[2]} + block[6]);
  const double d = block[4], e = 0.5 * (double{block[5]} + block[7]), f = block[8];
  const double aa = d * f - e * e, ab = c * e - b * f, ac = b * e - c * d;
  const double minor = a * d - b * b, determinant = a * aa + b * ab + c * ac;
  // A block singular to float32's precision counts as not definite.
  constexpr double least = 1e-12;
  if (!(a > 0.0 && minor > least * a * d && determinant > least * a * d * f)) return false;
  const double s = 1.0 / determinant;
  const double bc = b * c - a * e;
  const double entries[9] = {aa, ab, ac, ab, a * f - c * c, bc, ac, bc, minor};
  for (int k = 0; k < 9; ++k) inverse[k] = static_cast<float>(s * entries[k]);
  return true;
}

}  // namespace

template <class Block>
bool BlockJacobi::invert_rows(std::size_t n, std::span<const char> held, Block&& block) {
  require(held.empty() || held.size() == n, "block-Jacobi: a mark a row");
  inverses_.resize(9 * n + padding);
  std::atomic<bool> definite{true};
  const auto invert_row = [&](std::size_t row) {
    float* inverse = inverses_.data() + 9 * row;
    if (!held.empty() && held[row])
      std::fill(inverse, inverse + 9, 0.0F);
    else if (!invert(block(row), inverse))
      definite = false;
  };
  for_vertices(threads_, n, invert_row, chunk);
  return definite;
}

bool BlockJacobi::refresh(const BlockMatrix& matrix, std::span<const char> held) {
  const BlockPattern& pattern = matrix.pattern();
  return invert_rows(static_cast<std::size_t>(pattern.rows()), held,
                     [&](std::size_t row) { return matrix.block(pattern.diagonal()[row]); });
}

bool BlockJacobi::refresh(std::span<const float> blocks, std::span<const char> held) {
  return invert_rows(blocks.size() / 9, held, [&](std::size_t row) { return blocks.data() + 9 * row; });
}

void BlockJacobi::apply(PaddedView32 r, PaddedSpan32 z) {
  const auto n = inverses().size() / 9;
  require(r.size() == n && z.size() == n, "block-Jacobi: the arrays do not have the matrix's size");
  threads_.for_chunks(static_cast<Count>(n), chunk,
                      [&](Count begin, Count end) { apply_rows(r, z, begin, end); });
}

void BlockJacobi::apply_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const {
  detail::block_kernels().scale(inverses_.data(), 1.0F, begin, end, r.front().lane, z.front().lane);
}

}  // namespace electret
