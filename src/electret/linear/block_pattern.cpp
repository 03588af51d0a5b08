#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/incidence.hpp>

namespace electret {

BlockPattern::BlockPattern(std::vector<Count> offsets, std::vector<Index> columns)
    : offsets_(std::move(offsets)), columns_(std::move(columns)) {
  require(!offsets_.empty() && offsets_.front() == 0 && offsets_.back() == blocks(),
          "a block pattern's offsets do not fit its columns");
  diagonal_.resize(offsets_.size() - 1);
  for (Index row = 0; row < rows(); ++row) {
    const auto r = static_cast<std::size_t>(row);
    require(offsets_[r] < offsets_[r + 1], "a block row without its diagonal");
    const auto begin = columns_.begin() + offsets_[r], end = columns_.begin() + offsets_[r + 1];
    const bool ascends = std::adjacent_find(begin, end, std::greater_equal<>()) == end;
    require(ascends && *begin >= 0 && *(end - 1) < rows(), "a block row's columns do not ascend");
    diagonal_[r] = slot(row, row);
    require(diagonal_[r] >= 0, "a block row without its diagonal");
  }
}

BlockPattern BlockPattern::of_elements(Index rows, std::span<const ElementList> lists) {
  std::vector<Incidence> incidences;
  incidences.reserve(lists.size());
  for (const ElementList& list : lists) {
    const auto corners = static_cast<std::size_t>(list.vertices_per_element);
    require(corners > 0 && list.connectivity.size() % corners == 0, "elements without all their vertices");
    incidences.emplace_back(rows, list.connectivity);
  }
  std::vector<Count> offsets{0};
  std::vector<Index> columns, row;
  for (Index r = 0; r < rows; ++r) {
    row.assign(1, r);
    for (std::size_t k = 0; k < lists.size(); ++k)
      for (const Count slot : incidences[k][r]) {
        const Count corners = lists[k].vertices_per_element;
        const auto element = lists[k].connectivity.begin() + slot / corners * corners;
        row.insert(row.end(), element, element + corners);
      }
    std::sort(row.begin(), row.end());
    columns.insert(columns.end(), row.begin(), std::unique(row.begin(), row.end()));
    offsets.push_back(static_cast<Count>(columns.size()));
  }
  columns.shrink_to_fit();
  return {std::move(offsets), std::move(columns)};
}

Count BlockPattern::slot(Index row, Index column) const {
  require(row >= 0 && row < rows(), "a block row that does not exist");
  const auto r = static_cast<std::size_t>(row);
  const auto begin = columns_.begin() + offsets_[r], end = columns_.begin() + offsets_[r + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? found - columns_.begin() : -1;
}

}  // namespace electret
