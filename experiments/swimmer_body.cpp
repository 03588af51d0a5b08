#include "swimmer_body.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/fit/losses.hpp>

#include "plant_mesh.hpp"

namespace electret::experiments {
namespace {

constexpr double density = 1000.0;  // kg/m³

/// A part of a body whose cubes are muscles: sections of it, from the head on.
struct Limb {
  std::size_t output = 0;
  std::size_t axis = 0;        ///< Along which it extends.
  int sign = 1;                ///< To which side.
  int head = 0, sections = 0;  ///< The grid's index of the first section, and their number.
  std::size_t across = 2;      ///< Cubes below the body's middle along this axis work against those above it.

  /// The section of a cube; none outside of the limb.
  [[nodiscard]] std::optional<std::size_t> section(const Cell& cube) const {
    const int k = sign * (cube[axis] - head);
    return k >= 0 && k < sections ? std::optional(static_cast<std::size_t>(k)) : std::nullopt;
  }
};

/// Puts a swimmer together from its cubes in a grid whose middle is (middle[0], …), in cells.
class Builder {
 public:
  Builder(std::set<Cell> cubes, const Cell& middle, double cell)
      : cubes_(std::move(cubes)), middle_(middle), body_(cubes_, cell) {
    result_.cell = cell;
    result_.mesh = body_.mesh();
    for (Vec3& x : result_.mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) x[axis] -= cell * middle[static_cast<std::size_t>(axis)];
    index_vertices();
  }

  [[nodiscard]] Index vertex(const Cell& place) const {
    const auto found = vertices_.find(place);
    require(found != vertices_.end(), "a swimmer has a vertex at each sensor");
    return found->second;
  }
  SwimmerBody& result() { return result_; }

  /// Two cords for each limb, and the muscles' part of the scene.
  SwimmerBody build(const std::vector<Limb>& limbs) {
    for (const Limb& limb : limbs)
      for (const double side : {-1.0, 1.0})
        result_.cords.push_back(
            {limb.output, side,
             std::vector<std::vector<std::size_t>>(static_cast<std::size_t>(limb.sections))});
    std::vector<std::size_t> muscles;
    VectorArray fibres;
    std::size_t number = 0;
    for (const Cell& cube : cubes_) {
      for (std::size_t l = 0; l < limbs.size(); ++l)
        if (const auto section = limbs[l].section(cube)) {
          const bool is_above = cube[limbs[l].across] >= middle_[limbs[l].across];
          result_.cords[2 * l + (is_above ? 1 : 0)].cells[*section].push_back(muscles.size());
          muscles.push_back(number);
          Vec3 fibre;
          fibre[static_cast<int>(limbs[l].axis)] = 1.0;
          fibres.push_back(fibre);
        }
      ++number;
    }
    result_.is_muscle.assign(cubes_.size(), 0);
    for (const std::size_t muscle : muscles) result_.is_muscle[muscle] = 1;
    result_.scene =
        scene_file("swimmer.toml")
            .changed({fmt::format("body.0.mass={}", density * std::pow(result_.cell, 3.0)),
                      fmt::format("body.0.element_group.0.indices=[{}]", fmt::join(muscles, ", "))});
    result_.scene.files = {{"swimmer.mesh", medit_text(result_.mesh)}, {"fibres.csv", csv_of(fibres)}};
    return std::move(result_);
  }

 private:
  void index_vertices() {
    for (std::size_t v = 0; v < result_.mesh.vertices.size(); ++v) {
      Cell place{};
      for (int axis = 0; axis < 3; ++axis)
        place[static_cast<std::size_t>(axis)] =
            static_cast<int>(std::lround(body_.mesh().vertices[v][axis] / result_.cell));
      vertices_[place] = static_cast<Index>(v);
    }
  }

