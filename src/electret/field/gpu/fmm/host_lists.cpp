#include <algorithm>

#include <electret/field/gpu/fmm/host_lists.hpp>

namespace electret::gpu {

void LevelOrder::assign(const fmm::Tree& tree) {
  cells.clear();
  levels.assign(1, 0);
  places.resize(tree.cells().size());
  if (!tree.cells().empty()) cells.push_back(0);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (static_cast<std::int32_t>(k) == levels.back())
      levels.push_back(static_cast<std::int32_t>(cells.size()));
    places[static_cast<std::size_t>(cells[k])] = static_cast<Index>(k);
    const fmm::Cell& cell = tree.cell(cells[k]);
    for (Index c = 0; c < cell.child_count; ++c) cells.push_back(cell.first_child + c);
  }
  leaves.clear();
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (tree.cell(cells[k]).is_leaf()) leaves.push_back(static_cast<std::int32_t>(k));
  const auto first_point = [&](std::int32_t k) {
    return tree.cell(cells[static_cast<std::size_t>(k)]).begin;
  };
  std::sort(leaves.begin(), leaves.end(),
            [&](std::int32_t a, std::int32_t b) { return first_point(a) < first_point(b); });
}

/// The criterion of acceptance_bodies.hpp for one pair.
int ListMaker::verdict(const fmm::Cell& target, const fmm::Cell& source) const {
  const fmm::AcceptanceTables tables = acceptance_.tables();
  const double distance_squared = squared_norm(target.centre - source.centre);
  const double reach = target.radius + source.radius, reach_squared = reach * reach;
  const fmm::CellBall a = fmm::ball_of(target), b = fmm::ball_of(source);
  if (distance_squared > closest_squared_ && reach_squared < distance_squared * tables.largest) {
    const int order =
        tables.verdicts[static_cast<int>(reach_squared / distance_squared * fmm::AcceptanceTables::bins)];
    const double worth =
        pairs_worth_.empty() ? tables.worth[order] : pairs_worth_[static_cast<std::size_t>(order)];
    if (!(a.leaf_points * b.leaf_points < worth)) return order;
  }
  const double own_radius = target.is_leaf() ? -1.0 : target.radius;
  if (source.is_leaf() || source.radius < own_radius) return fmm::near_or_cut_target;
  return source.radius > own_radius ? fmm::cut_source : fmm::cut_either;
}

void ListMaker::visit(std::int32_t a, std::size_t candidates, HostLists& lists) {
  const fmm::Cell& target = targets_->cell(a);
  open_.assign(present_.cells.begin() + static_cast<std::ptrdiff_t>(present_.begin[candidates]),
               present_.cells.begin() + static_cast<std::ptrdiff_t>(present_.begin[candidates + 1]));
  for (std::size_t k = 0; k < open_.size(); ++k) {
    const std::int32_t b = open_[k];
    const fmm::Cell& source = sources_->cell(b);
    int found = verdict(target, source);
    if (found == fmm::cut_either) found = a <= b ? fmm::near_or_cut_target : fmm::cut_source;
    if (found == fmm::cut_source) {
      const std::int32_t first = sources_->order.places[static_cast<std::size_t>(source.first_child)];
      for (Index c = 0; c < source.child_count; ++c) open_.push_back(first + c);
    } else if (found == fmm::near_or_cut_target) {
      (target.is_leaf() ? found_near_ : next_.cells).push_back(b);
    } else {
      lists.far[static_cast<std::size_t>(found)].push_back({a, b});
    }
  }
}

void ListMaker::make(const fmm::Tree& targets, const LevelOrder& target_order, const fmm::Tree& sources,
                     const LevelOrder& source_order, double closest, HostLists& lists) {
  const Side target_side{targets, target_order}, source_side{sources, source_order};
  targets_ = &target_side, sources_ = &source_side;
  closest_squared_ = closest * closest;
  for (auto& pairs : lists.far) pairs.clear();
  found_near_.clear();
  near_of_.assign(1, 0);
  next_.clear();
  next_.cells.push_back(0);
  next_.end();
  const std::vector<std::int32_t>& levels = target_order.levels;
  // The list of the children's candidates at each cut cell, one per parent.
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    std::swap(present_, next_);
    next_.clear();
    std::size_t parents = 0;
    Index last_parent = -2;
    for (std::int32_t a = levels[l]; a < levels[l + 1]; ++a) {
      const fmm::Cell& target = target_side.cell(a);
      if (last_parent != -2 && target.parent != last_parent) ++parents;
      last_parent = target.parent;
      visit(a, parents, lists);
      if (!target.is_leaf()) next_.end();
      near_of_.push_back(found_near_.size());
    }
  }
  collect(target_order.cells.size(), lists);
  lists.near_begin.assign(1, 0);
  lists.near.clear();
  for (const std::int32_t leaf : target_order.leaves) {
    const auto c = static_cast<std::size_t>(leaf);
    lists.near.insert(lists.near.end(), found_near_.begin() + static_cast<std::ptrdiff_t>(near_of_[c]),
                      found_near_.begin() + static_cast<std::ptrdiff_t>(near_of_[c + 1]));
    lists.near_begin.push_back(static_cast<std::int32_t>(lists.near.size()));
  }
  targets_ = sources_ = nullptr;
}

/// Counts the far pairs by order and target, and adds the counts up.
void ListMaker::collect(std::size_t target_cells, HostLists& lists) const {
  const auto orders = static_cast<std::size_t>(plan_.order) + 1;
  lists.far_start.assign(orders * target_cells + 1, 0);
  for (std::size_t p = 0; p < orders; ++p)
    for (const Int2& pair : lists.far[p])
      ++lists.far_start[p * target_cells + static_cast<std::size_t>(pair.x) + 1];
  for (std::size_t k = 1; k < lists.far_start.size(); ++k) lists.far_start[k] += lists.far_start[k - 1];
}

}  // namespace electret::gpu
