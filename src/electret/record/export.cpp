#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/core/version.hpp>
#include <electret/record/detail/export_writers.hpp>
#include <electret/record/export.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;

/// The note of how far an unfinished export has come is renewed when it is older than this.
constexpr std::chrono::milliseconds note_interval{500};

const ExportFormat& format_named(const std::string& name) {
  const auto found =
      std::find_if(export_rows.begin(), export_rows.end(), [&](const auto& row) { return row.name == name; });
  if (found == export_rows.end())
    throw InputError(Finding{
        {"--to", 0, 0}, "unknown format " + in_quotes(name), "allowed: " + joined(export_format_names())});
  return *found;
}

ExportPlan plan_of(const TrajectoryReader& run, const std::string& format, Count every, bool with_materials) {
  ExportPlan plan{run, format, {}, {}, run_bodies(run, with_materials)};
  const std::vector<double> times = run.times();
  for (Count frame = 0; frame < run.frames(); frame += every) {
    plan.frames.push_back(frame);
    plan.times.push_back(times[static_cast<std::size_t>(frame)]);
  }
  return plan;
}

void check_exportable(const std::string& directory, const ExportPlan& plan, const ExportFormat& format) {
  if (plan.frames.empty())
    throw InputError(Finding{{directory, 0, 0}, "holds no frame yet", "give a run with frames"});
  const bool has_surface = std::any_of(plan.bodies.begin(), plan.bodies.end(),
                                       [](const RunBody& body) { return body.has_surface(); });
  if (format.needs.surface && !has_surface)
    throw InputError(
        Finding{{directory, 0, 0},
                "has no body with a surface",
                "export it to another format: " + joined(all_but(plan.format, export_format_names()))});
  if (format.needs.check != nullptr) format.needs.check(plan);
}

/// Says what is exported, how and by which version, so that only the same export goes on with it.
ExportIdentity identity(const RunDirectory& run, const ExportPlan& plan, Count every) {
  const std::string trajectory = run.trajectory(),
                    canonical = printable(fs::weakly_canonical(trajectory).string());
  const auto whole = nlohmann::json{{"trajectory", canonical},
                                    {"bytes", fs::file_size(trajectory)},
                                    {"changed", fs::last_write_time(trajectory).time_since_epoch().count()},
                                    {"frames", plan.run.frames()},
                                    {"format", plan.format},
                                    {"every", every},
                                    {"version", version}};
  return {canonical, plan.format, whole.dump()};
}

/// Writes the frames, from where an earlier export ended.
void write_frames(const ExportPlan& plan, ExportFolder& folder, const std::vector<ExportWriter*>& writers,
                  const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  FrameNumbers numbers(plan.run);
  const auto done = static_cast<std::size_t>(folder.frames());
  auto noted = Clock::now();
  for (std::size_t k = 0; k < plan.frames.size(); ++k) {
    if (stop.stop_requested()) {
      if (k > done) folder.save(static_cast<Count>(k));
      throw Cancelled();
    }
    numbers.go_to(plan.frames[k]);
    for (ExportWriter* writer : writers)
      k < done ? writer->pass_frame(k, numbers) : writer->write_frame(k, numbers);
    if (k < done || Clock::now() - noted < note_interval) continue;
    folder.save(static_cast<Count>(k) + 1);
    noted = Clock::now();
  }
}

ExportFolder::Earlier earlier(const ExportOptions& options) {
  using Earlier = ExportFolder::Earlier;
  return options.resume ? Earlier::resume : options.overwrite ? Earlier::replace : Earlier::refuse;
}

void tell_beginning(const ExportOptions& options, const ExportFolder& folder, std::size_t all) {
  if (!options.resume || !options.notice) return;
  options.notice(folder.is_complete()       ? "the export is complete already; nothing was left to do"
                 : !folder.was_unfinished() ? "there is no unfinished export: starting afresh"
                 : folder.frames() == 0     ? "the unfinished export has no frame yet: starting afresh"
                                            : "going on behind " + std::to_string(folder.frames()) + " of " +
                                              std::to_string(all) + " frames");
}

