#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <set>
#include <tuple>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/compare.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/detail/vertex_contacts.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run_arrays.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

constexpr double first_beyond = 1e-12;

struct ArraySums {
  double sum = 0.0, squares = 0.0;
  Count count = 0;
};

void add_frame(const VectorArray& a, const VectorArray& b, DifferencePlace place, ArrayDifference& result,
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

std::string text_of(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

template <std::integral Number>
std::string text_of(Number value) {
  return std::to_string(value);
}

std::string text_of(const std::string& value) {
  return in_quotes(value);
}

/// Where two arrays of one length differ: "60 of 145 differ, first number 3".
template <class T>
std::string places(const std::vector<T>& a, const std::vector<T>& b, std::size_t columns, std::size_t first) {
  std::size_t rows = 0;
  for (std::size_t k = 0; k < a.size(); k += columns)
    rows += std::equal(a.begin() + k, a.begin() + k + columns, b.begin() + k) ? 0 : 1;
  return std::to_string(rows) + " of " + std::to_string(a.size() / columns) + " differ, first number " +
         std::to_string(first / columns);
}

class Mismatches {
 public:
  void compare(const std::string& what, double a, double b) { compare(what, text_of(a), text_of(b)); }
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
    const auto first =
        static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
    list.push_back({what + " (" + places(a, b, columns, first) + ")", text_of(a[first]), text_of(b[first])});
  }
  /// Names the first line that differs.
  void compare_texts(const std::string& what, const std::string& a, const std::string& b) {
    if (a == b) return;
    const auto of_a = lines_of(a), of_b = lines_of(b);
    std::size_t line = 0;
    while (line < std::min(of_a.size(), of_b.size()) && of_a[line] == of_b[line]) ++line;
    const auto shown = [&](const std::vector<std::string>& lines) {
      return line < lines.size() ? in_quotes(lines[line], 60) : std::string("ends before");
    };
    list.push_back({what + " (from line " + std::to_string(line + 1) + ")", shown(of_a), shown(of_b)});
  }
  /// Names the first group that differs.
  void compare_groups(const std::string& what, const TrajectoryReader::Groups& a,
                      const TrajectoryReader::Groups& b) {
    std::set<std::pair<std::string, std::string>> names;
    for (const auto* groups : {&a, &b})
      for (const auto& [body, own] : *groups)
        for (const auto& [name, members] : own) names.insert({body, name});
    for (const auto& [body, name] : names) {
      const auto* first = group(a, body, name);
      const auto* second = group(b, body, name);
      if (first != nullptr && second != nullptr && *first == *second) continue;
      const std::string subject = what + " (" + in_quotes(name) + " of " + in_quotes(body);
      if (first != nullptr && second != nullptr && first->size() == second->size()) {
        const auto at = static_cast<std::size_t>(
            std::mismatch(first->begin(), first->end(), second->begin()).first - first->begin());
        list.push_back({subject + ", member " + std::to_string(at) + ")", text_of((*first)[at]),
                        text_of((*second)[at])});
      } else {
        list.push_back({subject + ")", members_of(first), members_of(second)});
      }
      return;
    }
  }
  std::vector<Mismatch> list;

 private:
  static const std::vector<Index>* group(const TrajectoryReader::Groups& groups, const std::string& body,
                                         const std::string& name) {
    const auto own = groups.find(body);
    if (own == groups.end()) return nullptr;
    const auto found = own->second.find(name);
    return found == own->second.end() ? nullptr : &found->second;
  }
  static std::string members_of(const std::vector<Index>* group) {
    return group == nullptr ? "absent" : counted(group->size(), "member", "members");
  }
};

/// Names the first frame of which the charges differ.
void compare_charges(const TrajectoryReader& a, const TrajectoryReader& b, Mismatches& mismatches) {
  const Count common = std::min(a.frames(), b.frames());
  const Count frames = a.charges_change() || b.charges_change() ? common : std::min<Count>(common, 1);
  for (Count f = 0; f < frames; ++f) {
    const auto of_a = a.charges(f), of_b = b.charges(f);
    if (of_a != of_b) return mismatches.compare_arrays("charges at frame " + std::to_string(f), of_a, of_b);
  }
}

void compare_data(const TrajectoryReader& a, const TrajectoryReader& b, Mismatches& mismatches) {
  mismatches.compare("version", a.version(), b.version());
  mismatches.compare("step", a.time_step(), b.time_step());
  mismatches.compare_texts("scene text", a.scene(), b.scene());
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
  const auto stored = [](bool is) { return std::string(is ? "stored" : "none"); };
  mismatches.compare("contacts", stored(a.has_contacts()), stored(b.has_contacts()));
  if (a.has_contacts() && b.has_contacts())
    mismatches.compare_arrays("obstacles", a.contact_obstacles(), b.contact_obstacles());
  mismatches.compare("contact between bodies", stored(a.has_contact_pairs()), stored(b.has_contact_pairs()));
  mismatches.compare_groups("element_groups", a.element_groups(), b.element_groups());
  mismatches.compare_groups("groups", a.groups(), b.groups());
  compare_charges(a, b, mismatches);
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
  using Column = double (*)(const EnergyRow&);
  static constexpr std::array<std::pair<const char*, Column>, 8> columns{{
      {"kinetic", [](const EnergyRow& r) { return r.energies.kinetic; }},
      {"elastic", [](const EnergyRow& r) { return r.energies.elastic; }},
      {"coulomb", [](const EnergyRow& r) { return r.energies.coulomb; }},
      {"external", [](const EnergyRow& r) { return r.energies.external; }},
      {"gravity", [](const EnergyRow& r) { return r.energies.gravity; }},
      {"total", [](const EnergyRow& r) { return r.energies.total(); }},
      {"work", [](const EnergyRow& r) { return r.work; }},
      {"dissipation", [](const EnergyRow& r) { return r.dissipation; }},
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
      const double distance = std::abs(value(a[r]) - value(b[r]));
      if (!(distance > difference.largest)) continue;  // NaN: a run of an earlier version.
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
  const auto name_vertex = [&](DifferencePlace& place) {
    place.vertex = pins[static_cast<std::size_t>(place.vertex)];
  };
  name_vertex(result.where);
  if (result.first) name_vertex(*result.first);
  return result;
}

/// What a frame's vertices touch and how, by vertex and by name of the obstacle.
std::set<std::tuple<Index, std::string, ContactState>> touches_of(const TrajectoryReader& run, Count frame) {
  std::set<std::tuple<Index, std::string, ContactState>> touches;
  for (const ContactForce& c : run.contacts(frame))
    touches.insert({c.vertex, run.contact_obstacles()[static_cast<std::size_t>(c.obstacle)], c.state});
  return touches;
}

std::optional<ContactDifference> contacts_difference(const TrajectoryReader& a, const TrajectoryReader& b,
                                                     Count frames, const std::vector<double>& times) {
  if (!a.has_contacts() || !b.has_contacts()) return std::nullopt;
  ContactDifference result;
  result.forces = difference(frames, times, [&](Count f) {
    return std::pair(vertex_contacts(a, f).forces, vertex_contacts(b, f).forces);
  });
  for (Count f = 0; f < frames; ++f) {
    const auto of_a = touches_of(a, f), of_b = touches_of(b, f);
    std::set<Index> vertices;
    for (const auto& [one, other] : {std::pair(&of_a, &of_b), std::pair(&of_b, &of_a)})
      for (const auto& touch : *one)
        if (!other->contains(touch)) vertices.insert(std::get<0>(touch));
    result.other_states += static_cast<Count>(vertices.size());
    if (!result.first_state && !vertices.empty())
      result.first_state = {f, *vertices.begin(), times[static_cast<std::size_t>(f)]};
  }
  return result;
}

/// A frame's pairs, and which of them slip.
std::set<std::pair<SurfacePair, bool>> pairs_of(const TrajectoryReader& run, Count frame) {
  std::set<std::pair<SurfacePair, bool>> pairs;
  for (const PairForce& force : run.contact_pairs(frame)) pairs.insert({force.pair, force.slips});
  return pairs;
}

std::optional<PairDifference> pairs_difference(const TrajectoryReader& a, const TrajectoryReader& b,
                                               Count frames, const std::vector<double>& times) {
  if (!a.has_contact_pairs() || !b.has_contact_pairs()) return std::nullopt;
  PairDifference result;
  result.forces = difference(
      frames, times, [&](Count f) { return std::pair(vertex_pair_forces(a, f), vertex_pair_forces(b, f)); });
  for (Count f = 0; f < frames; ++f) {
    const auto of_a = pairs_of(a, f), of_b = pairs_of(b, f);
    std::set<SurfacePair> others;
    for (const auto& [one, other] : {std::pair(&of_a, &of_b), std::pair(&of_b, &of_a)})
      for (const auto& pair : *one)
        if (!other->contains(pair)) others.insert(pair.first);
    result.other_pairs += static_cast<Count>(others.size());
    if (!result.first_pair && !others.empty())
      result.first_pair = {f, others.begin()->vertices[0], times[static_cast<std::size_t>(f)]};
  }
  return result;
}

}  // namespace

bool RunDifference::identical() const {
  const auto same = [](const std::optional<ArrayDifference>& d) { return !d || d->identical; };
  const bool energies_same = std::all_of(energies.begin(), energies.end(),
                                         [](const EnergyDifference& e) { return e.largest == 0.0; });
  return first_frames == second_frames && mismatches.empty() && positions && same(positions) &&
         same(velocities) && same(pin_reactions) && energies_same &&
         (!contacts || (contacts->forces.identical && contacts->other_states == 0)) &&
         (!pairs || (pairs->forces.identical && pairs->other_pairs == 0));
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
    result.contacts = contacts_difference(a, b, result.frames, times);
    result.pairs = pairs_difference(a, b, result.frames, times);
  }
  result.energies = compare_energies(energies_of(first), energies_of(second));
  return result;
}

}  // namespace electret
