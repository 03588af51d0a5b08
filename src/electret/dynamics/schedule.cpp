#include <algorithm>
#include <numeric>

#include <electret/core/errors.hpp>
#include <electret/dynamics/schedule.hpp>
#include <electret/scene/charge_tracks.hpp>
#include <electret/scene/keyframe_gradient.hpp>

namespace electret {
namespace {

template <class T>
bool changes(const KeyFrames<T>& keys) {
  return std::any_of(keys.values.begin(), keys.values.end(),
                     [&](const T& value) { return !(value == keys.values.front()); });
}

void add_load(const LoadTrack& track, double factor, VectorArray& loads) {
  for (std::size_t k = 0; k < track.vertices.size(); ++k)
    loads[static_cast<std::size_t>(track.vertices[k])] += factor * track.force(k);
}

}  // namespace

Schedule::Schedule(const Assembly& assembly, const std::vector<Index>& pins)
    : time_step_(assembly.scene.time.step),
      base_charges_(assembly.charges),
      external_(assembly.external_charges),
      pins_(pins),
      load_tracks_(assembly.load_tracks),
      obstacles_(assembly.obstacles),
      grabs_(assembly.grabs) {
  const auto winner = winning_charge_tracks(assembly);
  for (const int track : winner) has_track_.push_back(track >= 0 ? 1 : 0);
  for (std::size_t k = 0; k < assembly.charge_tracks.size(); ++k) {
    ChargeTrack track = assembly.charge_tracks[k];
    std::erase_if(track.vertices,
                  [&](Index i) { return winner[static_cast<std::size_t>(i)] != static_cast<int>(k); });
    const double first = electret::evaluate(track.charge, 0.0, time_step_);
    for (const Index i : track.vertices) base_charges_[static_cast<std::size_t>(i)] = first;
    if (track.vertices.empty()) continue;
    charges_change_ |= track.key_framed;
    charge_tracks_.push_back({std::move(track), k});
  }
  for (const auto& track : external_)
    external_charges_change_ |= changes(track.charge) || changes(track.position);

  pin_places_.reserve(pins.size());
  for (const Index pin : pins)
    pin_places_.push_back(assembly.initial_positions[static_cast<std::size_t>(pin)]);
  for (std::size_t k = 0; k < assembly.pin_tracks.size(); ++k) {
    const PinTrack& track = assembly.pin_tracks[k];
    if (track.offsets.empty()) continue;
    MovingPins moving{track.offsets, track.hold, k, {}};
    for (const Index vertex : track.vertices) {
      const auto place = std::lower_bound(pins.begin(), pins.end(), vertex);
      moving.slots.push_back(static_cast<std::size_t>(place - pins.begin()));
    }
    pin_tracks_.push_back(std::move(moving));
  }

  if (!load_tracks_.empty()) base_loads_.resize(assembly.masses.size());
  for (const auto& track : load_tracks_)
    if (track.factor.empty()) add_load(track, 1.0, base_loads_);

  for (const MuscleTrack& track : assembly.muscles) {
    activations_.push_back({track.keys, track.formula, base_activations_.size(), track.elements.size()});
    if (!track.changes())
      base_activations_.insert(base_activations_.end(), track.activations.begin(), track.activations.end());
    else
      base_activations_.resize(base_activations_.size() + track.elements.size());
  }
}

void Schedule::evaluate(double time, Inputs& inputs) const {
  inputs.time = time;
  inputs.charges = base_charges_;
  inputs.pin_positions = pin_places_;
  inputs.loads = base_loads_;
  inputs.activations = base_activations_;
  write_charges(time, inputs.charges);
  write_external_charges(time, inputs.external_charges);
  write_moving_pins(time, inputs.pin_positions);
  write_changing_loads(time, inputs.loads);
  write_changing_activations(time, inputs.activations);
  inputs.placements.assign(obstacles_.size(), {});
  write_moving_obstacles(time, inputs.placements);
  inputs.grabs.resize(grabs_.size());
  for (std::size_t g = 0; g < grabs_.size(); ++g) {
    inputs.grabs[g].vertices = grabs_[g].vertices;
    inputs.grabs[g].weights = grabs_[g].weights;
  }
  write_grabs(time, inputs.grabs);
}

void Schedule::update(double time, Inputs& inputs) const {
  inputs.time = time;
  write_charges(time, inputs.charges);
  if (external_charges_change_) write_external_charges(time, inputs.external_charges);
  write_moving_pins(time, inputs.pin_positions);
  write_changing_loads(time, inputs.loads);
  write_changing_activations(time, inputs.activations);
  write_moving_obstacles(time, inputs.placements);
  write_grabs(time, inputs.grabs);
}

void Schedule::write_charges(double time, std::vector<double>& charges) const {
  for (const auto& [track, number] : charge_tracks_) {
    if (!track.key_framed) continue;
    const double value = electret::evaluate(track.charge, time, time_step_);
    for (const Index i : track.vertices) charges[static_cast<std::size_t>(i)] = value;
  }
}

void Schedule::write_external_charges(double time, std::vector<PlacedCharge>& placed) const {
  std::size_t count = 0;
  for (const auto& track : external_) count += track.points.size();
  placed.resize(count);
  std::size_t slot = 0;
  for (const auto& track : external_) {
    const double total = electret::evaluate(track.charge, time, time_step_);
    const double charge = total / static_cast<double>(track.points.size());
    const Vec3 position = electret::evaluate(track.position, time, time_step_);
    for (const Vec3& point : track.points) placed[slot++] = {point + position, charge, track.width};
  }
}

void Schedule::write_moving_pins(double time, VectorArray& places) const {
  // Rollers may share a vertex: each adds the part that it holds.
  for (const auto& track : pin_tracks_)
    for (const std::size_t slot : track.slots) places[slot] = pin_places_[slot];
  for (const auto& track : pin_tracks_) {
    const Vec3 offset = electret::evaluate(track.offsets, time, time_step_);
    const Vec3 held = track.hold.is_whole() ? offset : track.hold.projector() * offset;
    for (const std::size_t slot : track.slots) places[slot] += held;
  }
}

void Schedule::write_changing_loads(double time, VectorArray& loads) const {
  // All vertices of changing loads start from the constant loads, because a vertex may be in several.
  for (const auto& track : load_tracks_) {
    if (track.factor.empty()) continue;
    for (const Index i : track.vertices)
      loads[static_cast<std::size_t>(i)] = base_loads_[static_cast<std::size_t>(i)];
  }
  for (const auto& track : load_tracks_)
    if (!track.factor.empty()) add_load(track, track.factor_at(time, time_step_), loads);
}

void Schedule::write_changing_activations(double time, std::vector<double>& activations) const {
  for (const Activation& muscle : activations_)
    if (muscle.changes())
      std::fill_n(activations.begin() + static_cast<std::ptrdiff_t>(muscle.first), muscle.count,
                  muscle.at(time, time_step_));
}

void Schedule::write_moving_obstacles(double time, std::vector<Placement>& placements) const {
  for (std::size_t o = 0; o < obstacles_.size(); ++o)
    if (obstacles_[o].moves()) placements[o] = obstacles_[o].placement(time, time_step_);
}

void Schedule::write_grabs(double time, std::vector<PlacedGrab>& placed) const {
  for (std::size_t g = 0; g < grabs_.size(); ++g) {
    const GrabTrack& track = grabs_[g];
    const bool acts = track.acts_at(time, time_step_);
    placed[g].target = electret::evaluate(track.targets, time, time_step_);
    placed[g].stiffness = acts ? track.stiffness : 0.0;
    placed[g].damping = acts ? track.damping : 0.0;
  }
}

void Schedule::add_gradient(double time, const InputGradients& by_inputs, AssemblyGradient& gradient) const {
  add_charge_gradient(time, by_inputs.charges, gradient);
  add_external_gradient(time, by_inputs.external_charges, gradient);
  add_pin_gradient(time, by_inputs.pin_positions, gradient);
  add_load_gradient(time, by_inputs.loads, gradient);
  add_activation_gradient(time, by_inputs.activations, gradient);
  add_placement_gradient(time, by_inputs.placements, gradient);
  add_grab_gradient(time, by_inputs.grabs, gradient);
}

void Schedule::add_grab_gradient(double time, const std::vector<InputGradients::Grab>& by_grabs,
                                 AssemblyGradient& gradient) const {
  require(by_grabs.size() >= grabs_.size(), "the derivatives with respect to grabs have the wrong size");
  for (std::size_t g = 0; g < grabs_.size(); ++g) {
    const GrabTrack& track = grabs_[g];
    add_key_gradient<Vec3>(track.targets, time, time_step_, by_grabs[g].target,
                           gradient.vectors({number::grab_targets, g}));
    if (!track.acts_at(time, time_step_)) continue;
    gradient.scalars({number::grab_stiffness, g})[0] += by_grabs[g].stiffness;
    gradient.scalars({number::grab_damping, g})[0] += by_grabs[g].damping;
  }
}

void Schedule::add_placement_gradient(double time, const std::vector<Placement>& by_placements,
                                      AssemblyGradient& gradient) const {
  require(by_placements.size() == obstacles_.size(),
          "the derivatives with respect to placements have the wrong size");
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const auto add = [&](const KeyFrames<Vec3>& keys, const Vec3& by_value, const Vec3& by_rate,
                         const NumberKind& kind) {
      if (keys.empty()) return;
      const VectorSpan out = gradient.vectors({kind, o});
      add_key_gradient<Vec3>(keys, time, time_step_, by_value, out);
      add_rate_gradient(keys, time, time_step_, by_rate, out);
    };
    const Placement& by = by_placements[o];
    add(obstacles_[o].offsets, by.offset, by.velocity, number::obstacle_offsets);
    add(obstacles_[o].rotations, by.rotation, by.turning, number::obstacle_rotations);
  }
}

