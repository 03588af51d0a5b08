#pragma once
/// \file
/// The dense kernels of a panel's triangular solves, one set of functions per instruction set. There is no
/// inline code here, because the files that implement the sets are compiled with flags of their own.

#include <cstdint>

namespace electret::detail {

/// One panel: `columns` columns starting at row `y` of the work array, `rows` rows in all.
struct Panel {
  const double* values;            ///< Column-major, `rows` entries per column.
  const double* inverse_diagonal;  ///< `columns`.
  const std::int32_t* row_index;   ///< `rows` entries: rows of the work array, own columns first.
  std::int64_t rows;
  std::int64_t columns;
  double* y;  ///< The panel's own rows, 4 doubles each.
  double* x;  ///< The whole work array, 4 doubles per row.
};

struct PanelKernels {
  /// y ← L₁₁⁻¹ y, then x_r -= L_r y for the rows below.
  void (*forward)(const Panel& panel);
  /// y ← L₁₁⁻ᵀ (y - L₂₁ᵀ x_below); `scratch` has `rows` rows.
  void (*backward)(const Panel& panel, double* scratch);
};

extern const PanelKernels portable_panel_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const PanelKernels avx2_panel_kernels;
#endif

}  // namespace electret::detail
