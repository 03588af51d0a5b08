#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include <electret/record/scene_identity.hpp>

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

Hash coulomb(const Scene& scene) {
  Hash hash;
  if (!scene.coulomb) return hash;
  const FieldOptions& c = *scene.coulomb;
  return hash.add(c.solver).add(c.accuracy.value_or(-1.0)).add(c.constant).add(c.softening).add(c.device);
}

Hash springs(const Assembly& assembly) {
  Hash hash;
  for (const Spring& s : assembly.springs) hash.add(s.i).add(s.j).add(s.stiffness).add(s.rest_length);
  return hash;
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

Hash external_charges(const Assembly& assembly) {
  Hash hash;
  for (const ExternalChargeTrack& e : assembly.external_charges)
    hash.add(e.points).add(e.charge).add(e.position).add(e.width);
  return hash;
}

Hash electric_fields(const Scene& scene) {
  Hash hash;
  for (const ElectricField& field : scene.electric_fields) {
    for (const std::string& component : field.expression) hash.add(component);
    for (const auto& [name, value] : field.constants) hash.add(name).add(value);
  }
  return hash;
}

Hash faces(const Assembly& assembly) {
  Hash hash;
  for (const Triangle& face : assembly.faces)
    for (const Index vertex : face) hash.add(vertex);
  return hash;
}

}  // namespace

std::vector<Fingerprint> scene_identity(const System& system) {
  const Assembly& a = system.assembly;
  const Scene& s = a.scene;
  const IntegratorOptions& i = s.integrator;
  const OutputOptions& o = s.output;
  return {
      {"time.step", Hash().add(system.time_step).text()},
      {"[integrator]",
       Hash().add(i.method).add(i.tolerance).add(i.max_iterations).add(i.elastic_solver).text()},
      {"[coulomb]", coulomb(s).text()},
      {"[gravity]", Hash().add(s.gravity ? 1 : 0).add(s.gravity.value_or(Vec3{})).text()},
      {"[damping]", Hash().add(s.damping.drag).add(s.damping.spring).text()},
      {"[output]", Hash().add(o.every).add(o.velocities ? 1 : 0).add(o.precision).add(o.compression).text()},
      {"bodies", Hash().add(a.body_offsets).text()},
      {"rest positions", Hash().add(a.rest_positions).text()},
      {"initial positions", Hash().add(a.initial_positions).text()},
      {"initial velocities", Hash().add(a.initial_velocities).text()},
      {"masses", Hash().add(a.masses).text()},
      {"charges", charges(a).text()},
      {"springs", springs(a).text()},
      {"faces", faces(a).text()},
      {"pins", pins(a).text()},
      {"external charges", external_charges(a).text()},
      {"electric fields", electric_fields(s).text()},
  };
}

std::vector<std::string> changed_parts(const std::vector<Fingerprint>& before,
                                       const std::vector<Fingerprint>& now) {
  std::vector<std::string> changed;
  for (const Fingerprint& part : now)
    if (std::find(before.begin(), before.end(), part) == before.end()) changed.push_back(part.part);
  return changed;
}

}  // namespace electret
