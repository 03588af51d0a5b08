#include <utility>

#include <electret/contact/body_contacts.hpp>
#include <electret/core/errors.hpp>

namespace electret {

BodyContacts::BodyContacts(ContactSurface surface, BodyPairs bodies, double thickness,
                           BodyFrictions frictions, Threads& threads)
    : surface_(std::move(surface)),
      pairs_(surface_, std::move(bodies), thickness, threads),
      frictions_(std::move(frictions)) {
  require(frictions_.kinds.size() == surface_.body_count() * surface_.body_count(),
          "body contacts: not one friction per two bodies");
  forget();
}

double BodyContacts::expected_pairs() const {
  const BodyPairs& pairs = bodies();
  std::vector<char> touches(pairs.bodies(), 0);
  for (std::size_t a = 0; a < touches.size(); ++a)
    for (std::size_t b = 0; b < touches.size(); ++b)
      if (pairs.may_touch(a, b)) touches[a] = 1;
  double vertices = 0.0;
  for (const Index v : surface_.vertices()) vertices += touches[surface_.body(v)];
  return 3.0 * vertices;
}

BodyContacts::Side BodyContacts::side(const SurfacePair& pair, bool second) const {
  const std::size_t border = second_side(pair.kind);
  Side side;
  for (std::size_t i = second ? border : 0; i < (second ? 4 : border); ++i) {
    if (!surface_.is_free(pair.vertices[i])) continue;
    side.scale += scales_[static_cast<std::size_t>(pair.vertices[i])];
    ++side.free;
  }
  if (side.free > 0) side.scale /= side.free;
  return side;
}

double BodyContacts::reach(const SurfacePair& pair) const {
  const auto is_flat = [&](std::size_t end) {
    return surface_.is_flat({pair.vertices[end], pair.vertices[end + 1]});
  };
  const bool is_short = pair.kind == PairKind::edge_edge && (is_flat(0) || is_flat(2));
  return (is_short ? flat_edge_reach : 1.0) * thickness();
}

double BodyContacts::stiffening(const SurfacePair& pair) const {
  return 2.0 * thickness() / reach(pair);
}

PairConstants BodyContacts::constants(const SurfacePair& pair) const {
  PairConstants constants;
  constants.pair = pair;
  const Side a = side(pair, false), b = side(pair, true);
  constants.reach = reach(pair);
  constants.stiffness = stiffening(pair) * (a.free == 0   ? b.scale
                                            : b.free == 0 ? a.scale
                                                          : a.scale * b.scale / (a.scale + b.scale));
  if (pair.kind == PairKind::edge_edge) {
    const PairPlaces rest = places_of(pair, surface_.rest_positions());
    constants.threshold = mollifier_threshold(rest[1] - rest[0], rest[3] - rest[2]);
    constants.are_lines = surface_.is_line({pair.vertices[0], pair.vertices[1]}) &&
                          surface_.is_line({pair.vertices[2], pair.vertices[3]});
  }
  const std::size_t first = surface_.body(pair.vertices[0]),
                    other = surface_.body(pair.vertices[second_side(pair.kind)]);
  constants.friction_kind = frictions_.kinds[first * surface_.body_count() + other];
  constants.friction = frictions_.values[constants.friction_kind];
  constants.has_friction = constants.friction > 0.0 || frictions_.keeps_idle;
  return constants;
}

void BodyContacts::add_scale_gradient(const SurfacePair& pair, double by_stiffness, ScalarSpan out) const {
  const std::array sides{side(pair, false), side(pair, true)};
  const double by_side = stiffening(pair) * by_stiffness;
  const std::size_t border = second_side(pair.kind);
  for (std::size_t s = 0; s < 2; ++s) {
    const Side &own = sides[s], &other = sides[1 - s];
    if (own.free == 0) continue;
    const double share = other.free == 0 ? 1.0 : other.scale / (own.scale + other.scale);
    const double by_scale = by_side * share * share / own.free;
    for (std::size_t i = s == 0 ? 0 : border; i < (s == 0 ? border : 4); ++i)
      if (surface_.is_free(pair.vertices[i])) out[static_cast<std::size_t>(pair.vertices[i])] += by_scale;
  }
}

void BodyContacts::add_scale_gradient(const SurfacePair& pair, std::span<const StiffnessPart> parts,
                                      double by_sum, ScalarSpan out) const {
  if (parts.empty()) add_scale_gradient(pair, by_sum, out);
  for (const StiffnessPart& part : parts) add_scale_gradient(part.pair, part.factor * by_sum, out);
}

}  // namespace electret
