#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/fit/losses.hpp>
#include <electret/fit/marker_file.hpp>
#include <electret/fit/run_steps.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/trajectory_reader.hpp>

namespace electret {
namespace {

[[noreturn]] void refuse_loss(const Location& where, std::string wrong, std::string allowed) {
  throw InputError(Finding{where, std::move(wrong), std::move(allowed)});
}

/// A number and what follows the comma; none if there is no finite number.
std::optional<double> take_number(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Three numbers, and what follows them.
std::optional<Vec3> take_vector(std::string_view& text) {
  Vec3 result;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) {
      if (text.empty() || text.front() != ',') return std::nullopt;
      text.remove_prefix(1);
    }
    const auto value = take_number(text);
    if (!value) return std::nullopt;
    result[axis] = *value;
  }
  return result;
}

std::optional<Vec3> parse_vector(std::string_view text) {
  const auto result = take_vector(text);
  return text.empty() ? result : std::nullopt;
}

/// The columns x, y, z of a table.
VectorArray read_places(const std::string& path) {
  const NumericTable table = read_numeric_csv(path);
  std::array<std::size_t, 3> columns{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    const auto column = table.column(name);
    if (!column)
      refuse_loss({path, 1, 1}, "there is no column \"" + name + "\"", "expected columns x, y and z");
    columns[axis] = *column;
  }
  VectorArray places;
  for (std::size_t row = 0; row < table.rows(); ++row)
    places.push_back({table(row, columns[0]), table(row, columns[1]), table(row, columns[2])});
  return places;
}

/// The argument as a path from the working directory.
std::string path_of(const LossArgument& argument) {
  if (argument.text.empty())
    refuse_loss(argument.where, in_quotes(argument.whole) + " names no file",
                "allowed: " + written_loss_forms());
  const std::filesystem::path path(argument.text);
  if (argument.folder == "." || path.is_absolute()) return std::string(argument.text);
  return (std::filesystem::path(argument.folder) / path).string();
}

std::unique_ptr<Loss> make_final_position(const LossArgument& argument) {
  const std::string path = path_of(argument);
  VectorArray target =
      find_mesh_format(path) != nullptr ? read_mesh(path).vertices
      : path.ends_with(".csv")
          ? read_places(path)
          : throw InputError(
                Finding{{path, 0, 0}, "is no file of vertices", "allowed: " + mesh_extensions() + ", .csv"});
  const std::size_t n = argument.assembly.masses.size();
  if (target.size() != n)
    refuse_loss({path, 0, 0},
                fmt::format("has {}, the scene has {}", counted(target.size(), "vertex", "vertices"), n),
                "give the target one place per vertex, in the scene's order");
  return final_position_loss(std::move(target));
}

std::unique_ptr<Loss> make_trajectory(const LossArgument& argument) {
  const std::string path = path_of(argument);
  const Assembly& assembly = argument.assembly;
  const TrajectoryReader reader = [&] {
    try {
      return TrajectoryReader(path);
    } catch (const IoError& error) {
      refuse_loss({path, 0, 0}, error.what(), "give the trajectory.h5 of a run");
    }
  }();
  const std::size_t n = assembly.masses.size();
  if (static_cast<std::size_t>(reader.vertices()) != n)
    refuse_loss({path, 0, 0},
                fmt::format("has {}, the scene has {}", counted(reader.vertices(), "vertex", "vertices"), n),
                "give a run of a scene with the same vertices");
  const std::vector<double> times = reader.times();
  std::vector<TargetFrame> target;
  for (std::size_t f = 0; f < times.size(); ++f) {
    const auto step = step_ending_at(times[f], assembly.scene.time);
    if (!step || *step > assembly.scene.time.steps) continue;
    target.push_back({*step, reader.positions(static_cast<Count>(f))});
    for (std::size_t i = 0; i < n; ++i)
      if (const Vec3& x = target.back().positions[i]; !std::isfinite(x.x + x.y + x.z))
        refuse_loss({path, 0, 0}, fmt::format("vertex {} of frame {} is not finite", i, f),
                    "give a run that did not diverge");
  }
  if (target.empty())
    refuse_loss({path, 0, 0},
                fmt::format("none of its {} frames is at the end of a step of {:g} s of the scene",
                            times.size(), assembly.scene.time.step),
                "give a run whose output times are multiples of the scene's step, within its duration");
  return trajectory_loss(std::move(target));
}

std::unique_ptr<Loss> make_centre_of_mass(const LossArgument& argument) {
  const auto target = parse_vector(argument.text);
  if (!target)
    refuse_loss(argument.where, in_quotes(argument.whole) + " does not name a place",
                "write centre_of_mass:x,y,z with numbers in m");
  return centre_of_mass_loss(*target);
}

std::unique_ptr<Loss> make_markers(const LossArgument& argument) {
  MarkerTargets read = read_markers(path_of(argument), argument.assembly);
  return markers_loss(std::move(read.markers), std::move(read.targets));
}

std::unique_ptr<Loss> make_pixels(const LossArgument& argument) {
  PixelTargets read = read_pixels(path_of(argument), argument.assembly);
  return pixels_loss(std::move(read.markers), std::move(read.targets));
}

[[noreturn]] void refuse_direction(const LossArgument& argument, const char* form) {
  refuse_loss(argument.where, in_quotes(argument.whole) + " does not name a direction",
              std::string("write ") + form + " with three numbers that are not all 0");
}

std::unique_ptr<Loss> make_forward(const LossArgument& argument) {
  const auto direction = parse_vector(argument.text);
  if (!direction || *direction == Vec3{}) refuse_direction(argument, "forward:ux,uy,uz");
  return forward_loss(*direction);
}

std::unique_ptr<Loss> make_speed(const LossArgument& argument) {
  constexpr const char* form = "speed:ux,uy,uz[,w[,BODY.GROUP]]";
  std::string_view text = argument.text;
  const auto direction = take_vector(text);
  if (!direction || *direction == Vec3{}) refuse_direction(argument, form);
  if (text.empty()) return speed_loss(*direction);
  const bool has_comma = text.front() == ',';
  text.remove_prefix(1);
  const auto sideways = take_number(text);
  if (!has_comma || !sideways || (!text.empty() && text.front() != ','))
    refuse_loss(argument.where, in_quotes(argument.whole) + " has no number w", std::string("write ") + form);
  if (text.empty()) return speed_loss(*direction, *sideways);
  text.remove_prefix(1);
  std::vector<Index> vertices = vertices_of_group(argument.assembly, text);
  if (vertices.empty())
    refuse_loss(argument.where, "there is no group " + in_quotes(text), known_groups(argument.assembly));
  return speed_loss(*direction, *sideways, std::move(vertices));
}

/// What follows the fourth comma of speed:ux,uy,uz,w,BODY.GROUP.
std::vector<std::string> group_of_speed(const LossArgument& argument) {
  std::string_view rest = argument.text;
  for (int k = 0; k < 4; ++k) {
    const auto comma = rest.find(',');
    if (comma == std::string_view::npos) return {};
    rest.remove_prefix(comma + 1);
  }
  return {std::string(rest)};
}

constexpr auto rows = std::to_array<LossForm>(
    {{"final_position", "FILE",
      "mean over vertices of |x - x*|² at the end; x* from a mesh or a CSV file (columns x,y,z) with one "
      "place per vertex",
      make_final_position},
     {"trajectory", "FILE.h5",
      "mean over frames and vertices of |x - x*|²; x* from the frames of another run that fall on a step of "
      "this one",
      make_trajectory},
     {"centre_of_mass", "x,y,z", "squared distance of the mass-weighted centre from (x, y, z) at the end",
      make_centre_of_mass},
     {"markers", "FILE.csv",
      "mean over the rows of weight · |x - x*|² over the measured coordinates; columns time, marker, x, y, "
      "z, "
      "weight",
      make_markers, [](const LossArgument& a) { return read_markers(path_of(a), a.assembly).groups; }},
     {"pixels", "FILE.csv",
      "mean over the rows of weight · |p - p*|² over the measured coordinates in the pictures of the scene's "
      "cameras, px²; columns time, marker, u, v, weight, and camera if there are several",
      make_pixels, [](const LossArgument& a) { return read_pixels(path_of(a), a.assembly).groups; }},
     {"forward", "ux,uy,uz",
      "minus the coordinate of the mass-weighted centre along (ux, uy, uz) at the end, m; the length of the "
      "direction does not matter",
      make_forward, nullptr, true},
     {"speed", "ux,uy,uz[,w[,BODY.GROUP]]",
      "sum over steps of -u·v + w |v - (u·v) u|², with the mean velocity v of all vertices or of a group, "
      "and "
      "the unit vector u of the direction",
      make_speed, group_of_speed, true},
     {"energy", "", "the total energy at the end, J", [](const LossArgument&) { return final_energy_loss(); },
      nullptr, true}});

}  // namespace

std::span<const LossForm> loss_forms() {
  return rows;
}

bool may_be_negative(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  return std::any_of(rows.begin(), rows.end(),
                     [&](const LossForm& form) { return form.name == name && form.may_be_negative; });
}

}  // namespace electret
