#include <limits>

#include <electret/core/errors.hpp>
#include <electret/elastic/detail/spring_linearisation.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret::detail {
namespace {

/// a I + w wᵀ times a factor; the same column by column as row by row.
void spring_block(float factor, const Padded32& of, float* block) {
  const float* w = of.lane;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      block[3 * column + row] = factor * (w[row] * w[column] + (row == column ? w[3] : 0.0F));
}

}  // namespace

SpringLinearisation::SpringLinearisation(const ElementBlock& springs, ScalarView stiffness,
                                         ScalarView rest_length, Threads& threads, bool parallel)
    : springs_(springs),
      stiffness_(stiffness),
      rest_length_(rest_length),
      threads_(threads),
      parallel_(parallel) {}

template <class Body>
void SpringLinearisation::for_chunks(Count n, Body&& body) {
  if (parallel_)
    threads_.for_chunks(n, chunk, body);
  else if (n > 0)
    body(Count{0}, n);
}

const SpringSide* SpringLinearisation::sides() {
  const std::span<const Index> ends = springs_.connectivity();
  if (sides_.size() != ends.size()) {
    sides_.reserve(ends.size());
    for (const Index slot : springs_.incidence().slots)
      sides_.push_back({ends[static_cast<std::size_t>(slot ^ 1)], slot / 2});
  }
  return sides_.data();
}

LinearisedSprings SpringLinearisation::linearised() const {
  return {springs_.incidence().offsets.data(), sides_.data(), stiffness_.data(), directions_.data(),
          factors_.empty() ? nullptr : factors_[0].lane};
}

void SpringLinearisation::set(std::span<const Padded64> positions, bool clamped) {
  sides();
  directions_.resize(4 * stiffness_.size());
  factors_known_ = false;
  for_chunks(springs_.size(), [&](Count begin, Count end) {
    kernels_.directions({springs_.connectivity().data(), stiffness_.data(), rest_length_.data(),
                         positions[0].lane, begin, end},
                        clamped, directions_.data());
  });
}

void SpringLinearisation::need_factors() {
  if (factors_known_) return;
  factors_.resize(sides_.size());
  float* out = factors_.empty() ? nullptr : factors_[0].lane;
  for_chunks(springs_.vertex_count(),
             [&](Count begin, Count end) { products_.factors(linearised(), begin, end, out); });
  factors_known_ = true;
}

void SpringLinearisation::add_product(VectorView d, VectorSpan out) {
  for_chunks(springs_.vertex_count(), [&](Count begin, Count end) {
    products_.product(linearised(), &d[0].x, begin, end, &out[0].x);
  });
}

void SpringLinearisation::add_product(float factor, PaddedView32 d, PaddedSpan32 out) {
  need_factors();
  for_chunks(springs_.vertex_count(), [&](Count begin, Count end) {
    products_.product32(linearised(), factor, d[0].lane, begin, end, out[0].lane);
  });
}

void SpringLinearisation::attach(const BlockPattern& pattern) {
  require(pattern.rows() == springs_.vertex_count(), "block pattern: not one row for each vertex");
  require(pattern.blocks() <= std::numeric_limits<Index>::max(), "block pattern: too many blocks");
  sides();
  slots_.clear();
  slots_.reserve(sides_.size());
  for (Index v = 0; v < pattern.rows(); ++v)
    for (const Index corner : springs_.incidence()[v]) {
      const Index other = springs_.connectivity()[static_cast<std::size_t>(corner ^ 1)];
      const Count slot = pattern.slot(v, other);
      require(slot >= 0, "block pattern: a spring has no block");
      slots_.push_back(static_cast<Index>(slot));
    }
  diagonal_.assign(pattern.diagonal().begin(), pattern.diagonal().end());
  attached_blocks_ = pattern.blocks();
}

void SpringLinearisation::add_blocks(float factor, BlockMatrix& h) {
  need_factors();
  for_chunks(springs_.vertex_count(), [&](Count begin, Count end) {
    const auto& offsets = springs_.incidence().offsets;
    for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
      float diagonal[9] = {};
      for (auto side = static_cast<std::size_t>(offsets[v]); side < static_cast<std::size_t>(offsets[v + 1]);
           ++side) {
        float block[9];
        spring_block(factor, factors_[side], block);
        float* out = h.block(slots_[side]);
        for (int k = 0; k < 9; ++k) {
          diagonal[k] += block[k];
          out[k] -= block[k];
        }
      }
      float* out = h.block(diagonal_[v]);
      for (int k = 0; k < 9; ++k) out[k] += diagonal[k];
    }
  });
}

}  // namespace electret::detail
