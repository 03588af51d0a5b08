#include <algorithm>
#include <array>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/record/compare.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run_arrays.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/trajectory_reader.hpp>

namespace electret {
namespace {

constexpr double first_beyond = 1e-12;

struct ArraySums {
  double sum = 0.0, squares = 0.0;
  Count count = 0;
};

void add_frame(const VectorArray& a, const VectorArray& b, Place place, ArrayDifference& result,
               ArraySums& sums) {
  double largest = 0.0, magnitude = 0.0;
  Index worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double distance = norm(a[i] - b[i]);
    if (std::isnan(distance)) distance = a[i] == b[i] ? 0.0 : INFINITY;
    result.identical = result.identical && a[i] == b[i];
    magnitude = std::max({magnitude, norm(a[i]), norm(b[i])});
    sums.sum += distance;
    sums.squares += distance * distance;
    ++sums.count;
    if (distance <= largest) continue;
    largest = distance;
    worst = static_cast<Index>(i);
  }
  place.vertex = worst;
  if (largest > result.largest) {
    result.largest = largest;
    result.where = place;
  }
  if (!result.first && largest > first_beyond * magnitude) result.first = place;
}

template <class Frame>
ArrayDifference difference(Count frames, const std::vector<double>& times, Frame&& frame) {
  ArrayDifference result;
  ArraySums sums;
  for (Count f = 0; f < frames; ++f) {
    const auto [a, b] = frame(f);
    add_frame(a, b, {f, 0, times[static_cast<std::size_t>(f)]}, result, sums);
  }
  if (sums.count == 0) return result;
  result.mean = sums.sum / static_cast<double>(sums.count);
  result.root_mean_square = std::sqrt(sums.squares / static_cast<double>(sums.count));
  return result;
}

std::string number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

class Mismatches {
 public:
  void compare(const std::string& what, double a, double b) { compare(what, number(a), number(b)); }
  void compare(const std::string& what, Count a, Count b) {
    compare(what, std::to_string(a), std::to_string(b));
  }
  void compare(const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) list.push_back({what, a, b});
  }
  template <class T>
  void compare_arrays(const std::string& what, const std::vector<T>& a, const std::vector<T>& b,
                      std::size_t columns = 1) {
    if (a == b) return;
    if (a.size() != b.size())
      return compare("number of " + what, static_cast<Count>(a.size() / columns),
                     static_cast<Count>(b.size() / columns));
    const auto at = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
    const std::string place = "from number " + std::to_string(static_cast<std::size_t>(at) / columns);
    list.push_back({what, place, place});
  }
  std::vector<Mismatch> list;
};

void compare_data(const TrajectoryReader& a, const TrajectoryReader& b, Mismatches& mismatches) {
  mismatches.compare("version", a.version(), b.version());
  mismatches.compare("step", a.time_step(), b.time_step());
  if (a.scene() != b.scene()) mismatches.list.push_back({"scene text", "differs", "differs"});
  mismatches.compare("precision", a.single_precision() ? "single" : "double",
                     b.single_precision() ? "single" : "double");
  for (const RunArray& array : run_arrays())
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          mismatches.compare_arrays(array.name, values, std::get<std::vector<T>>(b.values(array)),
                                    array.columns);
        },
        a.values(array));
  mismatches.compare_arrays("body_names", a.body_names(), b.body_names());
  if (a.element_groups() != b.element_groups())
    mismatches.list.push_back({"element_groups", "differ", "differ"});
  if (a.groups() != b.groups()) mismatches.list.push_back({"groups", "differ", "differ"});
  if (a.frames() > 0 && b.frames() > 0)
    mismatches.compare_arrays("charges at frame 0", a.charges(0), b.charges(0));
}

void compare_summaries(const RunDirectory& first, const RunDirectory& second, Mismatches& mismatches) {
  try {
    const RunResult a = read_summary(first.summary()), b = read_summary(second.summary());
    mismatches.compare("status", to_string(a.status), to_string(b.status));
    mismatches.compare("integrator", a.integrator, b.integrator);
    mismatches.compare("solver", a.solver, b.solver);
  } catch (const IoError&) {
    // The run was killed before it had a summary. Its data are compared all the same.
  }
}

