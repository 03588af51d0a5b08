#pragma once
/// \file
/// Cells as the test of acceptance sees them, and what it goes by.
///
/// This header is included by translation units compiled for wider instruction sets than the rest of the
/// library: it must hold no function that the linker could share between them.

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

/// Tables of the test: with u = (r_A + r_B)/R.
struct AcceptanceTables {
  static constexpr int bins = 1024;
  double largest = 0.0;                   ///< Of u².
  const unsigned char* orders = nullptr;  ///< By u² in bins; the last, number bins + 1: 0, none.
  const double* worth = nullptr;          ///< By order: pairs of points that it costs as much as.
};

/// What becomes of a pair of cells: expansions of an order from 1 on, or one of these.
enum Verdict : unsigned char {
  close = 0,          ///< Leaves: near. Else the target, the larger one or the one that is no leaf, is cut.
  open = 19,          ///< The source is cut.
  equally_large = 20  ///< Either may be cut.
};
inline constexpr int verdict_count = 21;

/// One target against ball_lanes sources.
struct AcceptanceTask {
  CellBall target;
  const BallBlock* sources = nullptr;
  double closest_squared = 0.0;  ///< Of R²: cells nearer than that do not interact by expansions.
  AcceptanceTables tables;
  unsigned char* verdicts = nullptr;  ///< Out.
};

}  // namespace electret::fmm
