#include <electret/contact/body_contacts.hpp>
#include <electret/dynamics/body_energy.hpp>

namespace electret {
namespace {

/// The pairs at one place.
class RepulsionAt {
 public:
  RepulsionAt(System& system, VectorView x)
      : contacts_(*system.body_contacts), potential_(contacts_.thickness(), *system.threads) {
    contacts_.pairs().find(x, x);
    for (const SurfacePair& pair : contacts_.pairs().pairs()) constants_.push_back(contacts_.constants(pair));
    potential_.set_pairs(constants_);
    energy_ = potential_.evaluate(x);
  }

  [[nodiscard]] double energy() const { return energy_; }
  void add_gradients(VectorSpan by_places, ScalarSpan by_scales) const {
    potential_.add_gradient(1.0, by_places);
    for (const TouchingPair& touching : potential_.touching())
      contacts_.add_scale_gradient(constants_[touching.number].pair,
                                   touching.mollifier.value * touching.repulsion.value, by_scales);
  }

 private:
  BodyContacts& contacts_;
  std::vector<PairConstants> constants_;
  PairPotential potential_;
  double energy_ = 0.0;
};

}  // namespace

double body_contact_energy(System& system, VectorView x) {
  return system.body_contacts ? RepulsionAt(system, x).energy() : 0.0;
}

void add_body_contact_gradient(System& system, VectorView x, VectorSpan by_places, ScalarSpan by_scales) {
  if (system.body_contacts) RepulsionAt(system, x).add_gradients(by_places, by_scales);
}

}  // namespace electret
