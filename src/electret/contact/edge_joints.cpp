#include <algorithm>
#include <array>
#include <cmath>

#include <electret/contact/edge_ends.hpp>
#include <electret/contact/edge_joints.hpp>

namespace electret {
namespace {

/// Of shares: what is below is rounding.
constexpr double lost = 1e-12;

/// The features of a pair, each with the sum of its shares.
class Shares {
 public:
  explicit Shares(PairFeature closest) { add(closest, 1.0); }

  void add(PairFeature feature, double share) {
    for (std::size_t k = 0; k < size_; ++k)
      if (all_[k].feature == feature) {
        all_[k].share += share;
        return;
      }
    all_[size_++] = {feature, share};
  }

  struct Share {
    PairFeature feature{};
    double share = 0.0;
  };
  [[nodiscard]] std::span<const Share> all() const { return {all_.data(), size_}; }

 private:
  std::array<Share, 9> all_{};  // The closest one, four ends over edges, and four pairs of ends.
  std::size_t size_ = 0;
};

}  // namespace

EdgeJoints::Key EdgeJoints::key_of(const SurfacePair& pair, std::size_t end) {
  return {pair.vertices[end], pair.vertices[edge_ends[end].from], pair.vertices[edge_ends[end].to]};
}

void EdgeJoints::add(const SurfacePair& pair) {
  for (std::size_t end = 0; end < edge_ends.size(); ++end) keys_.push_back(key_of(pair, end));
}

void EdgeJoints::sort() {
  std::sort(keys_.begin(), keys_.end());
}

void EdgeJoints::append(const TouchingPair& pair, const PairPlaces& places, std::vector<TouchingPair>& out,
                        std::vector<StiffnessPart>& parts) const {
  std::array<double, 4> off{};  // (n - 1)/n of each end.
  for (std::size_t end = 0; end < edge_ends.size(); ++end) {
    const auto [first, last] = std::equal_range(keys_.begin(), keys_.end(), key_of(pair.constants.pair, end));
    const auto count = static_cast<double>(last - first);
    if (count > 1.0) off[end] = (count - 1.0) / count;
  }
  const double reach = pair.constants.reach;
  const auto is_near = [&](PairFeature feature) {
    return pair_distance(feature, PairKind::edge_edge, places).distance < reach;
  };
  Shares shares(pair.at.feature);
  for (const EdgeEnd& end : edge_ends) {
    if (off[end.end] == 0.0) continue;
    if (const PairFeature feature = closest_feature(end, places); is_near(feature))
      shares.add(feature, -off[end.end]);
  }
  for (const EdgeEnd& end : {edge_ends[0], edge_ends[1]}) {
    if (off[end.end] * off[2] != 0.0 && is_near(end.on.start))
      shares.add(end.on.start, off[end.end] * off[2]);
    if (off[end.end] * off[3] != 0.0 && is_near(end.on.end)) shares.add(end.on.end, off[end.end] * off[3]);
  }
  const std::size_t begin = out.size();
  double sum = 0.0, positive = 0.0;
  for (const auto& [feature, share] : shares.all()) {
    if (std::abs(share) <= lost) continue;
    TouchingPair term = pair;
    if (feature != pair.at.feature) {
      term.at = pair_distance(feature, PairKind::edge_edge, places);
      term.repulsion = pair_repulsion(term.at.distance, reach);
      term.rubs = false;
    }
    term.share = share;
    if (share != 1.0) {
      term.first_part = parts.size();
      term.parts = 1;
      parts.push_back({pair.constants.pair, share});
    }
    sum += share * term.repulsion.pressure;
    positive += std::max(share, 0.0) * term.repulsion.pressure;
    out.push_back(term);
  }
  const double left = std::isfinite(sum) && sum > 0.0 ? sum / positive : 1.0;
  for (std::size_t k = begin; k < out.size(); ++k)
    if (out[k].share > 0.0) out[k].left = left;
}

}  // namespace electret