void Schedule::add_charge_gradient(double time, ScalarView by_charges, AssemblyGradient& gradient) const {
  require(by_charges.size() == base_charges_.size(),
          "the derivatives with respect to charges have the wrong size");
  const ScalarSpan charges = gradient.scalars(number::charges);
  for (std::size_t i = 0; i < by_charges.size(); ++i)
    if (has_track_[i] == 0) charges[i] += by_charges[i];
  for (const auto& [track, number] : charge_tracks_) {
    double by_value = 0.0;
    for (const Index i : track.vertices) by_value += by_charges[static_cast<std::size_t>(i)];
    // A constant charge is the track's value at time 0.
    add_key_gradient<double>(track.charge, track.key_framed ? time : 0.0, time_step_, by_value,
                             gradient.scalars({number::group_charges, number}));
  }
}

void Schedule::add_external_gradient(double time, const std::vector<InputGradients::External>& by_external,
                                     AssemblyGradient& gradient) const {
  std::size_t slot = 0;
  for (std::size_t k = 0; k < external_.size(); ++k) {
    const ExternalChargeTrack& track = external_[k];
    require(slot + track.points.size() <= by_external.size(),
            "the derivatives with respect to external charges have the wrong size");
    double by_charge = 0.0;
    Vec3 by_position;
    for (std::size_t p = 0; p < track.points.size(); ++p, ++slot) {
      by_charge += by_external[slot].charge;
      by_position += by_external[slot].position;
    }
    by_charge /= static_cast<double>(track.points.size());
    add_key_gradient<double>(track.charge, time, time_step_, by_charge,
                             gradient.scalars({number::external_charge, k}));
    add_key_gradient<Vec3>(track.position, time, time_step_, by_position,
                           gradient.vectors({number::external_position, k}));
  }
}

