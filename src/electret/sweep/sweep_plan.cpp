#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/fit/job_overrides.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/sweep_plan.hpp>

namespace electret {
namespace {

/// What parts, sweep.h5 and runs.csv have of their own.
constexpr std::array reserved_names{"run",        "status",   "steps",     "wall",       "cpu",
                                    "loss",       "gradient", "positions", "velocities", "values",
                                    "quantities", "notes",    "started",   "sum"};

/// Adds the settings of a run to a command.
void add_settings(const SweepPlan& plan, const std::vector<std::string>& own,
                  std::vector<std::string>& words) {
  for (const std::string& key : plan.job.sweep.unset) words.insert(words.end(), {"--unset", key});
  for (const auto& texts : {plan.job.sweep.set, own})
    for (const std::string& text : texts) words.insert(words.end(), {"--set", text});
}

/// What the names of losses' files begin with among those of a sweep.
constexpr std::string_view loss_start = "loss ";

/// The path that a loss of a job in `folder` names after its colon.
std::string loss_path(const std::string& loss, const std::string& folder) {
  const std::filesystem::path own(loss.substr(loss.find(':') + 1));
  return folder.empty() || folder == "." || own.is_absolute() ? own.string() : (folder / own).string();
}

bool has_changed(const std::string& file, const std::string& bytes) {
  try {
    return read_regular_file(file) != bytes;
  } catch (const InputError&) {
    return true;
  }
}

/// The fitting job of a run.
FitJob fit_job_of_run(const SweepPlan& plan, const std::vector<std::string>& common,
                      const std::vector<std::string>& own, Report& report) {
  FitJob job = plan.fit->job;
  override_job(job, common, report);
  override_job(job, own, report);
  return job;
}

Assembly scene_with(const SweepPlan& plan, const std::vector<std::string>& overrides, MeshStore& store) {
  return load_scene_text(
      plan.scene_text, plan.scene_file, plan.scene_folder, overrides,
      [&plan](const std::string& path) {
        const auto found = plan.files.find(path_in_scene_folder(plan, path));
        return found != plan.files.end() ? found->second : read_regular_file(path);
      },
      store);
}

}  // namespace

std::vector<Fingerprint> SweepPlan::identity() const {
  Identity identity;
  if (fit) identity.part("the fit").add(fit->job.text);
  identity.part("the scene").add(scene_text);
  for (const std::string& text : common_overrides(job)) identity.part("set and unset").add(text);
  for (const auto& [path, bytes] : files) identity.part("the file " + path).add(bytes);
  Hash& kept = identity.part("[keep]");
  for (const Quantity& quantity : quantities)
    kept.add(quantity.name).add(static_cast<int>(quantity.reduction)).add(quantity.column);
  kept.add(job.keep.loss).add(job.keep.gradient).add(job.keep.frames).add(job.keep.velocities ? 1 : 0);
  kept.add(job.keep.precision);
  for (const ResultColumn& column : mapped) {
    Hash& map = identity.part("the results of the function");
    map.add(column.name);
    for (const std::uint64_t size : column.shape) map.add(size);
  }
  return identity.fingerprints();
}

std::string SweepPlan::common_hash() const {
  Hash hash;
  for (const Fingerprint& each : identity())
    if (!each.part.starts_with("the file ")) hash.add(each.part).add(each.value);
  return hash.text();
}

double SweepPlan::values_hash(Count run) const {
  Hash hash;
  for (const std::string& text : design.overrides(run)) hash.add(text);
  constexpr std::size_t digits = 13;  // 52 bits.
  return static_cast<double>(std::stoull(hash.text().substr(0, digits), nullptr, 16));
}

std::vector<ResultColumn> SweepPlan::columns() const {
  using Kind = ResultColumn::Kind;
  std::vector<ResultColumn> columns{{"status", {}, Kind::whole},
                                    {"steps", {}, Kind::whole},
                                    {"wall", {}, Kind::number},
                                    {"cpu", {}, Kind::number}};
  if (!mapped.empty()) {
    if (!quantities.empty()) columns.push_back({"quantities", {quantities.size()}, Kind::number});
    for (const ResultColumn& column : mapped)
      if (!column.shape.empty()) columns.push_back(column);
    columns.push_back({"values", {}, Kind::whole});
    return columns;
  }
  if (fit) {
    const std::vector<std::uint64_t> values{fit->values.size()};
    columns.push_back({"loss", {}, Kind::number});
    columns.push_back({"gradient_norm", {}, Kind::number});
    columns.push_back({"evaluations", {}, Kind::whole});
    columns.push_back({"end", {}, Kind::whole});
    columns.push_back({"start", values, Kind::number});
    columns.push_back({"fitted", values, Kind::number});
  }
  if (!quantities.empty()) columns.push_back({"quantities", {quantities.size()}, Kind::number});
  if (!job.keep.loss.empty()) columns.push_back({"loss", {}, Kind::number});
  if (gradient_size > 0) columns.push_back({"gradient", {gradient_size}, Kind::number});
  const Kind stored = job.keep.precision == "double" ? Kind::number : Kind::single;
  const std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(job.keep.frames),
                                         static_cast<std::uint64_t>(vertices), 3};
  if (job.keep.frames > 0) columns.push_back({"positions", shape, stored});
  if (job.keep.frames > 0 && job.keep.velocities) columns.push_back({"velocities", shape, stored});
  columns.push_back({"values", {}, Kind::whole});
  return columns;
}

