/// A recorded run that becomes a session.

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/core/version.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/machine.hpp>

namespace electret::studio {

/// What can be told without reading much.
std::string Machine::why_not_continued() const {
  if (phase_ == Phase::loading) return why_not_moving();
  if (!run_ || (phase_ != Phase::viewing && phase_ != Phase::playing))
    return "no recorded run is open: open one first";
  if (run_->is_written_now()) return "the run is still being computed: wait until it has ended, or stop it";
  if (run_->version() != version)
    return "the run was computed by version " + printable(run_->version()) + " of Electret, and this is " +
           std::string(version) +
           ", whose steps may have other bits: `electret run --resume` goes on with it";
  if (!run_->has_checkpoint()) return "the run has no checkpoint.h5, which has the state to go on from";
  return "";
}

/// The scene of the run. It has the file from which it was run, where that may be read; else it is a scene
/// without a file.
Machine::Target Machine::target_of_run() const {
  namespace fs = std::filesystem;
  const fs::path file = run_->scene_file();
  const bool may_be_read =
      file.is_absolute() &&
      (target_.is_trusted || is_at_or_below(folder_holding(file.string()), options_.folder));
  const fs::path folder = fs::absolute(run_->directory()).lexically_normal() / "";
  const std::string stem = (file.is_absolute() ? file : folder.parent_path()).stem().string();
  Target target = target_of_file(may_be_read ? file.string() : place_in(options_.folder, stem + ".toml"));
  std::error_code error;
  if (!may_be_read || !fs::is_regular_file(file, error)) target.kind = Target::Kind::text;
  target.is_trusted = target_.is_trusted;
  target.overrides = run_->overrides();
  target.recorded = std::make_shared<RecordedStart>(RecordedStart{run_->directory(), run_->scene_text()});
  return target;
}

std::string Machine::obey(int, const Continue&) {
  if (auto why = why_not_continued(); !why.empty()) return why;
  Target target = target_of_run();
  if (auto why = prepare_folder_of(target); !why.empty()) return why;
  before_loading_ = Phase::viewing;
  job_.reset();  // It has handed over its last part, and may not have ended yet.
  loading_ = std::move(target);
  stand(Phase::loading);
  return "";
}

/// The run stays open.
void Machine::refuse_to_continue(const std::vector<Finding>& findings) {
  std::string why;
  for (const Finding& each : findings)
    why += (why.empty() ? "" : "; ") + (each.where.file.empty() ? "" : each.where.file + ": ") +
           each.message + (each.allowed.empty() ? "" : " (" + each.allowed + ")");
  document_ = before_loading_document_;
  at_rest_.reset();
  give_up_loading("the run cannot be continued: " + why);
  tell_system();
  tell_topology();
  tell_energies_anew();
  show_now(true);
}

void Machine::tell_continued(const RecordedStart& start) {
  show_present();
  tell(NoticeInfo{"this session goes on with the run in " + printable(start.directory) + " from its step " +
                      std::to_string(live_->step()),
                  "note"});
}

}  // namespace electret::studio
