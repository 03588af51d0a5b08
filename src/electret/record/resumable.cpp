#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include <electret/core/instruction_set.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/record/detail/file_sum.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/detail/trajectory_layout.hpp>
#include <electret/record/resumable.hpp>

namespace electret {
namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& path) {
  throw UnreadableError("cannot resume: " + why + "; run with --overwrite to start afresh", path);
}

/// Whether the file stores frames as the scene wants them.
bool is_stored_as(const TrajectoryLayout& layout, const System& system) {
  const OutputOptions& output = system.assembly.scene.output;
  const std::size_t pins = trajectory_header(system.assembly).pins.size();
  return (!layout.has_pin_reactions || layout.pins == pins) && (!layout.contacts || system.contacts) &&
         (!layout.pairs || system.body_contacts) && layout.vertices == system.vertex_count() &&
         layout.has_velocities == output.velocities && layout.single == (output.precision == "single") &&
         layout.charges_change == charges_change(system);
}

/// The sum of the first `frames` frames, as TrajectoryWriter computes it.
std::int64_t sum_of_frames(hdf5::Id file, const TrajectoryLayout& layout, Count frames) {
  FrameSum sum;
  const auto n = 3 * static_cast<std::size_t>(layout.vertices);
  std::vector<double> numbers;
  std::vector<float> singles(layout.single ? n : 0);
  const hdf5::RowReader time(file, "time"), positions(file, "positions");
  hdf5::RowReader velocities, charges, reactions;
  if (layout.has_velocities) velocities = hdf5::RowReader(file, "velocities");
  if (layout.charges_change) charges = hdf5::RowReader(file, "charges");
  if (layout.has_pin_reactions) reactions = hdf5::RowReader(file, "pin_reactions");
  const auto add = [&](const hdf5::RowReader& rows, Count frame, std::size_t size) {
    numbers.resize(size);
    if (size > 0) rows.read(static_cast<std::uint64_t>(frame), std::span(numbers));
    sum.add(numbers, false);
  };
  const auto add_vectors = [&](const hdf5::RowReader& rows, Count frame) {
    if (!layout.single) return add(rows, frame, n);
    rows.read(static_cast<std::uint64_t>(frame), std::span(singles));
    sum.add(std::span<const float>(singles));
  };
  for (Count frame = 0; frame < frames; ++frame) {
    add(time, frame, 1);
    add_vectors(positions, frame);
    if (layout.has_velocities) add_vectors(velocities, frame);
    if (layout.charges_change) add(charges, frame, n / 3);
    if (layout.has_pin_reactions) add(reactions, frame, 3 * layout.pins);
    if (layout.contacts)
      sum.add(frame_numbers(file, contact_row_table, layout.contacts->offsets, frame), false);
    if (layout.pairs) sum.add(frame_numbers(file, pair_row_table, *layout.pairs, frame), false);
  }
  return sum.value();
}

/// What is wrong with the trajectory; "" if nothing is.
std::string fault_of_trajectory(const std::string& path, const Checkpoint& checkpoint, const System& system) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return "there is no file " + path;
  try {
    const TrajectorySums& sums = checkpoint.trajectory;
    if (sums.is_closed && sum_of_file(path, sums.chunks) != sums.rest)
      return path + " has changed since the run ended: its bytes are not those that were written";
    // Afresh, because a reader of this process may have the file open since it was shorter.
    const hdf5::Handle file = hdf5::open_afresh(path);
    const TrajectoryLayout layout = checked_layout(file.get());
    if (!is_stored_as(layout, system)) return path + " is of another run";
    if (layout.frames < checkpoint.sums.frames)
      return path + " has " + std::to_string(layout.frames) + " frames where the checkpoint has " +
             std::to_string(checkpoint.sums.frames);
    if (sum_of_frames(file.get(), layout, checkpoint.sums.frames) == sums.frames) return "";
    return path + " has frames whose numbers are not those that were written: their sum is another";
  } catch (const IoError& error) {
    return error.path().empty() ? path + ": " + error.what() : error.what();
  }
}

/// What a checkpoint knows of a table: that its first `bytes` are a header and `rows` rows, and their CRC-32.
struct KnownTable {
  Count bytes, rows;
  std::int64_t sum;  ///< -1: unknown.
  bool is_whole;     ///< The run had ended, so that no byte follows.
};

