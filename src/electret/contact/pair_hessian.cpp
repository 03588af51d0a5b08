#include <algorithm>
#include <cmath>

#include <electret/contact/pair_hessian.hpp>
#include <electret/linear/jacobi_eigen.hpp>

namespace electret {
namespace {

/// The signs with which the four vertices enter the edges' vectors u = x₁ - x₀ and v = x₃ - x₂.
constexpr std::array<double, 4> edge_signs{-1.0, 1.0, -1.0, 1.0};

/// A vector over the four vertices.
using Stacked = std::array<Vec3, 4>;

double dot(const Stacked& a, const Stacked& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) sum += electret::dot(a[i], b[i]);
  return sum;
}

void add_scaled(Stacked& a, double s, const Stacked& b) {
  for (std::size_t i = 0; i < 4; ++i) a[i] += s * b[i];
}

/// blocks += s v vᵀ.
void add_square(double s, const Stacked& v, StencilBlocks& blocks) {
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j) blocks.at(i, j) += outer(s * v[i], v[j]);
}

Stacked gradient_of_distance(const PairDistance& at) {
  Stacked g;
  for (std::size_t i = 0; i < 4; ++i) g[i] = at.weights[i] * at.normal;
  return g;
}

/// blocks += s ∇²m.
void add_mollifier_hessian(double s, const EdgeMollifier& m, StencilBlocks& blocks) {
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j) {
      const Mat3& own = j < 2 ? m.first_first : i < 2 ? m.first_second : m.second_second;
      blocks.at(i, j) += (s * edge_signs[i] * edge_signs[j]) * own;
    }
}

StencilBlocks exact_hessian(const TouchingPair& t, const PairPlaces& x, double factor) {
  const double m = t.mollifier.value;
  const PairRepulsion& law = t.repulsion;
  StencilBlocks blocks;
  if (m != 0.0) {
    const PairBlocks bend = distance_hessian(t.at, closest_point_slopes(t.at, x));
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i; j < 4; ++j) blocks.at(i, j) = (-factor * m * law.pressure) * bend[i][j];
    add_square(factor * m * law.bend, gradient_of_distance(t.at), blocks);
  }
  if (t.mollifier.is_one) return blocks;
  const Stacked by_distance = gradient_of_distance(t.at), by_edges = mollifier_gradient(t.mollifier);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j)
      blocks.at(i, j) += (-factor * law.pressure) *
                         (outer(by_distance[i], by_edges[j]) + outer(by_edges[i], by_distance[j]));
  add_mollifier_hessian(factor * law.value, t.mollifier, blocks);
  return blocks;
}

/// Two unit vectors across `n`.
std::array<Vec3, 2> across(const Vec3& n) {
  const Vec3 other = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 first = cross(n, other);
  const Vec3 unit = (1.0 / norm(first)) * first;
  return {unit, cross(n, unit)};
}

/// The positive part of -∇²d times d: Σ_ab (F⁻¹)_ab C_a C_bᵀ less w wᵀ over the directions across n. It lives
/// in the space of two vectors across n and the k vectors C.
class CurvatureBasis {
 public:
  explicit CurvatureBasis(const PairDistance& at, const ClosestPointSlopes& slopes) {
    double square = 0.0;
    for (const double w : at.weights) square += w * w;
    for (const Vec3& t : across(at.normal)) {
      Stacked& v = vectors_[size_];
      for (std::size_t i = 0; i < 4; ++i) v[i] = (at.weights[i] / std::sqrt(square)) * t;
      matrix_[size_][size_] = -square;
      ++size_;
    }
    // F⁻¹ = L Lᵀ: the columns of C L.
    const double a = slopes.inverse[0][0], b = slopes.inverse[0][1], c = slopes.inverse[1][1];
    const double first = std::sqrt(a), second = first > 0.0 ? b / first : 0.0;
    std::array<Stacked, 2> columns{};
    if (at.free > 0) {
      add_scaled(columns[0], first, slopes.moments[0]);
      if (at.free > 1) {
        add_scaled(columns[0], second, slopes.moments[1]);
        add_scaled(columns[1], std::sqrt(std::max(0.0, c - second * second)), slopes.moments[1]);
      }
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(at.free); ++k) add_square_of(columns[k]);
  }

