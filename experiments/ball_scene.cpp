#include "ball_scene.hpp"

#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace electret::experiments {
namespace {

constexpr double degree = 180.0 / std::numbers::pi;

constexpr const char* nobody_moves = "x,y,z\n";

/// A table of no velocities, which stands in until they are known.
std::string still(std::size_t vertices) {
  std::string csv = nobody_moves;
  for (std::size_t i = 0; i < vertices; ++i) csv += "0,0,0\n";
  return csv;
}

std::string csv_of_rows(VectorView rows) {
  std::string csv = nobody_moves;
  for (const Vec3& row : rows) fmt::format_to(std::back_inserter(csv), "{},{},{}\n", row.x, row.y, row.z);
  return csv;
}

constexpr std::size_t vertices_a_ball = 163;

Vec3 unit_at(double angle) {
  return {std::cos(angle), std::sin(angle), 0.0};
}

}  // namespace

BallScene::BallScene(SceneSource scene, const BallStarts& starts)
    : scene_(std::move(scene)), estimate_(starts) {
  scene_.files = {{"left.csv", still(vertices_a_ball)}, {"right.csv", still(vertices_a_ball)}};
  assembly_ = assembled(scene_);
  is_published_ = !assembly_.ball_contacts.empty();
  from_centres_ = assembly_.rest_positions;
  for (std::size_t b = 0; b < 2; ++b) {
    const Vec3 middle = centre(assembly_.rest_positions, b);
    for (const Index v : vertices(b)) from_centres_[static_cast<std::size_t>(v)] -= middle;
  }
  const std::array<const char*, 2> names{"left", "right"};
  const auto both = [&](const std::string& what, double lowest, double highest) {
    for (const char* name : names) numbers_.push_back({fmt::format("{}, {}", what, name), lowest, highest});
  };
  if (is_published_) {
    both("log10 of the stiffness", 1.5, 2.0);
    both("friction", 0.3, 0.7);
  }
  both("direction (rad)", -0.05, 0.05);
  both(is_published_ ? "spin / that of rolling" : "speed / estimate", is_published_ ? 2.0 : 0.8,
       is_published_ ? 4.0 : 1.3);
  for (const char* name : names)
    for (const char axis : {'x', 'y'})
      numbers_.push_back({fmt::format("{} (m), {}", axis, name), -0.04, 0.04});
  for (const char* angle : {"right", "up", "back"})
    numbers_.push_back({fmt::format("camera's turn about its {} (rad)", angle), -0.2, 0.2});
  for (const char* axis : {"right", "up", "back"})
    numbers_.push_back({fmt::format("camera's shift to its {} (m)", axis), -0.1, 0.1});
  numbers_.push_back({"camera's zoom", 0.8, 1.2});
}

std::vector<double> BallScene::middle() const {
  std::vector<double> values;
  for (const BallNumber& number : numbers_) values.push_back(0.5 * (number.lowest + number.highest));
  if (!is_published_) values[2] = values[3] = 1.0;
  return values;
}

BallStarts BallScene::starts(const std::vector<double>& values) const {
  const std::size_t first = first_start();
  BallStarts result;
  for (std::size_t b = 0; b < 2; ++b) {
    result[b].centre = estimate_[b].centre + Vec3{values[first + 4 + 2 * b], values[first + 5 + 2 * b], 0.0};
    result[b].direction = estimate_[b].direction + values[first + b];
    result[b].speed = estimate_[b].speed * values[first + 2 + b];
  }
  return result;
}

std::vector<Index> BallScene::vertices(std::size_t b) const {
  const auto first = static_cast<Index>(assembly_.body_offsets[b]),
             end = static_cast<Index>(assembly_.body_offsets[b + 1]);
  std::vector<Index> result(static_cast<std::size_t>(end - first));
  std::iota(result.begin(), result.end(), first);
  return result;
}

Vec3 BallScene::centre(VectorView positions, std::size_t b) const {
  const auto first = static_cast<std::size_t>(assembly_.body_offsets[b]),
             end = static_cast<std::size_t>(assembly_.body_offsets[b + 1]);
  Vec3 sum;
  for (std::size_t v = first; v < end; ++v) sum += positions[v];
  return (1.0 / static_cast<double>(end - first)) * sum;
}

/// ω = speed/r e_z × u; a ball that rolls has the velocity ω × (r e_z) = speed u besides.
VectorArray BallScene::velocities(std::size_t b, const BallStart& start) const {
  const Vec3 along = unit_at(start.direction);
  const Vec3 spin = (start.speed / ball_size) * cross({0.0, 0.0, 1.0}, along);
  VectorArray result;
  for (const Index v : vertices(b))
    result.push_back(cross(spin, from_centres_[static_cast<std::size_t>(v)]) +
                     (is_published_ ? Vec3{} : start.speed * along));
  return result;
}

