#include <algorithm>

#include <electret/scene/body_contact.hpp>
#include <electret/scene/body_of.hpp>

namespace electret {
namespace {

bool names(const Scene& scene, const char* partner) {
  if (!scene.contact) return false;
  const std::vector<std::string>& against = scene.contact->against;
  return std::find(against.begin(), against.end(), partner) != against.end();
}

/// Of each body, whether one of `parts` (triangles, lines) is its own.
template <class Parts>
std::vector<char> have_parts(const Assembly& assembly, const Parts& parts) {
  std::vector<char> have(assembly.body_offsets.size() - 1, 0);
  for (const auto& part : parts) have[body_of(assembly.body_offsets, part[0])] = 1;
  return have;
}

/// The vertices of bodies without faces.
std::vector<Index> points_without_faces(const Assembly& assembly) {
  const std::vector<char> has_faces = have_parts(assembly, assembly.faces);
  std::vector<Index> points;
  for (std::size_t b = 0; b < has_faces.size(); ++b)
    for (Count v = assembly.body_offsets[b]; has_faces[b] == 0 && v < assembly.body_offsets[b + 1]; ++v)
      points.push_back(static_cast<Index>(v));
  return points;
}

}  // namespace

bool touches_bodies(const Scene& scene) {
  return names(scene, "bodies") || names(scene, "self");
}

BodyPairs wanted_body_pairs(const Assembly& assembly) {
  const std::size_t count = assembly.body_offsets.size() - 1;
  BodyPairs bodies(count);
  for (std::size_t a = 0; a < count; ++a) {
    if (names(assembly.scene, "bodies"))
      for (std::size_t b = 0; b < a; ++b) bodies.allow(a, b);
    if (names(assembly.scene, "self")) bodies.allow(a, a);
  }
  for (const ContactPairTrack& pair : assembly.contact_pairs)
    if (pair.other != ContactPairTrack::none && pair.is_ignored) bodies.allow(pair.body, pair.other, false);
  return bodies;
}

BodyPairs body_pairs(const Assembly& assembly) {
  BodyPairs bodies = wanted_body_pairs(assembly);
  const std::vector<char> has_faces = have_parts(assembly, assembly.faces),
                          has_lines = have_parts(assembly, assembly.lines);
  for (std::size_t a = 0; a < bodies.bodies(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const bool is_joined =
          has_faces[a] != 0 || has_faces[b] != 0 || (has_lines[a] != 0 && has_lines[b] != 0);
      if (!is_joined) bodies.allow(a, b, false);
    }
  return bodies;
}

ContactSurface body_surface(const Assembly& assembly) {
  const std::vector<Index> points = points_without_faces(assembly);
  std::vector<char> is_free(assembly.masses.size(), 1);
  for (const PinTrack& track : assembly.pin_tracks)
    if (track.hold.is_whole())
      for (const Index v : track.vertices) is_free[static_cast<std::size_t>(v)] = 0;
  return ContactSurface({assembly.faces, assembly.lines, points}, assembly.body_offsets,
                        assembly.rest_positions, is_free);
}

}  // namespace electret
