#include <Eigen/Eigenvalues>

#include <electret/core/errors.hpp>
#include <electret/linear/symmetric_eigen.hpp>

namespace electret {

SymmetricEigen symmetric_eigen(const Rows& matrix) {
  const std::size_t n = matrix.size();
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd symmetric(size, size);
  for (std::size_t i = 0; i < n; ++i) {
    if (matrix[i].size() != n) throw InternalError("symmetric_eigen: the matrix is not square");
    for (std::size_t j = 0; j < n; ++j)
      symmetric(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          0.5 * (matrix[i][j] + matrix[j][i]);
  }
  SymmetricEigen result;
  if (n == 0) return result;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(symmetric);
  result.values.assign(solved.eigenvalues().begin(), solved.eigenvalues().end());
  for (Eigen::Index k = 0; k < size; ++k) {
    const auto vector = solved.eigenvectors().col(k);
    result.vectors.emplace_back(vector.begin(), vector.end());
  }
  return result;
}

}  // namespace electret
