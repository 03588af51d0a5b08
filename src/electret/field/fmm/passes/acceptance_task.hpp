#pragma once
/// \file
/// Cells as the test of acceptance sees them, and what it goes by.
///
/// This header is included by translation units compiled for wider instruction sets than the rest of the
/// library: it must hold no function that the linker could share between them.

#include <cstddef>

#include <electret/field/fmm/expansions/harmonics.hpp>
#include <electret/field/fmm/expansions/taylor.hpp>

namespace electret::fmm {

/// Balls tested at once: as many as a cell may have children.
inline constexpr int ball_lanes = 8;

/// A cell's ball.
struct CellBall {
  double x, y, z, radius;
  double leaf_points;  ///< Infinite where the cell is no leaf.
};

/// Several cells' balls, side by side; lanes may be empty.
struct BallBlock {
  alignas(64) double x[ball_lanes] = {}, y[ball_lanes] = {}, z[ball_lanes] = {};
  alignas(64) double radius[ball_lanes] = {}, leaf_points[ball_lanes] = {};
};

/// (r_A + r_B)/R of cells that interact by expansions is at most that.
inline constexpr double farthest_reach = 0.95;

/// Tables of the test: with u = (r_A + r_B)/R.
struct AcceptanceTables {
  static constexpr int bins = 1024;
  double largest = 0.0;  ///< Of u².
  /// By bin of u²: bins + 1 of them, and 0, none, for pairs not apart; then the same for softened pairs.
  const unsigned char* verdicts = nullptr;
  const double* worth = nullptr;  ///< By verdict: pairs of points that it costs as much as.
};

/// What becomes of a pair of cells: harmonic expansions of an order from 1 on, or one of these.
enum Verdict : unsigned char {
  near_or_cut_target = 0,      ///< Two leaves: near. Else the target is cut, which is larger or no leaf.
  cut_source = max_order + 1,  ///< The source is cut.
  cut_either = max_order + 2   ///< Equally large: the earlier one is cut.
};
/// Verdicts behind that are Taylor series, of order 1 and so on.
inline constexpr int before_taylor = cut_either;
static constexpr std::size_t taylor_verdict(int order) {
  return std::size_t{before_taylor} + static_cast<std::size_t>(order);
}
inline constexpr int verdict_count = before_taylor + max_taylor_order + 1;

/// One target against ball_lanes sources.
struct AcceptanceTask {
  CellBall target;
  const BallBlock* sources = nullptr;
  double closest_squared = 0.0;  ///< Of R²: cells nearer than that do not interact by expansions.
  AcceptanceTables tables;
  unsigned char* verdicts = nullptr;  ///< Out.
  /// Pairs nearer than that (R²) are softened, by ε².
  double softened_squared = 0.0, softening_squared = 0.0;
};

}  // namespace electret::fmm
