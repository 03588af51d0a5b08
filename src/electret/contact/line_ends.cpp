#include <array>

#include <electret/contact/line_ends.hpp>

namespace electret {
namespace {

/// An end of one line and the other line, with the features of the three closest points there may be.
struct LineEnd {
  std::size_t end, from, to;
  PairFeature inside, start, stop;
};

using F = PairFeature;
constexpr std::array line_ends{LineEnd{0, 2, 3, F::start_over_second, F::start_start, F::start_end},
                               LineEnd{1, 2, 3, F::end_over_second, F::end_start, F::end_end},
                               LineEnd{2, 0, 1, F::start_over_first, F::start_start, F::end_start},
                               LineEnd{3, 0, 1, F::end_over_first, F::start_end, F::end_end}};
constexpr double share_of_end = 1.0 / static_cast<double>(line_ends.size());

/// 1 - m.
EdgeMollifier complement(const EdgeMollifier& m) {
  EdgeMollifier rest;
  rest.value = 1.0 - m.value;
  // A value of 0 comes without derivatives.
  rest.is_one = m.value == 0.0;
  if (rest.is_one) return rest;
  rest.by_first = -m.by_first;
  rest.by_second = -m.by_second;
  rest.first_first = -1.0 * m.first_first;
  rest.first_second = -1.0 * m.first_second;
  rest.second_second = -1.0 * m.second_second;
  return rest;
}

PairFeature closest_feature(const LineEnd& at, const PairPlaces& x) {
  const Vec3 along = x[at.to] - x[at.from];
  const double way = dot(along, x[at.end] - x[at.from]);
  if (!(way > 0.0)) return at.start;
  return way < squared_norm(along) ? at.inside : at.stop;
}

}  // namespace

void append_line_ends(const TouchingPair& pair, const PairPlaces& places, std::vector<TouchingPair>& out,
                      std::vector<StiffnessPart>& parts) {
  const EdgeMollifier rest = complement(pair.mollifier);
  for (const LineEnd& end : line_ends) {
    TouchingPair term = pair;
    term.at = pair_distance(closest_feature(end, places), PairKind::edge_edge, places);
    if (!(term.at.distance < term.constants.reach)) continue;
    term.mollifier = rest;
    term.repulsion = pair_repulsion(term.at.distance, term.constants.reach);
    term.share = share_of_end;
    term.rubs = false;
    term.first_part = parts.size();
    term.parts = 1;
    parts.push_back({pair.constants.pair, share_of_end});
    out.push_back(term);
  }
}

}  // namespace electret
