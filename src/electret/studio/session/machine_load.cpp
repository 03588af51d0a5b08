#include <filesystem>
#include <new>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/stop_scope.hpp>
#include <electret/core/text.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/machine.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

std::string folder_holding(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

DocumentFinding finding_of(const Warning& warning, const char* severity) {
  return {severity, warning.where.line, warning.where.column, warning.where.file,
          to_string(warning, severity)};
}

}  // namespace

FileReader Machine::reader_of(const Target& target) {
  const std::string folder = target.is_trusted                  ? std::string()
                             : target.kind == Target::Kind::run ? options_.folder
                                                                : folder_holding(target.path);
  return [this, folder](const std::string& path) {
    throw_if_stopped();
    if (!folder.empty() && !is_within(path, folder))
      throw InputError(
          Finding{{path, 0, 0},
                  "it is not a regular file in the scene's folder",
                  "allowed: files beside the scene; a scene named on the command line may name any"});
    tell(ProgressInfo{"reading " + printable(fs::path(path).filename().string()), 0, 0});
    return read_regular_file(path);
  };
}

void Machine::load() {
  const DocumentInfo before = document_;
  const StopScope scope(stop_ ? stop_() : std::stop_token());
  try {
    if (loading_.kind == Target::Kind::run)
      load_run_target();
    else
      load_scene_target();
  } catch (const Cancelled&) {
    document_ = before;
    give_up_loading("reading was stopped");
  } catch (const InputError& error) {
    break_off(error.findings());
  } catch (const DivergenceError& error) {
    break_off({Finding{{}, error.cause(), error.advice()}});
  } catch (const IoError& error) {
    break_off({Finding{{}, error.what(), "give another one"}});
  } catch (const gpu::DeviceError& error) {
    break_off({Finding{{}, error.what(), "--set coulomb.device=cpu does without it"}});
  } catch (const std::bad_alloc&) {
    break_off({Finding{{}, "there is not enough memory", "take fewer vertices or springs"}});
  }
}

void Machine::load_run_target() {
  tell(ProgressInfo{"reading the run", 0, 0});
  auto run = std::make_unique<RunView>(loading_.path, generation_ + 1, options_.threads, reader_of(loading_));
  ++generation_;
  if (folder_ && live_ && has_stepped_) folder_->finish(live_->simulator(), live_->pulls());
  live_.reset();
  folder_.reset();
  save_trouble_.clear();
  at_rest_.reset();
  target_ = loading_;
  run_ = std::move(run);
  document_ = {run_->scenery().info.name, target_.path, run_->scene_text()};
  scalar_ = "charge";
  energies_told_ = 0;
  tell_document();
  tell_system();
  tell(std::make_shared<const Topology>(run_->scenery().shown.topology(generation_)));
  tell_energies();
  stand(Phase::viewing);
  show_now(true);
}

void Machine::load_scene_target() {
  const Target& from = loading_;
  const bool is_file = from.kind == Target::Kind::file;
  document_ = {fs::path(from.path).filename().string(), is_file ? from.path : std::string(),
               is_file ? read_whole_file(from.path) : from.text};
  document_.unsaved = !from.overrides.empty();
  tell(ProgressInfo{"reading " + printable(document_.name), 0, 0});
  Assembly assembly =
      load_scene_text(document_.text, from.path, folder_holding(from.path), from.overrides, reader_of(from));
  throw_if_stopped();
  for (const Warning& each : scene_warnings(assembly))
    document_.findings.push_back(finding_of(each, "warning"));
  for (const Warning& each : scene_notes(assembly)) document_.findings.push_back(finding_of(each, "note"));
  ++generation_;
  at_rest_ = std::make_unique<Scenery>(scenery_of(assembly, generation_, options_.threads));
  for (const Warning& each : scene_warnings(assembly)) at_rest_->info.warnings.push_back(to_string(each));
  // The bodies are shown at rest before the rest is made ready.
  tell_document();
  tell_system();
  tell(std::make_shared<const Topology>(at_rest_->shown.topology(generation_)));
  Inputs start;
  Schedule(assembly, at_rest_->info.pins).evaluate(0.0, start);
  show(FrameMaker(*at_rest_, false)
           .make({0.0, 0, nullptr, true},
                 {assembly.initial_positions, VectorView(assembly.initial_velocities), start.charges}));
  tell(ProgressInfo{"making it ready", 0, 0});
  take_live(Simulator(compile(std::move(assembly), options_.threads)));
}

void Machine::take_live(Simulator simulator) {
  if (folder_ && live_ && has_stepped_) folder_->finish(live_->simulator(), live_->pulls());
  auto live = std::make_unique<Live>(std::move(simulator), std::move(*at_rest_), options_.past);
  live_ = std::move(live);
  run_.reset();
  at_rest_.reset();
  if (is_folder_kept_)
    folder_->begin_again();
  else
    folder_ = std::move(next_folder_);
  is_folder_kept_ = false;
  save_trouble_.clear();
  target_ = loading_;
  has_stepped_ = beyond_ = false;
  scrubbed_.reset();
  until_.reset();
  saved_step_ = -1;
  scalar_ = "charge";
  energies_told_ = 0;
  rows_restarted_ = live_->rows_restarted();
  if (const auto notice = live_->simulator().charge_step_notice()) {
    document_.findings.push_back({"warning", 0, 0, "", *notice});
    live_->scenery().info.warnings.push_back(*notice);
  }
  tell_document();
  tell_system();
  stand(Phase::paused);
  tell(EnergyRows{0, {}, true});
  measure_now_and_then(true);
  show_now(true);
}

/// The last good picture is kept.
void Machine::break_off(const std::vector<Finding>& findings) {
  next_folder_.reset();
  for (const Finding& each : findings)
    document_.findings.push_back(
        {"error", each.where.line, each.where.column, each.where.file, to_string(each)});
  if (loading_.kind == Target::Kind::run) document_ = {loading_.path, loading_.path, "", document_.findings};
  target_ = loading_;
  scrubbed_.reset();
  tell_document();
  stand(Phase::broken, findings.empty() ? std::string() : to_string(findings.front()));
}

void Machine::give_up_loading(const std::string& why) {
  next_folder_.reset();
  stand(before_loading_, why);
  if (phase_ == Phase::empty) tell(choices_below(options_.folder));
  tell_document();
}

}  // namespace electret::studio
