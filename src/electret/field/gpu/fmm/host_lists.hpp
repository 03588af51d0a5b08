#pragma once
/// \file
/// The interaction lists, found by the host.

#include <array>
#include <vector>

#include <electret/field/fmm/passes/acceptance.hpp>
#include <electret/field/fmm/tree/tree.hpp>
#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// A tree's cells in the device's order: level by level, and in tree order within a level.
struct LevelOrder {
  std::vector<Index> cells;          ///< The cells' numbers in the tree.
  std::vector<Index> places;         ///< By number in the tree: the place here.
  std::vector<std::int32_t> levels;  ///< Level l is [levels[l], levels[l + 1]).
  std::vector<std::int32_t> leaves;  ///< The places of leaves, ascending in their first point.

  void assign(const fmm::Tree& tree);
};

/// The lists as DeviceLists has them.
struct HostLists {
  std::array<std::vector<Int2>, fmm::max_order + 1> far;  ///< By order.
  std::vector<std::int32_t> far_start, near_begin, near;
};

/// Finds the lists by the rule of fmm::Acceptance. Of two equally large cells, the one with the lower place
/// is cut.
class ListMaker {
 public:
  /// `pairs_worth`: those of TreeSettings.
  ListMaker(const fmm::Plan& plan, const std::vector<double>& pairs_worth)
      : acceptance_(plan), plan_(plan), pairs_worth_(pairs_worth) {}

  /// `closest`: cells closer than this do not interact by expansions, in scaled units.
  void make(const fmm::Tree& targets, const LevelOrder& target_order, const fmm::Tree& sources,
            const LevelOrder& source_order, double closest, HostLists& lists);

 private:
  /// One list per target, one after another.
  struct Candidates {
    std::vector<std::size_t> begin;
    std::vector<std::int32_t> cells;
    void clear() { begin.assign(1, 0), cells.clear(); }
    void end() { begin.push_back(cells.size()); }
  };
  struct Side {
    const fmm::Tree& tree;
    const LevelOrder& order;
    [[nodiscard]] const fmm::Cell& cell(std::int32_t place) const {
      return tree.cell(order.cells[static_cast<std::size_t>(place)]);
    }
  };
  void visit(std::int32_t target, std::size_t candidates, HostLists& lists);
  [[nodiscard]] int verdict(const fmm::Cell& target, const fmm::Cell& source) const;
  void collect(std::size_t target_cells, HostLists& lists) const;

  fmm::Acceptance acceptance_;
  fmm::Plan plan_;
  std::vector<double> pairs_worth_;
  const Side *targets_ = nullptr, *sources_ = nullptr;
  double closest_squared_ = 0.0;
  Candidates present_, next_;
  std::vector<std::int32_t> open_;
  std::vector<std::size_t> near_of_;  ///< By target cell: where its near leaves begin in found_near_.
  std::vector<std::int32_t> found_near_;
};

}  // namespace electret::gpu
