#include "written.hpp"

#include <iomanip>
#include <sstream>

#include <electret/scene/schema.hpp>
#include <electret/scene/slot.hpp>

namespace electret::test {
namespace {

class Writer {
 public:
  Writer() { out_ << std::setprecision(17); }
  [[nodiscard]] std::string text() const { return out_.str(); }

  /// All slots of one table.
  void table(const char* name, void* object) {
    for (const SchemaRow& row : schema_table(name).rows) {
      if (row.slot == nullptr) continue;
      out_ << name << '.' << row.key << " = ";
      has_default_ = !row.default_value.empty();
      std::visit([&](const auto* value) { put(*value); }, row.slot(object).target);
      out_ << '\n';
    }
    has_default_ = false;
  }

  template <class... Values>
  void all(const char* name, const Values&... values) {
    out_ << name << " = ";
    (put(values), ...);
    out_ << '\n';
  }

 private:
  void put(double value) { out_ << value << ' '; }
  void put(int value) { out_ << value << ' '; }
  void put(Count value) { out_ << value << ' '; }
  void put(bool value) { out_ << value << ' '; }
  void put(const std::string& value) { out_ << '"' << value << "\" "; }
  void put(Interpolation value) { put(static_cast<int>(value)); }
  void put(const Vec3& value) { put(value.x), put(value.y), put(value.z); }
  void put(const Spring& s) { put(s.i), put(s.j), put(s.stiffness), put(s.rest_length); }
  void put(const FibreDirection& fibre) { put(fibre.along), put(fibre.around); }
  void put(const GeneratorSpec& spec) {
    put(spec.shape);
    for (const auto& [name, value] : spec.parameters) {
      put(name);
      std::visit([&](const auto& v) { put(v); }, value);
    }
  }
  template <class T>
  void put(const std::optional<T>& value) {
    if (!has_default_ && value) put(*value);
  }
  template <class T>
  void put(const PerItem<T>& value) {
    put(value.file), put(value.values);
  }
  template <class T>
  void put(const KeyFrames<T>& keys) {
    put(keys.times), put(keys.values), put(keys.interpolation);
  }
  template <class T, std::size_t size>
  void put(const std::array<T, size>& values) {
    for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    for (const T& value : values) put(value);
  }
  void put(const Constants& values) {
    for (const auto& [name, value] : values) put(name), put(value);
  }
  void put(const std::pair<std::string, std::string>& named) { put(named.first), put(named.second); }
  void put(const ListedValues& values) { put(values.texts); }

  std::ostringstream out_;
  bool has_default_ = false;
};

void body(Writer& writer, Body& body) {
  writer.table("body", &body);
  for (SpringTable& table : body.springs) writer.table("body.springs", &table);
  for (VertexGroup& group : body.groups) writer.table("body.group", &group);
  for (const GroupCharge& entry : body.group_charges)
    writer.all("body.group_charge", entry.group, entry.charge, entry.key_framed);
  for (const Pin& pin : body.pins) writer.all("body.pin", pin.group, pin.offsets);
  for (const Load& load : body.loads)
    writer.all("body.load", load.group, load.force, load.forces, load.factor);
  for (const Muscle& muscle : body.muscles)
    writer.all("body.muscle", muscle.group, muscle.fibre, muscle.stiffness, muscle.keys, muscle.fibres,
               muscle.expression, muscle.constants);
}

}  // namespace

std::string written(const Assembly& assembly) {
  Writer writer;
  Scene scene = assembly.scene;
  writer.table("scene", &scene);
  writer.all("time", scene.time.step, scene.time.steps);
  writer.table("integrator", &scene.integrator);
  if (scene.coulomb) {
    writer.table("coulomb", &*scene.coulomb);
    writer.table("coulomb.ddef", &*scene.coulomb);
  }
  writer.table("gravity", &scene);
  writer.table("damping", &scene.damping);
  writer.table("output", &scene.output);
  for (Body& b : scene.bodies) body(writer, b);
  for (const ExternalCharge& e : scene.external_charges)
    writer.all("external_charge", e.charge, e.position, e.mesh, e.width);
  for (ElectricField& field : scene.electric_fields) writer.table("electric_field", &field);
  if (scene.contact) {
    writer.table("contact", &*scene.contact);
    for (ContactPair& pair : scene.contact->pairs) writer.table("contact.pair", &pair);
  }
  for (const Grab& grab : scene.grabs)
    writer.all("grab", grab.body, grab.vertices, grab.weights, grab.stiffness, grab.damping, grab.targets,
               grab.until);
  for (Change& change : scene.changes) writer.table("change", &change);
  for (Hydrodynamics& water : scene.hydrodynamics) writer.table("hydrodynamics", &water);
  for (BallContactOptions& balls : scene.ball_contacts) writer.table("ball_contact", &balls);
  for (CameraOptions& camera : scene.cameras) writer.table("camera", &camera);
  for (Obstacle& obstacle : scene.obstacles) writer.table("obstacle", &obstacle);
  writer.all("positions", assembly.rest_positions, assembly.initial_positions, assembly.initial_velocities);
  writer.all("vertices", assembly.masses, assembly.charges);
  writer.all("springs", assembly.springs);
  return writer.text();
}

}  // namespace electret::test
