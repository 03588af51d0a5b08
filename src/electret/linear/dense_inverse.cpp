#include <Eigen/LU>

#include <electret/core/errors.hpp>
#include <electret/linear/dense_inverse.hpp>

namespace electret {
namespace {

Eigen::MatrixXd matrix_of(const Rows& rows) {
  const auto size = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd matrix(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::vector<double>& row = rows[static_cast<std::size_t>(i)];
    require(row.size() == rows.size(), "dense_inverse: the matrix is not square");
    matrix.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), size);
  }
  return matrix;
}

}  // namespace

std::optional<Rows> dense_inverse(const Rows& matrix) {
  if (matrix.empty()) return Rows{};
  const Eigen::MatrixXd whole = matrix_of(matrix);
  if (!whole.allFinite()) return std::nullopt;
  const Eigen::FullPivLU<Eigen::MatrixXd> factors(whole);
  if (!factors.isInvertible()) return std::nullopt;
  const Eigen::MatrixXd inverse = factors.inverse();
  Rows result;
  for (Eigen::Index i = 0; i < inverse.rows(); ++i) {
    const auto row = inverse.row(i);
    result.emplace_back(row.begin(), row.end());
  }
  return result;
}

}  // namespace electret
