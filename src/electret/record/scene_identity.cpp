#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <electret/core/errors.hpp>
#include <electret/record/run_arrays.hpp>
#include <electret/record/scene_identity.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/slot.hpp>

namespace electret {
namespace {

class Hash {
 public:
  Hash& add(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ ((bits >> (8 * byte)) & 0xff)) * 0x100000001b3u;
    }
    return *this;
  }
  Hash& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
  Hash& add(Count value) { return add(static_cast<std::uint64_t>(value)); }
  Hash& add(int value) { return add(static_cast<std::uint64_t>(value)); }
  Hash& add(const Vec3& v) { return add(v.x).add(v.y).add(v.z); }
  Hash& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return *this;
  }
  template <class T>
  Hash& add(const std::vector<T>& values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) add(value);
    return *this;
  }
  template <class T>
  Hash& add(const KeyFrames<T>& keys) {
    return add(keys.times).add(keys.values).add(static_cast<int>(keys.interpolation));
  }

  [[nodiscard]] std::string text() const {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    for (int shift = 60; shift >= 0; shift -= 4) result += digits[(state_ >> shift) & 15];
    return result;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

template <class Values>
Hash& add_value(Hash& hash, const Values& value) {
  return hash.add(value);
}
Hash& add_value(Hash& hash, bool value) {
  return hash.add(value ? 1 : 0);
}
Hash& add_value(Hash& hash, Interpolation value) {
  return hash.add(static_cast<int>(value));
}
Hash& add_value(Hash& hash, const Box& value) {
  return hash.add(value[0]).add(value[1]);
}
Hash& add_value(Hash& hash, const Edge& value) {
  return hash.add(value[0]).add(value[1]);
}
Hash& add_value(Hash& hash, const std::vector<Edge>& value) {
  for (const Edge& pair : value) add_value(hash, pair);
  return hash;
}
Hash& add_value(Hash& hash, const Expressions& value) {
  for (const std::string& component : value) hash.add(component);
  return hash;
}
Hash& add_value(Hash& hash, const Constants& value) {
  for (const auto& [name, number] : value) hash.add(name).add(number);
  return hash;
}
Hash& add_value(Hash&, const GeneratorSpec&) {
  throw InternalError("a mesh is told by its vertices, not by the table that makes it");
}

template <class T>
Hash& add_value(Hash& hash, const std::optional<T>& value) {
  hash.add(value ? 1 : 0);
  return value ? add_value(hash, *value) : hash;
}
template <class T>
Hash& add_value(Hash& hash, const PerItem<T>& value) {
  return hash.add(value.file).add(value.values);
}
/// Adds every key of a table of settings. They are found through the schema, so that none can be forgotten.
/// `settings` is the struct that the table fills.
template <class Settings>
void add_table(Hash& hash, const char* table, Settings settings) {
  for (const SchemaRow& row : schema_table(table).rows) {
    if (row.slot == nullptr) continue;
    hash.add(row.key);
    std::visit([&](const auto* value) { add_value(hash, *value); }, row.slot(&settings).target);
  }
}

template <class Settings>
Fingerprint table_part(const char* table, const Settings& settings) {
  Hash hash;
  add_table(hash, table, settings);
  return {schema_table(table).title(), hash.text()};
}

Fingerprint coulomb(const Scene& scene) {
  Hash hash;
  hash.add(scene.coulomb ? 1 : 0);
  if (scene.coulomb)
    for (const char* table : {"coulomb", "coulomb.ddef"}) add_table(hash, table, *scene.coulomb);
  return {"[coulomb]", hash.text()};
}

Fingerprint gravity(const Scene& scene) {
  Scene acceleration;
  acceleration.gravity = scene.gravity;
  return table_part("gravity", acceleration);
}

Hash charges(const Assembly& assembly) {
  Hash hash;
  hash.add(assembly.charges);
  for (const ChargeTrack& track : assembly.charge_tracks) hash.add(track.vertices).add(track.charge);
  return hash;
}

Hash pins(const Assembly& assembly) {
  Hash hash;
  for (const PinTrack& track : assembly.pin_tracks) hash.add(track.vertices).add(track.offsets);
  return hash;
}

Hash loads(const Assembly& assembly) {
  Hash hash;
  for (const LoadTrack& track : assembly.load_tracks)
    hash.add(track.vertices).add(track.forces).add(track.factor);
  return hash;
}

Hash external_charges(const Assembly& assembly) {
  Hash hash;
  for (const ExternalChargeTrack& e : assembly.external_charges)
    hash.add(e.points).add(e.charge).add(e.position).add(e.width);
  return hash;
}

Hash electric_fields(const Assembly& assembly) {
  Hash hash;
  for (std::size_t f = 0; f < assembly.fields.size(); ++f) {
    ElectricField field = assembly.scene.electric_fields[f];
    // The values are the assembly's: a fit changes them there.
    const FieldExpression& parsed = assembly.fields[f];
    for (std::size_t c = 0; c < parsed.constants.size(); ++c)
      field.constants[parsed.constant_names[c]] = parsed.constants[c];
    add_table(hash, "electric_field", field);
  }
  return hash;
}

Hash obstacles(const Assembly& assembly) {
  Hash hash;
  for (std::size_t o = 0; o < assembly.obstacles.size(); ++o) {
    Obstacle obstacle = assembly.scene.obstacles[o];
    // The values are the assembly's: a fit changes them there.
    const ObstacleTrack& track = assembly.obstacles[o];
    obstacle.stiffness = track.stiffness;
    obstacle.friction = track.friction;
    obstacle.friction_stiffness = track.friction_stiffness;
    add_table(hash, "obstacle", obstacle);
  }
  return hash;
}

Hash materials(const Assembly& assembly) {
  Hash hash;
  for (const MaterialTrack& track : assembly.materials)
    hash.add(track.model)
        .add(track.elements.tetrahedra)
        .add(track.elements.hexahedra)
        .add(track.youngs_modulus)
        .add(track.poissons_ratio);
  return hash;
}

Hash muscles(const Assembly& assembly) {
  Hash hash;
  for (const MuscleTrack& track : assembly.muscles)
    hash.add(track.elements.tetrahedra)
        .add(track.elements.hexahedra)
        .add(track.fibre)
        .add(track.stiffness)
        .add(track.activations)
        .add(track.keys);
  return hash;
}

Hash groups(const Assembly& assembly) {
  Hash hash;
  for (const NamedGroup& group : assembly.groups)
    hash.add(static_cast<std::uint64_t>(group.body)).add(group.name).add(group.vertices);
  for (const NamedElementGroup& group : assembly.element_groups)
    hash.add(static_cast<std::uint64_t>(group.body))
        .add(group.name)
        .add(group.elements.tetrahedra)
        .add(group.elements.hexahedra);
  return hash;
}

/// The arrays that the trajectory holds: one fingerprint per part, of all its arrays together.
std::vector<Fingerprint> array_parts(const Assembly& assembly) {
  const TrajectoryHeader header = trajectory_header(assembly);
  std::vector<std::pair<std::string, Hash>> parts;
  for (const RunArray& array : run_arrays()) {
    if (std::string_view(array.name) == "pins") continue;  // Their tracks have a fingerprint.
    if (parts.empty() || parts.back().first != array.part) parts.emplace_back(array.part, Hash());
    std::visit([&](const auto& values) { parts.back().second.add(values); }, array.of(header));
    if (parts.back().first == "bodies") parts.back().second.add(header.body_names);
  }
  std::vector<Fingerprint> result;
  for (const auto& [part, hash] : parts) result.push_back({part, hash.text()});
  return result;
}

}  // namespace

