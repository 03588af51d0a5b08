#include <algorithm>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/galerkin_kernels.hpp>
#include <electret/linear/galerkin.hpp>

namespace electret {
namespace {

/// Rows a chunk of a parallel loop: of fine and of coarse ones, which have tens of times the work.
constexpr Count fine_chunk = 256, coarse_chunk = 16;

std::size_t at(Count index) {
  return static_cast<std::size_t>(index);
}

/// Numbers what is met in a row: a node's number is where it was met first.
class RowNumbers {
 public:
  explicit RowNumbers(Index nodes) : number_(at(nodes), 0), row_(at(nodes), -1) {}
  void begin(Index row) { current_ = row, met_.clear(); }
  Count number(Index node) {
    if (row_[at(node)] != current_) {
      row_[at(node)] = current_;
      number_[at(node)] = static_cast<Count>(met_.size());
      met_.push_back(node);
    }
    return number_[at(node)];
  }
  /// Sorts the row's nodes and numbers them anew.
  void sort() {
    std::sort(met_.begin(), met_.end());
    for (std::size_t k = 0; k < met_.size(); ++k) number_[at(met_[k])] = static_cast<Count>(k);
  }
  [[nodiscard]] const std::vector<Index>& met() const { return met_; }

 private:
  Index current_ = -1;
  std::vector<Index> met_;
  std::vector<Count> number_;
  std::vector<Index> row_;
};

std::uint16_t place(Count number) {
  require(number <= std::numeric_limits<std::uint16_t>::max(), "a coarse row has too many blocks");
  return static_cast<std::uint16_t>(number);
}

}  // namespace

void Interpolation::transpose() {
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

void Interpolation::add_prolonged(Threads& threads, PaddedView32 x, PaddedSpan32 y) const {
  threads.for_chunks(rows, fine_chunk, [&](Count begin, Count end) {
    for (Count i = begin; i < end; ++i) {
      Padded32 sum = y[at(i)];
      for (Count q = offsets[at(i)]; q < offsets[at(i) + 1]; ++q)
        for (int k = 0; k < 4; ++k) sum.lane[k] += weights[at(q)] * x[at(nodes[at(q)])].lane[k];
      y[at(i)] = sum;
    }
  });
}

void Interpolation::restrict_to(Threads& threads, PaddedView32 x, PaddedSpan32 y) const {
  threads.for_chunks(columns, coarse_chunk, [&](Count begin, Count end) {
    for (Count c = begin; c < end; ++c) {
      Padded32 sum;
      for (Count q = column_offsets[at(c)]; q < column_offsets[at(c) + 1]; ++q)
        for (int k = 0; k < 4; ++k) sum.lane[k] += column_weights[at(q)] * x[at(column_rows[at(q)])].lane[k];
      y[at(c)] = sum;
    }
  });
}

GalerkinProduct::GalerkinProduct(const BlockPattern& fine, Interpolation interpolation)
    : fine_(fine), p_(std::move(interpolation)) {
  require(p_.rows == fine.rows() && p_.offsets.size() == at(p_.rows) + 1 &&
              p_.column_offsets.size() == at(p_.columns) + 1,
          "an interpolation that does not fit its matrix");
  find_half_rows();
  find_coarse_rows();
}

void GalerkinProduct::find_half_rows() {
  RowNumbers numbers(p_.columns);
  for (Index i = 0; i < fine_.rows(); ++i) {
    numbers.begin(i);
    // What no coarse row reads is not computed.
    const bool read = p_.offsets[at(i)] < p_.offsets[at(i) + 1];
    const auto for_products = [&](auto&& visit) {
      for (Count k = fine_.offsets()[at(i)]; k < fine_.offsets()[at(i) + 1] && read; ++k) {
        const Index j = fine_.columns()[at(k)];
        for (Count q = p_.offsets[at(j)]; q < p_.offsets[at(j) + 1]; ++q) visit(p_.nodes[at(q)]);
      }
    };
    for_products([&](Index node) { numbers.number(node); });
    numbers.sort();
    for_products([&](Index node) { half_places_.push_back(place(numbers.number(node))); });
    half_nodes_.insert(half_nodes_.end(), numbers.met().begin(), numbers.met().end());
    half_offsets_.push_back(static_cast<Count>(half_nodes_.size()));
    half_place_offsets_.push_back(static_cast<Count>(half_places_.size()));
  }
  half_places_.shrink_to_fit();
}

void GalerkinProduct::find_coarse_rows() {
  RowNumbers numbers(p_.columns);
  std::vector<Count> offsets{0};
  std::vector<Index> columns;
  for (Index c = 0; c < p_.columns; ++c) {
    numbers.begin(c);
    const auto for_rows = [&](auto&& visit) {
      for (Count q = p_.column_offsets[at(c)]; q < p_.column_offsets[at(c) + 1]; ++q) {
        const Index i = p_.column_rows[at(q)];
        visit(std::span(half_nodes_)
                  .subspan(at(half_offsets_[at(i)]), at(half_offsets_[at(i) + 1] - half_offsets_[at(i)])));
      }
    };
    for_rows([&](std::span<const Index> nodes) {
      for (const Index node : nodes) numbers.number(node);
    });
    numbers.sort();
    for_rows([&](std::span<const Index> nodes) {
      const auto upper = std::lower_bound(nodes.begin(), nodes.end(), c);
      coarse_skips_.push_back(place(upper - nodes.begin()));
      for (auto node = upper; node != nodes.end(); ++node)
        coarse_places_.push_back(place(numbers.number(*node) - numbers.number(c)));
    });
    columns.insert(columns.end(), numbers.met().begin(), numbers.met().end());
    offsets.push_back(static_cast<Count>(columns.size()));
    coarse_place_offsets_.push_back(static_cast<Count>(coarse_places_.size()));
  }
  coarse_places_.shrink_to_fit();
  half_nodes_ = {};
  coarse_ = BlockPattern(std::move(offsets), std::move(columns));
  for (Index c = 0; c < coarse_.rows(); ++c)
    for (Count k = coarse_.offsets()[at(c)]; k < coarse_.diagonal()[at(c)]; ++k)
      mirrored_.push_back(coarse_.slot(coarse_.columns()[at(k)], c));
  mirrored_offsets_.assign(1, 0);
  for (Index c = 0; c < coarse_.rows(); ++c)
    mirrored_offsets_.push_back(mirrored_offsets_.back() + coarse_.diagonal()[at(c)] -
                                coarse_.offsets()[at(c)]);
}

void GalerkinProduct::compute(Threads& threads, const BlockMatrix& fine, BlockMatrix& coarse) {
  require(&fine.pattern() == &fine_ && &coarse.pattern() == &coarse_,
          "a Galerkin product of other patterns than its own");
  half_values_.resize(9 * at(half_offsets_.back()));
  const detail::GalerkinKernels& kernels = detail::galerkin_kernels();
  const detail::BlockRows a{fine_.offsets().data(), fine_.columns().data(), fine.block(0)};
  const detail::WeightRows rows{p_.offsets.data(), p_.nodes.data(), p_.weights.data()};
  const detail::Places half{half_place_offsets_.data(), half_places_.data(), half_offsets_.data(),
                            half_values_.data()};
  // Rows that no coarse row reads have no places: they are passed over by their empty share of P.
  threads.for_chunks(fine_.rows(), fine_chunk, [&](Count begin, Count end) {
    for (Count i = begin; i < end;) {
      Count next = i;
      while (next < end && half_offsets_[at(next)] < half_offsets_[at(next) + 1]) ++next;
      if (next > i) kernels.half(a, rows, half, i, next);
      i = next + 1;
    }
  });
  const detail::WeightRows columns{p_.column_offsets.data(), p_.column_rows.data(), p_.column_weights.data()};
  const detail::HalfRows half_rows{half_offsets_.data(), half_values_.data(), coarse_skips_.data()};
  const detail::UpperRows upper{coarse_place_offsets_.data(), coarse_places_.data(),
                                coarse_.diagonal().data(), coarse_.offsets().data(), coarse.block(0)};
  threads.for_chunks(coarse_.rows(), coarse_chunk,
                     [&](Count begin, Count end) { kernels.coarse(columns, half_rows, upper, begin, end); });
  threads.for_chunks(coarse_.rows(), fine_chunk, [&](Count begin, Count end) { mirror(coarse, begin, end); });
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
