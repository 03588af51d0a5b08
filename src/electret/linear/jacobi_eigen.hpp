#pragma once
/// \file
/// Eigenvalues of small symmetric matrices whose size is known when this is compiled, without memory of its
/// own: Jacobi's cyclic method.

#include <array>
#include <cmath>
#include <cstddef>

namespace electret {

template <std::size_t n>
using SquareMatrix = std::array<std::array<double, n>, n>;

/// Makes the symmetric `a` diagonal; the columns of `vectors` become its eigenvectors.
template <std::size_t n>
void jacobi_eigen(SquareMatrix<n>& a, SquareMatrix<n>& vectors) {
  vectors = {};
  double size = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    vectors[i][i] = 1.0;
    for (std::size_t j = 0; j < n; ++j) size += a[i][j] * a[i][j];
  }
  for (int sweep = 0; sweep < 30; ++sweep) {
    double off = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) off += a[i][j] * a[i][j];
    if (!(off > 1e-30 * size)) return;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (a[p][q] == 0.0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(1.0 + theta * theta));
        const double c = 1.0 / std::sqrt(1.0 + t * t), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double pk = a[p][k], qk = a[q][k], vp = vectors[k][p], vq = vectors[k][q];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
          vectors[k][p] = c * vp - s * vq;
          vectors[k][q] = s * vp + c * vq;
        }
      }
  }
}

}  // namespace electret
