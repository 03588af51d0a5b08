#include <algorithm>
#include <cmath>

#include <electret/contact/pair_friction.hpp>
#include <electret/contact/pair_hessian.hpp>
#include <electret/core/vertex_loops.hpp>

namespace electret {
namespace {

constexpr Count pair_chunk = 256;

double size_of(const InFrame& a) {
  return std::sqrt(a[0] * a[0] + a[1] * a[1]);
}

/// The anchor of `pair`; the end if there is none.
auto own_anchor(const SurfacePair& pair, std::span<const PairAnchor> anchors) {
  const auto at = std::lower_bound(anchors.begin(), anchors.end(), pair,
                                   [](const PairAnchor& a, const SurfacePair& b) { return a.pair < b; });
  return at != anchors.end() && at->pair == pair ? at : anchors.end();
}

/// Below all pairs of the same vertex and triangles.
SurfacePair first_of_vertex(const SurfacePair& pair) {
  return {PairKind::vertex_triangle, {pair.vertices[0], 0, 0, 0}};
}

/// Whether both are pairs of one vertex and triangles.
bool have_one_vertex(const SurfacePair& a, const SurfacePair& b) {
  return a.kind == PairKind::vertex_triangle && b.kind == a.kind && a.vertices[0] == b.vertices[0];
}

}  // namespace

ReturnMap return_map(const InFrame& s, double stiffness, double limit) {
  ReturnMap map;
  const double size = size_of(s);
  map.slips = stiffness * size > limit;
  if (map.slips) {
    map.force = {limit * (s[0] / size), limit * (s[1] / size)};
    map.potential = limit * size - 0.5 * limit * limit / stiffness;
  } else {
    map.force = {stiffness * s[0], stiffness * s[1]};
    map.potential = 0.5 * stiffness * size * size;
  }
  return map;
}

std::array<InFrame, 2> return_map_slope(const InFrame& s, double stiffness, double limit) {
  const double size = size_of(s);
  if (!(stiffness * size > limit)) return {{{stiffness, 0.0}, {0.0, stiffness}}};
  // (I - ŝŝᵀ) is the square of the direction across ŝ.
  const InFrame side{-s[1] / size, s[0] / size};
  const double scale = limit / size;
  const double mixed = scale * side[0] * side[1];
  return {{{scale * side[0] * side[0], mixed}, {mixed, scale * side[1] * side[1]}}};
}

bool keeps_frame(const FrictionPair& pair, const PairAnchor& from) {
  return from.pair == pair.constants.pair && from.feature == pair.at.feature && from.edge == pair.edge;
}

double anchor_share(double from, double to, std::size_t count) {
  return std::sqrt(from / to) / static_cast<double>(count);
}

bool PairFriction::touches(const SurfacePair& pair) const {
  const auto at =
      std::lower_bound(friction_.begin(), friction_.end(), pair,
                       [](const FrictionPair& a, const SurfacePair& b) { return a.constants.pair < b; });
  return at != friction_.end() && at->constants.pair == pair;
}

std::span<const PairAnchor>::iterator PairFriction::anchor_left(const SurfacePair& pair,
                                                                std::span<const PairAnchor> anchors) const {
  if (pair.kind != PairKind::vertex_triangle) return anchors.end();
  auto at = std::lower_bound(anchors.begin(), anchors.end(), first_of_vertex(pair),
                             [](const PairAnchor& a, const SurfacePair& b) { return a.pair < b; });
  const std::size_t body = surface_.body(pair.vertices[1]);
  for (; at != anchors.end() && have_one_vertex(at->pair, pair); ++at)
    if (surface_.body(at->pair.vertices[1]) == body && !touches(at->pair)) return at;
  return anchors.end();
}

std::size_t PairFriction::newcomers(const SurfacePair& pair, std::span<const PairAnchor> anchors) const {
  auto at =
      std::lower_bound(friction_.begin(), friction_.end(), first_of_vertex(pair),
                       [](const FrictionPair& a, const SurfacePair& b) { return a.constants.pair < b; });
  const std::size_t body = surface_.body(pair.vertices[1]);
  std::size_t count = 0;
  for (; at != friction_.end() && have_one_vertex(at->constants.pair, pair); ++at)
    if (surface_.body(at->constants.pair.vertices[1]) == body &&
        own_anchor(at->constants.pair, anchors) == anchors.end())
      ++count;
  return count;
}

void PairFriction::take_anchor(FrictionPair& own, const PairPlaces& places, VectorView start,
                               std::span<const PairAnchor> anchors) const {
  const SurfacePair& pair = own.constants.pair;
  own.anchor = {};
  own.source = FrictionPair::none;
  own.share = 1.0;
  auto from = own_anchor(pair, anchors);
  if (from == anchors.end()) {
    from = anchor_left(pair, anchors);
    if (from == anchors.end()) return;
    own.share = anchor_share(stiffness_(from->pair), own.constants.stiffness, newcomers(pair, anchors));
  }
  own.source = static_cast<std::size_t>(from - anchors.begin());
  own.transport = {{{1.0, 0.0}, {0.0, 1.0}}};
  own.anchor = from->slip;
  if (keeps_frame(own, *from)) return;
  const PairPlaces there = from->pair == pair ? places : places_of(from->pair, start);
  const PairDistance old = pair_distance(from->feature, from->pair.kind, there);
  const FrictionFrame frame =
      friction_frame(frame_edge_vertices(from->pair.kind, from->edge), old.normal, there);
  for (std::size_t r = 0; r < 2; ++r) {
    own.anchor[r] = 0.0;
    for (std::size_t c = 0; c < 2; ++c) {
      own.transport[r][c] = dot(own.frame[r], frame[c]);
      own.anchor[r] += own.share * own.transport[r][c] * from->slip[c];
    }
  }
}

VertexPushes vertex_pushes(std::span<const TouchingPair> terms) {
  VertexPushes sums;
  for (const TouchingPair& t : terms) {
    sums.all += t.normal_push();
    if (has_friction(t)) sums.rubbing += t.normal_push();
  }
  return sums;
}

/// The pairs of these terms bear what all of them push.
void PairFriction::spread(std::span<const TouchingPair> terms, std::size_t first_pair) {
  if (terms.size() < 2 || first_pair == friction_.size()) return;
  const VertexPushes sums = vertex_pushes(terms);
  for (std::size_t k = first_pair; k < friction_.size(); ++k) {
    FrictionPair& own = friction_[k];
    own.spread = std::max(sums.all, 0.0) / sums.rubbing;
    own.normal *= own.spread;
    own.first_term = terms_.size();
    own.terms = terms.size();
  }
  terms_.insert(terms_.end(), terms.begin(), terms.end());
}

/// The terms of a vertex with one body stand side by side, and so do those of two edges.
void PairFriction::find_pairs(std::span<const TouchingPair> touching) {
  friction_.clear();
  terms_.clear();
  const auto are_together = [&](const TouchingPair& one, const TouchingPair& other) {
    const SurfacePair &a = one.constants.pair, &b = other.constants.pair;
    // The ends of lines that are nearly parallel have no friction.
    if (a.kind == PairKind::edge_edge) return a == b && one.mollifier.is_one && other.mollifier.is_one;
    return have_one_vertex(a, b) && surface_.body(a.vertices[1]) == surface_.body(b.vertices[1]);
  };
  for (std::size_t first = 0, last = 0; first < touching.size(); first = last) {
    const std::size_t first_pair = friction_.size();
    for (; last < touching.size() && (last == first || are_together(touching[first], touching[last]));
         ++last) {
      const TouchingPair& t = touching[last];
      if (!has_friction(t)) continue;
      FrictionPair& own = friction_.emplace_back();
      own.constants = t.constants;
      own.at = t.at;
      own.push = t.mollifier.value * t.repulsion.pressure;
      own.normal = t.normal_push();
      own.first_part = t.first_part;
      own.parts = t.parts;
    }
    spread(touching.subspan(first, last - first), first_pair);
  }
  for (FrictionPair& own : friction_) own.limit = own.constants.friction * own.normal;
}

void PairFriction::begin_step(VectorView start, std::span<const TouchingPair> touching,
                              std::span<const PairAnchor> anchors, std::span<const StiffnessPart> parts) {
  parts_.assign(parts.begin(), parts.end());
  find_pairs(touching);
  vertices_.resize(friction_.size());
  gradients_.resize(friction_.size());
  for_vertices(
      threads_, friction_.size(),
      [&](std::size_t k) {
        FrictionPair& own = friction_[k];
        const SurfacePair& pair = own.constants.pair;
        const PairPlaces places = places_of(pair, start);
        own.edge = frame_edge(pair.kind, own.at, places);
        own.frame = friction_frame(frame_edge_vertices(pair.kind, own.edge), own.at.normal, places);
        take_anchor(own, places, start, anchors);
        for (std::size_t i = 0; i < 4; ++i)
          vertices_[k][i] = own.at.weights[i] != 0.0 ? pair.vertices[i] : no_vertex;
      },
      pair_chunk);
  rows_.build(start.size(), vertices_);
}

double PairFriction::evaluate(VectorView moved) {
  return threads_.sum(
      static_cast<Count>(friction_.size()),
      [&](Count begin, Count end) {
        double sum = 0.0;
        for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
          FrictionPair& own = friction_[k];
          const PairConstants& pair = own.constants;
          Vec3 slide;
          for (std::size_t i = 0; i < 4; ++i)
            slide += own.at.weights[i] * moved[static_cast<std::size_t>(pair.pair.vertices[i])];
          for (std::size_t r = 0; r < 2; ++r) own.slip[r] = own.anchor[r] + dot(own.frame[r], slide);
          own.map = return_map(own.slip, pair.stiffness, own.limit);
          const Vec3 force = own.map.force[0] * own.frame[0] + own.map.force[1] * own.frame[1];
          for (std::size_t i = 0; i < 4; ++i) gradients_[k][i] = own.at.weights[i] * force;
          sum += own.map.potential;
        }
        return sum;
      },
      pair_chunk);
}

