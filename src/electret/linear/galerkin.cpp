#include <algorithm>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/galerkin_kernels.hpp>
#include <electret/linear/detail/subscript.hpp>
#include <electret/linear/galerkin.hpp>

namespace electret {
namespace {

using detail::at;

/// Rows per chunk of a parallel loop, for fine rows and for coarse rows, which have tens of times the work.
constexpr Count fine_chunk = 256, coarse_chunk = 16;

/// The different columns of one row of a product of patterns.
class RowColumns {
 public:
  explicit RowColumns(Index columns) : row_(at(columns), -1) {}
  void begin(Index row) { current_ = row, met_.clear(); }
  void meet(Index column) {
    if (row_[at(column)] == current_) return;
    row_[at(column)] = current_;
    met_.push_back(column);
  }
  /// The columns met since begin(), ascending.
  [[nodiscard]] const std::vector<Index>& sorted() {
    std::sort(met_.begin(), met_.end());
    return met_;
  }

 private:
  Index current_ = -1;
  std::vector<Index> met_, row_;
};

/// numbers[row[k]] = k.
void number(std::span<const Index> row, std::vector<Count>& numbers) {
  for (std::size_t k = 0; k < row.size(); ++k) numbers[at(row[k])] = static_cast<Count>(k);
}

std::uint16_t place(Count number) {
  require(number <= std::numeric_limits<std::uint16_t>::max(), "a coarse row has too many blocks");
  return static_cast<std::uint16_t>(number);
}

}  // namespace

void GridInterpolation::transpose() {
  column_offsets.assign(at(columns) + 1, 0);
  for (const Index node : nodes) ++column_offsets[at(node) + 1];
  for (std::size_t c = 1; c < column_offsets.size(); ++c) column_offsets[c] += column_offsets[c - 1];
  column_rows.resize(nodes.size());
  column_weights.resize(nodes.size());
  std::vector<Count> next(column_offsets.begin(), column_offsets.end() - 1);
  for (Index i = 0; i < rows; ++i)
    for (Count q = offsets[at(i)]; q < offsets[at(i) + 1]; ++q) {
      const Count to = next[at(nodes[at(q)])]++;
      column_rows[at(to)] = i;
      column_weights[at(to)] = weights[at(q)];
    }
}

void GridInterpolation::add_prolonged(Threads& threads, PaddedView32 x, PaddedSpan32 y) const {
  threads.for_chunks(rows, fine_chunk, [&](Count begin, Count end) {
    for (Count i = begin; i < end; ++i) {
      Padded32 sum = y[at(i)];
      for (Count q = offsets[at(i)]; q < offsets[at(i) + 1]; ++q)
        for (int k = 0; k < 4; ++k) sum.lane[k] += weights[at(q)] * x[at(nodes[at(q)])].lane[k];
      y[at(i)] = sum;
    }
  });
}

void GridInterpolation::restrict_to(Threads& threads, PaddedView32 x, PaddedSpan32 y) const {
  threads.for_chunks(columns, coarse_chunk, [&](Count begin, Count end) {
    for (Count c = begin; c < end; ++c) {
      Padded32 sum;
      for (Count q = column_offsets[at(c)]; q < column_offsets[at(c) + 1]; ++q)
        for (int k = 0; k < 4; ++k) sum.lane[k] += column_weights[at(q)] * x[at(column_rows[at(q)])].lane[k];
      y[at(c)] = sum;
    }
  });
}

GalerkinProduct::GalerkinProduct(const BlockPattern& fine, GridInterpolation interpolation, Count slab)
    : fine_(fine), p_(std::move(interpolation)), slab_(slab) {
  require(p_.rows == fine.rows() && p_.offsets.size() == at(p_.rows) + 1 &&
              p_.column_offsets.size() == at(p_.columns) + 1,
          "an interpolation that does not fit its matrix");
  find_half_rows();
  find_coarse_rows();
}

std::span<const Index> GalerkinProduct::half_row(Index i) const {
  return std::span(half_nodes_)
      .subspan(at(half_offsets_[at(i)]), at(half_offsets_[at(i) + 1] - half_offsets_[at(i)]));
}

/// Visits the node of every product A_ij P_jc of row i; none if no coarse row reads row i.
template <class Visit>
void GalerkinProduct::for_products(Index i, Visit&& visit) const {
  if (p_.offsets[at(i)] == p_.offsets[at(i) + 1]) return;
  for (Count k = fine_.offsets()[at(i)]; k < fine_.offsets()[at(i) + 1]; ++k) {
    const Index j = fine_.columns()[at(k)];
    for (Count q = p_.offsets[at(j)]; q < p_.offsets[at(j) + 1]; ++q) visit(p_.nodes[at(q)]);
  }
}

void GalerkinProduct::find_half_rows() {
  RowColumns row(p_.columns);
  for (Index i = 0; i < fine_.rows(); ++i) {
    row.begin(i);
    for_products(i, [&](Index node) { row.meet(node); });
    half_nodes_.insert(half_nodes_.end(), row.sorted().begin(), row.sorted().end());
    half_offsets_.push_back(static_cast<Count>(half_nodes_.size()));
  }
}

void GalerkinProduct::find_coarse_rows() {
  RowColumns row(p_.columns);
  std::vector<Count> offsets{0};
  std::vector<Index> columns;
  for (Index c = 0; c < p_.columns; ++c) {
    row.begin(c);
    for (Count q = p_.column_offsets[at(c)]; q < p_.column_offsets[at(c) + 1]; ++q)
      for (const Index node : half_row(p_.column_rows[at(q)])) row.meet(node);
    columns.insert(columns.end(), row.sorted().begin(), row.sorted().end());
    offsets.push_back(static_cast<Count>(columns.size()));
  }
  coarse_ = BlockPattern(std::move(offsets), std::move(columns));
}

void GalerkinProduct::find_places() {
  std::vector<Count> numbers(at(p_.columns));
  for (Index i = 0; i < fine_.rows(); ++i) {
    number(half_row(i), numbers);
    for_products(i, [&](Index node) { half_places_.push_back(place(numbers[at(node)])); });
    half_place_offsets_.push_back(static_cast<Count>(half_places_.size()));
  }
  for (Index c = 0; c < p_.columns; ++c) {
    const Count diagonal = coarse_.diagonal()[at(c)];
    number(coarse_.columns().subspan(at(diagonal), at(coarse_.offsets()[at(c) + 1] - diagonal)), numbers);
    for (Count q = p_.column_offsets[at(c)]; q < p_.column_offsets[at(c) + 1]; ++q) {
      const auto nodes = half_row(p_.column_rows[at(q)]);
      const auto upper = std::lower_bound(nodes.begin(), nodes.end(), c);
      coarse_skips_.push_back(place(upper - nodes.begin()));
      for (auto node = upper; node != nodes.end(); ++node)
        coarse_places_.push_back(place(numbers[at(*node)]));
    }
    coarse_place_offsets_.push_back(static_cast<Count>(coarse_places_.size()));
    for (Count k = coarse_.offsets()[at(c)]; k < diagonal; ++k)
      mirrored_.push_back(coarse_.slot(coarse_.columns()[at(k)], c));
    mirrored_offsets_.push_back(static_cast<Count>(mirrored_.size()));
  }
  half_nodes_ = {};
  half_places_.shrink_to_fit();
  coarse_places_.shrink_to_fit();
  find_slabs();
  places_found_ = true;
}

/// Cuts the coarse rows into slabs, each where the rows of B that it reads would have too many blocks.
void GalerkinProduct::find_slabs() {
  const Count most = std::max(slab_, half_offsets_.back() / 8);
  std::vector<Index> slab_of(at(fine_.rows()), -1);
  Count blocks = 0, largest = 0;
  std::size_t begin = 0;
  const auto close = [&](Index end) {
    std::sort(slab_rows_.begin() + static_cast<std::ptrdiff_t>(begin), slab_rows_.end());
    slab_ends_.push_back(end);
    begin = slab_rows_.size();
    slab_row_offsets_.push_back(static_cast<Count>(begin));
    largest = std::max(largest, blocks);
    blocks = 0;
  };
  for (Index c = 0; c < p_.columns; ++c) {
    for (Count q = p_.column_offsets[at(c)]; q < p_.column_offsets[at(c) + 1]; ++q) {
      const Index i = p_.column_rows[at(q)];
      if (slab_of[at(i)] == static_cast<Index>(slab_ends_.size())) continue;
      slab_of[at(i)] = static_cast<Index>(slab_ends_.size());
      slab_rows_.push_back(i);
      blocks += half_offsets_[at(i) + 1] - half_offsets_[at(i)];
    }
    if (blocks >= most) close(c + 1);
  }
  if (slab_ends_.empty() || slab_ends_.back() < p_.columns) close(p_.columns);
  slab_rows_.shrink_to_fit();
  slab_places_.resize(at(fine_.rows()) + 1);
  half_values_.resize(9 * at(largest));
  if (slab_ends_.size() == 1) place_slab(0);
}

/// Places the rows of a slab one after the other.
void GalerkinProduct::place_slab(std::size_t slab) {
  Count place = 0;
  for (Count k = slab_row_offsets_[slab]; k < slab_row_offsets_[slab + 1]; ++k) {
    const Index i = slab_rows_[at(k)];
    slab_places_[at(i)] = place;
    place += half_offsets_[at(i) + 1] - half_offsets_[at(i)];
    slab_places_[at(i) + 1] = place;
  }
}

void GalerkinProduct::compute(Threads& threads, const BlockMatrix& fine, BlockMatrix& coarse) {
  require(&fine.pattern() == &fine_ && &coarse.pattern() == &coarse_,
          "a Galerkin product of other patterns than its own");
  if (!places_found_) find_places();
  for (std::size_t slab = 0; slab < slab_ends_.size(); ++slab) {
    if (slab_ends_.size() > 1) place_slab(slab);
    compute_slab(threads, fine, coarse, slab);
  }
  threads.for_chunks(coarse_.rows(), fine_chunk, [&](Count begin, Count end) { mirror(coarse, begin, end); });
}

void GalerkinProduct::compute_slab(Threads& threads, const BlockMatrix& fine, BlockMatrix& coarse,
                                   std::size_t slab) {
  const detail::GalerkinKernels& kernels = detail::galerkin_kernels();
  const detail::BlockRows a{fine_.offsets().data(), fine_.columns().data(), fine.block(0)};
  const detail::WeightRows rows{p_.offsets.data(), p_.nodes.data(), p_.weights.data()};
  const detail::Places half{half_place_offsets_.data(), half_places_.data(), slab_places_.data(),
                            half_values_.data()};
  const Count first = slab_row_offsets_[slab];
  threads.for_chunks(slab_row_offsets_[slab + 1] - first, fine_chunk, [&](Count begin, Count end) {
    const std::span<const Index> list = std::span(slab_rows_).subspan(at(first + begin), at(end - begin));
    for (std::size_t k = 0; k < list.size();) {
      std::size_t next = k + 1;
      while (next < list.size() && list[next] == list[next - 1] + 1) ++next;
      kernels.half(a, rows, half, list[k], list[next - 1] + 1);
      k = next;
    }
  });
  const detail::WeightRows columns{p_.column_offsets.data(), p_.column_rows.data(), p_.column_weights.data()};
  const detail::HalfRows half_rows{slab_places_.data(), half_values_.data(), coarse_skips_.data()};
  const detail::UpperRows upper{coarse_place_offsets_.data(), coarse_places_.data(),
                                coarse_.diagonal().data(), coarse_.offsets().data(), coarse.block(0)};
  const Index start = slab == 0 ? 0 : slab_ends_[slab - 1];
  threads.for_chunks(slab_ends_[slab] - start, coarse_chunk, [&](Count begin, Count end) {
    kernels.coarse(columns, half_rows, upper, start + begin, start + end);
  });
}

void GalerkinProduct::mirror(BlockMatrix& coarse, Count begin, Count end) const {
  for (Count c = begin; c < end; ++c)
    for (Count k = mirrored_offsets_[at(c)]; k < mirrored_offsets_[at(c) + 1]; ++k) {
      const float* from = coarse.block(mirrored_[at(k)]);
      float* to = coarse.block(coarse_.offsets()[at(c)] + k - mirrored_offsets_[at(c)]);
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) to[3 * column + row] = from[3 * row + column];
    }
}

}  // namespace electret
