#include <algorithm>

#include <electret/dynamics/schedule.hpp>

namespace electret {
namespace {

template <class T>
bool changes(const KeyFrames<T>& keys) {
  return std::any_of(keys.values.begin(), keys.values.end(),
                     [&](const T& value) { return !(value == keys.values.front()); });
}

/// For each vertex the number of the track whose charge it takes (later ones win), -1 without one.
std::vector<int> winning_tracks(const Assembly& assembly) {
  std::vector<int> winner(assembly.charges.size(), -1);
  for (std::size_t k = 0; k < assembly.charge_tracks.size(); ++k)
    for (const Index vertex : assembly.charge_tracks[k].vertices)
      winner[static_cast<std::size_t>(vertex)] = static_cast<int>(k);
  return winner;
}

}  // namespace

Schedule::Schedule(const Assembly& assembly, const std::vector<Index>& pins)
    : time_step_(assembly.scene.time.step),
      base_charges_(assembly.charges),
      external_(assembly.external_charges) {
  const auto winner = winning_tracks(assembly);
  for (std::size_t k = 0; k < assembly.charge_tracks.size(); ++k) {
    ChargeTrack track = assembly.charge_tracks[k];
    std::erase_if(track.vertices,
                  [&](Index i) { return winner[static_cast<std::size_t>(i)] != static_cast<int>(k); });
    const double first = electret::evaluate(track.charge, 0.0, time_step_);
    for (const Index i : track.vertices) base_charges_[static_cast<std::size_t>(i)] = first;
    if (track.key_framed && !track.vertices.empty()) charge_tracks_.push_back(std::move(track));
  }
  for (const auto& track : external_)
    external_charges_change_ |= changes(track.charge) || changes(track.position);

  pin_places_.reserve(pins.size());
  for (const Index pin : pins)
    pin_places_.push_back(assembly.initial_positions[static_cast<std::size_t>(pin)]);
  for (const auto& track : assembly.pin_tracks) {
    if (track.offsets.empty()) continue;
    MovingPins moving{track.offsets, {}};
    for (const Index vertex : track.vertices) {
      const auto place = std::lower_bound(pins.begin(), pins.end(), vertex);
      moving.slots.push_back(static_cast<std::size_t>(place - pins.begin()));
    }
    pin_tracks_.push_back(std::move(moving));
  }
}

void Schedule::evaluate(double time, Inputs& inputs) const {
  inputs.time = time;
  inputs.charges = base_charges_;
  inputs.pin_positions = pin_places_;
  write_charges(time, inputs.charges);
  write_external_charges(time, inputs.external_charges);
  write_moving_pins(time, inputs.pin_positions);
}

void Schedule::update(double time, Inputs& inputs) const {
  inputs.time = time;
  write_charges(time, inputs.charges);
  if (external_charges_change_) write_external_charges(time, inputs.external_charges);
  write_moving_pins(time, inputs.pin_positions);
}

void Schedule::write_charges(double time, std::vector<double>& charges) const {
  for (const auto& track : charge_tracks_) {
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
  for (const auto& track : pin_tracks_) {
    const Vec3 offset = electret::evaluate(track.offsets, time, time_step_);
    for (const std::size_t slot : track.slots) places[slot] = pin_places_[slot] + offset;
  }
}

}  // namespace electret
