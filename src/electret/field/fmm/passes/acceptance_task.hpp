#pragma once
/// \file
/// The arguments of the acceptance criterion: cells' balls, tables and verdicts.
///
/// Translation units that are compiled for wider instruction sets than the rest of the library include this
/// header. It must therefore hold no function that the linker could share between them.

#include <cstddef>

#include <electret/field/fmm/expansions/harmonics.hpp>
#include <electret/field/fmm/expansions/taylor.hpp>

namespace electret::fmm {

/// The number of balls that are tested at once: as many as a cell may have children.
inline constexpr int ball_lanes = 8;

/// A cell's ball.
struct CellBall {
  double x, y, z, radius;
  double leaf_points;  ///< The number of points of a leaf; infinite for other cells.
};

/// The balls of several cells. Lanes may be empty.
struct BallBlock {
  alignas(64) double x[ball_lanes] = {}, y[ball_lanes] = {}, z[ball_lanes] = {};
  alignas(64) double radius[ball_lanes] = {}, leaf_points[ball_lanes] = {};
};

/// The largest (r_A + r_B)/R of cells that interact by expansions.
inline constexpr double farthest_reach = 0.95;

/// The tables of the criterion, with u = (r_A + r_B)/R.
struct AcceptanceTables {
  static constexpr int bins = 1024;
  double largest = 0.0;  ///< The largest u² that is accepted.
  /// The verdict by bin of u². There are bins + 1 entries, then a 0 for cells that are not well separated,
  /// then as many for softened pairs.
  const unsigned char* verdicts = nullptr;
  const double* worth = nullptr;  ///< By verdict: the number of pairs of points whose P2P costs as much.
};

/// The verdict on a pair of cells: the order of harmonic expansions (from 1), or one of these values.
enum Verdict : unsigned char {
  near_or_cut_target = 0,      ///< P2P of two leaves; otherwise the target is cut.
  cut_source = max_order + 1,  ///< The source is cut.
  cut_either = max_order + 2   ///< Of two equally large cells, the earlier one is cut.
};
/// Larger verdicts are the orders of Taylor series, from 1.
inline constexpr int before_taylor = cut_either;
static constexpr std::size_t taylor_verdict(int order) {
  return std::size_t{before_taylor} + static_cast<std::size_t>(order);
}
inline constexpr int verdict_count = before_taylor + max_taylor_order + 1;

/// One target and ball_lanes sources.
struct AcceptanceTask {
  CellBall target;
  const BallBlock* sources = nullptr;
  double closest_squared = 0.0;  ///< R²: cells closer than this do not interact by expansions.
  AcceptanceTables tables;
  unsigned char* verdicts = nullptr;  ///< Output.
  /// Pairs with R² < softened_squared are softened; softening_squared is ε².
  double softened_squared = 0.0, softening_squared = 0.0;
};

}  // namespace electret::fmm
