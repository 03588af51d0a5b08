#include <chrono>
#include <filesystem>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/stop_scope.hpp>
#include <electret/core/text.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/finding_texts.hpp>
#include <electret/studio/session/machine.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

/// A file without its ending: some meshes are two files.
std::string stem_of(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error).replace_extension().string();
}

void add_named(const Node& node, const std::string& folder, std::set<std::string>& stems) {
  if (node.kind == Node::Kind::text && !node.text.empty())
    stems.insert(stem_of(fs::path(folder) / node.text));
  for (const Node& item : node.items) add_named(item, folder, stems);
  for (const Node::Member& member : node.members) add_named(member.node, folder, stems);
}

/// What stands between two quotes of the same kind on one line.
void add_quoted(const std::string& text, const std::string& folder, std::set<std::string>& stems) {
  for (std::size_t at = text.find_first_of("\"'"); at != std::string::npos;
       at = text.find_first_of("\"'", at)) {
    const std::size_t end = text.find_first_of(std::string{text[at], '\n'}, at + 1);
    if (end == std::string::npos) return;
    if (text[end] == text[at] && end > at + 1)
      stems.insert(stem_of(fs::path(folder) / text.substr(at + 1, end - at - 1)));
    at = end + 1;
  }
}

/// The files that a scene may name: all its texts, as if they were paths.
std::set<std::string> named_in(const std::string& text, const std::vector<std::string>& overrides,
                               const std::string& folder) {
  std::vector<Finding> findings;
  const Document document(text, "", overrides, findings);
  std::set<std::string> stems;
  add_named(document.root(), folder, stems);
  if (!findings.empty()) add_quoted(text, folder, stems);  // What is not TOML yet may be mended in the page.
  return stems;
}

/// The text with what `--set` gave; as it is where that cannot be told in it.
std::string with_overrides(const std::string& text, const std::string& file,
                           const std::vector<std::string>& overrides) {
  try {
    std::vector<TextEdit> edits;
    for (const std::string& each : overrides) edits.push_back(edit_of_override(each));
    return edits.empty() ? text : edited_text(text, file, edits);
  } catch (const InputError&) {  // The text is not TOML, which is a finding of its own.
    return text;
  }
}

}  // namespace