std::vector<Fingerprint> scene_identity(const System& system) {
  const Assembly& a = system.assembly;
  const Scene& s = a.scene;
  std::vector<Fingerprint> identity = {
      {"time.step", Hash().add(system.time_step).text()},
      table_part("integrator", s.integrator),
      coulomb(s),
      gravity(s),
      table_part("damping", s.damping),
      table_part("output", s.output),
      {"groups", groups(a).text()},
      {"initial positions", Hash().add(a.initial_positions).text()},
      {"initial velocities", Hash().add(a.initial_velocities).text()},
      {"charges", charges(a).text()},
      {"pins", pins(a).text()},
      {"loads", loads(a).text()},
      {"materials", materials(a).text()},
      {"muscles", muscles(a).text()},
      {"external charges", external_charges(a).text()},
      {"electric fields", electric_fields(a).text()},
      {"obstacles", obstacles(a).text()},
  };
  for (Fingerprint& part : array_parts(a)) identity.push_back(std::move(part));
  return identity;
}

std::vector<std::string> changed_parts(const std::vector<Fingerprint>& before,
                                       const std::vector<Fingerprint>& now) {
  std::vector<std::string> changed;
  for (const Fingerprint& part : now)
    if (std::find(before.begin(), before.end(), part) == before.end()) changed.push_back(part.part);
  for (const Fingerprint& part : before)  // For example, a driven run's inputs are not part of the scene.
    if (std::none_of(now.begin(), now.end(),
                     [&](const Fingerprint& other) { return other.part == part.part; }))
      changed.push_back(part.part);
  return changed;
}

}  // namespace electret
