#include <array>
#include <span>

#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/ordered_file.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

using hdf5::Stored;

std::span<const double> flat(const VectorArray& vectors) {
  return {vectors.empty() ? nullptr : &vectors.front().x, 3 * vectors.size()};
}

VectorArray vectors(const std::vector<double>& values) {
  VectorArray rows(values.size() / 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return rows;
}

/// Names and texts of any length go through JSON into one attribute.
std::string identity_text(const std::vector<Fingerprint>& identity) {
  auto json = nlohmann::json::array();
  for (const Fingerprint& part : identity) json.push_back({part.part, part.value});
  return json.dump();
}

std::vector<Fingerprint> identity_of(const std::string& text) {
  std::vector<Fingerprint> identity;
  for (const auto& part : nlohmann::json::parse(text))
    identity.push_back({part.at(0).get<std::string>(), part.at(1).get<std::string>()});
  return identity;
}

std::vector<double> reals_of(const WorkAccounts& work, const RunningSums& sums) {
  const EnergyWatchMemory& watch = sums.energy_watch;
  return {work.field_work,     work.keyframe_work,     work.pin_work,
          work.dissipation,    sums.energy_0,          sums.energy_scale,
          sums.largest_change, sums.wall_field,        sums.wall_elastic,
          sums.wall_output,    sums.wall_total,        watch.energy,
          watch.magnitude,     watch.work.field_work,  watch.work.keyframe_work,
          watch.work.pin_work, watch.work.dissipation, watch.usual_change,
          watch.largest_jump};
}

std::vector<std::int64_t> integers_of(const Checkpoint& c) {
  const RunningSums& sums = c.sums;
  return {sums.frames,         sums.elastic_iterations, sums.max_elastic_iterations,
          sums.capped_steps,   sums.field_evaluations,  c.energy_bytes,
          c.observables_bytes, sums.energy_watch.jumps, sums.charge_step_told ? 1 : 0};
}

void put_reals(const std::vector<double>& r, WorkAccounts& work, RunningSums& sums) {
  if (r.size() != 19) throw IoError("its sums are incomplete");
  work = {r[0], r[1], r[2], r[3]};
  sums.energy_0 = r[4];
  sums.energy_scale = r[5];
  sums.largest_change = r[6];
  sums.wall_field = r[7];
  sums.wall_elastic = r[8];
  sums.wall_output = r[9];
  sums.wall_total = r[10];
  sums.energy_watch = {r[11], r[12], {r[13], r[14], r[15], r[16]}, r[17], r[18], 0};
}

void put_integers(const std::vector<std::int64_t>& i, Checkpoint& c) {
  if (i.size() != 9) throw IoError("its counts are incomplete");
  c.sums.frames = i[0];
  c.sums.elastic_iterations = i[1];
  c.sums.max_elastic_iterations = static_cast<int>(i[2]);
  c.sums.capped_steps = i[3];
  c.sums.field_evaluations = i[4];
  c.energy_bytes = i[5];
  c.observables_bytes = i[6];
  c.sums.energy_watch.jumps = i[7];
  c.sums.charge_step_told = i[8] != 0;
}

void write_memory(hdf5::Id file, const MethodMemory& memory) {
  auto names = nlohmann::json::array();
  for (std::size_t k = 0; k < memory.arrays.size(); ++k) {
    const auto& array = memory.arrays[k];
    names.push_back(array.name);
    hdf5::write_dataset<double>(file, "memory_" + std::to_string(k), {array.values.size()}, array.values,
                                Stored::float64);
  }
  hdf5::write_attribute(file, "memory", names.dump());
}

MethodMemory read_memory(hdf5::Id file) {
  MethodMemory memory;
  const auto names = nlohmann::json::parse(hdf5::read_text_attribute(file, "memory"));
  for (std::size_t k = 0; k < names.size(); ++k)
    memory.arrays.push_back(
        {names[k].get<std::string>(), hdf5::read_dataset<double>(file, "memory_" + std::to_string(k), 1)});
  return memory;
}

void write_contents(hdf5::Id file, const Checkpoint& c, const State& state) {
  hdf5::write_attribute(file, "checkpoint_format_version", std::int64_t{checkpoint_format_version});
  hdf5::write_attribute(file, "step", state.step);
  hdf5::write_attribute(file, "identity", identity_text(c.identity));
  hdf5::write_attribute(file, "warnings", nlohmann::json(c.warnings).dump());
  hdf5::write_dataset<double>(file, "positions", {state.positions.size(), 3}, flat(state.positions),
                              Stored::float64);
  hdf5::write_dataset<double>(file, "velocities", {state.velocities.size(), 3}, flat(state.velocities),
                              Stored::float64);
  const std::vector<double> reals = reals_of(c.work, c.sums);
  hdf5::write_dataset<double>(file, "sums", {reals.size()}, reals, Stored::float64);
  const std::vector<std::int64_t> integers = integers_of(c);
  hdf5::write_dataset<std::int64_t>(file, "counts", {integers.size()}, integers, Stored::int64);
  write_memory(file, state.memory);
}

Checkpoint read_contents(hdf5::Id file) {
  if (!hdf5::has_attribute(file, "checkpoint_format_version")) throw IoError("not a checkpoint of Electret");
  const auto found = hdf5::read_integer_attribute(file, "checkpoint_format_version");
  if (found != checkpoint_format_version)
    throw IoError("its format version is " + std::to_string(found) + "; this version of Electret reads " +
                  std::to_string(checkpoint_format_version));
  Checkpoint c;
  c.state.step = hdf5::read_integer_attribute(file, "step");
  c.identity = identity_of(hdf5::read_text_attribute(file, "identity"));
  c.warnings = nlohmann::json::parse(hdf5::read_text_attribute(file, "warnings"));
  c.state.positions = vectors(hdf5::read_dataset<double>(file, "positions", 2));
  c.state.velocities = vectors(hdf5::read_dataset<double>(file, "velocities", 2));
  put_reals(hdf5::read_dataset<double>(file, "sums", 1), c.work, c.sums);
  put_integers(hdf5::read_dataset<std::int64_t>(file, "counts", 1), c);
  c.state.memory = read_memory(file);
  return c;
}

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& sums_and_identity, const State& state) {
  Unfinished beside(path);
  {
    hdf5::OrderedFile file(beside.name(), hdf5::OrderedFile::Mode::create);
    try {
      write_contents(file.id(), sums_and_identity, state);
      file.close();
    } catch (const IoError& error) {
      const std::string why = file.failure();
      throw IoError("cannot write " + path + ": " + (why.empty() ? error.what() : why));
    }
  }
  beside.put_in_place();
}

Checkpoint read_checkpoint(const std::string& path) {
  const hdf5::Handle file = hdf5::open_for_reading(path);
  try {
    return read_contents(file.get());
  } catch (const IoError& error) {
    throw IoError(path + ": " + error.what());
  } catch (const nlohmann::json::exception& error) {
    throw IoError(path + " is damaged: " + error.what());
  }
}

}  // namespace electret
