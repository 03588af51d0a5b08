#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/read.hpp>
#include <electret/render/charge_colours.hpp>
#include <electret/render/detail/applied.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/read.hpp>

namespace electret::render {
namespace {

std::string path_within(const std::string& folder, const std::string& file) {
  return file.starts_with('/') ? file : folder + "/" + file;
}

void add_obstacle(const Scene& scene, const Obstacle& obstacle, const std::string& folder, Applied& applied) {
  try {
    const Mesh mesh = obstacle.mesh.empty() ? Mesh() : read_mesh(path_within(folder, obstacle.mesh));
    applied.obstacles.push_back(obstacle_track(scene, obstacle, mesh));
  } catch (const std::exception&) {
    applied.remarks.push_back("the obstacle of \"" + obstacle.mesh +
                              "\" is not drawn, because the mesh no longer exists");
  }
}

void add_charge(const ExternalCharge& charge, const std::string& folder, Applied& applied) {
  ExternalChargeTrack track{{Vec3{}}, charge.charge, charge.position, charge.width};
  if (!charge.mesh.empty()) {
    const std::string path = path_within(folder, charge.mesh);
    try {
      track.points = read_mesh(path).vertices;
    } catch (const std::exception&) {
      applied.remarks.push_back("the external charges of \"" + charge.mesh +
                                "\" are not drawn, because the mesh no longer exists");
      return;
    }
  }
  applied.charges.push_back(std::move(track));
}

/// Whether a change of the scene touches what is drawn of it.
bool changes_what_is_drawn(const Scene& scene) {
  const auto is_drawn = [](const std::string& text) {
    const std::string key = key_of_override(text), table = key.substr(0, key.find('.'));
    return table == "gravity" || table == "external_charge" || table == "electric_field" ||
           table == "obstacle";
  };
  return std::any_of(scene.changes.begin(), scene.changes.end(), [&](const Change& change) {
    return std::any_of(change.set.begin(), change.set.end(), is_drawn) ||
           std::any_of(change.unset.begin(), change.unset.end(), is_drawn);
  });
}

}  // namespace

Applied read_applied(const std::string& scene, const std::string& overrides, const std::string& folder) {
  Applied applied;
  try {
    const Scene read = parse_scene(scene, "scene", folder, lines_of(overrides));
    if (read.gravity && norm(*read.gravity) > 0.0) applied.up = (-1.0 / norm(*read.gravity)) * *read.gravity;
    applied.time_step = read.time.step;
    for (const ExternalCharge& charge : read.external_charges) add_charge(charge, folder, applied);
    for (const ElectricField& field : read.electric_fields) applied.fields.push_back(parsed_field(field));
    for (const Obstacle& obstacle : read.obstacles) add_obstacle(read, obstacle, folder, applied);
    applied.is_read = true;
    if (changes_what_is_drawn(read))
      applied.remarks.emplace_back(
          "the scene changes during the run; gravity, external charges, fields and obstacles are shown as "
          "they "
          "are at its start");
  } catch (const InputError&) {  // of an older version, or made in memory
    applied.remarks.emplace_back(
        "this version cannot read the recorded scene, so that gravity, external charges, fields and "
        "obstacles are not shown");
  }
  return applied;
}

double largest_charge(const Applied& applied) {
  double largest = 0.0;
  for (const ExternalChargeTrack& track : applied.charges)
    for (const double charge : track.charge.values)
      largest = std::max(largest, std::abs(charge) / static_cast<double>(track.points.size()));
  return largest;
}

void add_charges(const Applied& applied, double time, double radius, Picture& picture) {
  for (const ExternalChargeTrack& track : applied.charges) {
    const Vec3 position = evaluate(track.position, time, applied.time_step);
    const double charge = evaluate(track.charge, time, applied.time_step);
    // One of 0 does nothing, such as one in a hand before it is taken.
    if (charge == 0.0) continue;
    // Only the sign is shown, because the size is not comparable with that of the bodies' charges.
    const double part = charge > 0.0 ? 1.0 : -1.0;
    const double wide = track.points.size() > 1 ? 0.3 * radius : std::max(radius, track.width);
    for (const Vec3& point : track.points)
      picture.balls.push_back({point + position, wide, charge_colour(part)});
  }
}

Vec3 field_at(const Applied& applied, const Vec3& x, double time) {
  Vec3 sum;
  for (const FieldExpression& field : applied.fields) {
    if (field.components[0].empty()) continue;
    for (std::size_t axis = 0; axis < 3; ++axis)
      sum[static_cast<int>(axis)] += field.components[axis].value(x, time, field.constants);
  }
  return sum;
}

}  // namespace electret::render
