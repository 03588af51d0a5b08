#include <algorithm>
#include <map>

#include <electret/contact/body_contacts.hpp>
#include <electret/dynamics/body_energy.hpp>
#include <electret/dynamics/stage/pair_memory.hpp>

namespace electret {
namespace {

/// The pairs at one place.
class RepulsionAt {
 public:
  RepulsionAt(const System& system, VectorView x)
      : contacts_(*system.body_contacts),
        potential_(
            contacts_.thickness(), *system.threads,
            [&contacts = *system.body_contacts](const SurfacePair& pair) { return contacts.reach(pair); },
            [&contacts = *system.body_contacts](const SurfacePair& pair) {
              return contacts.constants(pair);
            }) {
    contacts_.pairs().find(x, x);
    potential_.set_pairs(contacts_.pairs().pairs());
    energy_ = potential_.evaluate(x);
  }

  [[nodiscard]] double energy() const { return energy_; }
  [[nodiscard]] std::vector<BodyPush> pushes() const {
    std::map<std::array<std::size_t, 2>, double> sums;
    for (const TouchingPair& t : potential_.touching()) {
      const SurfacePair& pair = t.constants.pair;
      const auto [low, high] = std::minmax(
          {contacts_.surface().body(pair.vertices[0]), contacts_.surface().body(pair.vertices[3])});
      sums[{low, high}] += t.normal_push();
    }
    std::vector<BodyPush> all;
    for (const auto& [bodies, force] : sums) all.push_back({bodies, force});
    return all;
  }
  void add_gradients(VectorSpan by_places, ScalarSpan by_scales) const {
    potential_.add_gradient(1.0, by_places);
    for (const TouchingPair& touching : potential_.touching())
      contacts_.add_scale_gradient(touching.constants.pair, parts_of(touching, potential_.parts()),
                                   touching.mollifier.value * touching.repulsion.value, by_scales);
  }

 private:
  BodyContacts& contacts_;
  PairPotential potential_;
  double energy_ = 0.0;
};

/// Calls use(k, anchor) for each that the last step has left, where bodies may touch.
template <class Use>
void for_anchors(const System& system, const State& state, Use&& use) {
  if (!system.body_contacts) return;
  const std::size_t count = count_anchors(state.memory);
  for (std::size_t k = 0; k < count; ++k) use(k, read_anchor(state.memory, state.positions.size(), k));
}

double half_square(const InFrame& slip) {
  return 0.5 * (slip[0] * slip[0] + slip[1] * slip[1]);
}

}  // namespace

double body_contact_energy(System& system, VectorView x) {
  return system.body_contacts ? RepulsionAt(system, x).energy() : 0.0;
}

std::vector<BodyPush> body_pushes(const System& system, VectorView x) {
  return system.body_contacts ? RepulsionAt(system, x).pushes() : std::vector<BodyPush>{};
}

void add_body_contact_gradient(System& system, VectorView x, VectorSpan by_places, ScalarSpan by_scales) {
  if (system.body_contacts) RepulsionAt(system, x).add_gradients(by_places, by_scales);
}

double slip_energy(const System& system, const State& state) {
  double sum = 0.0;
  for_anchors(system, state, [&](std::size_t, const PairAnchor& anchor) {
    sum += system.body_contacts->constants(anchor.pair).stiffness * half_square(anchor.slip);
  });
  return sum;
}

void add_slip_gradient(const System& system, const State& state, double factor, MethodMemory* by_memory,
                       ScalarSpan by_scales) {
  ScalarSpan rows;
  if (const std::size_t count = state.memory.find(pair_memory_name).size();
      by_memory != nullptr && system.body_contacts && count > 0)
    rows = by_memory->values(pair_memory_name, count);
  for_anchors(system, state, [&](std::size_t k, const PairAnchor& anchor) {
    system.body_contacts->add_scale_gradient(anchor.pair, half_square(anchor.slip), by_scales);
    if (rows.empty()) return;
    const double stiffness = factor * system.body_contacts->constants(anchor.pair).stiffness;
    const InFrame before = slip_of(rows, k);
    set_slip(rows, k, {before[0] + stiffness * anchor.slip[0], before[1] + stiffness * anchor.slip[1]});
  });
}

}  // namespace electret