void write(const ExportPlan& plan, ExportFolder& folder, const ExportFormat& format,
           const std::stop_token& stop) {
  try {
    const auto writer = format.make(plan, folder), sidecar = make_sidecar_writer(plan, folder);
    write_frames(plan, folder, {writer.get(), sidecar.get()}, stop);
    writer->finish();
    sidecar->finish();
  } catch (const InputError&) {  // The format cannot hold the run, so that nothing goes on with it.
    folder.abandon();
    throw;
  }
  folder.finish(static_cast<Count>(plan.frames.size()));
}

/// The names of the formats that hold every number of a run.
std::vector<std::string> precise_formats() {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_rows)
    if (!format.needs.float32) names.emplace_back(format.name);
  return names;
}

}  // namespace

std::string ExportPlan::file_name(const RunBody& body, std::size_t k, const std::string& ending) const {
  const std::string text = std::to_string(frames[k]);
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(run.frames() - 1).size());
  return body.file_name + "_" + std::string(digits - text.size(), '0') + text + ending;
}

void require_float32(const ExportPlan& plan, const RunBody& body, std::size_t k, VectorView points) {
  for (const Vec3& x : points)
    for (int axis = 0; axis < 3; ++axis) {
      if (std::isfinite(static_cast<float>(x[axis]))) continue;
      throw InputError(Finding{{},
                               "frame " + std::to_string(plan.frames[k]) + " of " + in_quotes(body.name) +
                                   " has a coordinate of " + brief_text(x[axis]) + " m, and " + plan.format +
                                   " holds numbers up to 3.4e+38",
                               "export it to a format of the run's precision: " + joined(precise_formats())});
    }
}

void FrameNumbers::go_to(Count frame) {
  frame_ = frame;
  has_positions_ = has_velocities_ = has_reactions_ = has_contacts_ = has_pair_forces_ = false;
  has_charges_ = has_charges_ && !run_.charges_change();
}

const VectorArray& FrameNumbers::positions() {
  if (!std::exchange(has_positions_, true)) positions_ = run_.positions(frame_);
  return positions_;
}

const VectorArray& FrameNumbers::velocities() {
  if (!std::exchange(has_velocities_, true) && run_.has_velocities()) velocities_ = run_.velocities(frame_);
  return velocities_;
}

const std::vector<double>& FrameNumbers::charges() {
  if (!std::exchange(has_charges_, true)) charges_ = run_.charges(frame_);
  return charges_;
}

const VectorArray& FrameNumbers::pin_reactions() {
  if (std::exchange(has_reactions_, true) || !run_.has_pin_reactions()) return reactions_;
  reactions_.assign(static_cast<std::size_t>(run_.vertices()), Vec3{});
  const VectorArray of_pins = run_.pin_reactions(frame_);
  for (std::size_t k = 0; k < pins_.size(); ++k)
    reactions_.at(static_cast<std::size_t>(pins_[k])) = of_pins[k];
  return reactions_;
}

const VertexContacts& FrameNumbers::contacts() {
  if (!std::exchange(has_contacts_, true)) contacts_ = vertex_contacts(run_, frame_);
  return contacts_;
}

const VectorArray& FrameNumbers::pair_forces() {
  if (!std::exchange(has_pair_forces_, true)) pair_forces_ = vertex_pair_forces(run_, frame_);
  return pair_forces_;
}

std::span<const ExportFormat> export_formats() {
  return export_rows;
}

std::vector<std::string> export_format_names() {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_rows) names.emplace_back(format.name);
  return names;
}

Count export_run(const std::string& directory, const std::string& format_name, const std::string& out,
                 const ExportOptions& options) {
  const ExportFormat& format = format_named(format_name);
  if (options.every < 1)
    throw InputError(Finding{{"--every", 0, 0}, "is below 1", "allowed: a whole number from 1"});
  const RunDirectory run_directory(directory);
  const TrajectoryReader run = run_directory.open();
  const ExportPlan plan = plan_of(run, format_name, options.every, format.needs.materials);
  check_exportable(directory, plan, format);
  ExportFolder folder(out, identity(run_directory, plan, options.every), earlier(options));
  tell_beginning(options, folder, plan.frames.size());
  if (!folder.is_complete()) write(plan, folder, format, options.stop);
  return folder.files();
}

}  // namespace electret
