#include <Eigen/Cholesky>
#include <algorithm>

#include <electret/linear/detail/reduced_inverse.hpp>

namespace electret::detail {
namespace {

/// Up to 3×3, without memory of its own.
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

std::size_t at(Eigen::Index index) {
  return static_cast<std::size_t>(index);
}

Small trial_of(const VertexConstraint& c) {
  Small v(3, c.columns);
  for (Eigen::Index k = 0; k < c.columns; ++k)
    for (int axis = 0; axis < 3; ++axis) v(axis, k) = c.trial[at(k)][axis];
  return v;
}

/// D's symmetric part.
Small diagonal_of(const VertexConstraint& c) {
  Small d(c.columns, c.columns);
  for (Eigen::Index row = 0; row < c.columns; ++row)
    for (Eigen::Index column = 0; column < c.columns; ++column)
      d(row, column) =
          0.5 * (c.diagonal[at(c.columns * row + column)] + c.diagonal[at(c.columns * column + row)]);
  return d;
}

constexpr Count basis_chunk = 512;

/// x ← (the first `count` of `rows`) x.
void multiply(const std::array<Vec3, 3>& rows, int count, Padded32& x) {
  const Vec3 before = unpadded(x);
  Vec3 result;
  for (int k = 0; k < count; ++k) result[k] = dot(rows[static_cast<std::size_t>(k)], before);
  x = padded32(result);
}

}  // namespace

/// With b = L Lᵀ and I + LᵀDL = R Rᵀ, X = R⁻¹Lᵀ has XᵀX = (b⁻¹ + D)⁻¹, and Fᵀ = L⁻ᵀX.
ReducedInverse::Basis ReducedInverse::basis_of(const VertexConstraint& constraint,
                                               const std::array<float, 9>& inverse) {
  Basis basis;
  basis.vertex = constraint.vertex;
  basis.columns = constraint.columns;
  Small block(3, 3);
  for (Eigen::Index k = 0; k < 9; ++k) block(k % 3, k / 3) = inverse[at(k)];
  Small p = trial_of(constraint), own = p.transpose() * block * p;
  const Small d = diagonal_of(constraint);
  const Eigen::LLT<Small> b(own);
  if (d.norm() > 0.0 && b.info() == Eigen::Success) {
    const Small upper = b.matrixU();
    const Eigen::LLT<Small> stiffened(
        Small(Small::Identity(d.rows(), d.cols()) + upper * d * upper.transpose()));
    if (stiffened.info() == Eigen::Success) {
      const Small x = stiffened.matrixL().solve(upper);
      own = x.transpose() * x;
      p = (p * Small(b.matrixU().solve(x))).eval();
    }
  }
  for (Eigen::Index k = 0; k < p.cols(); ++k) {
    basis.trial[at(k)] = {p(0, k), p(1, k), p(2, k)};
    for (Eigen::Index j = 0; j < p.cols(); ++j) basis.own[at(k)][static_cast<int>(j)] = own(k, j);
  }
  return basis;
}

void ReducedInverse::set(const Reduction& reduction, const Preconditioner& inverse) {
  pins_ = reduction.pins();
  bases_.clear();
  for (const VertexConstraint& c : reduction.constraints())
    bases_.push_back(basis_of(c, inverse.own_inverse(c.vertex)));
}

PaddedView32 ReducedInverse::expanded(Threads& threads, PaddedView32 x, std::vector<Padded32>& work) const {
  if (bases_.empty()) return x;
  work.assign(x.begin(), x.end());
  threads.for_chunks(static_cast<Count>(bases_.size()), basis_chunk, [&](Count begin, Count end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const Basis& basis = bases_[k];
      Padded32& row = work[static_cast<std::size_t>(basis.vertex)];
      const Vec3 before = unpadded(row);
      Vec3 sum;
      for (int j = 0; j < basis.columns; ++j) sum += before[j] * basis.trial[static_cast<std::size_t>(j)];
      row = padded32(sum);
    }
  });
  return work;
}

void ReducedInverse::project(Threads& threads, PaddedSpan32 y) const {
  clear_rows(pins_, y, 0, static_cast<Count>(y.size()));
  threads.for_chunks(static_cast<Count>(bases_.size()), basis_chunk, [&](Count begin, Count end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      multiply(bases_[k].trial, bases_[k].columns, y[static_cast<std::size_t>(bases_[k].vertex)]);
  });
}

void ReducedInverse::own_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const {
  clear_rows(pins_, z, begin, end);
  const auto is_before = [](const Basis& basis, Count vertex) { return basis.vertex < vertex; };
  for (auto basis = std::lower_bound(bases_.begin(), bases_.end(), begin, is_before);
       basis != bases_.end() && basis->vertex < end; ++basis) {
    const auto i = static_cast<std::size_t>(basis->vertex);
    z[i] = r[i];
    multiply(basis->own, basis->columns, z[i]);
  }
}

}  // namespace electret::detail