  /// blocks += s times the positive part.
  void add_positive(double s, StencilBlocks& blocks) {
    SquareMatrix<4> vectors;
    jacobi_eigen(matrix_, vectors);
    for (std::size_t k = 0; k < 4; ++k) {
      if (!(matrix_[k][k] > 0.0)) continue;
      Stacked v{};
      for (std::size_t r = 0; r < size_; ++r) add_scaled(v, vectors[r][k], vectors_[r]);
      add_square(s * matrix_[k][k], v, blocks);
    }
  }

 private:
  /// matrix_ += the square of `column`, whose part outside of the vectors becomes a vector of its own.
  void add_square_of(const Stacked& column) {
    std::array<double, 4> numbers{};
    Stacked rest = column;
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t r = 0; r < size_; ++r) {
        const double part = dot(rest, vectors_[r]);
        numbers[r] += part;
        add_scaled(rest, -part, vectors_[r]);
      }
    const double left = std::sqrt(dot(rest, rest));
    if (left > 1e-12 * std::sqrt(dot(column, column)) && size_ < 4) {
      numbers[size_] = left;
      for (Vec3& v : rest) v *= 1.0 / left;
      vectors_[size_++] = rest;
    }
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) matrix_[i][j] += numbers[i] * numbers[j];
  }

  std::array<Stacked, 4> vectors_{};
  std::size_t size_ = 0;
  SquareMatrix<4> matrix_{};
};

/// The positive part of the 12×12 matrix.
StencilBlocks positive_part(const StencilBlocks& blocks) {
  SquareMatrix<12> a, vectors;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j)
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          a[3 * i + r][3 * j + c] = a[3 * j + c][3 * i + r] = blocks.at(i, j).rows[r][static_cast<int>(c)];
  jacobi_eigen(a, vectors);
  StencilBlocks positive;
  for (std::size_t k = 0; k < 12; ++k) {
    if (!(a[k][k] > 0.0)) continue;
    Stacked v;
    for (std::size_t i = 0; i < 4; ++i)
      v[i] = {vectors[3 * i][k], vectors[3 * i + 1][k], vectors[3 * i + 2][k]};
    add_square(a[k][k], v, positive);
  }
  return positive;
}

}  // namespace

StencilVectors mollifier_gradient(const EdgeMollifier& m) {
  return {-m.by_first, m.by_first, -m.by_second, m.by_second};
}

StencilVertices stencil_of(const SurfacePair& pair, const TouchingPair& t) {
  StencilVertices vertices{no_vertex, no_vertex, no_vertex, no_vertex};
  for (std::size_t i = 0; i < 4; ++i)
    if (!t.mollifier.is_one || t.at.weights[i] != 0.0 || t.at.slopes[0][i] != 0.0 || t.at.slopes[1][i] != 0.0)
      vertices[i] = pair.vertices[i];
  return vertices;
}

StencilBlocks pair_hessian(const TouchingPair& t, const PairPlaces& x, PairHessian kind, double factor) {
  if (kind == PairHessian::exact) return exact_hessian(t, x, factor);
  if (!t.mollifier.is_one || factor < 0.0) return positive_part(exact_hessian(t, x, factor));
  StencilBlocks blocks;
  factor *= t.left;
  add_square(factor * t.repulsion.bend, gradient_of_distance(t.at), blocks);
  CurvatureBasis(t.at, closest_point_slopes(t.at, x))
      .add_positive(factor * t.repulsion.pressure / t.at.distance, blocks);
  return blocks;
}

}  // namespace electret
