#include <filesystem>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/fit/fit_files.hpp>
#include <electret/record/directory_in_use.hpp>
#include <electret/sweep/sweep_fit_run.hpp>

namespace electret {
namespace {

void require_values(const SweepPlan& plan, const FitPlan& fit) {
  if (value_names(fit.parameters) == plan.fit->values) return;
  throw InputError(Finding{{plan.fit->file, 0, 0},
                           "the run fits other values than run 0",
                           "all runs of a sweep fit the same values"});
}

/// Makes the fit in a folder, or goes on with it. One that cannot go on is replaced.
FitResult fit_in_folder(const PlannedFit& own, const std::string& directory, FitJobOptions how) {
  std::error_code error;
  how.mode =
      std::filesystem::exists(directory + "/evaluations.bin", error) ? FitMode::resume : FitMode::overwrite;
  try {
    FitJobResult found = run_fit_job(own, directory, how);
    if (!found.ended) return std::move(found.result);
  } catch (const DirectoryInUseError&) {
    throw;
  } catch (const InputError&) {
    if (how.mode != FitMode::resume) throw;
  }
  std::filesystem::remove_all(directory, error);
  how.mode = FitMode::fresh;
  return run_fit_job(own, directory, how).result;
}

FitResult fit_alone(const PlannedFit& own, const FitJobOptions& options) {
  FitOptions how = own.plan.options;
  how.threads = options.threads;
  how.memory = options.memory;
  how.stop = options.stop;
  how.progress = options.steps;
  how.observe = options.observe;
  return fit(own.plan.assembly, own.plan.parameters, *own.plan.loss, how);
}

/// If another process makes this fit there, it is made without a folder, to the same bits.
FitResult fit_in_or_beside(const PlannedFit& own, const std::string& directory, const FitJobOptions& how) {
  try {
    return fit_in_folder(own, directory, how);
  } catch (const DirectoryInUseError&) {
    return fit_alone(own, how);
  }
}

}  // namespace

std::optional<FitEnd> fit_end_of(double number) {
  for (const FitEnd end :
       {FitEnd::gradient, FitEnd::change, FitEnd::loss, FitEnd::evaluations, FitEnd::stalled, FitEnd::flat})
    if (number == static_cast<double>(number_of(end))) return end;
  return std::nullopt;
}

void fit_into_row(const SweepPlan& plan, MeshStore& store, const RunLimits& limits,
                  const std::string& directory, SweepRow& row) {
  for (const FitLossTable& loss : plan.fit->job.losses) check_loss_file(plan, loss.of, plan.fit->job.folder);
  const PlannedFit own = fit_of_run(plan, plan.design.overrides(row.run), store);
  require_values(plan, own.plan);
  const auto columns = plan.columns();
  const auto put = [&](const char* name, std::vector<double> values) {
    column_of(row, columns, name) = std::move(values);
  };
  put("start", own.plan.options.starts.front());
  FitJobOptions how;
  how.threads = 1;
  how.memory = gradient_memory_of_a_worker();
  how.stop = limits.stop();
  how.steps = [&](const Progress&) { limits.check(); };
  how.after = [&](std::string_view, const Progress&) { limits.check(); };
  Count steps = 0, evaluations = 0;
  how.observe = [&](const FitEvaluation& evaluation) {
    steps += evaluation.steps;  // Those that an earlier process has made are told again.
    ++evaluations;
  };
  const auto note_steps = [&] {
    put("steps", {static_cast<double>(steps)});
    put("evaluations", {static_cast<double>(evaluations)});
  };
  FitResult found;
  try {
    found = directory.empty() ? fit_alone(own, how) : fit_in_or_beside(own, directory, how);
  } catch (const DivergenceError&) {
    note_steps();
    throw;
  }
  note_steps();
  const FitOutcome& best = found.outcomes[found.best];
  put("loss", {best.loss});
  put("gradient_norm", {best.gradient_norm});
  put("end", {static_cast<double>(number_of(best.end))});
  put("fitted", best.values);
}

}  // namespace electret
