#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/linear/detail/panel_factor.hpp>
#include <electret/linear/detail/panel_kernels.hpp>

namespace electret::detail {
namespace {

const PanelKernels& kernels() {
#ifdef ELECTRET_HAS_AVX2
  if (instruction_set() >= InstructionSet::avx2) return avx2_panel_kernels;
#endif
  return portable_panel_kernels;
}

/// Panel p of the factor over the work array x.
Panel panel(const PanelFactor& f, Count p, double* x) {
  const auto at = static_cast<std::size_t>(p);
  const Count first = f.first_column[at];
  return {f.values.get() + f.value_offsets[at],
          f.inverse_diagonal.data() + first,
          f.rows.data() + f.row_offsets[at],
          f.row_offsets[at + 1] - f.row_offsets[at],
          f.first_column[at + 1] - first,
          x + 4 * first,
          x};
}

}  // namespace

Count PanelFactor::nonzeros() const {
  Count total = 0;
  for (std::size_t p = 0; p + 1 < first_column.size(); ++p) {
    const Count columns = first_column[p + 1] - first_column[p];
    total += columns * (row_offsets[p + 1] - row_offsets[p]) - columns * (columns - 1) / 2;
  }
  return total;
}

Count PanelFactor::tallest() const {
  Count most = 0;
  for (std::size_t p = 0; p + 1 < row_offsets.size(); ++p)
    most = std::max(most, row_offsets[p + 1] - row_offsets[p]);
  return most;
}

void PanelFactor::invert_diagonal() {
  inverse_diagonal.clear();
  for (std::size_t p = 0; p + 1 < first_column.size(); ++p) {
    const Count height = row_offsets[p + 1] - row_offsets[p];
    for (Count j = 0; j < first_column[p + 1] - first_column[p]; ++j)
      inverse_diagonal.push_back(1.0 / values.get()[value_offsets[p] + j * height + j]);
  }
  require(inverse_diagonal.size() == permutation.size(), "the panels do not cover the factor");
}

void solve_in_place(const PanelFactor& factor, Padded64* x, Padded64* scratch) {
  if (factor.size() == 0) return;
  const PanelKernels& kernel = kernels();
  for (Count p = 0; p < factor.panels(); ++p) kernel.forward(panel(factor, p, x->lane));
  for (Count p = factor.panels(); p-- > 0;) kernel.backward(panel(factor, p, x->lane), scratch->lane);
}

void solve_in_place_reference(const PanelFactor& factor, Padded64* x) {
  const auto entry = [&](const Panel& p, Count row, Count column) { return p.values[column * p.rows + row]; };
  const auto subtract = [&](Count target, double s, Count source) {
    for (int k = 0; k < 4; ++k) x[target].lane[k] -= s * x[source].lane[k];
  };
  const auto divide = [&](Count row, double s) {
    for (double& value : x[row].lane) value /= s;
  };
  for (Count at = 0; at < factor.panels(); ++at) {
    const Panel p = panel(factor, at, x->lane);
    for (Count j = 0; j < p.columns; ++j) {
      divide(p.row_index[j], entry(p, j, j));
      for (Count r = j + 1; r < p.rows; ++r) subtract(p.row_index[r], entry(p, r, j), p.row_index[j]);
    }
  }
  for (Count at = factor.panels(); at-- > 0;) {
    const Panel p = panel(factor, at, x->lane);
    for (Count j = p.columns; j-- > 0;) {
      for (Count r = j + 1; r < p.rows; ++r) subtract(p.row_index[j], entry(p, r, j), p.row_index[r]);
      divide(p.row_index[j], entry(p, j, j));
    }
  }
}

}  // namespace electret::detail
