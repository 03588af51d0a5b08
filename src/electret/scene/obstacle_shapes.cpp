#include <algorithm>
#include <numbers>

#include <electret/core/direction.hpp>
#include <electret/geometry/placing.hpp>
#include <electret/geometry/shapes/shapes.hpp>
#include <electret/scene/obstacle_shapes.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

using Made = std::shared_ptr<const RigidShape>;

Made plane(const Obstacle& o, const Mesh&) {
  return make_plane(direction_of(o.normal.value()));
}
Made sphere(const Obstacle& o, const Mesh&) {
  return make_sphere(o.radius.value());
}
Made box(const Obstacle& o, const Mesh&) {
  return make_box(o.size.value(), rotation(o.rotate.value_or(Vec3{})));
}
Made cylinder(const Obstacle& o, const Mesh&) {
  return make_cylinder(direction_of(o.axis.value()), o.radius.value(), o.length.value());
}
Made capsule(const Obstacle& o, const Mesh&) {
  return make_capsule(direction_of(o.axis.value()), o.radius.value(), o.length.value());
}
Made trough(const Obstacle& o, const Mesh&) {
  // The checks let `towards` be across to a millionth.
  const Vec3 axis = direction_of(o.axis.value()), given = direction_of(o.towards.value());
  const Vec3 towards = direction_of(given - dot(axis, given) * axis);
  return make_trough(axis, towards, o.radius.value(), o.length.value(),
                     o.angle.value() * std::numbers::pi / 180.0);
}
/// Scaled and turned about its own origin, which the obstacle's `translate` moves.
Made closed_mesh(const Obstacle& o, const Mesh& mesh) {
  Mesh placed = mesh;
  place(placed.vertices, o.scale.value_or(1.0), o.rotate.value_or(Vec3{}), {});
  return make_closed_mesh(placed);
}

const std::vector<ObstacleShape>& shape_rows() {
  static const std::vector<ObstacleShape> rows{
      {"plane", {"point", "normal"}, {}, "point", plane},
      {"sphere", {"centre", "radius"}, {"inside"}, "centre", sphere},
      {"box", {"centre", "size"}, {"rotate", "inside"}, "centre", box},
      {"cylinder", {"centre", "axis", "radius", "length"}, {"inside"}, "centre", cylinder},
      {"capsule", {"centre", "axis", "radius", "length"}, {"inside"}, "centre", capsule},
      {"trough", {"centre", "axis", "towards", "radius", "length", "angle"}, {}, "centre", trough},
      {"mesh", {"mesh"}, {"scale", "rotate", "translate"}, "translate", closed_mesh}};
  return rows;
}

constexpr ObstacleShapeKey key_rows[] = {
    {"point", [](const Obstacle& o) { return o.point.has_value(); }},
    {"normal", [](const Obstacle& o) { return o.normal.has_value(); }},
    {"centre", [](const Obstacle& o) { return o.centre.has_value(); }},
    {"size", [](const Obstacle& o) { return o.size.has_value(); }},
    {"axis", [](const Obstacle& o) { return o.axis.has_value(); }},
    {"radius", [](const Obstacle& o) { return o.radius.has_value(); }},
    {"length", [](const Obstacle& o) { return o.length.has_value(); }},
    {"towards", [](const Obstacle& o) { return o.towards.has_value(); }},
    {"angle", [](const Obstacle& o) { return o.angle.has_value(); }},
    {"mesh", [](const Obstacle& o) { return !o.mesh.empty(); }},
    {"scale", [](const Obstacle& o) { return o.scale.has_value(); }},
    {"rotate", [](const Obstacle& o) { return o.rotate.has_value(); }},
    {"translate", [](const Obstacle& o) { return o.translate.has_value(); }},
    {"inside", [](const Obstacle& o) { return o.inside; }}};

}  // namespace

std::span<const ObstacleShape> obstacle_shapes() {
  return shape_rows();
}

const ObstacleShape* find_obstacle_shape(std::string_view name) {
  const auto& rows = shape_rows();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const ObstacleShape& shape) { return shape.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string_view> obstacle_shape_names() {
  std::vector<std::string_view> names;
  for (const ObstacleShape& shape : shape_rows()) names.push_back(shape.name);
  return names;
}

std::string obstacle_shape_reference() {
  std::string text = "The keys that a shape needs: ";
  for (const ObstacleShape& shape : shape_rows()) {
    if (&shape != &shape_rows().front()) text += "; ";
    text += std::string(shape.name);
    for (std::size_t k = 0; k < shape.needs.size(); ++k)
      text += (k == 0 ? " `" : ", `") + std::string(shape.needs[k]) + "`";
  }
  return text + ".";
}

std::span<const ObstacleShapeKey> obstacle_shape_keys() {
  return key_rows;
}

}  // namespace electret
