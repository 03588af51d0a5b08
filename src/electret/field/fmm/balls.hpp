#pragma once
/// \file
/// Cells as the test of acceptance sees them, and what it goes by.
///
/// This header is included by translation units compiled for wider instruction sets than the rest of the
/// library: it must hold no function that the linker could share between them.

namespace electret::fmm {

/// Balls tested at once, and read from any cell's on.
inline constexpr int ball_lanes = 8;

/// Several cells' balls, side by side.
struct BallRows {
  const double *x = nullptr, *y = nullptr, *z = nullptr;  ///< Centres.
  const double* radius = nullptr;
  const double* leaf_points = nullptr;  ///< Infinite where the cell is no leaf.
};

/// Tables of the test: with u = (r_A + r_B)/R.
struct AcceptanceTables {
  static constexpr int bins = 1024;
  double largest = 0.0;                   ///< Of u².
  const unsigned char* orders = nullptr;  ///< By u² in bins; the last, number bins + 1: 0, none.
  const double* worth = nullptr;          ///< By order: pairs of points that it costs as much as.
};

/// One target against ball_lanes sources.
struct AcceptanceTask {
  BallRows target, sources;
  double closest_squared = 0.0;  ///< Of R²: cells nearer than that do not interact by expansions.
  AcceptanceTables tables;
  unsigned char* orders = nullptr;  ///< Out; 0: none.
};

}  // namespace electret::fmm
