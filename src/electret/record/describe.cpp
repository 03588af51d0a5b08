#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/body_of.hpp>
#include <electret/scene/read.hpp>

namespace electret {
namespace {

double total(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

/// What only the recorded scene tells.
void read_scene_of(RunDescription& run) {
  try {
    Scene scene = parse_scene(run.scene, "scene", ".", run.overrides);
    for (const Obstacle& each : scene.obstacles) run.obstacles.push_back(each.name);
    run.grabs = static_cast<Count>(scene.grabs.size());
    run.changes = std::move(scene.changes);
  } catch (const InputError&) {  // Of another version, or made in memory.
  }
}

void read_bodies(const TrajectoryReader& run, RunDescription& d) {
  const VectorArray rest = run.rest_positions();
  for (const RunBody& body : run_bodies(run, false)) {
    const std::array<Count, 2> whole{0, static_cast<Count>(body.count)};
    d.body_names.push_back(body.name);
    d.body_sizes.push_back(
        body_sizes(body.own(rest), whole, {body.tetrahedra, body.hexahedra, body.faces, body.springs})
            .front());
    d.tetrahedra += static_cast<Count>(body.tetrahedra.size());
    d.hexahedra += static_cast<Count>(body.hexahedra.size());
  }
}

void read_contacts(const TrajectoryReader& run, RunDescription& d) {
  std::vector<ObstacleForce> all;
  for (const std::string& name : run.contact_obstacles()) all.push_back({name, 0, {}});
  for (const ContactForce& c : run.contacts(d.frames - 1)) {
    ObstacleForce& of = all[static_cast<std::size_t>(c.obstacle)];
    ++of.vertices;
    of.force += c.normal * c.direction + c.tangential;
  }
  for (ObstacleForce& each : all)
    if (each.vertices > 0) d.contacts.push_back(std::move(each));
}

void read_pairs(const TrajectoryReader& run, RunDescription& d) {
  const std::vector<Count> offsets = run.body_offsets();
  std::map<std::pair<std::size_t, std::size_t>, BodyForce> all;
  for (const PairForce& pair : run.contact_pairs(d.frames - 1)) {
    const std::size_t first = body_of(offsets, pair.pair.vertices[0]),
                      second = body_of(offsets, pair.pair.vertices[second_side(pair.pair.kind)]);
    BodyForce& of = all[std::minmax(first, second)];
    ++of.pairs;
    const Vec3 push = pair.normal * pair.direction + pair.friction;
    if (first != second) of.force += first < second ? push : -push;
  }
  for (auto& [bodies, force] : all) {
    force.first = d.body_names.at(bodies.first);
    force.second = d.body_names.at(bodies.second);
    d.body_contacts.push_back(std::move(force));
  }
}

void read_trajectory(const RunDirectory& folder, RunDescription& d) {
  const TrajectoryReader run(folder.trajectory());
  d.version = run.version();
  d.scene = run.scene();
  d.overrides = lines_of(run.overrides());
  read_scene_of(d);
  d.frames = run.frames();
  d.vertices = run.vertices();
  d.springs = static_cast<Count>(run.springs().size());
  d.faces = static_cast<Count>(run.faces().size());
  d.bodies = static_cast<Count>(run.body_offsets().size()) - 1;
  read_bodies(run, d);
  d.time_step = run.time_step();
  d.has_velocities = run.has_velocities();
  d.charges_change = run.charges_change();
  d.single_precision = run.single_precision();
  d.pins = static_cast<Count>(run.pins().size());
  d.total_mass = total(run.masses());
  if (d.frames == 0) return;
  const auto times = run.times();
  d.first_time = times.front();
  d.last_time = times.back();
  d.total_charge = total(run.charges(0));
  if (run.has_contacts()) read_contacts(run, d);
  if (run.has_contact_pairs()) read_pairs(run, d);
  if (!run.has_pin_reactions()) return;
  d.total_reaction.emplace();
  for (const Vec3& each : run.pin_reactions(d.frames - 1)) *d.total_reaction += each;
}

/// Reads what a killed or older run may lack, and leaves out what cannot be read.
template <class Read>
void if_readable(Read&& read) {
  try {
    read();
  } catch (const IoError&) {
  }
}

}  // namespace

RunDescription describe(const std::string& directory) {
  const RunDirectory folder(directory);
  RunDescription d;
  d.directory = directory;
  try {
    d.summary = read_summary(folder.summary());
  } catch (const IoError& error) {
    if (std::error_code missing; std::filesystem::exists(folder.summary(), missing))
      d.summary_fault = error.what();
  }
  try {
    read_trajectory(folder, d);
  } catch (const IoError& error) {
    if (!d.summary || d.summary->status == RunStatus::done)
      throw InputError(Finding{{}, error.what(), "give the directory of a run whose trajectory.h5 is whole"});
    RunDescription rest;  // Without what was read before the fault.
    rest.directory = directory;
    rest.summary = std::move(d.summary);
    rest.trajectory_fault = error.what();
    d = std::move(rest);
  }
  if_readable([&] {
    const auto rows = read_energies(folder.energies());
    if (rows.empty()) return;
    d.first_energies = rows.front();
    d.last_energies = rows.back();
  });
  if_readable([&] { d.checkpoint_step = read_checkpoint(folder.checkpoint()).state.step; });
  d.files = folder.files();
  for (const std::string& name : d.files) {
    std::error_code error;
    const auto size = std::filesystem::file_size(directory + "/" + name, error);
    if (!error) d.bytes += static_cast<double>(size);
  }
  return d;
}

}  // namespace electret