void Schedule::add_pin_gradient(double time, VectorView by_places, AssemblyGradient& gradient) const {
  require(by_places.size() == pins_.size(), "the derivatives with respect to pins have the wrong size");
  const VectorSpan positions = gradient.vectors(number::initial_positions);
  for (std::size_t k = 0; k < pins_.size(); ++k)
    positions[static_cast<std::size_t>(pins_[k])] += by_places[k];
  for (const auto& track : pin_tracks_) {
    Vec3 by_offset;
    for (const std::size_t slot : track.slots) by_offset += by_places[slot];
    if (!track.hold.is_whole()) by_offset = track.hold.projector() * by_offset;
    add_key_gradient<Vec3>(track.offsets, time, time_step_, by_offset,
                           gradient.vectors({number::pin_offsets, track.number}));
  }
}

void Schedule::add_load_gradient(double time, VectorView by_loads, AssemblyGradient& gradient) const {
  require(by_loads.size() == base_charges_.size(),
          "the derivatives with respect to loads have the wrong size");
  for (std::size_t k = 0; k < load_tracks_.size(); ++k) {
    const LoadTrack& track = load_tracks_[k];
    const double factor = track.factor_at(time, time_step_);
    const VectorSpan by_forces = gradient.vectors({number::load_forces, k});
    double by_factor = 0.0;
    for (std::size_t v = 0; v < track.vertices.size(); ++v) {
      const Vec3& by_load = by_loads[static_cast<std::size_t>(track.vertices[v])];
      by_forces[track.forces.size() == 1 ? 0 : v] += factor * by_load;
      by_factor += dot(by_load, track.force(v));
    }
    if (!track.factor.empty())
      add_key_gradient<double>(track.factor, time, time_step_, by_factor,
                               gradient.scalars({number::load_factors, k}));
  }
}

void Schedule::add_activation_gradient(double time, ScalarView by_activations,
                                       AssemblyGradient& gradient) const {
  require(by_activations.size() == base_activations_.size(),
          "the derivatives with respect to activations have the wrong size");
  for (std::size_t m = 0; m < activations_.size(); ++m) {
    const Activation& muscle = activations_[m];
    const ScalarView own = by_activations.subspan(muscle.first, muscle.count);
    const double sum = std::accumulate(own.begin(), own.end(), 0.0);
    if (!muscle.keys.empty()) {
      add_key_gradient<double>(muscle.keys, time, time_step_, sum,
                               gradient.scalars({number::activation_keys, m}));
    } else if (!muscle.formula.empty()) {
      muscle.formula.add_gradient(time, time_step_, sum, gradient.scalars({number::activation_constants, m}));
    } else {
      const ScalarSpan out = gradient.scalars({number::activations, m});
      for (std::size_t e = 0; e < muscle.count; ++e) out[e] += own[e];
    }
  }
}

}  // namespace electret
