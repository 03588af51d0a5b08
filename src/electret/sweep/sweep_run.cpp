#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <new>
#include <numeric>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/record/directory_in_use.hpp>
#include <electret/record/frame_measures.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/sweep/sweep_fit_run.hpp>
#include <electret/sweep/sweep_run_folder.hpp>

namespace electret {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Processor time of this thread, s: a run has one, and other threads may do other runs.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class SweepRunner {
 public:
  SweepRunner(const SweepPlan& plan, const RunLimits& limits, SweepRow& row)
      : plan_(plan), limits_(limits), row_(row) {}

  void run(MeshStore& store, const std::string& directory) {
    const Assembly assembly = scene_of_run(plan_, plan_.design.overrides(row_.run), store);
    check_kept(assembly);
    Simulator simulator(compile(assembly, 1));
    if (directory.empty() || !simulate_in(directory, assembly)) simulate(simulator, assembly);
    if (!plan_.job.keep.loss.empty()) differentiate(simulator, assembly);
  }

 private:
  std::vector<double>& column(const char* name) { return column_of(row_, columns_, name); }

  /// What the sweep keeps may not fit this run.
  void check_kept(const Assembly& assembly) const {
    const KeepTable& keep = plan_.job.keep;
    if (keep.frames > assembly.scene.time.steps)
      throw InputError(Finding{{"keep.frames", 0, 0},
                               "the run has " + std::to_string(assembly.scene.time.steps) + " steps",
                               "at most one frame is kept for each step"});
    if (keep.frames > 0 && static_cast<Count>(assembly.rest_positions.size()) != plan_.vertices)
      throw InputError(Finding{
          {"keep.frames", 0, 0},
          "the run has " + std::to_string(assembly.rest_positions.size()) + " vertices",
          "positions are kept of runs of equally many vertices, here " + std::to_string(plan_.vertices)});
    check_loss_file(plan_, keep.loss, plan_.job.folder);
  }

  void simulate(Simulator& simulator, const Assembly& assembly) {
    const Count steps = assembly.scene.time.steps, every = assembly.scene.output.every;
    QuantityGatherer gatherer(plan_.quantities, measured_columns(simulator.system()));
    try {
      measure(simulator, gatherer);
      for (Count step = 1; step <= steps; ++step) {
        limits_.check();
        simulator.step();
        if (step % every == 0) measure(simulator, gatherer);
        keep_frames(simulator, steps);
      }
    } catch (const DivergenceError&) {
      end(simulator, gatherer);
      throw;
    }
    end(simulator, gatherer);
  }

  /// False if another process does this run there: then it is done without a folder, to the same bits.
  bool simulate_in(const std::string& directory, const Assembly& assembly) {
    FolderRun found;
    try {
      run_in_folder(plan_, assembly, directory, limits_, found);
    } catch (const DirectoryInUseError&) {
      return false;
    } catch (const DivergenceError&) {
      take(found);
      throw;
    }
    take(found);
    return true;
  }

  void take(const FolderRun& found) {
    column("steps") = {static_cast<double>(found.steps)};
    if (!found.quantities.empty()) column("quantities") = found.quantities;
    const std::size_t width = 3 * static_cast<std::size_t>(plan_.vertices);
    for (std::size_t frame = 0; frame < found.frames.size(); ++frame) {
      const auto& record = found.frames[frame];
      const auto at = static_cast<std::ptrdiff_t>(frame * width), half = static_cast<std::ptrdiff_t>(width);
      std::copy(record.begin(), record.begin() + half, column("positions").begin() + at);
      if (plan_.job.keep.velocities)
        std::copy(record.begin() + half, record.end(), column("velocities").begin() + at);
    }
  }

  void end(const Simulator& simulator, const QuantityGatherer& gatherer) {
    column("steps") = {static_cast<double>(simulator.state().step)};
    if (!plan_.quantities.empty()) column("quantities") = gatherer.values();
  }

  void measure(Simulator& simulator, QuantityGatherer& gatherer) {
    if (plan_.quantities.empty()) return (void)checked_energies(simulator);
    const Energies now = checked_energies(simulator);
    gatherer.add(measured_numbers(meter_.measure(simulator, now)));
  }

  /// The step of a frame that is refused is taken back, as in a run with a folder.
  static Energies checked_energies(Simulator& simulator) {
    try {
      const Energies now = simulator.energies();
      simulator.check_energy(now);
      return now;
    } catch (const DivergenceError&) {
      if (simulator.state().step > 0) simulator.abandon_step();
      throw;
    }
  }

  /// The present state, if it is one of those to keep.
  void keep_frames(const Simulator& simulator, Count steps) {
    const KeepTable& keep = plan_.job.keep;
    if (keep.frames == 0 || kept_ == keep.frames) return;
    if (simulator.state().step != keep.step_of_frame(kept_, steps)) return;
    put("positions", simulator.state().positions, kept_);
    if (plan_.job.keep.velocities) put("velocities", simulator.state().velocities, kept_);
    ++kept_;
  }