void PairFriction::add_gradient(double factor, VectorSpan out) const {
  rows_.add(threads_, factor, gradients_, out);
}

void PairFriction::append_hessian(double factor, std::vector<StencilVertices>& vertices,
                                  std::vector<StencilBlocks>& blocks) const {
  vertices.insert(vertices.end(), vertices_.begin(), vertices_.end());
  const std::size_t first = blocks.size();
  blocks.resize(first + friction_.size());
  for_vertices(
      threads_, friction_.size(),
      [&](std::size_t k) {
        const FrictionPair& own = friction_[k];
        const auto slope = return_map_slope(own.slip, own.constants.stiffness, own.limit);
        Mat3 across;
        for (std::size_t r = 0; r < 2; ++r)
          for (std::size_t c = 0; c < 2; ++c)
            across += outer((factor * slope[r][c]) * own.frame[r], own.frame[c]);
        for (std::size_t i = 0; i < 4; ++i)
          for (std::size_t j = i; j < 4; ++j)
            blocks[first + k].at(i, j) = (own.at.weights[i] * own.at.weights[j]) * across;
      },
      pair_chunk);
}

void PairFriction::keep(std::vector<PairAnchor>& anchors) const {
  anchors.resize(friction_.size());
  for (std::size_t k = 0; k < friction_.size(); ++k) {
    const FrictionPair& own = friction_[k];
    const PairConstants& pair = own.constants;
    anchors[k] = {pair.pair,
                  own.at.feature,
                  own.edge,
                  {own.map.force[0] / pair.stiffness, own.map.force[1] / pair.stiffness}};
  }
}

}  // namespace electret
