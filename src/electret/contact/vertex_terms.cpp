#include <algorithm>
#include <cmath>
#include <numeric>

#include <electret/contact/vertex_terms.hpp>

namespace electret {
namespace {

/// Of the sizes of what is added: a sum below this is rounding.
constexpr double lost = 1e-12;

constexpr std::array<PairFeature, 3> edge_features{PairFeature::edge_0_1, PairFeature::edge_1_2,
                                                   PairFeature::edge_2_0},
    corner_features{PairFeature::corner_0, PairFeature::corner_1, PairFeature::corner_2};

/// Which corner of the triangle `feature` is, or which edge, from corner k to corner k + 1.
std::size_t number_of(PairFeature feature, const std::array<PairFeature, 3>& all) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), feature) - all.begin());
}

std::array<Index, 3> edge_key(Index a, Index b) {
  return {std::min(a, b), std::max(a, b), -1};
}

/// The vertices of the closest feature.
std::array<Index, 3> key_of(const SurfacePair& pair, PairFeature feature) {
  const auto& v = pair.vertices;
  if (feature == PairFeature::inner) return {v[1], v[2], v[3]};
  if (const std::size_t k = number_of(feature, edge_features); k < 3)
    return edge_key(v[1 + k], v[1 + (k + 1) % 3]);
  return {v[1 + number_of(feature, corner_features)], -1, -1};
}

/// Calls use(first, last) for each run of parts with one key.
template <class Parts, class Use>
void for_runs(const Parts& parts, const Use& use) {
  for (std::size_t first = 0, last = 0; first < parts.size(); first = last) {
    while (last < parts.size() && parts[last].key == parts[first].key) ++last;
    use(first, last);
  }
}

/// Which part of the positive pushes all terms have as their sum.
double left_of(std::span<const TouchingPair> terms) {
  double sum = 0.0, positive = 0.0;
  for (const TouchingPair& t : terms) {
    const double push = t.stiffness() * t.repulsion.pressure;
    sum += push;
    positive += std::max(push, 0.0);
  }
  return std::isfinite(sum) && sum > 0.0 ? sum / positive : 1.0;
}

}  // namespace

void VertexTerms::append(std::span<const TouchingPair> near, VectorView x, std::vector<TouchingPair>& out,
                         std::vector<StiffnessPart>& parts) {
  if (near.size() == 1) {
    out.push_back(near.front());
    return;
  }
  size_ = near.size();
  terms_.clear();
  factors_.clear();
  for (std::size_t k = 0; k < size_; ++k) {
    const PairFeature feature = near[k].at.feature;
    const std::size_t term = term_of(key_of(near[k].constants.pair, feature), k, feature);
    terms_[term].is_closest = true;
    terms_[term].count += 1;
    factors_[term * size_ + k] += 1.0;
  }
  find_parts(near);
  for_runs(edges_, [&](std::size_t first, std::size_t last) {
    if (last - first > 1) take_edge(near, x, std::span(edges_).subspan(first, last - first));
  });
  for_runs(corners_, [&](std::size_t first, std::size_t last) {
    if (last - first > 1) take_corner(near, x, std::span(corners_).subspan(first, last - first));
  });
  write(near, x, out, parts);
}

/// All edges and corners of the triangles, equal ones side by side.
void VertexTerms::find_parts(std::span<const TouchingPair> near) {
  edges_.clear();
  corners_.clear();
  for (std::size_t k = 0; k < size_; ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      const SurfacePair& pair = near[k].constants.pair;
      edges_.push_back({key_of(pair, edge_features[i]), k, edge_features[i]});
      corners_.push_back({key_of(pair, corner_features[i]), k, corner_features[i]});
    }
  const auto ascend = [](const Part& a, const Part& b) {
    return a.key != b.key ? a.key < b.key : a.pair < b.pair;
  };
  std::sort(edges_.begin(), edges_.end(), ascend);
  std::sort(corners_.begin(), corners_.end(), ascend);
}

