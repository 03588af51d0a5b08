#include <algorithm>
#include <numeric>

#include <electret/scene/charge_tracks.hpp>
#include <electret/scene/parameter_finders.hpp>

namespace electret::detail {
namespace {

Parameter make(std::string name, NumberSource source, std::size_t columns, std::vector<Index> members) {
  Parameter p;
  p.name = std::move(name), p.source = source, p.columns = columns, p.members = std::move(members);
  return p;
}

std::vector<Index> range(Count first, Count last) {
  std::vector<Index> members(static_cast<std::size_t>(last - first));
  std::iota(members.begin(), members.end(), static_cast<Index>(first));
  return members;
}

std::vector<Index> all_of(std::size_t count) {
  return range(0, static_cast<Count>(count));
}

/// "body.NAME" of body `b`. A body that was made without a scene has the name that the reader would give it.
std::string body_key(const Assembly& a, std::size_t b) {
  const auto& bodies = a.scene.bodies;
  return "body." + (b < bodies.size() ? bodies[b].name : "body" + std::to_string(b + 1));
}

/// An external charge's value (`kind` external_charge) or position, by its only key or key by key.
template <class Keys>
Found externals(const Assembly& a, const char* suffix, NumberKind kind, Keys ExternalChargeTrack::*member,
                bool key_framed) {
  Found found;
  for (std::size_t e = 0; e < a.external_charges.size(); ++e) {
    const std::size_t keys = (a.external_charges[e].*member).values.size();
    if ((keys > 1) != key_framed) continue;
    found.push_back(make("external_charge." + std::to_string(e) + suffix, {kind, e},
                         kind == NumberKind::external_position ? 3 : 1, all_of(keys)));
  }
  return found;
}

}  // namespace

Found of_bodies(const Assembly& a, const char* suffix, NumberKind kind, std::size_t columns, bool is_common,
                const std::vector<Count>& offsets) {
  Found found;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    found.push_back(make(body_key(a, b) + suffix, {kind}, columns, range(offsets[b], offsets[b + 1])));
    found.back().is_common = is_common;
  }
  return found;
}

Found own_charges(const Assembly& a) {
  const std::vector<int> winner = winning_charge_tracks(a);
  Found found = of_bodies(a, ".charge", NumberKind::charges, 1, true, a.body_offsets);
  for (Parameter& p : found)
    std::erase_if(p.members, [&](Index i) { return winner[static_cast<std::size_t>(i)] >= 0; });
  return found;
}

Found group_charges(const Assembly& a, bool key_framed) {
  Found found;
  for (std::size_t k = 0; k < a.charge_tracks.size(); ++k) {
    const ChargeTrack& track = a.charge_tracks[k];
    const bool is_last =
        std::none_of(a.charge_tracks.begin() + static_cast<std::ptrdiff_t>(k) + 1, a.charge_tracks.end(),
                     [&](const ChargeTrack& later) { return later.name == track.name; });
    if (track.key_framed != key_framed || !is_last) continue;
    found.push_back(make(track.name + (key_framed ? ".values" : ""), {NumberKind::charge_track, k}, 1,
                         all_of(track.charge.values.size())));
  }
  return found;
}

Found external_charges(const Assembly& a, const char* suffix, bool key_framed) {
  return externals(a, suffix, NumberKind::external_charge, &ExternalChargeTrack::charge, key_framed);
}

Found external_positions(const Assembly& a, const char* suffix, bool key_framed) {
  return externals(a, suffix, NumberKind::external_position, &ExternalChargeTrack::position, key_framed);
}

Found field_constants(const Assembly& a) {
  Found found;
  for (std::size_t f = 0; f < a.fields.size(); ++f)
    for (std::size_t c = 0; c < a.fields[f].constant_names.size(); ++c)
      found.push_back(make("electric_field." + std::to_string(f) + "." + a.fields[f].constant_names[c],
                           {NumberKind::field_constants, f}, 1, {static_cast<Index>(c)}));
  return found;
}

Found of_obstacles(const Assembly& a, const char* suffix, NumberKind kind, bool need_friction) {
  Found found;
  for (std::size_t o = 0; o < a.obstacles.size(); ++o)
    if (!need_friction || a.obstacles[o].friction_stiffness > 0.0)
      found.push_back(make(a.obstacles[o].name + suffix, {kind, o}, 1, {0}));
  return found;
}

Found pin_offsets(const Assembly& a) {
  Found found;
  for (std::size_t k = 0; k < a.pin_tracks.size(); ++k)
    found.push_back(make(a.pin_tracks[k].name + ".offsets", {NumberKind::pin_track, k}, 3,
                         all_of(a.pin_tracks[k].offsets.values.size())));
  return found;
}

Found load_forces(const Assembly& a, bool of_each_vertex) {
  Found found;
  for (std::size_t k = 0; k < a.load_tracks.size(); ++k) {
    const LoadTrack& track = a.load_tracks[k];
    if ((track.forces.size() > 1) == of_each_vertex)
      found.push_back(make(track.name + (of_each_vertex ? ".forces" : ".force"), {NumberKind::load_forces, k},
                           3, all_of(track.forces.size())));
  }
  return found;
}

Found load_factors(const Assembly& a) {
  Found found;
  for (std::size_t k = 0; k < a.load_tracks.size(); ++k)
    found.push_back(make(a.load_tracks[k].name + ".values", {NumberKind::load_factor, k}, 1,
                         all_of(a.load_tracks[k].factor.values.size())));
  return found;
}

Found of_materials(const Assembly& a, const char* suffix, NumberKind kind) {
  Found found;
  for (std::size_t k = 0; k < a.materials.size(); ++k) {
    found.push_back(make(a.materials[k].name + suffix, {kind, k}, 1, all_of(a.materials[k].elements.size())));
    found.back().is_common = true;
  }
  return found;
}

Found of_muscles(const Assembly& a, const char* suffix, NumberKind kind, bool is_common) {
  Found found;
  for (std::size_t k = 0; k < a.muscles.size(); ++k) {
    const std::size_t count = numbers(a, {kind, k}).count;
    found.push_back(make(a.muscles[k].name + suffix, {kind, k}, 1, all_of(count)));
    found.back().is_common = is_common;
  }
  return found;
}

Found rest_positions(const Assembly& a) {
  Found found = of_bodies(a, ".rest_positions", NumberKind::rest_positions, 3, false, a.body_offsets);
  std::erase_if(found, [&](const Parameter& p) {
    return std::all_of(p.members.begin(), p.members.end(), [&](Index i) {
      return a.volumes.empty() || a.volumes[static_cast<std::size_t>(i)] == 0.0;
    });
  });
  return found;
}

Found densities(const Assembly& a) {
  Found found;
  for (std::size_t b = 0; b < a.scene.bodies.size(); ++b) {
    if (!a.scene.bodies[b].density) continue;
    const Count first = a.body_offsets[b], last = a.body_offsets[b + 1];
    found.push_back(make(body_key(a, b) + ".density", {NumberKind::masses}, 1, range(first, last)));
    found.back().is_common = true;
    found.back().shares.assign(a.volumes.begin() + first, a.volumes.begin() + last);
  }
  return found;
}

Found setting(const char* name, NumberKind kind, std::size_t columns) {
  return {make(name, {kind}, columns, {0})};
}

}  // namespace electret::detail
