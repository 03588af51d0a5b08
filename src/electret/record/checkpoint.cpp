#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <type_traits>

#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/detail/file_sum.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/ordered_file.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

using hdf5::flat;
using hdf5::Stored;

VectorArray read_vectors(hdf5::Id file, const std::string& name) {
  const hdf5::Shape shape = hdf5::shape_of(file, name);
  if (shape.size() != 2 || shape[1] != 3) throw IoError("its dataset " + name + " has a wrong shape");
  const std::vector<double> values = hdf5::read_dataset<double>(file, name, 2);
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

/// Calls f(name, member) for everything that is counted or summed.
template <class AnyCheckpoint, class F>
void visit_numbers(AnyCheckpoint& c, F&& f) {
  visit(c.work, f);
  visit(c.sums, f);
  visit_memory(c.sums, f);
  f("bytes.energies", c.energy_bytes);
  f("bytes.observables", c.observables_bytes);
  f("sum.energies", c.energy_sum);
  f("sum.observables", c.observables_sum);
  f("trajectory.frames", c.trajectory.frames);
  f("trajectory.is_closed", c.trajectory.is_closed);
  f("trajectory.rest", c.trajectory.rest);
}

void read_number(hdf5::Id file, const std::string& name, double& value) {
  value = hdf5::read_number_attribute(file, name);
}
template <class Integer>
void read_number(hdf5::Id file, const std::string& name, Integer& value) {
  value = static_cast<Integer>(hdf5::read_integer_attribute(file, name));
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

std::string legs_text(const std::vector<TimeLeg>& legs) {
  auto json = nlohmann::json::array();
  for (const TimeLeg& leg : legs) json.push_back({leg.step, leg.time, leg.time_step});
  return json.dump();
}

std::vector<TimeLeg> legs_of(const std::string& text) {
  std::vector<TimeLeg> legs;
  for (const auto& leg : nlohmann::json::parse(text))
    legs.push_back({leg.at(0).get<Count>(), leg.at(1).get<double>(), leg.at(2).get<double>()});
  return legs;
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
  hdf5::write_attribute(file, "integrator_choice",
                        nlohmann::json{c.integrator_choice.name, c.integrator_choice.why}.dump());
  if (!c.field_device.empty()) hdf5::write_attribute(file, "field_device", c.field_device);
  if (!c.instruction_set.empty()) hdf5::write_attribute(file, "instruction_set", c.instruction_set);
  if (!c.legs.empty()) hdf5::write_attribute(file, "time_legs", legs_text(c.legs));
  hdf5::write_dataset<double>(file, "positions", {state.positions.size(), 3}, flat(state.positions),
                              Stored::float64);
  hdf5::write_dataset<double>(file, "velocities", {state.velocities.size(), 3}, flat(state.velocities),
                              Stored::float64);
  visit_numbers(c, [&](const std::string& name, const auto& value) {
    if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(value)>>) {
      hdf5::write_attribute(file, name, value);
    } else {
      hdf5::write_attribute(file, name, std::int64_t{value});
    }
  });
  write_memory(file, state.memory);
  hdf5::write_dataset<std::int64_t>(file, "trajectory_chunks", {c.trajectory.chunks.size()},
                                    c.trajectory.chunks, Stored::int64);
}

/// What the arrays and counts must be, whatever the run.
void check_contents(const Checkpoint& c) {
  const State& state = c.state;
  if (state.velocities.size() != state.positions.size())
    throw IoError("its dataset velocities is not as long as positions");
  for (const Count count : {state.step, c.sums.frames, c.energy_bytes, c.observables_bytes})
    if (count < 0) throw IoError("one of its counts is negative");
}

Checkpoint read_contents(hdf5::Id file) {
  if (!hdf5::has_attribute(file, "checkpoint_format_version")) throw IoError("not a checkpoint of Electret");
  const auto found = hdf5::read_integer_attribute(file, "checkpoint_format_version");
  if (found != checkpoint_format_version)
    throw UnreadableError("its format version is " + std::to_string(found) +
                          "; this version of Electret reads " + std::to_string(checkpoint_format_version));
  Checkpoint c;
  c.state.step = hdf5::read_integer_attribute(file, "step");
  c.identity = identity_of(hdf5::read_text_attribute(file, "identity"));
  c.warnings = nlohmann::json::parse(hdf5::read_text_attribute(file, "warnings"));
  const auto choice = nlohmann::json::parse(hdf5::read_text_attribute(file, "integrator_choice"));
  c.integrator_choice = {choice.at(0).get<std::string>(), choice.at(1).get<std::string>()};
  if (hdf5::has_attribute(file, "field_device"))
    c.field_device = hdf5::read_text_attribute(file, "field_device");
  if (hdf5::has_attribute(file, "instruction_set"))
    c.instruction_set = hdf5::read_text_attribute(file, "instruction_set");
  if (hdf5::has_attribute(file, "time_legs")) c.legs = legs_of(hdf5::read_text_attribute(file, "time_legs"));
  c.state.positions = read_vectors(file, "positions");
  c.state.velocities = read_vectors(file, "velocities");
  if (hdf5::has_attribute(file, "contact.sticking")) c.sums.contact.emplace();
  if (hdf5::has_attribute(file, "body_contact.smallest_gap")) c.sums.body_contact.emplace();
  visit_numbers(c, [&](const std::string& name, auto& value) {
    // Checkpoints of earlier versions lack it.
    if (!is_new_sum(name) || hdf5::has_attribute(file, name)) read_number(file, name, value);
  });
  c.state.memory = read_memory(file);
  c.trajectory.chunks = hdf5::read_dataset<std::int64_t>(file, "trajectory_chunks", 1);
  check_contents(c);
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
      append_sum(beside.name());
    } catch (const IoError& error) {
      const std::string why = file.failure();
      throw IoError("cannot write " + path + ": " + (why.empty() ? error.what() : why), path);
    }
  }
  beside.put_in_place();
}

Checkpoint read_checkpoint(const std::string& path) {
  const std::string damaged = "the checkpoint is damaged: ";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw UnreadableError("there is no file " + path, path);
  try {
    check_appended_sum(path);
    return read_contents(hdf5::open_for_reading(path).get());
  } catch (const UnreadableError& error) {  // Whole, but of another version.
    throw UnreadableError(path + ": " + error.what(), path);
  } catch (const IoError& error) {
    // An error of opening names the file already.
    throw UnreadableError(damaged + (error.path().empty() ? path + ": " : "") + error.what(), path);
  } catch (const nlohmann::json::exception& error) {
    throw UnreadableError(damaged + path + ": one of its texts: " + error.what(), path);
  }
}

}  // namespace electret
