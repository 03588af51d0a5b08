#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/geometry/placing.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/studio/session/surroundings.hpp>

namespace electret::studio {
namespace {

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// x, y, z, w of a rotation matrix (Shepperd: the largest component first).
std::array<double, 4> quaternion(const Mat3& r) {
  const auto& [a, b, c] = r.rows;
  const double trace = a.x + b.y + c.z;
  if (trace > 0.0) {
    const double s = 2.0 * std::sqrt(1.0 + trace);
    return {(c.y - b.z) / s, (a.z - c.x) / s, (b.x - a.y) / s, 0.25 * s};
  }
  if (a.x > b.y && a.x > c.z) {
    const double s = 2.0 * std::sqrt(1.0 + a.x - b.y - c.z);
    return {0.25 * s, (a.y + b.x) / s, (a.z + c.x) / s, (c.y - b.z) / s};
  }
  if (b.y > c.z) {
    const double s = 2.0 * std::sqrt(1.0 + b.y - a.x - c.z);
    return {(a.y + b.x) / s, 0.25 * s, (b.z + c.y) / s, (a.z - c.x) / s};
  }
  const double s = 2.0 * std::sqrt(1.0 + c.z - a.x - b.y);
  return {(a.z + c.x) / s, (b.z + c.y) / s, 0.25 * s, (b.x - a.y) / s};
}

std::array<double, 7> placed(const ObstacleTrack& track, double time, double time_step) {
  const Placement placement = track.placement(time, time_step);
  const Vec3 at = track.surface.origin + placement.offset;
  const auto [x, y, z, w] = quaternion(rotation(placement.rotation));
  return {at.x, at.y, at.z, x, y, z, w};
}

std::vector<double> size_of(const Obstacle& obstacle) {
  if (obstacle.normal) return {obstacle.normal->x, obstacle.normal->y, obstacle.normal->z};
  if (obstacle.size) return {obstacle.size->x, obstacle.size->y, obstacle.size->z};
  std::vector<double> size;
  if (obstacle.radius) size.push_back(*obstacle.radius);
  if (obstacle.length) size.push_back(*obstacle.length);
  return size;
}

Vec3 mean_of(VectorView points) {
  Vec3 sum;
  for (const Vec3& point : points) sum += point;
  return points.empty() ? sum : (1.0 / static_cast<double>(points.size())) * sum;
}

std::string path_within(const std::string& folder, const std::string& file) {
  return file.starts_with('/') ? file : folder + "/" + file;
}

Mesh mesh_in(const std::string& path, const FileReader& reader) {
  const MeshFormat* format = find_mesh_format(path);
  if (format == nullptr)
    throw InputError(Finding{{path, 0, 0}, "it is no mesh", "allowed: " + mesh_extensions()});
  const std::string companion = companion_of(path);
  return parse_mesh(*format, path, reader(path), companion.empty() ? std::string() : reader(companion));
}

}  // namespace

Surroundings::Surroundings(const Assembly& assembly, const Vec3& centre)
    : centre_(centre),
      time_step_(assembly.scene.time.step),
      charges_(assembly.external_charges),
      surfaces_(assembly.obstacles) {
  describe_external(assembly.scene, all_of(charges_.size()));
  describe_obstacles(assembly.scene, all_of(surfaces_.size()));
}

Surroundings::Surroundings(const Scene& scene, const Vec3& centre, const FileReader& reader)
    : centre_(centre), time_step_(scene.time.step) {
  std::vector<std::size_t> kept_charges, kept_obstacles;
  for (std::size_t k = 0; k < scene.external_charges.size(); ++k) {
    const ExternalCharge& charge = scene.external_charges[k];
    ExternalChargeTrack track{{Vec3{}}, charge.charge, charge.position, charge.width};
    try {
      if (!charge.mesh.empty())
        track.points = mesh_in(path_within(scene.folder, charge.mesh), reader).vertices;
    } catch (const std::exception&) {  // Its mesh no longer exists, or may not be read.
      continue;
    }
    charges_.push_back(std::move(track));
    kept_charges.push_back(k);
  }
  for (std::size_t k = 0; k < scene.obstacles.size(); ++k) {
    const Obstacle& obstacle = scene.obstacles[k];
    try {
      const Mesh mesh =
          obstacle.mesh.empty() ? Mesh() : mesh_in(path_within(scene.folder, obstacle.mesh), reader);
      surfaces_.push_back(obstacle_track(scene, obstacle, mesh));
      kept_obstacles.push_back(k);
    } catch (const std::exception&) {  // Likewise.
    }
  }
  describe_external(scene, kept_charges);
  describe_obstacles(scene, kept_obstacles);
}

void Surroundings::renew_external(const Assembly& assembly, std::size_t left_out) {
  charges_ = assembly.external_charges;
  charges_.resize(charges_.size() - std::min(left_out, charges_.size()));
  describe_external(assembly.scene, all_of(charges_.size()));
}

void Surroundings::renew_obstacles(const Assembly& assembly) {
  time_step_ = assembly.scene.time.step;
  surfaces_ = assembly.obstacles;
  const std::vector<ObstacleInfo> before = std::exchange(obstacles_, {});
  describe_obstacles(assembly.scene, all_of(surfaces_.size()));
  if (obstacles_ != before) ++obstacles_number_;
}

void Surroundings::describe_external(const Scene& scene, const std::vector<std::size_t>& kept) {
  external_.clear();
  for (std::size_t k = 0; k < charges_.size(); ++k) {
    const ExternalCharge& written = scene.external_charges[kept[k]];
    const ExternalChargeTrack& track = charges_[k];
    ExternalInfo info;
    info.name = "external charge " + std::to_string(kept[k] + 1);
    info.kind = !written.mesh.empty() ? "mesh" : track.width > 0.0 ? "ball" : "point";
    info.charge = evaluate(track.charge, 0.0, time_step_);
    info.position = mean_of(track.points) + evaluate(track.position, 0.0, time_step_);
    if (track.width > 0.0) info.width = track.width;
    external_.push_back(std::move(info));
  }
}

void Surroundings::describe_obstacles(const Scene& scene, const std::vector<std::size_t>& kept) {
  obstacles_.clear();
  fields_.clear();
  expressions_.clear();
  for (std::size_t k = 0; k < surfaces_.size(); ++k) {
    const Obstacle& written = scene.obstacles[kept[k]];
    const ShapeDrawing drawing = surfaces_[k].sized().shape->drawing(0.0);
    ObstacleInfo info{written.name, written.shape,    size_of(written), written.inside,
                      {},           drawing.vertices, drawing.faces,    drawing.lines};
    info.placement = placed(surfaces_[k], 0.0, time_step_);
    obstacles_.push_back(std::move(info));
  }
  for (const ElectricField& written : scene.electric_fields) {
    const FieldExpression field = parsed_field(written);
    FieldInfo info{"electric", {}};
    if (!field.components[0].empty())
      for (std::size_t axis = 0; axis < 3; ++axis)
        info.value[static_cast<int>(axis)] = field.components[axis].value(centre_, 0.0, field.constants);
    fields_.push_back(std::move(info));
    if (!field.components[0].empty()) expressions_.push_back(field);
  }
}

Floats Surroundings::external_at(double time) const {
  if (charges_.empty()) return nullptr;
  auto floats = std::make_shared<std::vector<float>>();
  for (const ExternalChargeTrack& track : charges_) {
    const Vec3 at = mean_of(track.points) + evaluate(track.position, time, time_step_) - centre_;
    for (const double value : {at.x, at.y, at.z, evaluate(track.charge, time, time_step_)})
      floats->push_back(static_cast<float>(value));
  }
  return floats;
}

std::vector<ExternalChargeTrack> Surroundings::external_tracks(const Floats& placed, double time) const {
  std::vector<ExternalChargeTrack> tracks = charges_;
  const Floats own = external_at(time);
  if (!placed || !own || *placed == *own) return tracks;
  for (std::size_t k = 0; k < tracks.size() && 4 * k + 3 < placed->size(); ++k) {
    const auto at = [&](std::size_t axis) { return static_cast<double>((*placed)[4 * k + axis]); };
    const Vec3 place = Vec3{at(0), at(1), at(2)} + centre_ - mean_of(tracks[k].points);
    tracks[k].position = KeyFrames<Vec3>::constant(place);
    tracks[k].charge = KeyFrames<double>::constant(at(3));
  }
  return tracks;
}

Floats Surroundings::external_of(const std::vector<PlacedCharge>& placed) const {
  if (charges_.empty()) return nullptr;
  auto floats = std::make_shared<std::vector<float>>();
  std::size_t next = 0;
  for (const ExternalChargeTrack& track : charges_) {
    Vec3 at;
    double charge = 0.0;
    for (std::size_t k = 0; k < track.points.size() && next < placed.size(); ++k, ++next) {
      at += placed[next].position;
      charge += placed[next].charge;
    }
    at = (1.0 / static_cast<double>(track.points.size())) * at - centre_;
    for (const double value : {at.x, at.y, at.z, charge}) floats->push_back(static_cast<float>(value));
  }
  return floats;
}

Floats Surroundings::placements_at(double time) const {
  if (surfaces_.empty()) return nullptr;
  auto floats = std::make_shared<std::vector<float>>();
  for (const ObstacleTrack& track : surfaces_) {
    auto place = placed(track, time, time_step_);
    for (std::size_t axis = 0; axis < 3; ++axis) place[axis] -= centre_[static_cast<int>(axis)];
    for (const double value : place) floats->push_back(static_cast<float>(value));
  }
  return floats;
}

bool Surroundings::external_change() const {
  for (const ExternalChargeTrack& track : charges_)
    if (track.charge.times.size() > 1 || track.position.times.size() > 1) return true;
  return false;
}

bool Surroundings::placements_change() const {
  for (const ObstacleTrack& track : surfaces_)
    if (track.moves()) return true;
  return false;
}

}  // namespace electret::studio
