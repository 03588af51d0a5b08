#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/linear/sparse_matrix.hpp>

namespace electret {

void SparseMatrix::multiply(Threads& threads, VectorView x, VectorSpan out) const {
  require(x.size() == static_cast<std::size_t>(rows) && out.size() == x.size(),
          "matrix product: the arrays do not have the matrix's size");
  threads.for_chunks(rows, Threads::default_chunk, [&](Count begin, Count end) {
    for (Count row = begin; row < end; ++row) {
      Vec3 sum;
      for (Count k = offsets[static_cast<std::size_t>(row)]; k < offsets[static_cast<std::size_t>(row) + 1];
           ++k) {
        const auto entry = static_cast<std::size_t>(k);
        sum += values[entry] * x[static_cast<std::size_t>(columns[entry])];
      }
      out[static_cast<std::size_t>(row)] = sum;
    }
  });
}

SparseMatrixBuilder::SparseMatrixBuilder(Index rows) : rows_(rows) {
  require(rows >= 0, "a matrix has 0 rows or more");
}

void SparseMatrixBuilder::add(Index row, Index column, double value) {
  require(row >= 0 && row < rows_ && column >= 0 && column < rows_, "a matrix entry outside the matrix");
  entries_.push_back({row, column, value});
}

SparseMatrix SparseMatrixBuilder::build() const {
  // Sort stably by row, then by column, so that duplicates stay in the order in which they were added.
  std::vector<Count> starts(static_cast<std::size_t>(rows_) + 1, 0);
  for (const Entry& e : entries_) ++starts[static_cast<std::size_t>(e.row) + 1];
  for (std::size_t r = 1; r < starts.size(); ++r) starts[r] += starts[r - 1];
  std::vector<std::size_t> order(entries_.size());
  std::vector<Count> next(starts.begin(), starts.end() - 1);
  for (std::size_t e = 0; e < entries_.size(); ++e)
    order[static_cast<std::size_t>(next[static_cast<std::size_t>(entries_[e].row)]++)] = e;

  SparseMatrix matrix;
  matrix.rows = rows_;
  matrix.offsets.assign(1, 0);
  for (Index row = 0; row < rows_; ++row) {
    const auto begin = order.begin() + starts[static_cast<std::size_t>(row)];
    const auto end = order.begin() + starts[static_cast<std::size_t>(row) + 1];
    std::stable_sort(begin, end,
                     [&](std::size_t a, std::size_t b) { return entries_[a].column < entries_[b].column; });
    const auto row_start = static_cast<std::size_t>(matrix.offsets.back());
    for (auto e = begin; e != end; ++e) {
      const Entry& entry = entries_[*e];
      if (matrix.columns.size() > row_start && matrix.columns.back() == entry.column) {
        matrix.values.back() += entry.value;
      } else {
        matrix.columns.push_back(entry.column);
        matrix.values.push_back(entry.value);
      }
    }
    matrix.offsets.push_back(static_cast<Count>(matrix.columns.size()));
  }
  return matrix;
}

}  // namespace electret
