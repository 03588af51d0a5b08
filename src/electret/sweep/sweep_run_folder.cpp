#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>

#include <electret/core/control.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/directory_in_use.hpp>
#include <electret/record/frame_measures.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/unreadable_error.hpp>
#include <electret/sweep/sweep_run_folder.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;

/// The kept frames of a run that may go on in another process: one record after the other.
class KeptFrames {
 public:
  KeptFrames(const std::string& directory, const KeepTable& keep, Count steps, Count vertices)
      : path_(directory + "/kept.bin"),
        keep_(keep),
        steps_(steps),
        width_(static_cast<std::size_t>(vertices) * (keep.velocities ? 6 : 3)) {}

  /// Writes the state if it is one to keep. It is on the disk before the checkpoint that goes on after it.
  void add(const Simulator& simulator) {
    if (keep_.frames == 0) return;
    const State& state = simulator.state();
    const Count frame = (state.step * keep_.frames + steps_ - 1) / steps_ - 1;  // The first not before it.
    if (state.step == keep_.step_of_frame(frame, steps_)) write(frame, state);
  }

  /// Those up to this step. Throws UnreadableError if the file lacks any.
  [[nodiscard]] std::vector<std::vector<double>> read(Count steps_done) const {
    std::vector<std::vector<double>> all;
    std::ifstream file(path_, std::ios::binary);
    for (Count frame = 0; frame < keep_.frames && keep_.step_of_frame(frame, steps_) <= steps_done; ++frame) {
      std::vector<double> record(width_);
      if (!file.read(reinterpret_cast<char*>(record.data()), bytes()))
        throw UnreadableError(path_ + " lacks frames that the run has passed", path_);
      all.push_back(std::move(record));
    }
    return all;
  }

 private:
  [[nodiscard]] std::streamsize bytes() const {
    return static_cast<std::streamsize>(width_ * sizeof(double));
  }

  void write(Count frame, const State& state) const {
    if (!fs::exists(path_)) std::ofstream(path_, std::ios::binary);
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(frame * bytes());
    const auto put = [&file](VectorView vectors) {
      for (const Vec3& v : vectors)
        for (int axis = 0; axis < 3; ++axis) {
          const double number = v[axis];
          file.write(reinterpret_cast<const char*>(&number), sizeof number);
        }
    };
    put(state.positions);
    if (keep_.velocities) put(state.velocities);
    file.flush();
    if (!file) throw IoError(path_ + " could not be written to: is the disk full?", path_);
  }

  std::string path_;
  const KeepTable& keep_;
  Count steps_;
  std::size_t width_;
};

