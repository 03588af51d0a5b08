#pragma once
/// \file
/// The last pass, L2P and one-sided P2P, for separate targets or for vectors that differ from the charges'
/// own.

#include <electret/field/fmm/passes/leaf_input.hpp>

namespace electret::fmm {

/// Computes the sums at one leaf's points and passes them to `store`. With products there is no potential.
/// Returns the number of coincident pairs that are left out.
template <class T>
class LeafPass {
 public:
  explicit LeafPass(const LeafInput<T>& in) : in_(in) {}

  Count sum(const NearList& list, Workspace<T>& work, const Store& store) const;

 private:
  [[nodiscard]] bool own() const { return in_.targets.points == in_.sources.points; }
  bool sum_all_plain(const NearList& list, double least, Workspace<T>& work, NearTask<T>& task) const;
  bool sum_near(const NearList& list, Workspace<T>& work, NearTask<T>& task) const;
  void hand_over(const Cell& leaf, const LeafSums<T>& sums, bool exact, Workspace<T>& work,
                 const Store& store) const;
  Count sum_exactly(const NearList& list, Workspace<T>& work) const;

  const LeafInput<T>& in_;
};

extern template class LeafPass<float>;
extern template class LeafPass<double>;

}  // namespace electret::fmm
