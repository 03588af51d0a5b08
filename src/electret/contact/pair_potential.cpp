#include <algorithm>

#include <electret/contact/pair_hessian.hpp>
#include <electret/contact/pair_potential.hpp>
#include <electret/core/vertex_loops.hpp>

namespace electret {
namespace {

constexpr Count pair_chunk = 256;

/// ∂(κ m b)/∂x_i = κ(-m p w_i n + b ∂m/∂x_i).
StencilVectors gradient_of(const TouchingPair& t) {
  StencilVectors g{};
  const PairConstants& pair = t.constants;
  const double push = -pair.stiffness * t.mollifier.value * t.repulsion.pressure;
  for (std::size_t i = 0; i < 4; ++i) g[i] = (push * t.at.weights[i]) * t.at.normal;
  if (t.mollifier.is_one) return g;
  const StencilVectors by_edges = mollifier_gradient(t.mollifier);
  for (std::size_t i = 0; i < 4; ++i) g[i] += (pair.stiffness * t.repulsion.value) * by_edges[i];
  return g;
}

/// Whether the boxes around the two parts are nearer than `thickness` along each axis. Most pairs are not.
bool are_boxes_near(PairKind kind, const PairPlaces& x, double thickness) {
  for (int axis = 0; axis < 3; ++axis) {
    const double a = x[0][axis], b = x[1][axis], c = x[2][axis], d = x[3][axis];
    const bool is_vertex = kind == PairKind::vertex_triangle;
    const double low = is_vertex ? a : std::min(a, b), high = is_vertex ? a : std::max(a, b);
    double other_low = std::min(c, d), other_high = std::max(c, d);
    if (is_vertex) other_low = std::min(other_low, b), other_high = std::max(other_high, b);
    if (other_low - high >= thickness || low - other_high >= thickness) return false;
  }
  return true;
}

}  // namespace

TouchingPair touching_pair(const PairConstants& pair, const PairPlaces& x, double thickness) {
  TouchingPair t{pair, pair_distance(pair.pair.kind, x), {}, {}};
  if (pair.pair.kind == PairKind::edge_edge)
    t.mollifier = edge_mollifier(x[1] - x[0], x[3] - x[2], pair.threshold);
  t.repulsion = pair_repulsion(t.at.distance, thickness);
  return t;
}

void PairPotential::find_touching() {
  is_near_.resize(pairs_.size());
  for_vertices(
      threads_, pairs_.size(),
      [&](std::size_t k) {
        const SurfacePair& pair = pairs_[k];
        const PairPlaces x = places_of(pair, x_);
        is_near_[k] =
            are_boxes_near(pair.kind, x, thickness_) && pair_distance(pair.kind, x).distance < thickness_ ? 1
                                                                                                          : 0;
      },
      pair_chunk);
  std::size_t count = 0;
  for (const char near : is_near_) count += near != 0 ? 1 : 0;
  touching_.resize(count);
  count = 0;
  for (std::size_t k = 0; k < is_near_.size(); ++k)
    if (is_near_[k] != 0) touching_[count++].constants.pair = pairs_[k];
}

double PairPotential::evaluate(VectorView x) {
  x_ = x;
  find_touching();
  const std::size_t count = touching_.size();
  places_.resize(count);
  vertices_.resize(count);
  gradients_.resize(count);
  const double value = threads_.sum(
      static_cast<Count>(count),
      [&](Count begin, Count end) {
        double sum = 0.0;
        for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
          TouchingPair& t = touching_[k];
          places_[k] = places_of(t.constants.pair, x);
          t = touching_pair(constants_(t.constants.pair), places_[k], thickness_);
          vertices_[k] = stencil_of(t.constants.pair, t);
          const double m = t.mollifier.value;
          // Parallel edges that meet do so beside other pairs, which have the whole weight.
          if (m == 0.0) continue;
          sum += t.constants.stiffness * m * t.repulsion.value;
          gradients_[k] = gradient_of(t);
        }
        return sum;
      },
      pair_chunk);
  for (std::size_t k = 0; k < count; ++k)
    if (touching_[k].mollifier.value == 0.0) vertices_[k].fill(no_vertex);
  rows_.build(x.size(), vertices_);
  return value;
}

void PairPotential::add_gradient(double factor, VectorSpan out) const {
  rows_.add(threads_, factor, gradients_, out);
}

void PairPotential::append_hessian(PairHessian kind, double factor, std::vector<StencilVertices>& vertices,
                                   std::vector<StencilBlocks>& blocks) const {
  vertices.insert(vertices.end(), vertices_.begin(), vertices_.end());
  const std::size_t first = blocks.size();
  blocks.resize(first + touching_.size());
  for_vertices(
      threads_, touching_.size(),
      [&](std::size_t k) {
        const TouchingPair& t = touching_[k];
        if (t.mollifier.value != 0.0)
          blocks[first + k] = pair_hessian(t, places_[k], kind, factor * t.constants.stiffness);
      },
      pair_chunk);
}

}  // namespace electret