  void put(const char* name, VectorView vectors, Count frame) {
    std::vector<double>& values = column(name);
    std::size_t at = static_cast<std::size_t>(frame) * 3 * vectors.size();
    for (const Vec3& v : vectors)
      for (int axis = 0; axis < 3; ++axis) values[at++] = v[axis];
  }

  void differentiate(Simulator& simulator, const Assembly& assembly) {
    const auto loss =
        parse_loss(plan_.job.keep.loss, assembly, place_of(plan_.job.source, "keep.loss"), plan_.job.folder);
    simulator.restart();
    Control control;
    control.stop = limits_.stop();
    control.progress = [this](const Progress&) { limits_.check(); };
    if (plan_.job.keep.gradient.empty()) {
      column("loss") = {loss_of_run(simulator, *loss, 0, control)};
      return;
    }
    GradientOptions options;
    options.control = control;
    options.memory = gradient_memory_of_a_worker();
    const LossAndGradient found = loss_and_gradient(simulator, *loss, options);
    column("loss") = {found.loss};
    std::vector<double> all;
    for (const std::string& name : plan_.job.keep.gradient) {
      const std::vector<double> part = find_parameter(assembly, name).pull(found.gradient);
      all.insert(all.end(), part.begin(), part.end());
    }
    require_size(all);
    column("gradient") = std::move(all);
  }

  void require_size(const std::vector<double>& gradient) const {
    if (gradient.size() == plan_.gradient_size) return;
    throw InputError(Finding{{"keep.gradient", 0, 0},
                             "the run's parameters have " + std::to_string(gradient.size()) + " numbers",
                             "all runs have equally many, here " + std::to_string(plan_.gradient_size)});
  }

  const SweepPlan& plan_;
  const RunLimits& limits_;
  SweepRow& row_;
  std::vector<ResultColumn> columns_ = plan_.columns();
  FrameMeter meter_;
  Count kept_ = 0;
};

/// All findings on one line.
std::string note_of(const InputError& error) {
  std::string text;
  for (const Finding& finding : error.findings()) text += (text.empty() ? "" : " | ") + to_string(finding);
  return text;
}

}  // namespace

const char* name_of(SweepStatus status) {
  constexpr std::array names{"done", "diverged", "refused", "failed", "timeout", "lost"};
  return names[static_cast<std::size_t>(status)];
}

Count StatusCounts::all() const {
  return std::accumulate(counts_.begin(), counts_.end(), Count{0});
}

Count StatusCounts::without_result() const {
  return all() - of(SweepStatus::done) - of(SweepStatus::diverged);
}

std::vector<double>& column_of(SweepRow& row, const std::vector<ResultColumn>& columns,
                               std::string_view name) {
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].name == name) return row.values[k];
  throw InternalError("a sweep has no such column");
}

SweepRow row_without_result(const SweepPlan& plan, Count run, SweepStatus status, std::string note) {
  SweepRow row{run, status, {}, std::move(note)};
  for (const ResultColumn& column : plan.columns())
    row.values.emplace_back(column.width(), column.kind == ResultColumn::Kind::whole ? 0.0 : unknown);
  row.values.front() = {static_cast<double>(status)};
  row.values.back() = {plan.values_hash(run)};
  return row;
}

SweepRow sweep_run(const SweepPlan& plan, Count run, MeshStore& store, const std::stop_token& stop,
                   const std::function<void()>& each_step, const std::string& directory) {
  const auto start = std::chrono::steady_clock::now();
  const double processor = processor_time();
  SweepRow row = row_without_result(plan, run, SweepStatus::done, "");
  const RunLimits limits(plan, stop, each_step);
  const auto ended = [&](SweepStatus status, std::string note) {
    row.status = status;
    row.note = std::move(note);
    if (!is_result(status)) row = row_without_result(plan, run, status, row.note);
  };
  try {
    if (plan.fit)
      fit_into_row(plan, store, limits, plan.runs_in_folders() ? directory : "", row);
    else
      SweepRunner(plan, limits, row).run(store, plan.runs_in_folders() ? directory : "");
  } catch (const Cancelled&) {
    throw;
  } catch (const DivergenceError& error) {
    ended(SweepStatus::diverged, error.what());
  } catch (const InputError& error) {
    ended(SweepStatus::refused, note_of(error));
  } catch (const TimeoutError& error) {
    ended(SweepStatus::timeout, error.what());
  } catch (const IoError& error) {
    if (plan.runs_in_folders() && !directory.empty()) throw;  // The folder's disk is full, or gone.
    ended(SweepStatus::failed, error.what());
  } catch (const std::bad_alloc&) {
    ended(SweepStatus::failed, "out of memory");
  } catch (const std::exception& error) {
    ended(SweepStatus::failed, error.what());
  }
  row.values[0] = {static_cast<double>(row.status)};
  row.values[2] = {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  row.values[3] = {processor_time() - processor};
  return row;
}

}  // namespace electret