Assembly BallScene::with(const std::vector<double>& values, Count steps, double tolerance) const {
  Assembly assembly = assembly_;
  assembly.scene.time.steps = steps;
  assembly.scene.integrator.tolerance = tolerance;
  const BallStarts starts = this->starts(values);
  for (std::size_t b = 0; b < 2; ++b) {
    const VectorArray own = velocities(b, starts[b]);
    const std::vector<Index> members = vertices(b);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const auto v = static_cast<std::size_t>(members[k]);
      assembly.initial_positions[v] = from_centres_[v] + starts[b].centre;
      assembly.initial_velocities[v] = own[k];
    }
  }
  if (is_published_)
    for (std::size_t b = 0; b < 2; ++b) {
      assembly.ball_contacts[0].stiffnesses[b] = std::pow(10.0, values[b]);
      assembly.ball_contacts[0].frictions[b] = values[2 + b];
    }
  Pinhole& camera = assembly.cameras[0].view;
  const std::size_t first = first_camera();
  camera.rotate = degree * Vec3{values[first], values[first + 1], values[first + 2]};
  camera.translate = {values[first + 3], values[first + 4], values[first + 5]};
  camera.zoom = values[first + 6];
  return assembly;
}

std::vector<double> BallScene::pulled(const std::vector<double>& values,
                                      const AssemblyGradient& gradient) const {
  std::vector<double> result(numbers_.size());
  const std::size_t first = first_start();
  const VectorView by_x = gradient.vectors(number::initial_positions),
                   by_v = gradient.vectors(number::initial_velocities);
  const BallStarts starts = this->starts(values);
  for (std::size_t b = 0; b < 2; ++b) {
    // The velocities are linear in speed u, whose derivatives are those of a faster and of a turned ball.
    const VectorArray faster = velocities(b, {{}, estimate_[b].speed, starts[b].direction});
    const VectorArray turned =
        velocities(b, {{}, starts[b].speed, starts[b].direction + 0.5 * std::numbers::pi});
    const std::vector<Index> members = vertices(b);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const auto v = static_cast<std::size_t>(members[k]);
      result[first + b] += dot(by_v[v], turned[k]);
      result[first + 2 + b] += dot(by_v[v], faster[k]);
      result[first + 4 + 2 * b] += by_x[v].x;
      result[first + 5 + 2 * b] += by_x[v].y;
    }
  }
  if (is_published_)
    for (std::size_t b = 0; b < 2; ++b) {
      result[b] =
          gradient.scalars(number::ball_stiffnesses)[b] * std::numbers::ln10 * std::pow(10.0, values[b]);
      result[2 + b] = gradient.scalars(number::ball_frictions)[b];
    }
  const std::size_t camera = first_camera();
  const Vec3 turns = gradient.vectors(number::camera_rotate)[0],
             shifts = gradient.vectors(number::camera_translate)[0];
  for (int axis = 0; axis < 3; ++axis) {
    result[camera + static_cast<std::size_t>(axis)] = degree * turns[axis];
    result[camera + 3 + static_cast<std::size_t>(axis)] = shifts[axis];
  }
  result[camera + 6] = gradient.scalars(number::camera_zoom)[0];
  return result;
}

SceneSource BallScene::written(const std::vector<double>& values) const {
  const BallStarts starts = this->starts(values);
  const std::size_t camera = first_camera();
  std::vector<std::string> changes;
  for (std::size_t b = 0; b < 2; ++b)
    changes.push_back(fmt::format("body.{}.translate=[{}, {}, {}]", b, starts[b].centre.x, starts[b].centre.y,
                                  starts[b].centre.z));
  if (is_published_) {
    changes.push_back(fmt::format("ball_contact.0.stiffnesses=[{}, {}]", std::pow(10.0, values[0]),
                                  std::pow(10.0, values[1])));
    changes.push_back(fmt::format("ball_contact.0.frictions=[{}, {}]", values[2], values[3]));
  }
  changes.push_back(fmt::format("camera.0.rotate=[{}, {}, {}]", degree * values[camera],
                                degree * values[camera + 1], degree * values[camera + 2]));
  changes.push_back(fmt::format("camera.0.translate=[{}, {}, {}]", values[camera + 3], values[camera + 4],
                                values[camera + 5]));
  changes.push_back(fmt::format("camera.0.zoom={}", values[camera + 6]));
  SceneSource result = scene_.changed(changes);
  result.files = {{"left.csv", csv_of_rows(velocities(0, starts[0]))},
                  {"right.csv", csv_of_rows(velocities(1, starts[1]))}};
  return result;
}

}  // namespace electret::experiments