std::vector<std::string> SweepPlan::scene_overrides(const std::vector<std::string>& own) const {
  return scene_overrides(common_overrides(job), own);
}

std::vector<std::string> SweepPlan::scene_overrides(const std::vector<std::string>& common,
                                                    const std::vector<std::string>& own) const {
  if (fit) {
    Report report;  // What is wrong with starts does not concern the scene.
    return scene_overrides_of(fit_job_of_run(*this, common, own, report));
  }
  std::vector<std::string> all = common;
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::vector<std::string> common_overrides(const SweepJob& job) {
  std::vector<std::string> overrides;
  for (const std::string& key : job.sweep.unset) overrides.push_back("--unset " + key);
  overrides.insert(overrides.end(), job.sweep.set.begin(), job.sweep.set.end());
  return overrides;
}

bool is_result_name(const std::string& name, const std::vector<std::string>& keys) {
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  constexpr std::size_t longest = 60;
  return !name.empty() && name.size() <= longest && name.find_first_not_of(allowed) == std::string::npos &&
         std::find(reserved_names.begin(), reserved_names.end(), name) == reserved_names.end() &&
         std::find(keys.begin(), keys.end(), name) == keys.end();
}

std::string allowed_result_names() {
  return "up to 60 letters, digits, _ and -, and none of " + joined(reserved_names);
}

std::string path_in_scene_folder(const SweepPlan& plan, const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path start = fs::absolute(plan.scene_folder.empty() ? "." : plan.scene_folder);
  return fs::absolute(path).lexically_normal().lexically_relative((start / "").lexically_normal()).string();
}

std::string loss_key(const std::string& loss) {
  return std::string(loss_start) + loss;
}

std::string loss_file(const std::string& loss, const std::string& folder) {
  if (loss.find(':') == std::string::npos) return {};
  const std::string path = loss_path(loss, folder);
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? path : std::string();
}

std::vector<Quantity> kept_quantities(const SweepJob& job) {
  const KeepTable& keep = job.keep;
  if (!job.sweep.fit.empty()) return {};
  if (keep.quantities.empty() && keep.loss.empty()) return usual_quantities();
  std::vector<Quantity> quantities;
  for (const auto& [name, text] : keep.quantities)
    if (auto quantity = parse_quantity(name, text)) quantities.push_back(*quantity);
  return quantities;
}

Assembly scene_of_run(const SweepPlan& plan, const std::vector<std::string>& overrides, MeshStore& store) {
  return scene_with(plan, plan.scene_overrides(overrides), store);
}

PlannedFit fit_of_run(const SweepPlan& plan, const std::vector<std::string>& overrides, MeshStore& store) {
  Report report;
  PlannedFit own{plan.fit->file, fit_job_of_run(plan, common_overrides(plan.job), overrides, report), {}};
  own.plan = plan_fit(own.job, report, plan.fit->file,
                      [&](const std::vector<std::string>& all) { return scene_with(plan, all, store); });
  return own;
}

std::vector<std::string> changed_files(const SweepPlan& plan) {
  std::vector<std::string> changed;
  for (const auto& [name, bytes] : plan.files) {
    if (name.starts_with(loss_start)) continue;
    const std::string file = (std::filesystem::path(plan.scene_folder) / name).string();
    if (has_changed(file, bytes)) changed.push_back(file);
  }
  return changed;
}

std::vector<std::string> changed_inputs(const SweepPlan& plan) {
  std::vector<std::string> changed;
  const auto look_at = [&](const std::string& file, const std::string& bytes) {
    if (has_changed(file, bytes)) changed.push_back(file);
  };
  look_at(plan.scene_file, plan.scene_text);
  if (plan.fit) look_at(plan.fit->file, plan.fit->job.text);
  for (const std::string& file : changed_files(plan)) changed.push_back(file);
  for (const auto& [name, bytes] : plan.files)
    if (name.starts_with(loss_start))
      look_at(loss_path(name.substr(loss_start.size()), plan.fit ? plan.fit->job.folder : plan.job.folder),
              bytes);
  return changed;
}

std::vector<std::string> run_arguments(const SweepPlan& plan, const std::vector<std::string>& overrides) {
  std::vector<std::string> words{plan.fit ? "fit" : "run", plan.fit ? plan.fit->file : plan.scene_file};
  add_settings(plan, overrides, words);
  return words;
}

std::vector<std::string> loss_arguments(const SweepPlan& plan, const std::vector<std::string>& overrides) {
  const KeepTable& keep = plan.job.keep;
  if (keep.loss.empty() || !plan.mapped.empty()) return {};
  // The command's losses start from the working directory, those of a job from its folder.
  std::string loss = keep.loss;
  if (plan.files.contains(loss_key(loss)))
    loss = loss.substr(0, loss.find(':') + 1) + loss_path(loss, plan.job.folder);
  std::vector<std::string> words{"gradient", plan.scene_file, "--loss", loss};
  if (!keep.gradient.empty()) words.insert(words.end(), {"--wrt", joined(keep.gradient, ",")});
  add_settings(plan, overrides, words);
  return words;
}

}  // namespace electret
