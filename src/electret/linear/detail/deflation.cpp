#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/linear/detail/deflation.hpp>

namespace electret::detail {
namespace {

constexpr Count deflation_chunk = 512;
/// What A resists by less than this part of the most that it resists any motion is rounding.
constexpr double least_size = 1e-14;

/// The numbers x for which Σ_k x_k basis_k comes closest to `motion`.
Vec3 closest(const std::array<Vec3, 3>& basis, int columns, const Vec3& motion) {
  Eigen::Matrix3d gram = Eigen::Matrix3d::Identity();
  Eigen::Vector3d products = Eigen::Vector3d::Zero();
  for (int i = 0; i < columns; ++i) {
    products(i) = dot(basis[static_cast<std::size_t>(i)], motion);
    for (int j = 0; j < columns; ++j)
      gram(i, j) = dot(basis[static_cast<std::size_t>(i)], basis[static_cast<std::size_t>(j)]);
  }
  const Eigen::Vector3d x = gram.ldlt().solve(products);
  return {x(0), x(1), x(2)};
}

void normalise(VectorArray& rows) {
  double squares = 0.0;
  for (const Vec3& row : rows) squares += squared_norm(row);
  if (!(squares > 0.0)) return;
  for (Vec3& row : rows) row *= 1.0 / std::sqrt(squares);
}

/// Calls body(k) for the rows of an array.
template <class Body>
void for_rows(Threads& threads, std::size_t rows, Body&& body) {
  threads.for_chunks(static_cast<Count>(rows), deflation_chunk, [&](Count begin, Count end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) body(k);
  });
}

/// Σ_k a_k · b(k).
template <class Rows>
double product_of(Threads& threads, const VectorArray& a, Rows&& b) {
  return threads.sum(
      static_cast<Count>(a.size()),
      [&](Count begin, Count end) {
        double sum = 0.0;
        for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
          sum += dot(a[k], b(k));
        return sum;
      },
      deflation_chunk);
}

}  // namespace

void Deflation::take_motions(const SlowMotions& motions, const Reduction& reduction) {
  for (const RowRange& range : motions.groups) groups_.push_back({range.first, range.end, {}});
  for (const SlowMotion& motion : motions.motions) {
    Group& group = groups_[motion.group];
    Column& column = group.columns.emplace_back();
    column.trial.assign(static_cast<std::size_t>(group.end - group.first), Vec3{});
    std::copy(motion.rows.begin(), motion.rows.end(), column.trial.begin() + (motion.first - group.first));
    column.test = column.trial;
    const auto row_of = [&](Index vertex) { return static_cast<std::size_t>(vertex - group.first); };
    for (const Index pin : reduction.pins())
      if (pin >= group.first && pin < group.end)
        column.trial[row_of(pin)] = column.test[row_of(pin)] = Vec3{};
    for (const VertexConstraint& c : reduction.constraints()) {
      if (c.vertex < group.first || c.vertex >= group.end) continue;
      const Vec3 whole = column.trial[row_of(c.vertex)];
      column.trial[row_of(c.vertex)] = closest(c.trial, c.columns, whole);
      column.test[row_of(c.vertex)] = closest(c.test, c.columns, whole);
    }
    normalise(column.trial);
    normalise(column.test);
  }
}

/// One product serves a column of every group, because A couples no two groups.
void Deflation::take_products(Threads& threads, Index rows, const Product& product) {
  std::size_t most = 0;
  for (const Group& group : groups_) most = std::max(most, group.columns.size());
  const auto n = static_cast<std::size_t>(rows);
  VectorArray together(n), products(n);
  for (std::size_t k = 0; k < most; ++k) {
    for_rows(threads, n, [&](std::size_t i) { together[i] = Vec3{}; });
    for (const Group& group : groups_)
      if (k < group.columns.size())
        std::copy(group.columns[k].trial.begin(), group.columns[k].trial.end(),
                  together.begin() + group.first);
    product(together, products);
    for (Group& group : groups_)
      if (k < group.columns.size())
        group.columns[k].product.assign(products.begin() + group.first, products.begin() + group.end);
  }
}

