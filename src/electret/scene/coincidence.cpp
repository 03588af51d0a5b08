#include <algorithm>
#include <numeric>

#include <electret/geometry/place_order.hpp>
#include <electret/scene/body_of.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The charges at time 0, C.
std::vector<double> starting_charges(const Assembly& assembly) {
  std::vector<double> charges = assembly.charges;
  for (const ChargeTrack& track : assembly.charge_tracks) {
    const double charge = evaluate(track.charge, 0.0, assembly.scene.time.step);
    for (const Index vertex : track.vertices) charges[static_cast<std::size_t>(vertex)] = charge;
  }
  return charges;
}

class Coincidences {
 public:
  Coincidences(const Assembly& assembly, Report& report)
      : assembly_(assembly), report_(report), order_(assembly.initial_positions.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    sort_by_place(order_, assembly.initial_positions);
  }

  void check_vertices() {
    if (!assembly_.scene.coulomb || assembly_.scene.coulomb->softening != 0.0) return;
    const std::vector<double> charges = starting_charges(assembly_);
    Index last = -1;  // The last charged vertex in the order of places.
    ListFindings findings;
    std::size_t last_body = 0;  // The last body that a finding names.
    const std::string allowed = "allowed: charges at different places, charge 0, or [coulomb] softening > 0";
    for (const Index vertex : order_) {
      if (charges[static_cast<std::size_t>(vertex)] == 0.0) continue;
      if (last >= 0 && position(last) == position(vertex) && findings.admit_another()) {
        last_body = std::max(last_body, body_of(assembly_.body_offsets, vertex));
        report_.add(assembly_.scene.source, mesh_key(body_of(assembly_.body_offsets, vertex)),
                    named(last) + " and " + named(vertex) + " coincide at " + text(position(vertex)) +
                        " and are both charged",
                    allowed);
      }
      last = vertex;
    }
    if (findings.omitted() > 0)
      report_.add(assembly_.scene.source, mesh_key(last_body),
                  std::to_string(findings.omitted()) + " more pairs of charged vertices coincide", allowed);
  }

  void check_external(std::size_t number) {
    const ExternalChargeTrack& track = assembly_.external_charges[number];
    if (track.width > 0.0) return;
    const Vec3 offset = evaluate(track.position, 0.0, assembly_.scene.time.step);
    ListFindings findings;
    for (const Vec3& point : track.points) {
      const Vec3 place = point + offset;
      const auto found = std::lower_bound(order_.begin(), order_.end(), place,
                                          [&](Index v, const Vec3& p) { return is_before(position(v), p); });
      if (found == order_.end() || position(*found) != place) continue;
      if (findings.admit_another())
        report_.add(assembly_.scene.source, external_key(number),
                    named(*found) + " is on a point of this external charge at " + text(place),
                    "allowed: another place, or width > 0");
    }
    if (findings.omitted() > 0)
      report_.add(assembly_.scene.source, external_key(number),
                  std::to_string(findings.omitted()) + " more points of this external charge are on vertices",
                  "allowed: another place, or width > 0");
  }

 private:
  const Vec3& position(Index vertex) const {
    return assembly_.initial_positions[static_cast<std::size_t>(vertex)];
  }
  std::string named(Index vertex) const {
    const std::size_t body = body_of(assembly_.body_offsets, vertex);
    return "vertex " + std::to_string(vertex - assembly_.body_offsets[body]) + " of body " +
           in_quotes(assembly_.scene.bodies[body].name);
  }
  std::string mesh_key(std::size_t body) const {
    const Body& b = assembly_.scene.bodies[body];
    const char* name = b.initial_positions.given() ? ".initial_positions"
                       : b.generate                ? ".generate"
                                                   : ".mesh";
    return "body." + std::to_string(body) + name;
  }
  std::string external_key(std::size_t number) const {
    const std::string key = "external_charge." + std::to_string(number);
    const ExternalCharge& charge = assembly_.scene.external_charges[number];
    return key + (!charge.mesh.empty()               ? ".mesh"
                  : charge.position.times.size() > 1 ? ".positions"
                                                     : ".position");
  }
  static std::string text(const Vec3& x) {
    return "[" + number_text(x.x) + ", " + number_text(x.y) + ", " + number_text(x.z) + "]";
  }

  const Assembly& assembly_;
  Report& report_;
  std::vector<Index> order_;  ///< Vertices in the order of their starting places.
};

}  // namespace

void check_coincidences(const Assembly& assembly, Report& report) {
  Coincidences coincidences(assembly, report);
  coincidences.check_vertices();
  for (std::size_t e = 0; e < assembly.external_charges.size(); ++e) coincidences.check_external(e);
}

}  // namespace electret
