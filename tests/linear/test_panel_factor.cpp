// The panels' blocked solve against two plain loops, and every instruction set's kernels.

#include <cmath>

#include <electret/core/instruction_set.hpp>
#include <electret/linear/detail/factorise.hpp>
#include <electret/linear/detail/panel_kernels.hpp>

#include "linear/scalar_problems.hpp"

namespace electret::test {
namespace {

using detail::PanelFactor;

/// A random factor with panels of every width and height up to 9 and beyond the kernels' blocks.
PanelFactor random_factor() {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  PanelFactor factor;
  std::vector<double> values;
  constexpr Index n = 100;
  for (Index first = 0, width = 1; first < n; width = width % 9 + 1) {
    const Index columns = std::min<Index>(width, n - first);
    std::vector<Index> rows;
    for (Index k = 0; k < columns; ++k) rows.push_back(first + k);
    for (Index r = first + columns; r < n; ++r)
      if (random() % 3 == 0) rows.push_back(r);
    for (Index c = 0; c < columns; ++c)
      for (std::size_t r = 0; r < rows.size(); ++r)
        values.push_back(static_cast<Index>(r) == c ? 1.0 + std::abs(uniform(random)) : uniform(random));
    factor.rows.insert(factor.rows.end(), rows.begin(), rows.end());
    first += columns;
    factor.first_column.push_back(first);
    factor.row_offsets.push_back(static_cast<Count>(factor.rows.size()));
    factor.value_offsets.push_back(static_cast<Count>(values.size()));
  }
  for (Index k = 0; k < n; ++k) factor.permutation.push_back(k);
  auto owner = std::make_shared<std::vector<double>>(std::move(values));
  factor.values = std::shared_ptr<const double>(owner, owner->data());
  factor.invert_diagonal();
  return factor;
}

std::vector<Padded64> random_rows(std::size_t n) {
  std::vector<Padded64> rows(n);
  const VectorArray values = random_vectors(n, 12);
  for (std::size_t k = 0; k < n; ++k) rows[k] = padded64(values[k]);
  return rows;
}

void expect_near(const std::vector<Padded64>& a, const std::vector<Padded64>& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    for (int lane = 0; lane < 4; ++lane)
      EXPECT_NEAR(a[k].lane[lane], b[k].lane[lane], 1e-12 * (1.0 + std::abs(b[k].lane[lane]))) << k;
}

void solve_with(const detail::PanelKernels& kernels, const PanelFactor& f, std::vector<Padded64>& x) {
  std::vector<Padded64> scratch(static_cast<std::size_t>(f.tallest()));
  const auto panel = [&](std::size_t p) {
    const Count first = f.first_column[p];
    return detail::Panel{f.values.get() + f.value_offsets[p],
                         f.inverse_diagonal.data() + first,
                         f.rows.data() + f.row_offsets[p],
                         f.row_offsets[p + 1] - f.row_offsets[p],
                         f.first_column[p + 1] - first,
                         x[static_cast<std::size_t>(first)].lane,
                         x[0].lane};
  };
  const auto panels = static_cast<std::size_t>(f.panels());
  for (std::size_t p = 0; p < panels; ++p) kernels.forward(panel(p));
  for (std::size_t p = panels; p-- > 0;) kernels.backward(panel(p), scratch[0].lane);
}

TEST(PanelFactor, SolvesAsThePlainLoopsDo) {
  const PanelFactor factor = random_factor();
  std::vector<Padded64> expected = random_rows(100), x = expected;
  std::vector<Padded64> scratch(static_cast<std::size_t>(factor.tallest()));
  detail::solve_in_place_reference(factor, expected.data());
  detail::solve_in_place(factor, x.data(), scratch.data());
  expect_near(x, expected);
}

TEST(PanelFactor, EveryInstructionSetSolvesAsThePlainLoopsDo) {
  const PanelFactor factor = random_factor();
  std::vector<Padded64> expected = random_rows(100);
  std::vector<Padded64> portable = expected;
  detail::solve_in_place_reference(factor, expected.data());
  solve_with(detail::portable_panel_kernels, factor, portable);
  expect_near(portable, expected);
#ifdef ELECTRET_HAS_AVX2
  if (is_supported(InstructionSet::avx2)) {
    std::vector<Padded64> avx2 = random_rows(100);
    solve_with(detail::avx2_panel_kernels, factor, avx2);
    expect_near(avx2, expected);
  }
#endif
}

TEST(PanelFactor, EigensPanelsMultiplyToTheMatrix) {
  const SparseMatrix matrix = spring_matrix(36, lattice_pairs(6, 6, 1, 1), 5.0);
  detail::LowerTriangle lower;
  lower.size = matrix.rows;
  lower.offsets.push_back(0);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (Count k = matrix.offsets[static_cast<std::size_t>(i)];
         k < matrix.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
      if (matrix.columns[static_cast<std::size_t>(k)] < i) continue;
      lower.rows.push_back(matrix.columns[static_cast<std::size_t>(k)]);
      lower.values.push_back(matrix.values[static_cast<std::size_t>(k)]);
    }
    lower.offsets.push_back(static_cast<std::int64_t>(lower.rows.size()));
  }
  const PanelFactor f = detail::factorise_by_eigen(lower);
  EXPECT_LT(f.panels(), 36) << "equal neighbouring columns are joined";
  std::vector<std::vector<double>> l(36, std::vector<double>(36, 0.0));
  for (std::size_t p = 0; p < static_cast<std::size_t>(f.panels()); ++p) {
    const Count height = f.row_offsets[p + 1] - f.row_offsets[p];
    for (Count c = 0; c < f.first_column[p + 1] - f.first_column[p]; ++c)
      for (Count r = c; r < height; ++r)
        l[static_cast<std::size_t>(f.rows[static_cast<std::size_t>(f.row_offsets[p] + r)])]
         [static_cast<std::size_t>(f.first_column[p] + c)] =
             f.values.get()[f.value_offsets[p] + c * height + r];
  }
  for (std::size_t a = 0; a < 36; ++a)
    for (std::size_t b = 0; b < 36; ++b) {
      double product = 0.0, entry = 0.0;
      for (std::size_t k = 0; k < 36; ++k) product += l[a][k] * l[b][k];
      const auto row = static_cast<std::size_t>(f.permutation[a]);
      for (Count k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k)
        if (matrix.columns[static_cast<std::size_t>(k)] == f.permutation[b])
          entry = matrix.values[static_cast<std::size_t>(k)];
      EXPECT_NEAR(product, entry, 1e-12);
    }
}

}  // namespace
}  // namespace electret::test