/// E = U S Tᵀ: the columns become Z T, A Z T and Y U, between which E is S. A sum of columns that A hardly
/// resists keeps its digits, because it is a column of its own.
void Deflation::make_diagonal(Threads& threads, Group& group) {
  if (group.columns.empty()) return;
  const auto count = static_cast<Eigen::Index>(group.columns.size());
  const auto column = [&](Eigen::Index k) -> Column& { return group.columns[static_cast<std::size_t>(k)]; };
  Eigen::MatrixXd e(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j) {
      const VectorArray& by = column(j).product;
      e(i, j) = product_of(threads, column(i).test, [&](std::size_t k) { return by[k]; });
    }
  if (!e.allFinite()) return group.columns.clear();
  if (Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(e, Eigen::EigenvaluesOnly).eigenvalues()(0) <
      -least_size * e.norm())
    is_positive_definite_ = false;
  const Eigen::JacobiSVD<Eigen::MatrixXd> parts(e, Eigen::ComputeFullU | Eigen::ComputeFullV);
  std::vector<Column> made(group.columns.size());
  const std::size_t rows = group.columns.front().trial.size();
  for (Eigen::Index k = 0; k < count; ++k) {
    Column& sum = made[static_cast<std::size_t>(k)];
    for (auto* array : {&sum.trial, &sum.test, &sum.product}) array->resize(rows);
    sum.size = parts.singularValues()(k);
    for_rows(threads, rows, [&](std::size_t i) {
      for (Eigen::Index j = 0; j < count; ++j) {
        sum.trial[i] += parts.matrixV()(j, k) * column(j).trial[i];
        sum.product[i] += parts.matrixV()(j, k) * column(j).product[i];
        sum.test[i] += parts.matrixU()(j, k) * column(j).test[i];
      }
    });
  }
  const double least = least_size * made.front().size;
  made.erase(std::remove_if(made.begin(), made.end(), [&](const Column& c) { return !(c.size > least); }),
             made.end());
  group.columns = std::move(made);
}

void Deflation::set(Threads& threads, Index rows, const SlowMotions& motions, const Reduction& reduction,
                    const Product& product) {
  clear();
  if (motions.motions.empty()) return;
  take_motions(motions, reduction);
  take_products(threads, rows, product);
  for (Group& group : groups_) make_diagonal(threads, group);
}

void Deflation::correct(Threads& threads, VectorSpan residual, VectorSpan solution) const {
  for (const Group& group : groups_) {
    const auto first = static_cast<std::size_t>(group.first);
    std::vector<double> parts;
    for (const Column& c : group.columns)
      parts.push_back(product_of(threads, c.test, [&](std::size_t k) { return residual[first + k]; }) /
                      c.size);
    for_rows(threads, static_cast<std::size_t>(group.end - group.first), [&](std::size_t k) {
      for (std::size_t j = 0; j < parts.size(); ++j) {
        solution[first + k] += parts[j] * group.columns[j].trial[k];
        residual[first + k] -= parts[j] * group.columns[j].product[k];
      }
    });
  }
}

void Deflation::project(Threads& threads, PaddedSpan32 y) const {
  for (const Group& group : groups_) {
    const auto first = static_cast<std::size_t>(group.first);
    std::vector<double> parts;
    for (const Column& c : group.columns)
      parts.push_back(product_of(threads, c.test, [&](std::size_t k) { return unpadded(y[first + k]); }) /
                      c.size);
    for_rows(threads, static_cast<std::size_t>(group.end - group.first), [&](std::size_t k) {
      Vec3 row = unpadded(y[first + k]);
      for (std::size_t j = 0; j < parts.size(); ++j) row -= parts[j] * group.columns[j].product[k];
      y[first + k] = padded32(row);
    });
  }
}

}  // namespace electret::detail
