#pragma once
/// \file
/// The sums of one tree's charges at another tree's points: traversal, downward pass, leaves.

#include <limits>
#include <memory>
#include <vector>

#include <electret/field/fmm/acceptance.hpp>
#include <electret/field/fmm/expansions.hpp>

namespace electret::fmm {

/// What is asked at the targets, in the targets' tree order of points: `z` with products.
template <class T>
struct Targets {
  const PlacedPoints<T>* points = nullptr;
  const PaddedVectors<T>* z = nullptr;  ///< Null: no products.
  bool potential = false;
  /// A target takes part in pairs that are counted as coincident (its charge is not 0).
  const PaddedArray<T>* charges = nullptr;  ///< Null: every target.
};

/// The sums at a target, in scaled units.
struct PointSums {
  Vec3 field;
  double potential = 0.0;
  Vec3 product;                 ///< Σ_j q_j K'(r_ij)(z_i - u_j)
  double charge_product = 0.0;  ///< Σ_j q_j K(r_ij)·(z_i - u_j)
};

/// Where sums go, by the target's number in the caller's order; called concurrently.
struct Store {
  void (*announce)(void*, std::size_t) = nullptr;  ///< Soon to be stored: memory may be asked for.
  void (*put)(void*, std::size_t, const PointSums&) = nullptr;
  void* context = nullptr;
};

/// Settings of one evaluation, in scaled units.
struct SumSettings {
  double softening = 0.0;
  double closest_far = 0.0;  ///< Cells nearer than that do not interact by expansions.
  /// float32 only: plain differences of coordinates relative to the leaf serve where no pair is closer than
  /// this times the farthest source; infinite: never.
  double closest_plain = std::numeric_limits<double>::infinity();
  /// Where some pair is closer, leaves whose gap is at least this times the farthest source's distance are
  /// still summed so.
  double apart_plain = std::numeric_limits<double>::infinity();
};

/// What a thread works in. Grows, never shrinks.
template <class T>
struct Workspace;

template <class T>
class Sums {
 public:
  Sums(const Plan& plan, const ExpansionKernels<T>& kernels, Threads& threads);
  ~Sums();

  /// Stores the sums of every target. Returns the
  /// ordered pairs at distance 0 that were left out, of non-zero charges. Deterministic.
  Count evaluate(const Sources<T>& sources, const Targets<T>& targets, const SumSettings& settings,
                 const Store& store);

 private:
  struct Pass;

  Plan plan_;
  Acceptance acceptance_;
  const ExpansionKernels<T>& kernels_;
  Threads& threads_;
  Expansions<T> moments_, locals_;
  std::vector<Index> root_ = {0};
  std::vector<std::vector<Index>> candidates_;  ///< Of the cells above and at the tasks' roots.
  std::vector<std::unique_ptr<Workspace<T>>> workspaces_;
  std::vector<Count> coincident_;
};

extern template class Sums<float>;
extern template class Sums<double>;

}  // namespace electret::fmm
