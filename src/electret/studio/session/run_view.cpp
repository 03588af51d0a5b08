#include <algorithm>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/run_view.hpp>

namespace electret::studio {
namespace {

std::string scene_file_in(const RunDirectory& run) {
  try {
    return read_summary(run.summary()).scene_file;
  } catch (const IoError&) {
    return "";
  }
}

std::string scene_folder(const RunDirectory& run) {
  const std::filesystem::path file = scene_file_in(run);
  return file.has_parent_path() ? file.parent_path().string() : ".";
}

/// Whether nobody has the folder's RunLock. Unknown, and so false, where there are no locks.
bool is_lock_free(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_free = ::flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  ::close(descriptor);
  return is_free;
}

/// A run that was killed says for ever that it is running, but its lock is gone.
bool is_being_written(const RunDirectory& run) {
  try {
    return read_summary(run.summary()).status == RunStatus::running && !is_lock_free(run.path());
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace

RunView::RunView(const std::string& directory, std::uint32_t generation, int threads,
                 const FileReader& reader)
    : directory_(directory) {
  const RunDirectory folder(directory);
  reader_.emplace(folder.open());
  times_ = reader_->times();
  times_.resize(static_cast<std::size_t>(reader_->frames()));
  if (times_.empty()) throw UnreadableError("the run in " + directory_ + " has no frame", directory_);
  growing_ = is_being_written(folder);
  scene_text_ = reader_->scene();
  overrides_ = lines_of(reader_->overrides());
  version_ = reader_->version();
  SystemInfo& info = scenery_.info;
  info.generation = generation;
  scenery_.shown = Shown(*reader_);
  scenery_.scalars = Scalars(*reader_, scenery_.shown, threads);
  try {
    const Scene scene = parse_scene(scene_text_, "trajectory.h5", scene_folder(folder), overrides_);
    scenery_.surroundings = Surroundings(scene, scenery_.shown.centre(), reader);
    describe(scene, scenery_);
  } catch (const InputError&) {  // Of an older version, or made in memory.
    describe(Scene{}, scenery_);
    info.warnings.emplace_back(
        "this version cannot read the recorded scene: external charges, fields and obstacles are not shown");
  }
  info.time_step = reader_->time_step();
  info.pins = reader_->pins();
  info.run = true;
  info.frames = frames();
  info.growing = growing_;
  info.last_step = std::max(Count{0}, frames() - 1);
  maker_ = std::make_unique<FrameMaker>(scenery_);
  read_rows();
  go_to(0);
}

std::string RunView::scene_file() const {
  return scene_file_in(RunDirectory(directory_));
}

bool RunView::is_written_now() const {
  return is_being_written(RunDirectory(directory_));
}

bool RunView::has_checkpoint() const {
  std::error_code error;
  return std::filesystem::exists(RunDirectory(directory_).checkpoint(), error);
}

std::unique_ptr<RunView> open_run(const std::string& directory, std::uint32_t generation, int threads,
                                  const FileReader& reader, const std::function<void()>& pause) {
  constexpr int tries = 20;
  const auto is_last = [&](int k) { return k == tries || !is_being_written(RunDirectory(directory)); };
  for (int k = 1;; ++k) {
    try {
      return std::make_unique<RunView>(directory, generation, threads, reader);
    } catch (const InputError&) {
      if (is_last(k)) throw;
    } catch (const IoError&) {
      if (is_last(k)) throw;
    }
    pause();
  }
}

void RunView::read_rows() {
  try {
    std::vector<Row> rows;
    for (const EnergyRow& each : read_energies(RunDirectory(directory_).energies())) {
      const auto numbers = energy_numbers(each);
      Row row{};
      std::copy(numbers.begin(), numbers.end(), row.begin());
      rows.push_back(row);
    }
    rows_ = std::move(rows);
  } catch (const IoError&) {  // Gone, or none: the run is shown without.
  }
}

void RunView::go_to(Count frame) {
  require_argument(frame >= 0 && frame < frames(), "a frame that the run does not have");
  if (!reader_) throw UnreadableError("the run in " + directory_ + " cannot be read now", directory_);
  VectorArray positions = reader_->positions(frame);
  std::optional<VectorArray> velocities;
  if (reader_->has_velocities()) velocities = reader_->velocities(frame);
  charges_ = reader_->charges(frame);
  positions_ = std::move(positions);
  velocities_ = std::move(velocities);
  at_ = frame;
}

std::shared_ptr<Frame> RunView::frame() {
  Moment moment{positions_, std::nullopt, charges_};
  if (velocities_) moment.velocities = VectorView(*velocities_);
  return maker_->make({time_of(at_), at_, nullptr, true}, moment);
}

std::shared_ptr<Frame> RunView::frame_of(Count wanted) {
  const Count now = at_;
  VectorArray positions = positions_;
  std::optional<VectorArray> velocities = velocities_;
  std::vector<double> charges = charges_;
  go_to(wanted);
  auto made = frame();
  maker_->outdate();
  at_ = now;
  positions_ = std::move(positions);
  velocities_ = std::move(velocities);
  charges_ = std::move(charges);
  return made;
}

VectorArray RunView::rest_positions() const {
  if (!reader_) throw UnreadableError("the run in " + directory_ + " cannot be read now", directory_);
  return reader_->rest_positions();
}

bool RunView::look_again() {
  const RunDirectory folder(directory_);
  const Count before = frames();
  const bool growing = is_being_written(folder);
  reader_.reset();  // Readers that are open at once all see the same frames.
  reader_.emplace(folder.trajectory());
  auto times = reader_->times();
  times.resize(static_cast<std::size_t>(reader_->frames()));
  if (reader_->vertices() != static_cast<Index>(scenery_.shown.vertices()) || times.size() < times_.size()) {
    reader_.reset();
    throw UnreadableError("the run in " + directory_ + " was replaced by another one: open it again",
                          directory_);
  }
  times_ = std::move(times);
  growing_ = growing;
  SystemInfo& info = scenery_.info;
  info.frames = frames();
  info.growing = growing_;
  info.last_step = frames() - 1;
  read_rows();
  return frames() > before;
}

}  // namespace electret::studio