  std::set<Cell> cubes_;
  Cell middle_;
  VoxelBody body_;
  std::map<Cell, Index> vertices_;
  SwimmerBody result_;
};

void add_box(std::set<Cell>& cubes, const Cell& low, const Cell& high) {
  for (int i = low[0]; i < high[0]; ++i)
    for (int j = low[1]; j < high[1]; ++j)
      for (int k = low[2]; k < high[2]; ++k) cubes.insert({i, j, k});
}

/// Four limbs from a core of `core` cubes a side, in a grid of 2·length + core.
std::vector<Limb> four_limbs(int length, int core) {
  std::vector<Limb> limbs;
  for (const std::size_t axis : {1U, 0U}) {
    limbs.push_back({limbs.size(), axis, -1, length - 1, length, 2});
    limbs.push_back({limbs.size(), axis, 1, length + core, length, 2});
  }
  return limbs;
}

/// Sensors on the limbs' middle lines, one a section, and the middle vertex, which is judged, too.
SwimmerBody build_starfish(Builder& builder, int length, int core, int middle_z) {
  const int middle = length + core / 2;
  SwimmerBody& body = builder.result();
  for (const std::size_t axis : {1U, 0U})
    for (int k = 0; k < 2 * length; ++k) {
      Cell place{middle, middle, middle_z};
      place[axis] = k < length ? k : k + core + 1;
      body.senses.sensors.push_back(builder.vertex(place));
    }
  body.senses.middle = body.judged = {builder.vertex({middle, middle, middle_z})};
  body.outputs = 4;
  body.forward = {0.0, 0.0, 1.0};
  body.sideways = 1.0;
  return builder.build(four_limbs(length, core));
}

/// Sensors along the middle line from `first` to `last`, whose mean is judged.
void put_spine(Builder& builder, int first, int last, int middle_y, int middle_z) {
  SwimmerBody& body = builder.result();
  for (int i = first; i <= last; ++i) body.senses.sensors.push_back(builder.vertex({i, middle_y, middle_z}));
  body.senses.middle = body.judged = body.senses.sensors;
  body.forward = {-1.0, 0.0, 0.0};
  body.sideways = 10.0;
}

/// The cube of a shark's width at the part s of its length, of that at its widest place, which is at 0.4.
double girth_cubed(double s) {
  constexpr double widest = 0.4, tail = 0.3;
  if (s < widest) return 1.0 - std::pow((widest - s) / widest, 3.0);
  return std::pow(1.0 - (1.0 - tail) * (s - widest) / (1.0 - widest), 3.0);
}

/// Whether a cube is of the shark: its middle is at the part s of the length, and at y, z in half of the
/// widest place's width and height. Fins are two cubes thick, as the spine at its thinnest is.
bool is_shark(double s, double y, double z, bool is_thin, bool is_spine) {
  if (is_spine || std::pow(std::abs(y), 3.0) + std::pow(std::abs(z), 3.0) <= girth_cubed(s)) return true;
  const bool is_dorsal = s > 0.35 && s < 0.5 && z > 0.0 && z < 1.5 - 4.0 * (s - 0.35);
  const bool is_caudal = s > 0.86 && std::abs(z) < 0.25 + 9.0 * (s - 0.86);
  return is_thin && (is_dorsal || is_caudal);
}

}  // namespace

std::unique_ptr<Loss> SwimmerBody::loss() const {
  return speed_loss(forward, sideways, judged);
}

std::string SwimmerBody::size_text() const {
  return fmt::format("{} cubes, {} vertices", mesh.hexahedra.size(), mesh.vertices.size());
}

SwimmerBody script_snake() {
  std::set<Cell> cubes;
  add_box(cubes, {0, 0, 0}, {20, 2, 2});
  Builder builder(std::move(cubes), {10, 1, 1}, 0.1);
  put_spine(builder, 0, 20, 1, 1);
  return builder.build({{0, 0, 1, 0, 20, 1}});
}

SwimmerBody script_starfish() {
  std::set<Cell> cubes;
  add_box(cubes, {0, 10, 0}, {22, 12, 2});
  add_box(cubes, {10, 0, 0}, {12, 22, 2});
  Builder builder(std::move(cubes), {11, 11, 1}, 0.1);
  return build_starfish(builder, 10, 2, 1);
}

SwimmerBody own_starfish(int length) {
  constexpr int core = 8, height = 4;
  std::set<Cell> cubes;
  add_box(cubes, {length, length, 0}, {length + core, length + core, height});
  for (const Limb& limb : four_limbs(length, core))
    for (int k = 0; k < length; ++k) {
      const double along = (k + 0.5) / length, half_width = 4.0 - 2.0 * along, half_height = 2.0 - along;
      for (int a = 0; a < core; ++a)
        for (int b = 0; b < height; ++b) {
          if (std::abs(a + 0.5 - 0.5 * core) > half_width || std::abs(b + 0.5 - 0.5 * height) > half_height)
            continue;
          Cell cube{length + a, length + a, b};
          cube[limb.axis] = limb.head + limb.sign * k;
          cubes.insert(cube);
        }
    }
  Builder builder(std::move(cubes), {length + core / 2, length + core / 2, height / 2}, 1.0 / length);
  return build_starfish(builder, length, core, height / 2);
}

SwimmerBody own_shark(int length) {
  const int half_width = length * 5 / 48, half_height = length * 4 / 48;
  const int top = 2 * half_height;  // Fins are higher than the body.
  std::set<Cell> cubes;
  for (int i = 0; i < length; ++i)
    for (int j = -half_width; j < half_width; ++j)
      for (int k = -top; k < top; ++k)
        if (is_shark((i + 0.5) / length, (j + 0.5) / half_width, (k + 0.5) / half_height, j == -1 || j == 0,
                     (j == -1 || j == 0) && (k == -1 || k == 0)))
          cubes.insert({i, j, k});
  Builder builder(std::move(cubes), {length / 2, 0, 0}, 2.0 / length);
  put_spine(builder, 1, length - 1, 0, 0);
  return builder.build({{0, 0, 1, length / 2, length - length / 2, 1}});
}

}  // namespace electret::experiments
