#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/hessian_factor.hpp>
#include <electret/dynamics/stage/stage_operator.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;
using Entry = Eigen::Triplet<double, std::int64_t>;

std::span<const Index> neighbours(const BlockPattern& pattern, Index row) {
  const auto r = static_cast<std::size_t>(row);
  const Count begin = pattern.offsets()[r], end = pattern.offsets()[r + 1];
  return pattern.columns().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

/// Colours the columns so that no row has two of one colour, greedily in the vertices' order.
std::vector<int> colours_of(const BlockPattern& pattern) {
  std::vector<int> colour(static_cast<std::size_t>(pattern.rows()), -1);
  std::vector<Index> taken_by;  // Per colour: the last vertex for which it was forbidden.
  for (Index j = 0; j < pattern.rows(); ++j) {
    for (const Index row : neighbours(pattern, j))
      for (const Index other : neighbours(pattern, row))
        if (const int c = colour[static_cast<std::size_t>(other)]; c >= 0)
          taken_by[static_cast<std::size_t>(c)] = j;
    const auto unused = std::find_if(taken_by.begin(), taken_by.end(), [&](Index by) { return by != j; });
    colour[static_cast<std::size_t>(j)] = static_cast<int>(unused - taken_by.begin());
    if (unused == taken_by.end()) taken_by.push_back(-1);
  }
  return colour;
}

}  // namespace

struct HessianFactor::Factor {
  explicit Factor(StageObjective& objective)
      : number(objective.vertex_count(), -1), pattern(hessian_pattern(objective.system())) {
    for (std::size_t i = 0; i < number.size(); ++i)
      if (objective.free()[i] != 0.0) number[i] = size++;
    const std::vector<int> colour = colours_of(pattern);
    for (Index j = 0; j < pattern.rows(); ++j) {
      const auto k = static_cast<std::size_t>(j);
      if (number[k] < 0) continue;
      columns.resize(std::max(columns.size(), static_cast<std::size_t>(colour[k]) + 1));
      columns[static_cast<std::size_t>(colour[k])].push_back(j);
    }
  }

  void compute(StageObjective& objective) {
    if (size == 0) return;
    const Matrix matrix = assemble(objective);
    if (!analysed) ldlt.analyzePattern(matrix);
    analysed = true;
    ldlt.factorize(matrix);
  }

  /// The lower triangle.
  Matrix assemble(StageObjective& objective) const {
    std::vector<Entry> entries;
    VectorArray direction(number.size()), product(number.size());
    for (const auto& together : columns)
      for (int axis = 0; axis < 3; ++axis) {
        for (const Index j : together) direction[static_cast<std::size_t>(j)][axis] = 1.0;
        if (!objective.system().rollers.empty()) hold_pins(objective.system(), direction);
        objective.hessian_product(direction, product);
        hold_rollers(objective.system(), together, axis, product);
        for (const Index j : together) {
          direction[static_cast<std::size_t>(j)] = {};
          add_column(j, axis, product, entries);
        }
      }
    Matrix matrix(3 * size, 3 * size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }

  /// H becomes (I - P) H (I - P) + m P at rollers, which is as definite as H is on what they leave free.
  static void hold_rollers(const System& system, const std::vector<Index>& together, int axis,
                           VectorSpan product) {
    for (const Roller& roller : system.rollers) {
      const Index j = roller.constraint.vertex;
      if (!std::binary_search(together.begin(), together.end(), j)) continue;
      const auto k = static_cast<std::size_t>(j);
      for (int r = 0; r < 3; ++r)
        product[k][r] += system.masses()[k] * roller.held.rows[static_cast<std::size_t>(r)][axis];
    }
  }

  void add_column(Index j, int axis, VectorView product, std::vector<Entry>& entries) const {
    const std::int64_t column = 3 * number[static_cast<std::size_t>(j)] + axis;
    for (const Index i : neighbours(pattern, j)) {
      const auto k = static_cast<std::size_t>(i);
      if (number[k] < 0) continue;
      for (int r = 0; r < 3; ++r)
        if (3 * number[k] + r >= column) entries.emplace_back(3 * number[k] + r, column, product[k][r]);
    }
  }

  std::vector<std::int64_t> number;  ///< n; the vertex's number among the free ones, -1 at pins.
  std::int64_t size = 0;             ///< Free vertices.
  BlockPattern pattern;
  std::vector<std::vector<Index>> columns;  ///< Free vertices of one colour.
  bool analysed = false;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<std::int64_t>> ldlt;
};

HessianFactor::HessianFactor(StageObjective& objective) : factor_(std::make_unique<Factor>(objective)) {
  refresh(objective);
}

void HessianFactor::refresh(StageObjective& objective) {
  factor_->compute(objective);
}

HessianFactor::~HessianFactor() = default;

void HessianFactor::solve(VectorView rhs, VectorSpan z) const {
  const Factor& f = *factor_;
  std::fill(z.begin(), z.end(), Vec3{});
  if (f.size == 0) return;
  const bool factored = f.ldlt.info() == Eigen::Success;
  Eigen::VectorXd b(3 * f.size);
  for (std::size_t i = 0; i < rhs.size(); ++i)
    for (int r = 0; r < 3 && f.number[i] >= 0; ++r) b(3 * f.number[i] + r) = rhs[i][r];
  if (factored)
    b = f.ldlt.solve(b).eval();
  else
    b.setConstant(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < rhs.size(); ++i)
    for (int r = 0; r < 3 && f.number[i] >= 0; ++r) z[i][r] = b(3 * f.number[i] + r);
}

bool HessianFactor::is_positive_definite() const {
  const Factor& f = *factor_;
  return f.size == 0 || (f.ldlt.info() == Eigen::Success && f.ldlt.vectorD().minCoeff() > 0.0);
}

}  // namespace electret
