#include <Eigen/SparseCholesky>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/factorise.hpp>

namespace electret::detail {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;

/// The number of columns from `first` on that share one panel, because the rows of each are those of the
/// column before without its diagonal.
std::int64_t panel_width(const Matrix& l, std::int64_t first) {
  const auto* starts = l.outerIndexPtr();
  std::int64_t last = first;
  while (last + 1 < l.cols()) {
    const std::int64_t entries = starts[last + 1] - starts[last];
    const bool parent = entries > 1 && l.innerIndexPtr()[starts[last] + 1] == last + 1;
    if (!parent || starts[last + 2] - starts[last + 1] != entries - 1) break;
    ++last;
  }
  return last - first + 1;
}

/// Eigen's factor as panels. Its columns hold the diagonal first and then ascending rows.
PanelFactor panels_of(const Matrix& l) {
  PanelFactor factor;
  const auto* starts = l.outerIndexPtr();
  std::vector<double> values;
  for (std::int64_t first = 0; first < l.cols();) {
    const std::int64_t width = panel_width(l, first);
    const std::int64_t height = starts[first + 1] - starts[first];
    for (std::int64_t e = starts[first]; e < starts[first + 1]; ++e)
      factor.rows.push_back(static_cast<Index>(l.innerIndexPtr()[e]));
    for (std::int64_t j = 0; j < width; ++j) {
      values.insert(values.end(), static_cast<std::size_t>(j), 0.0);
      values.insert(values.end(), l.valuePtr() + starts[first + j], l.valuePtr() + starts[first + j + 1]);
    }
    first += width;
    factor.first_column.push_back(static_cast<Index>(first));
    factor.row_offsets.push_back(factor.row_offsets.back() + height);
    factor.value_offsets.push_back(static_cast<Count>(values.size()));
  }
  auto owner = std::make_shared<std::vector<double>>(std::move(values));
  factor.values = std::shared_ptr<const double>(owner, owner->data());
  return factor;
}

}  // namespace

PanelFactor factorise_by_eigen(const LowerTriangle& matrix) {
  const Eigen::Map<const Matrix> lower(matrix.size, matrix.size,
                                       static_cast<std::int64_t>(matrix.values.size()), matrix.offsets.data(),
                                       matrix.rows.data(), matrix.values.data());
  Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<std::int64_t>> llt(lower);
  require(llt.info() == Eigen::Success, "the system's matrix is not positive definite");
  PanelFactor factor = panels_of(llt.matrixL().nestedExpression());
  // permutationP() maps the matrix's rows to the factor's: row i goes to row indices()(i).
  factor.permutation.resize(static_cast<std::size_t>(matrix.size));
  const auto& indices = llt.permutationP().indices();
  for (std::int64_t i = 0; i < matrix.size; ++i) {
    const auto to = indices.size() > 0 ? indices(i) : i;
    factor.permutation[static_cast<std::size_t>(to)] = static_cast<Index>(i);
  }
  factor.invert_diagonal();
  return factor;
}

}  // namespace electret::detail