/// The parts are one edge, as of several triangles: all but one of them go.
void VertexTerms::take_edge(std::span<const TouchingPair> near, VectorView x, std::span<const Part> edge) {
  const SurfacePair& pair = near[edge.front().pair].constants.pair;
  const std::size_t k = number_of(edge.front().feature, edge_features);
  const Index a = pair.vertices[1 + k], b = pair.vertices[1 + (k + 1) % 3];
  const auto at = [&](Index v) { return x[static_cast<std::size_t>(v)]; };
  const PairFeature feature =
      closest_on({edge.front().feature, corner_features[k], corner_features[(k + 1) % 3]},
                 at(pair.vertices[0]), at(a), at(b));
  const PairDistance distance = pair_distance(feature, pair.kind, places_of(pair, x));
  if (!(distance.distance < near.front().constants.reach)) return;
  const auto count = static_cast<int>(edge.size());
  const std::size_t term = term_of(key_of(pair, feature), edge.front().pair, feature);
  terms_[term].count -= count - 1;
  add_shared(edge, term, (1.0 - count) / count);
}

/// The parts are one corner, as of several triangles. What these and their edges have at the corner becomes
/// the mean of the triangles.
void VertexTerms::take_corner(std::span<const TouchingPair> near, VectorView x,
                              std::span<const Part> corner) {
  const SurfacePair& pair = near[corner.front().pair].constants.pair;
  const PairFeature feature = corner.front().feature;
  const Index p = corner.front().key[0];
  if (!(pair_distance(feature, pair.kind, places_of(pair, x)).distance < near.front().constants.reach))
    return;
  const auto count = static_cast<int>(corner.size());
  const std::size_t term = term_of(key_of(pair, feature), corner.front().pair, feature);
  terms_[term].count += 1 - count;
  add_shared(corner, term, (1.0 - count) / count);
  for_runs(edges_, [&](std::size_t first, std::size_t last) {
    const Key& key = edges_[first].key;
    const auto triangles = static_cast<int>(last - first);
    if (triangles < 2 || (key[0] != p && key[1] != p)) return;
    terms_[term].count += triangles - 1;
    add_shared(std::span(edges_).subspan(first, last - first), term, (triangles - 1.0) / triangles);
  });
}

void VertexTerms::add_shared(std::span<const Part> parts, std::size_t term, double factor) {
  for (const Part& part : parts) factors_[term * size_ + part.pair] += factor;
}

std::size_t VertexTerms::term_of(const Key& key, std::size_t pair, PairFeature feature) {
  const auto at = std::find_if(terms_.begin(), terms_.end(), [&](const Term& t) { return t.key == key; });
  if (at != terms_.end()) return static_cast<std::size_t>(at - terms_.begin());
  terms_.push_back({key, pair, feature});
  factors_.resize(factors_.size() + size_, 0.0);
  return terms_.size() - 1;
}

void VertexTerms::write(std::span<const TouchingPair> near, VectorView x, std::vector<TouchingPair>& out,
                        std::vector<StiffnessPart>& parts) {
  const std::size_t begin = out.size();
  order_.resize(terms_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  // Those that triangles have for their closest feature come first.
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return terms_[a].pair < terms_[b].pair; });
  for (const std::size_t k : order_) {
    const Term& term = terms_[k];
    const double* factors = factors_.data() + k * size_;
    const std::size_t first = parts.size();
    double sum = 0.0, sizes = 0.0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (std::abs(factors[i]) <= lost) continue;
      const PairConstants& part = near[i].constants;
      parts.push_back({part.pair, factors[i]});
      sum += factors[i] * part.stiffness;
      sizes += std::abs(factors[i]) * part.stiffness;
    }
    if (parts.size() == first) continue;
    TouchingPair t = near[term.pair];
    t.share = std::abs(sum) > lost * sizes ? sum / t.constants.stiffness : 0.0;
    t.rubs = term.is_closest && term.count > 0 && sum > 0.0;
    t.first_part = first;
    t.parts = parts.size() - first;
    if (!term.is_closest) {
      t.at = pair_distance(term.feature, t.constants.pair.kind, places_of(t.constants.pair, x));
      t.repulsion = pair_repulsion(t.at.distance, t.constants.reach);
    }
    out.push_back(t);
  }
  const double left = left_of(std::span(out).subspan(begin));
  for (std::size_t k = begin; k < out.size(); ++k) out[k].left = out[k].share > 0.0 ? left : 1.0;
}

}  // namespace electret
