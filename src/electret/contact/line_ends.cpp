#include <electret/contact/edge_ends.hpp>
#include <electret/contact/line_ends.hpp>

namespace electret {
namespace {

constexpr double share_of_end = 1.0 / static_cast<double>(edge_ends.size());

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

}  // namespace

void append_line_ends(const TouchingPair& pair, const PairPlaces& places, std::vector<TouchingPair>& out,
                      std::vector<StiffnessPart>& parts) {
  const EdgeMollifier rest = complement(pair.mollifier);
  for (const EdgeEnd& end : edge_ends) {
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
