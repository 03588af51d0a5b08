#pragma once
/// \file
/// The FMM's passes for one tree's charges at another tree's points: the traversal with M2L, the downward
/// pass (L2L), and the leaves (L2P and P2P).

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <electret/field/fmm/expansions/expansions.hpp>
#include <electret/field/fmm/passes/acceptance.hpp>
#include <electret/field/fmm/passes/candidates.hpp>
#include <electret/field/fmm/passes/point_sums.hpp>

namespace electret::fmm {

/// The targets in tree order, and what is requested at them.
template <class T>
struct Targets {
  const PlacedPoints<T>* points = nullptr;
  const PaddedVectors<T>* z = nullptr;  ///< The targets' vectors. Null: no products.
  bool potential = false;
  /// Coincident pairs are counted only for targets whose charge is not 0; null: for every target.
  const PaddedArray<T>* charges = nullptr;
};

/// Receives the sums, by the targets' numbers in the caller's order. Called by several threads at the same
/// time.
struct Store {
  using Numbers = std::span<const Index>;
  /// Called some time before `put` with the same targets, so that their memory can be prefetched.
  void (*announce)(void*, Numbers) = nullptr;
  void (*put)(void*, Numbers, const PointSums*) = nullptr;
  void* context = nullptr;
};

/// Settings of one evaluation, in scaled units.
struct SumSettings {
  double softening = 0.0;
  double closest_far = 0.0;       ///< Closer cells do not interact by expansions.
  double closest_harmonic = 0.0;  ///< Closer cells do not interact by expansions of 1/r.
  /// float32 only: a leaf's pairs are summed with plain differences (of coordinates relative to the leaf) if
  /// no pair is closer than this times the distance of the farthest source; infinite: never.
  double closest_plain = std::numeric_limits<double>::infinity();
  /// If some pair is closer, plain differences still serve for those near leaves whose gap to the leaf is at
  /// least this times the distance of the farthest source.
  double apart_plain = std::numeric_limits<double>::infinity();
  /// If all differences are plain, whether the processor's estimate of 1/ρ is accurate enough.
  bool estimate = false;
};

template <class T>
struct Workspace;
template <class T>
class MutualSums;

template <class T>
class Sums {
 public:
  Sums(const Plan& plan, const ExpansionKernels<T>& kernels, Threads& threads);
  ~Sums();

  /// Stores the sums of every target. Returns the number of ordered pairs at distance 0 between non-zero
  /// charges, which it leaves out. The result does not depend on the number of threads.
  Count evaluate(const Sources<T>& sources, const Targets<T>& targets, SumSettings settings,
                 const Store& store);

 private:
  struct Pass;
  void choose_series(const Tree& sources, const Tree& targets, SumSettings& settings);
  void find_series(const Sources<T>& sources, std::size_t targets);

  Acceptance acceptance_;
  const ExpansionKernels<T>& kernels_;
  Threads& threads_;
  AllSeries<T> series_;
  Candidates root_;                     ///< Contains only the sources' root.
  std::vector<Candidates> candidates_;  ///< By place in upper(): candidates for the children.
  std::unique_ptr<MutualSums<T>> mutual_;
  std::vector<std::unique_ptr<Workspace<T>>> workspaces_;
  std::vector<Count> coincident_;
};

extern template class Sums<float>;
extern template class Sums<double>;

}  // namespace electret::fmm
