#include <algorithm>

#include <electret/contact/line_ends.hpp>
#include <electret/contact/pair_hessian.hpp>
#include <electret/contact/pair_potential.hpp>
#include <electret/core/vertex_loops.hpp>

namespace electret {
namespace {

constexpr Count potential_chunk = 256;

/// ∂(κ m b)/∂x_i = κ(-m p w_i n + b ∂m/∂x_i).
StencilVectors gradient_of(const TouchingPair& t) {
  StencilVectors g{};
  const double stiffness = t.stiffness(), push = -stiffness * t.mollifier.value * t.repulsion.pressure;
  for (std::size_t i = 0; i < 4; ++i) g[i] = (push * t.at.weights[i]) * t.at.normal;
  if (t.mollifier.is_one) return g;
  const StencilVectors by_edges = mollifier_gradient(t.mollifier);
  for (std::size_t i = 0; i < 4; ++i) g[i] += (stiffness * t.repulsion.value) * by_edges[i];
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

/// Whether the term has a value and derivatives.
bool counts(const TouchingPair& t) {
  return t.mollifier.value != 0.0 && t.share != 0.0 && (t.share > 0.0 || t.at.distance > 0.0);
}

}  // namespace

TouchingPair touching_pair(const PairConstants& pair, const PairPlaces& x) {
  TouchingPair t;
  t.constants = pair;
  t.at = pair_distance(pair.pair.kind, x);
  if (pair.pair.kind == PairKind::edge_edge)
    t.mollifier = edge_mollifier(x[1] - x[0], x[3] - x[2], pair.threshold);
  t.repulsion = pair_repulsion(t.at.distance, pair.reach);
  return t;
}

/// Most edges lie within flat faces. They are not near where bodies rest on each other, which is known before
/// their distance.
bool PairPotential::is_near(const SurfacePair& pair) const {
  const PairPlaces x = places_of(pair, x_);
  if (!are_boxes_near(pair.kind, x, thickness_)) return false;
  double reach = thickness_;
  if (pair.kind == PairKind::edge_edge) {
    reach = reach_(pair);
    if (reach < thickness_ && !are_boxes_near(pair.kind, x, reach)) return false;
  }
  return pair_distance(pair.kind, x).distance < reach;
}

void PairPotential::find_near() {
  is_near_.resize(pairs_.size());
  for_vertices(
      threads_, pairs_.size(), [&](std::size_t k) { is_near_[k] = is_near(pairs_[k]) ? 1 : 0; },
      potential_chunk);
  near_.clear();
  for (std::size_t k = 0; k < is_near_.size(); ++k)
    if (is_near_[k] != 0) near_.push_back(pairs_[k]);
  joints_.clear();
  for (const SurfacePair& pair : near_)
    if (pair.kind == PairKind::edge_edge && reach_(pair) >= thickness_) joints_.add(pair);
  joints_.sort();
}

bool PairPotential::is_one_vertex(std::size_t a, std::size_t b) const {
  return near_[a].kind == PairKind::vertex_triangle && near_[b].kind == near_[a].kind &&
         near_[a].vertices[0] == near_[b].vertices[0];
}

void PairPotential::append_edges(const TouchingPair& pair, Found& found) const {
  const PairPlaces places = places_of(pair.constants.pair, x_);
  // Edges within flat faces reach less far: they keep vertices from passing, and nothing rests on them.
  if (pair.constants.reach < thickness_)
    found.terms.push_back(pair);
  else
    joints_.append(pair, places, found.terms, found.parts);
  if (pair.constants.are_lines && !pair.mollifier.is_one)
    append_line_ends(pair, places, found.terms, found.parts);
}

/// Those of the vertices and edges whose first near pair is among these.
void PairPotential::find_terms(std::size_t begin, std::size_t end, Found& found) const {
  found.terms.clear();
  found.parts.clear();
  while (begin > 0 && begin < end && is_one_vertex(begin - 1, begin)) ++begin;
  for (std::size_t first = begin, last = 0; first < end; first = last) {
    found.near.clear();
    for (last = first; last < near_.size() && (last == first || is_one_vertex(first, last)); ++last)
      found.near.push_back(touching_pair(constants_(near_[last]), places_of(near_[last], x_)));
    if (found.near.front().constants.pair.kind == PairKind::edge_edge)
      append_edges(found.near.front(), found);
    else
      found.of_vertex.append(found.near, x_, found.terms, found.parts);
  }
}

void PairPotential::find_touching() {
  find_near();
  const auto count = static_cast<Count>(near_.size());
  found_.resize(std::max(found_.size(), (near_.size() + potential_chunk - 1) / potential_chunk));
  const auto chunk = [&](Count begin) -> Found& {
    return found_[static_cast<std::size_t>(begin / potential_chunk)];
  };
  threads_.for_chunks(count, potential_chunk, [&](Count begin, Count end) {
    find_terms(static_cast<std::size_t>(begin), static_cast<std::size_t>(end), chunk(begin));
  });
  touching_.clear();
  parts_.clear();
  for (Count begin = 0; begin < count; begin += potential_chunk) {
    const Found& found = chunk(begin);
    const std::size_t first = touching_.size();
    touching_.insert(touching_.end(), found.terms.begin(), found.terms.end());
    for (std::size_t k = first; k < touching_.size(); ++k) touching_[k].first_part += parts_.size();
    parts_.insert(parts_.end(), found.parts.begin(), found.parts.end());
  }
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
          const TouchingPair& t = touching_[k];
          places_[k] = places_of(t.constants.pair, x);
          vertices_[k] = stencil_of(t.constants.pair, t);
          // Parallel edges that meet do so beside other pairs, which have the whole weight. So does what is
          // taken off at an edge that a vertex meets.
          if (!counts(t)) continue;
          sum += t.stiffness() * t.mollifier.value * t.repulsion.value;
          gradients_[k] = gradient_of(t);
        }
        return sum;
      },
      potential_chunk);
  for (std::size_t k = 0; k < count; ++k)
    if (!counts(touching_[k])) vertices_[k].fill(no_vertex);
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
        if (counts(t)) blocks[first + k] = pair_hessian(t, places_[k], kind, factor * t.stiffness());
      },
      potential_chunk);
}

}  // namespace electret