/// What is wrong with a table; "" if nothing is.
std::string fault_of_table(const std::string& path, const KnownTable& known) {
  std::error_code error;
  const auto found = static_cast<Count>(std::filesystem::file_size(path, error));
  if (error) return "there is no file " + path;
  if (found < known.bytes || (known.is_whole && found > known.bytes))
    return path + " has " + std::to_string(found) + " bytes where the checkpoint has " +
           std::to_string(known.bytes);
  const std::string kept = read_file(path).substr(0, static_cast<std::size_t>(known.bytes));
  if (!kept.ends_with('\n') || std::count(kept.begin(), kept.end(), '\n') != known.rows + 1)
    return path + " has other rows in its first " + std::to_string(known.bytes) + " bytes than the " +
           std::to_string(known.rows) + " of the checkpoint";
  Crc sum;
  sum.add(std::span<const char>(kept));
  if (known.sum == -1 || known.sum == sum.value()) return "";
  return path + " has rows whose numbers are not those that were written: their sum is another";
}

}  // namespace

Checkpoint checkpoint_to_resume(const RunDirectory& folder) {
  try {
    return read_checkpoint(folder.checkpoint());
  } catch (const UnreadableError& error) {
    refuse(error.what(), folder.checkpoint());
  }
}

std::string fault_of_state(const Checkpoint& checkpoint, const System& system) {
  if (checkpoint.state.positions.size() != static_cast<std::size_t>(system.vertex_count()))
    return "its dataset positions is not as long as the scene";
  const auto is_same = [](const TimeLeg& a, const TimeLeg& b) {
    return a.step == b.step && same_bits(a.time, b.time) && same_bits(a.time_step, b.time_step);
  };
  const auto& legs = system.assembly.scene.time.legs;
  const bool are_same =
      std::equal(legs.begin(), legs.end(), checkpoint.legs.begin(), checkpoint.legs.end(), is_same);
  return are_same ? "" : "its times are not the scene's";
}

std::optional<Warning> other_instructions_warning(const Checkpoint& checkpoint) {
  const std::string now = name_of(instruction_set()), &before = checkpoint.instruction_set;
  // Checkpoints of earlier versions do not name one.
  if (before.empty() || now == before) return std::nullopt;
  return Warning{WarningKind::device,
                 {},
                 "the run was computed with the instruction set " + before +
                     " until here and is computed with " + now +
                     " from here on: the results will not have the bits of an uninterrupted run",
                 "--instructions " + before + " goes on with the same, where the processor has it"};
}

std::optional<Warning> other_device_warning(const Checkpoint& checkpoint, const System& system) {
  const std::string& now = system.field_device.name;
  // Checkpoints of versions without devices do not name one.
  const std::string before = checkpoint.field_device.empty() ? "cpu" : checkpoint.field_device;
  if (now.empty() || now == before) return std::nullopt;
  return Warning{WarningKind::device,
                 {},
                 "the field was computed on " + before + " until here and is computed on " + now +
                     " from here on: the results will not have the bits of a run on one device",
                 "coulomb.device chooses where"};
}

void check_resumable(const RunDirectory& folder, const Checkpoint& checkpoint, const System& system) {
  if (const std::string fault = fault_of_state(checkpoint, system); !fault.empty())
    refuse("the checkpoint is damaged: " + folder.checkpoint() + ": " + fault, folder.checkpoint());
  const Count rows = checkpoint.sums.frames;
  const bool is_whole = checkpoint.trajectory.is_closed;
  std::string faults;
  for (const std::string& fault :
       {fault_of_trajectory(folder.trajectory(), checkpoint, system),
        fault_of_table(folder.energies(), {checkpoint.energy_bytes, rows, checkpoint.energy_sum, is_whole}),
        fault_of_table(folder.observables(),
                       {checkpoint.observables_bytes, rows, checkpoint.observables_sum, is_whole})})
    if (!fault.empty()) faults += (faults.empty() ? "" : "; ") + fault;
  if (!faults.empty()) refuse(faults, folder.path());
}

}  // namespace electret