/// A number that need not be finite.
double cell_number(const std::string& text) {
  double number = std::numeric_limits<double>::quiet_NaN();
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The quantities of the run's frames, from its tables, which have every number to the last bit.
std::vector<double> quantities_in(const RunDirectory& folder, const SweepPlan& plan,
                                  const std::vector<std::string>& columns) {
  QuantityGatherer gatherer(plan.quantities, columns);
  const TextTable energies = parse_text_csv(read_whole_file(folder.energies()), folder.energies());
  const TextTable observables = parse_text_csv(read_whole_file(folder.observables()), folder.observables());
  std::vector<std::pair<const TextTable*, std::size_t>> places;
  for (const std::string& name : columns) {
    const auto in_energies = std::find(energies.columns.begin(), energies.columns.end(), name);
    const TextTable& table = in_energies != energies.columns.end() ? energies : observables;
    const auto at = std::find(table.columns.begin(), table.columns.end(), name);
    require(at != table.columns.end(), "a run's tables lack a column");
    places.emplace_back(&table, static_cast<std::size_t>(at - table.columns.begin()));
  }
  for (std::size_t row = 0; row < std::min(energies.rows(), observables.rows()); ++row) {
    std::vector<double> numbers;
    for (const auto& [table, column] : places) numbers.push_back(cell_number((*table)(row, column).text));
    gatherer.add(numbers);
  }
  return gatherer.values();
}

/// A run into a folder of its own.
class RunInFolder {
 public:
  RunInFolder(const SweepPlan& plan, const Assembly& assembly, const std::string& directory,
              const RunLimits& limits, FolderRun& found)
      : plan_(plan),
        assembly_(assembly),
        folder_(directory),
        limits_(limits),
        found_(found),
        kept_(directory, plan.job.keep, assembly.scene.time.steps,
              static_cast<Count>(assembly.rest_positions.size())) {}

  /// A run there that cannot go on is replaced.
  void run() {
    std::error_code error;
    remove_remains();
    if (fs::exists(folder_.checkpoint(), error)) {
      try {
        return run(true);
      } catch (const DirectoryInUseError&) {
        throw;
      } catch (const UnreadableError&) {
      } catch (const InputError&) {
      }
    }
    run(false);
  }

 private:
  /// What a run cannot have left as it is.
  void remove_remains() const {
    std::error_code error;
    if (!fs::exists(folder_.path(), error)) return;
    const RunLock lock(folder_.path());
    if (folder_.contents() == RunDirectory::Contents::foreign) fs::remove_all(folder_.path(), error);
  }

  void run(bool goes_on) {
    auto system = compile(assembly_, 1);
    columns_ = measured_columns(*system);
    std::stop_source stop;
    std::exception_ptr given_up;
    RunOptions options;
    options.resume = goes_on;
    options.overwrite = !goes_on;
    options.control.stop = stop.get_token();
    options.control.progress = [&](const Progress&) {
      try {
        limits_.check();
      } catch (...) {
        given_up = std::current_exception();
        stop.request_stop();  // So that the run ends with its checkpoint.
      }
    };
    options.each_step = [this](const Simulator& simulator) { kept_.add(simulator); };
    try {
      const RunResult result = run_to_directory(std::move(system), folder_.path(), options);
      if (given_up && result.status != RunStatus::done) std::rethrow_exception(given_up);
      gather(result.steps);
    } catch (const DivergenceError&) {
      gather(read_summary(folder_.summary()).steps);
      throw;
    }
  }

  void gather(Count steps) {
    found_.steps = steps;
    found_.frames = kept_.read(steps);
    if (!plan_.quantities.empty()) found_.quantities = quantities_in(folder_, plan_, columns_);
  }

  const SweepPlan& plan_;
  const Assembly& assembly_;
  RunDirectory folder_;
  const RunLimits& limits_;
  FolderRun& found_;
  KeptFrames kept_;
  std::vector<std::string> columns_;
};

/// Whether another process writes there.
bool is_in_use(const std::string& folder) {
  try {
    const RunLock lock(folder);
    return false;
  } catch (const DirectoryInUseError&) {
    return true;
  }
}

}  // namespace

void run_in_folder(const SweepPlan& plan, const Assembly& assembly, const std::string& directory,
                   const RunLimits& limits, FolderRun& found) {
  RunInFolder(plan, assembly, directory, limits, found).run();
}

void settle_run_folder(const std::string& sweep, const SweepPlan& plan, Count run, SweepStatus status) {
  const std::string own = sweep + "/runs/" + std::to_string(run), failed = sweep + "/failed/";
  std::error_code error;
  if (plan.job.keep.directories == "all" || !fs::exists(own, error) || is_in_use(own)) return;
  if (plan.job.keep.directories == "failed" && status != SweepStatus::done) {
    fs::create_directories(failed, error);
    fs::remove_all(failed + std::to_string(run), error);
    fs::rename(own, failed + std::to_string(run), error);
    if (error) throw IoError("the folder " + own + " cannot be moved: " + error.message(), own);
    return;
  }
  fs::remove_all(own, error);
}

void settle_run_folders(const std::string& sweep, const SweepPlan& plan,
                        const std::function<std::optional<SweepStatus>(Count)>& status_of) {
  std::error_code error;
  std::vector<Count> there;
  for (const auto& entry : fs::directory_iterator(sweep + "/runs", error)) {
    const std::string name = entry.path().filename().string();
    Count run = -1;
    const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), run);
    if (wrong == std::errc() && end == name.data() + name.size()) there.push_back(run);
  }
  for (const Count run : there)
    if (const auto status = status_of(run)) settle_run_folder(sweep, plan, run, *status);
  if (fs::is_empty(sweep + "/runs", error) && !error) fs::remove(sweep + "/runs", error);
}

}  // namespace electret