std::vector<EnergyRow> energies_of(const RunDirectory& folder) {
  try {
    return read_energies(folder.energies());
  } catch (const IoError&) {
    return {};
  }
}

std::vector<EnergyDifference> compare_energies(const std::vector<EnergyRow>& a,
                                               const std::vector<EnergyRow>& b) {
  using Column = double (*)(const Energies&);
  static constexpr std::array<std::pair<const char*, Column>, 6> columns{{
      {"kinetic", [](const Energies& e) { return e.kinetic; }},
      {"elastic", [](const Energies& e) { return e.elastic; }},
      {"coulomb", [](const Energies& e) { return e.coulomb; }},
      {"external", [](const Energies& e) { return e.external; }},
      {"gravity", [](const Energies& e) { return e.gravity; }},
      {"total", [](const Energies& e) { return e.total(); }},
  }};
  const std::size_t rows = std::min(a.size(), b.size());
  std::vector<EnergyDifference> result;
  if (rows == 0) return result;
  double scale = 0.0;
  for (std::size_t r = 0; r < rows; ++r)
    scale = std::max({scale, std::abs(a[r].energies.total()), std::abs(b[r].energies.total())});
  for (const auto& [name, value] : columns) {
    EnergyDifference difference{name, 0.0, 0.0, a[0].time};
    for (std::size_t r = 0; r < rows; ++r) {
      const double distance = std::abs(value(a[r].energies) - value(b[r].energies));
      if (distance <= difference.largest) continue;
      difference.largest = distance;
      difference.time = a[r].time;
    }
    difference.relative = scale > 0.0 ? difference.largest / scale : 0.0;
    result.push_back(difference);
  }
  return result;
}

/// The difference of the pins' reactions, at vertices of the run.
std::optional<ArrayDifference> reactions_difference(const TrajectoryReader& a, const TrajectoryReader& b,
                                                    Count frames, const std::vector<double>& times) {
  const std::vector<Index> pins = a.pins();
  if (!a.has_pin_reactions() || !b.has_pin_reactions() || pins != b.pins()) return std::nullopt;
  auto result =
      difference(frames, times, [&](Count f) { return std::pair(a.pin_reactions(f), b.pin_reactions(f)); });
  const auto name_vertex = [&](Place& place) { place.vertex = pins[static_cast<std::size_t>(place.vertex)]; };
  name_vertex(result.where);
  if (result.first) name_vertex(*result.first);
  return result;
}

}  // namespace

bool RunDifference::identical() const {
  const auto same = [](const std::optional<ArrayDifference>& d) { return !d || d->identical; };
  const bool energies_same = std::all_of(energies.begin(), energies.end(),
                                         [](const EnergyDifference& e) { return e.largest == 0.0; });
  return first_frames == second_frames && mismatches.empty() && positions && same(positions) &&
         same(velocities) && same(pin_reactions) && energies_same;
}

RunDifference compare(const std::string& first_directory, const std::string& second_directory) {
  const RunDirectory first(first_directory), second(second_directory);
  const TrajectoryReader a = first.open(), b = second.open();
  RunDifference result;
  result.first_frames = a.frames();
  result.second_frames = b.frames();
  result.frames = std::min(a.frames(), b.frames());
  Mismatches mismatches;
  mismatches.compare("vertices", Count{a.vertices()}, Count{b.vertices()});
  compare_data(a, b, mismatches);
  compare_summaries(first, second, mismatches);
  auto times = a.times(), other_times = b.times();
  times.resize(static_cast<std::size_t>(result.frames));
  other_times.resize(static_cast<std::size_t>(result.frames));
  mismatches.compare_arrays("frames' times", times, other_times);
  result.mismatches = std::move(mismatches.list);
  if (a.vertices() == b.vertices()) {
    result.positions =
        difference(result.frames, times, [&](Count f) { return std::pair(a.positions(f), b.positions(f)); });
    if (a.has_velocities() && b.has_velocities())
      result.velocities = difference(result.frames, times,
                                     [&](Count f) { return std::pair(a.velocities(f), b.velocities(f)); });
    result.pin_reactions = reactions_difference(a, b, result.frames, times);
  }
  result.energies = compare_energies(energies_of(first), energies_of(second));
  return result;
}

}  // namespace electret
