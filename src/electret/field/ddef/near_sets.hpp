#pragma once
/// \file
/// Which tetrahedra are near which others: N(t), T(v) and S(t) of [MSC 3.1.2] in the consistent reading.

#include <span>

#include <electret/field/ddef/tessellation.hpp>

namespace electret::ddef {

/// Lists of indices, stored in one array.
class IndexLists {
 public:
  [[nodiscard]] std::span<const Index> operator[](Index list) const {
    const auto l = static_cast<std::size_t>(list);
    return std::span(values_).subspan(static_cast<std::size_t>(first_[l]),
                                      static_cast<std::size_t>(first_[l + 1] - first_[l]));
  }
  [[nodiscard]] Count size() const { return static_cast<Count>(first_.size()) - 1; }
  [[nodiscard]] Count total() const { return first_.back(); }
  void append(std::span<const Index> values) {
    values_.insert(values_.end(), values.begin(), values.end());
    first_.push_back(static_cast<Count>(values_.size()));
  }

 private:
  std::vector<Count> first_ = {0};
  std::vector<Index> values_;
};

/// With V(t) the four vertices of tetrahedron t:
///   N(t) = V(t) and the opposite vertices of t's face neighbours: the vertices for which t's charges are
///   near;
///   T(v) = { t : v ∈ N(t) };
///   S(t) = ∪ over v ∈ V(t) of T(v): the tetrahedra whose charges are near for targets in t.
/// All lists ascend.
struct NearSets {
  explicit NearSets(const Tessellation& tessellation);

  IndexLists around;         ///< v → { t : v ∈ V(t) }.
  IndexLists near_vertices;  ///< N(t).
  IndexLists near_of;        ///< T(v).
  IndexLists near;           ///< S(t).
  IndexLists near_targets;  ///< s → { t : s ∈ S(t) } = ∪ over v ∈ N(s) of around(v). S is not symmetric.
};

}  // namespace electret::ddef
