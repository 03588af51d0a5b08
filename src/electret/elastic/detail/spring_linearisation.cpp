#include <limits>

#include <electret/core/errors.hpp>
#include <electret/elastic/detail/spring_linearisation.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/lattice_matrix.hpp>

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
    sides_of_springs_.resize(ends.size());
    for (const Index slot : springs_.incidence().slots) {
      sides_of_springs_[static_cast<std::size_t>(slot)] = static_cast<Index>(sides_.size());
      sides_.push_back({ends[static_cast<std::size_t>(slot ^ 1)], slot / 2});
    }
  }
  return sides_.data();
}

LinearisedSprings SpringLinearisation::linearised() const {
  return {springs_.incidence().offsets.data(), sides_.data(), stiffness_.data(), directions_.data(),
          factors_.empty() ? nullptr : factors_[0].lane};
}

SpringRange SpringLinearisation::range(Count begin, Count end) const {
  return {
      springs_.connectivity().data(), stiffness_.data(), rest_length_.data(), places_[0].lane, begin, end};
}

void SpringLinearisation::set(VectorView x, bool clamped) {
  sides();
  places_.resize(x.size());
  for_chunks(springs_.vertex_count(), [&](Count begin, Count end) {
    for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v)
      places_[v] = padded64(x[v]);
  });
  clamped_ = clamped;
  directions_known_ = factors_known_ = false;
}

void SpringLinearisation::need_directions() {
  if (directions_known_) return;
  directions_.resize(4 * stiffness_.size());
  for_chunks(springs_.size(), [&](Count begin, Count end) {
    kernels_.directions(range(begin, end), clamped_, directions_.data());
  });
  directions_known_ = true;
}

void SpringLinearisation::need_factors() {
  if (factors_known_) return;
  factors_.resize(sides_.size());
  float* out = factors_.empty() ? nullptr : factors_[0].lane;
  for_chunks(springs_.size(), [&](Count begin, Count end) {
    kernels_.factors(range(begin, end), clamped_, sides_of_springs_.data(), out);
  });
  factors_known_ = true;
}

void SpringLinearisation::add_product(VectorView d, VectorSpan out) {
  need_directions();
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
  require(pattern.rows() == springs_.vertex_count(), "block pattern: not one row per vertex");
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

void SpringLinearisation::add_diagonal(float factor, std::span<float> blocks) {
  need_factors();
  for_chunks(springs_.vertex_count(), [&](Count begin, Count end) {
    const auto& offsets = springs_.incidence().offsets;
    for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
      float sum[6] = {};  // xx, xy, xz, yy, yz, zz
      for (auto side = static_cast<std::size_t>(offsets[v]); side < static_cast<std::size_t>(offsets[v + 1]);
           ++side) {
        const float* w = factors_[side].lane;
        const float terms[6] = {w[0] * w[0] + w[3], w[0] * w[1], w[0] * w[2],
                                w[1] * w[1] + w[3], w[1] * w[2], w[2] * w[2] + w[3]};
        for (int k = 0; k < 6; ++k) sum[k] += terms[k];
      }
      constexpr int entry[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
      for (std::size_t k = 0; k < 9; ++k) blocks[9 * v + k] += factor * sum[entry[k]];
    }
  });
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

void SpringLinearisation::add_to_lattice(float factor, const Lattice& lattice, LatticeMatrix& h) {
  need_factors();
  for_chunks(springs_.vertex_count(), [&](Count begin, Count end) {
    const auto& offsets = springs_.incidence().offsets;
    for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
      const Index row = lattice.numbers[v];
      for (auto side = static_cast<std::size_t>(offsets[v]); side < static_cast<std::size_t>(offsets[v + 1]);
           ++side) {
        float block[9];
        spring_block(factor, factors_[side], block);
        const int code =
            lattice.shape.code(row, lattice.numbers[static_cast<std::size_t>(sides_[side].other)]);
        for (int k = 0; k < 9; ++k) {
          h.entry(0, k)[row] += block[k];
          if (code > 0) h.entry(code, k)[row] -= block[k];
        }
      }
    }
  });
}

}  // namespace electret::detail
