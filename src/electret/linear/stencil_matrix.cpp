#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/linear/stencil_matrix.hpp>

namespace electret {
namespace {

constexpr Count row_chunk = 32;

}  // namespace

void StencilRows::build(std::size_t vertices, std::span<const StencilVertices> stencils) {
  next_.resize(vertices, 0);
  for (const StencilVertices& stencil : stencils)
    for (const Index v : stencil)
      if (v != no_vertex) ++next_[static_cast<std::size_t>(v)];
  vertices_.clear();
  offsets_.assign(1, 0);
  for (std::size_t v = 0; v < vertices; ++v) {
    if (next_[v] == 0) continue;
    vertices_.push_back(static_cast<Index>(v));
    offsets_.push_back(offsets_.back() + next_[v]);
    next_[v] = offsets_[offsets_.size() - 2];
  }
  entries_.resize(offsets_.back());
  for (std::size_t s = 0; s < stencils.size(); ++s)
    for (std::size_t corner = 0; corner < 4; ++corner)
      if (const Index v = stencils[s][corner]; v != no_vertex)
        entries_[next_[static_cast<std::size_t>(v)]++] = {s, corner};
  for (const Index v : vertices_) next_[static_cast<std::size_t>(v)] = 0;
}

void StencilRows::add(Threads& threads, double factor, std::span<const StencilVectors> vectors,
                      VectorSpan out) const {
  for_vertices(
      threads, vertices_.size(),
      [&](std::size_t row) {
        Vec3 sum;
        for (const Entry& entry : entries(row)) sum += vectors[entry.stencil][entry.corner];
        out[static_cast<std::size_t>(vertices_[row])] += factor * sum;
      },
      row_chunk);
}

void StencilMatrix::clear() {
  stencils_.clear();
  rows_.build(0, {});
  offsets_.assign(1, 0);
}

void StencilMatrix::find_columns(Threads& threads) {
  const std::size_t count = rows_.vertices().size();
  // Four columns for each entry are enough for any row, and are packed afterwards.
  columns_.resize(16 * stencils_.size());
  slots_.resize(16 * stencils_.size());
  offsets_.assign(count + 1, 0);
  const auto first = [&](std::size_t row) {
    return row == 0 ? 0 : 4 * static_cast<std::size_t>(rows_.entries(row).data() - rows_.entries(0).data());
  };
  for_vertices(
      threads, count,
      [&](std::size_t row) {
        const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(first(row));
        auto end = begin;
        for (const StencilRows::Entry& entry : rows_.entries(row))
          for (const Index v : stencils_[entry.stencil])
            if (v != no_vertex) *end++ = v;
        std::sort(begin, end);
        offsets_[row + 1] = static_cast<std::size_t>(std::unique(begin, end) - begin);
      },
      row_chunk);
  for (std::size_t row = 0; row < count; ++row) {
    const auto from = columns_.begin() + static_cast<std::ptrdiff_t>(first(row));
    std::copy(from, from + static_cast<std::ptrdiff_t>(offsets_[row + 1]),
              columns_.begin() + static_cast<std::ptrdiff_t>(offsets_[row]));
    offsets_[row + 1] += offsets_[row];
  }
  columns_.resize(offsets_[count]);
  for_vertices(
      threads, count,
      [&](std::size_t row) {
        const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(offsets_[row]),
                   end = columns_.begin() + static_cast<std::ptrdiff_t>(offsets_[row + 1]);
        for (const StencilRows::Entry& entry : rows_.entries(row))
          for (std::size_t j = 0; j < 4; ++j)
            if (const Index v = stencils_[entry.stencil][j]; v != no_vertex)
              slots_[16 * entry.stencil + 4 * entry.corner + j] =
                  static_cast<std::size_t>(std::lower_bound(begin, end, v) - columns_.begin());
      },
      row_chunk);
}

void StencilMatrix::assemble(Threads& threads, std::size_t vertices,
                             std::span<const StencilVertices> stencils,
                             std::span<const StencilBlocks> blocks) {
  require(stencils.size() == blocks.size(), "stencil matrix: not one matrix per stencil");
  if (!std::equal(stencils.begin(), stencils.end(), stencils_.begin(), stencils_.end()) || offsets_.empty()) {
    stencils_.assign(stencils.begin(), stencils.end());
    rows_.build(vertices, stencils_);
    find_columns(threads);
  }
  blocks_.resize(columns_.size());
  blocks32_.resize(columns_.size());
  for_vertices(
      threads, rows_.vertices().size(),
      [&](std::size_t row) {
        for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k) blocks_[k] = {};
        for (const StencilRows::Entry& entry : rows_.entries(row)) {
          const StencilBlocks& own = blocks[entry.stencil];
          const std::size_t* slots = &slots_[16 * entry.stencil + 4 * entry.corner];
          for (std::size_t j = 0; j < 4; ++j) {
            if (stencils_[entry.stencil][j] == no_vertex) continue;
            Mat3& sum = blocks_[slots[j]];
            if (entry.corner <= j)
              sum += own.at(entry.corner, j);
            else
              for (std::size_t c = 0; c < 3; ++c)
                for (int r = 0; r < 3; ++r)
                  sum.rows[c][r] +=
                      own.at(j, entry.corner).rows[static_cast<std::size_t>(r)][static_cast<int>(c)];
          }
        }
        for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k)
          for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r)
              blocks32_[k][static_cast<std::size_t>(c)].lane[r] =
                  static_cast<float>(blocks_[k].rows[static_cast<std::size_t>(r)][c]);
      },
      row_chunk);
}

void StencilMatrix::add_product_rows(float factor, PaddedView32 d, PaddedSpan32 out, Count begin,
                                     Count end) const {
  const auto all = rows_.vertices();
  for (auto v = std::lower_bound(all.begin(), all.end(), begin); v != all.end() && *v < end; ++v) {
    const auto row = static_cast<std::size_t>(v - all.begin());
    Padded32 sum;
    for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k) {
      const Padded32& x = d[static_cast<std::size_t>(columns_[k])];
      const auto& a = blocks32_[k];
      for (int l = 0; l < 4; ++l)
        sum.lane[l] += a[0].lane[l] * x.lane[0] + a[1].lane[l] * x.lane[1] + a[2].lane[l] * x.lane[2];
    }
    for (int l = 0; l < 4; ++l) out[static_cast<std::size_t>(*v)].lane[l] += factor * sum.lane[l];
  }
}

void StencilMatrix::add_product(Threads& threads, VectorView d, VectorSpan out) const {
  for_vertices(
      threads, rows_.vertices().size(),
      [&](std::size_t row) {
        Vec3 sum;
        for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k)
          sum += blocks_[k] * d[static_cast<std::size_t>(columns_[k])];
        out[static_cast<std::size_t>(rows_.vertices()[row])] += sum;
      },
      row_chunk);
}

void StencilMatrix::add_diagonal(float factor, std::span<float> blocks) const {
  for (std::size_t row = 0; row < rows_.vertices().size(); ++row) {
    const Index v = rows_.vertices()[row];
    const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(offsets_[row]);
    const auto slot = static_cast<std::size_t>(
        std::lower_bound(begin, columns_.begin() + static_cast<std::ptrdiff_t>(offsets_[row + 1]), v) -
        columns_.begin());
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        blocks[9 * static_cast<std::size_t>(v) + static_cast<std::size_t>(3 * c + r)] +=
            factor * static_cast<float>(blocks_[slot].rows[static_cast<std::size_t>(r)][c]);
  }
}

}  // namespace electret
