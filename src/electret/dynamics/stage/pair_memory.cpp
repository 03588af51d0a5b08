#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/pair_memory.hpp>

namespace electret {
namespace {

constexpr std::size_t feature_place = 5, edge_place = 6, slip_place = 7;

/// A number that is a whole one below `count`.
template <class Number>
Number whole(double value, std::size_t count) {
  require(value >= 0.0 && value < static_cast<double>(count) &&
              value == static_cast<double>(static_cast<Number>(value)),
          "a state with a pair of surfaces that does not exist");
  return static_cast<Number>(value);
}

}  // namespace

MemoryArray pair_memory_layout() {
  return {.name = pair_memory_name, .count = numbers_per_anchor, .is_list = true};
}

std::size_t count_anchors(const MethodMemory& memory) {
  return memory.find(pair_memory_name).size() / numbers_per_anchor;
}

PairAnchor read_anchor(const MethodMemory& memory, std::size_t vertices, std::size_t k) {
  const auto row = memory.find(pair_memory_name).subspan(numbers_per_anchor * k, numbers_per_anchor);
  PairAnchor a;
  a.pair.kind = static_cast<PairKind>(whole<unsigned char>(row[0], 2));
  for (std::size_t i = 0; i < 4; ++i) a.pair.vertices[i] = whole<Index>(row[1 + i], vertices);
  const bool is_triangle = a.pair.kind == PairKind::vertex_triangle;
  a.feature = static_cast<PairFeature>(whole<unsigned char>(row[feature_place], 15));
  a.edge = whole<unsigned char>(row[edge_place], is_triangle ? 3 : 2);
  a.slip = {row[slip_place], row[slip_place + 1]};
  return a;
}

void read_anchors(const MethodMemory& memory, std::size_t vertices, std::vector<PairAnchor>& anchors) {
  anchors.resize(count_anchors(memory));
  for (std::size_t k = 0; k < anchors.size(); ++k) anchors[k] = read_anchor(memory, vertices, k);
}

void write_anchors(std::span<const PairAnchor> anchors, MethodMemory& memory) {
  const ScalarSpan values = memory.values(pair_memory_name, numbers_per_anchor * anchors.size());
  for (std::size_t k = 0; k < anchors.size(); ++k) {
    const PairAnchor& a = anchors[k];
    double* row = values.data() + numbers_per_anchor * k;
    row[0] = static_cast<double>(a.pair.kind);
    for (std::size_t i = 0; i < 4; ++i) row[1 + i] = static_cast<double>(a.pair.vertices[i]);
    row[feature_place] = static_cast<double>(a.feature);
    row[edge_place] = static_cast<double>(a.edge);
    row[slip_place] = a.slip[0];
    row[slip_place + 1] = a.slip[1];
  }
}

InFrame slip_of(std::span<const double> rows, std::size_t row) {
  const std::size_t at = numbers_per_anchor * row + slip_place;
  return {rows[at], rows[at + 1]};
}

void set_slip(std::span<double> rows, std::size_t row, const InFrame& slip) {
  const std::size_t at = numbers_per_anchor * row + slip_place;
  rows[at] = slip[0];
  rows[at + 1] = slip[1];
}

}  // namespace electret