std::string Machine::folder_holding(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// What was painted and is not saved comes before what is on the disk.
FileReader Machine::reader_of(const Target& target) const {
  return PaintedStore::reading(
      painted_, reading_painted(disk_reader_of(target), folder_holding(target.path), target.painted));
}

/// What a page has typed may name the files that the scene of the command line names, and no others
/// elsewhere.
FileReader Machine::disk_reader_of(const Target& target) const {
  const bool is_of_page = target.edited || target.is_copy;
  std::set<std::string> named;
  if (target.is_trusted && is_of_page) named = named_;
  const std::string folder = target.is_trusted && !is_of_page   ? std::string()
                             : target.kind == Target::Kind::run ? options_.folder
                                                                : folder_holding(target.path);
  return [folder, named = std::move(named)](const std::string& path) {
    throw_if_stopped();
    if (!folder.empty() && !named.contains(stem_of(path)) && !is_within(path, folder))
      throw InputError(
          Finding{{path, 0, 0},
                  "it is not a regular file in the scene's folder",
                  "allowed: files beside the scene; a scene named on the command line may name any"});
    return read_regular_file(path);
  };
}

/// Begins, or goes on: what is read is made on a thread of its own, so that pages are answered meanwhile.
void Machine::load() {
  try {
    if (!job_) {
      before_loading_document_ = document_;
      job_ = std::make_unique<Job>(loading_.kind == Target::Kind::run ? run_loading() : scene_loading());
    }
    if (job_->attend(attention)) job_.reset();
  } catch (const Cancelled&) {
    document_ = before_loading_document_;
    give_up_loading("reading was stopped");
  } catch (const CannotKeep& full) {  // What is open stays open.
    document_ = before_loading_document_;
    give_up_loading(full.why);
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

Machine::Loading Machine::run_loading() {
  return [this, from = loading_, generation = generation_ + 1, threads = options_.threads,
          reader = reader_of(loading_)](const Job::HandOver& hand_over) {
    hand_over([this] { tell_progress({"reading the run", 0, 0}); });
    auto run =
        std::make_shared<std::unique_ptr<RunView>>(open_run(from.path, generation, threads, reader, [] {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }));
    hand_over([this, run] { take_run(std::move(*run)); });
  };
}

void Machine::take_run(std::unique_ptr<RunView> run) {
  keep_open();
  ++generation_;
  live_.reset();
  folder_.reset();
  next_folder_.reset();
  is_folder_kept_ = false;
  save_trouble_.clear();
  at_rest_.reset();
  target_ = loading_;
  run_ = std::move(run);
  run_->scenery().info.folder = target_.path;
  document_ = {run_->scenery().info.name, target_.path, run_->scene_text()};
  watched_.reset();
  tell_files();
  scalar_ = "charge";
  energies_told_ = 0;
  tell_document();
  tell_system();
  tell_topology();
  tell_energies();
  tell_keys();
  tell_fields();
  tell_changes();
  stand(Phase::viewing);
  show_now(true);
}

Machine::Loading Machine::scene_loading() {
  return [this, from = loading_, generation = generation_ + 1, threads = options_.threads,
          reader = disk_reader_of(loading_), before = saved_text_, before_painted = saved_painted_,
          session_folder = folder_of_painted(), store = painted_,
          remembered = options_.past.frames / 2](const Job::HandOver& hand_over) {
    const bool is_file = from.kind == Target::Kind::file;
    const std::string name = fs::path(from.path).filename().string();
    hand_over([this, name] { tell_progress({"reading " + printable(name), 0, 0}); });
    SceneSource source;
    const auto watched = std::make_shared<WatchedFiles>();
    TextState saved{before, from.edited ? before_painted : PaintedFiles()};
    if (from.edited && is_file) watched->note(from.path, "", before);
    if (!from.edited) saved.text = is_file ? noted(reader, watched)(from.path) : from.text;
    source.text = from.edited ? *from.edited : from.recorded ? from.recorded->text : saved.text;
    source.file = from.path;
    source.folder = folder_holding(from.path);
    if (!from.edited) source.overrides = from.overrides;
    for (const auto& [table, file] : saved.painted)
      watched->note(place_in(source.folder, table), "", *file.bytes);
    source.read = kept(noted(reader, watched));
    std::vector<Finding> ignored;
    const Document written(source.text, source.file, source.overrides, ignored);
    PaintedFiles painted = from.painted;
    if (is_file) store->keep_own_files(written.root(), source, session_folder, painted, saved.painted);
    source.read = PaintedStore::reading(store, reading_painted(source.read, source.folder, painted));
    DocumentInfo document{name, is_file ? from.path : std::string(), source.text};
    hand_over([this, document, saved, painted, overrides = source.overrides, watched] {
      take_document(document, saved, painted, overrides, watched);
    });
    Control control;
    control.notice = [&](std::string_view what) {
      hand_over([this, told = printable(std::string(what))] { tell_progress({told, 0, 0}); });
    };
    Assembly assembly = source.assembled({}, control);
    std::optional<Checkpoint> checkpoint;
    if (from.recorded) {
      checkpoint = checkpoint_of(*from.recorded);
      require_scene_of_run(*from.recorded, *checkpoint, assembly);
    }
    auto rest = std::make_shared<AtRest>(rest_of(assembly, generation, threads));
    Before past;
    if (checkpoint) hand_over([this] { tell_progress({"reading what was recorded", 0, 0}); });
    if (checkpoint)
      past.run = std::make_shared<RecordedPast>(
          RecordedPast{checkpoint->state, checkpoint->work,
                       remembered_steps(*from.recorded, rest->scenery->shown, checkpoint->state.step,
                                        assembly.scene.output.every, remembered)});
    hand_over([this, rest] { show_at_rest(std::move(*rest)); });
    if (from.session)
      past.session =
          std::make_shared<SessionPast>(past_of(*from.session, assembly, source.read, *source.meshes));
    source.began = name_of_start(assembly);
    // From here on the scene is that with the session's own files.
    for (const std::string& each : painted_overrides(written.root(), source.folder, painted)) {
      source.overrides.push_back(each);
      assembly.scene.overrides.push_back(each);
    }
    add_ball_places(assembly);
    auto simulator = std::make_shared<Simulator>(
        checkpoint ? simulator_of_run(*from.recorded, *checkpoint, std::move(assembly), threads)
                   : Simulator(compile(std::move(assembly), threads)));
    hand_over([this, simulator, past, source = std::move(source)] {
      take_live(std::move(*simulator), source, past);
    });
  };
}

/// The history of a text that is read as it stands goes on. What `--set` gave the scene becomes part of its
/// text, not of its file.
void Machine::take_document(DocumentInfo document, const TextState& saved, const PaintedFiles& painted,
                            const std::vector<std::string>& overrides,
                            std::shared_ptr<WatchedFiles> watched) {
  next_document_ = {history_, saved, std::move(watched)};
  // A text that a page has saved gives leave to no more files.
  if (loading_.is_trusted && loading_.recorded)
    named_ = named_in(document.text, overrides, folder_holding(loading_.path));
  else if (loading_.is_trusted && !loading_.edited && !loading_.is_copy && saved.text != page_text_)
    named_ = named_in(saved.text, options_.overrides, folder_holding(loading_.path));
  TextHistory& history = next_document_->history;
  if (loading_.is_reread) {
    if (before_loading_ == Phase::broken && history.text() == saved_text_)  // It is nothing to go back to.
      history.replace(document.text);
    else if (TextState{document.text, painted} != history.now())
      history.put(TextState{document.text, painted});
  } else if (loading_.recorded) {  // Undo leads to what the file has now.
    const TextState run{with_overrides(document.text, document.path, overrides), painted};
    if (loading_.kind == Target::Kind::text) next_document_->saved.text = run.text;
    history.begin(next_document_->saved.text);
    if (run.text != history.text()) history.put(run);
  } else if (!loading_.edited) {
    history.begin(with_overrides(document.text, document.path, overrides));
  }
  history.renew_painted(painted);
  document.can_undo = history.can_undo();
  document.can_redo = history.can_redo();
  document.unsaved = history.text() != next_document_->saved.text || history.painted() != saved.painted;
  document_ = std::move(document);
}

/// The next document is the document: its scene is open, or has findings.
void Machine::take_history() {
  if (!next_document_) return;
  history_ = std::move(next_document_->history);
  saved_text_ = std::move(next_document_->saved.text);
  saved_painted_ = std::move(next_document_->saved.painted);
  watched_ = std::move(next_document_->watched);
  next_document_.reset();
  document_.text = history_.text();
  document_.unsaved = is_text_unsaved();
  document_.waiting.clear();
  tell_files();
}

Machine::AtRest Machine::rest_of(const Assembly& assembly, std::uint32_t generation, int threads) {
  AtRest rest;
  rest.scenery = std::make_unique<Scenery>(scenery_of(assembly, generation, threads));
  for (const Warning& each : scene_warnings(assembly)) {
    rest.findings.push_back(document_finding(each, "warning"));
    rest.scenery->info.warnings.push_back(to_string(each));
  }
  for (const Warning& each : scene_notes(assembly)) rest.findings.push_back(document_finding(each, "note"));
  Inputs start;
  Schedule(assembly, rest.scenery->info.pins).evaluate(0.0, start);
  rest.frame = FrameMaker(*rest.scenery)
                   .make({0.0, 0, nullptr, true}, {assembly.initial_positions,
                                                   VectorView(assembly.initial_velocities), start.charges});
  return rest;
}

/// The bodies are shown at rest before the rest is made ready.
void Machine::show_at_rest(AtRest rest) {
  ++generation_;
  at_rest_ = std::move(rest.scenery);
  for (DocumentFinding& each : rest.findings) document_.findings.push_back(std::move(each));
  tell_document();
  tell_system();
  tell_topology();
  show(std::move(rest.frame));
  tell_progress({"making it ready", 0, 0});
  told_keys_.reset();  // A page that comes now is told none; all are when it is open.
}

void Machine::take_live(Simulator simulator, const SceneSource& source, const Before& before) {
  const SessionPast* past = before.session.get();
  if (past == nullptr) keep_open();
  Scenery scenery = std::move(*at_rest_);
  at_rest_.reset();
  auto live = std::make_unique<Live>(std::move(simulator), std::move(scenery), source, options_.past);
  if (past != nullptr) live->take_up(*past);
  if (before.run) live->go_on_from(*before.run, run_->rows());
  live_ = std::move(live);
  run_.reset();
  const bool is_opened = !loading_.edited && !loading_.is_reread;
  if (!is_folder_kept_)
    folder_ = std::move(next_folder_);
  else if (is_opened)
    folder_->open_again();
  else
    folder_->begin_again();
  is_folder_kept_ = false;
  live_->scenery().info.folder = folder_ ? folder_->path() : std::string();
  save_trouble_.clear();
  target_ = loading_;
  target_.edited.reset();
  target_.painted.clear();
  target_.is_reread = false;
  target_.session.reset();
  const auto recorded = std::exchange(target_.recorded, nullptr);
  take_history();
  start_text_ = warned_text_ = history_.text();
  start_painted_ = warned_painted_ = history_.painted();
  live_target_ = target_.path;
  has_stepped_ = is_later_kept_ = beyond_ = false;
  scrubbed_.reset();
  until_.reset();
  saved_step_ = -1;
  saved_now_ = start_text_;
  is_taking_up_ = false;
  replay_.reset();
  writing_.reset();
  forget_stale();
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
  if (recorded) tell_continued(*recorded);
  tell(EnergyRows{0, {}, true});
  measure_now_and_then(true);
  show_now(true);
  tell_keys();
  tell_fields();
  tell_changes();
  tell_earlier();
  if (past != nullptr) take_up(*past);
}

/// The last good picture is kept. What was open before another scene ends here, because the text is that
/// one's from now on.
void Machine::break_off(const std::vector<Finding>& findings) {
  if (loading_.recorded) return refuse_to_continue(findings);
  job_.reset();
  replay_.reset();
  if (loading_.path != live_target_) {
    try {
      finish_folder();
    } catch (const IoError& full) {
      tell(NoticeInfo{full.what(), "warning"});
    }
  }
  for (const Finding& each : findings) document_.findings.push_back(document_finding(each));
  if (loading_.kind == Target::Kind::run) document_ = {loading_.path, loading_.path, "", document_.findings};
  target_ = loading_;
  target_.edited.reset();
  target_.painted.clear();
  target_.is_reread = false;
  target_.session.reset();
  if (target_.kind == Target::Kind::run)
    watched_.reset();
  else
    take_history();
  scrubbed_.reset();
  tell_document();
  tell_keys();
  stand(Phase::broken, findings.empty() ? std::string() : to_string(findings.front()));
  tell_fields();
  tell_changes();
  tell_earlier();
}

void Machine::give_up_loading(const std::string& why) {
  job_.reset();
  next_folder_.reset();
  next_document_.reset();
  is_folder_kept_ = false;
  const bool was_shown = at_rest_ && before_loading_ != Phase::broken;
  if (was_shown) at_rest_.reset();
  stand(before_loading_, why);
  if (phase_ == Phase::empty) tell(choices_below(options_.folder));
  tell_document();
  tell_keys();
  tell_fields();
  tell_changes();
  // What was shown of the next scene gives way to what is open.
  if (!was_shown || scenery() == nullptr) return;
  tell_system();
  tell_topology();
  tell_energies_anew();
  show_now(true);
}

}  // namespace electret::studio
