#pragma once
/// \file
/// The session without a thread: it takes commands, does a slice of work at a time, and tells a listener.
///
/// \code
///   Machine machine(options, listener);
///   machine.begin();
///   machine.handle({1, 1.0, Play{}});
///   while (!machine.ended()) machine.work();
///   machine.finish();
/// \endcode

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <electret/scene/edit.hpp>
#include <electret/studio/session/commands.hpp>
#include <electret/studio/session/events.hpp>
#include <electret/studio/session/job.hpp>
#include <electret/studio/session/key_tables.hpp>
#include <electret/studio/session/live.hpp>
#include <electret/studio/session/pacer.hpp>
#include <electret/studio/session/page_job.hpp>
#include <electret/studio/session/painted_charges.hpp>
#include <electret/studio/session/recorded_start.hpp>
#include <electret/studio/session/run_view.hpp>
#include <electret/studio/session/session_folder.hpp>
#include <electret/studio/session/step_meter.hpp>
#include <electret/studio/session/text_history.hpp>
#include <electret/studio/session/watched_files.hpp>

namespace electret::studio {

struct SessionOptions {
  std::string target{};                  ///< A scene file or a run's folder; empty: nothing is open.
  std::vector<std::string> overrides{};  ///< As those of load_scene.
  std::string output{};                  ///< Of the session; empty: runs/SCENE-STEM.studio.
  int threads = 0;                       ///< 0: all.
  bool keep_running = false;             ///< Even if no page is open.
  std::string folder = ".";              ///< Choices are what is in it and below.
  PastLimits past{};
  std::chrono::milliseconds look_every{1000};  ///< Between looks at the files that a scene was read from.
};

struct GradientOrder;
struct SceneGradient;
struct ShownMoment;
struct FieldMoment;
struct RecordingOrder;

class Machine {
 public:
  using Time = Pacer::Time;

  /// The listener must outlive this.
  Machine(SessionOptions options, Listener& listener);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Looks at what is to be opened, which `work` then loads. Throws InputError if there is no such file or
  /// folder.
  void begin();
  /// Makes the output folder of a scene named on the command line. Throws IoError if it cannot be had, also
  /// because of what is in it.
  void prepare_output();

  /// Does or begins what a page asks, and answers.
  void handle(const Posted& posted);
  /// How many pages are open.
  void set_pages(int pages);
  /// Does a slice of what is going on: at most about 1/60 s, but for a long step. What is loaded is made on
  /// another thread meanwhile.
  void work();
  /// When `work` is to be called next if nothing is posted.
  [[nodiscard]] Time wake() const;
  /// A page asked to quit.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Writes what is left. Throws IoError if it cannot; call it once.
  void finish();

  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] const Live* live() const { return live_.get(); }

 private:
  /// What is to be loaded.
  struct Target {
    enum class Kind { none, file, text, run } kind = Kind::none;
    std::string path;    ///< Of the file or folder; the name of a text.
    std::string text{};  ///< Of a scene that is part of the program.
    std::vector<std::string> overrides{};
    std::string output{};
    std::optional<std::string>
        edited{};             ///< The text as it stands, in place of the file's and its overrides.
    PaintedFiles painted{};   ///< Of `edited`.
    bool is_trusted = false;  ///< Named on the command line: its scene may name any file.
    std::shared_ptr<EarlierSession> session{};  ///< To be taken up; `edited` is the text that it began with.
    std::shared_ptr<const RecordedStart> recorded{};  ///< The run that it goes on with; `edited` is absent.
    bool is_reread = false;  ///< Its file is read again: its text is another state of the same text.
    bool is_copy = false;  ///< A page has saved it. Of files elsewhere its text names those of the original.
  };

  // Commands: each returns why it cannot be done, or "".
  std::string obey(int page, const Hello& hello);
  std::string obey(int page, const Play& play);
  std::string obey(int page, const Pause& pause);
  std::string obey(int page, const Step& step);
  std::string obey(int page, const Reset& reset);
  std::string obey(int page, const Seek& seek);
  std::string obey(int page, const Stop& stop);
  std::string obey(int page, const SelectView& view);
  std::string obey(int page, const AskChoices& ask);
  std::string obey(int page, const Open& open);
  std::string obey(int page, const Quit& quit);
  // Hands (machine_hands.cpp).
  std::string obey(int page, const HandBegin& hand);
  std::string obey(int page, const HandMove& hand);
  std::string obey(int page, const HandEnd& hand);
  std::string obey(int page, const BallBegin& ball);
  std::string obey(int page, const BallMove& ball);
  std::string obey(int page, const BallEnd& ball);
  std::string obey(int page, const RemoveTack& tack);
  std::string obey(int page, const Leave& leave);
  [[nodiscard]] std::string why_no_hands() const;
  void hands_changed();
  [[nodiscard]] std::string why_not_moving() const;
  // Edits (machine_edit.cpp).
  std::string obey(int page, const SetCharge& charge);
  std::string obey(int page, const SetExternal& external);
  std::string obey(int page, const Paint& paint);
  std::string obey(int page, const MakeGroup& group);
  std::string obey(int page, const Tune& tune);
  std::string obey(int page, const Undo& undo);
  std::string obey(int page, const Redo& redo);
  std::string obey(int page, const Save& save);
  // Painted charges in files, and Save (machine_save.cpp).
  std::string paint(std::size_t body, const std::string& name, const std::vector<double>& charges);
  [[nodiscard]] std::string file_for_charges(const Node& root, std::size_t body,
                                             const std::string& name) const;
  [[nodiscard]] std::string folder_of_painted() const;
  [[nodiscard]] PaintedFiles files_to_save() const;
  [[nodiscard]] bool is_text_unsaved() const;
  [[nodiscard]] std::vector<PaintedFile> painted_in_use() const;
  void note_saved(const PaintedFiles& tables);
  // Save under another name (machine_save_as.cpp).
  std::string save_as(int page, const std::string& name, bool over);
  [[nodiscard]] TextState copy_in(const std::string& folder) const;
  void become_file(const std::string& path);
  void move_session();
  [[nodiscard]] std::string why_no_edits() const;
  [[nodiscard]] std::string why_no_body(Count body) const;
  [[nodiscard]] std::string why_other_bodies(const Node& text) const;
  [[nodiscard]] std::string why_other_vertices(Count body) const;
  [[nodiscard]] std::string why_other_external(const Node& text) const;
  [[nodiscard]] std::optional<Document> tree_for_fields(std::string& why) const;
  std::string ready_to_edit();
  std::string edit_text(const std::vector<TextEdit>& edits, double gesture,
                        Live::Wait wait = Live::Wait::live);
  std::string go_on_with(const TextState& next, const std::function<void()>& keep,
                         Live::Wait wait = Live::Wait::live, bool goes_on = true);
  std::string go_on_with_keys(const TextState& next, const std::function<void()>& keep);
  [[nodiscard]] static std::optional<Document> tree_of(const std::string& text, std::string& fault);
  void tell_text();
  void begin_again();
  [[nodiscard]] std::string why_no_scene(const TextState& state) const;
  std::string leave_broken(const std::function<void()>& step);
  std::string step_text(bool is_redo);
  // Keys (machine_keys.cpp).
  std::string obey(int page, const SetKeys& keys);
  std::string obey(int page, const EndKeys& end);
  std::string obey(int page, const Replay& replay);
  std::string edit_checked(const std::vector<TextEdit>& edits, double step, bool is_by_keys,
                           Live::Wait wait = Live::Wait::live);
  /// A value that a slider has set, which becomes a key.
  struct Sampled {
    std::string what;  ///< A group, or a number of an external charge.
    std::string table, lane;
    std::vector<double> values;
  };
  /// `step` is the one of undo.
  std::string note_sample(int page, double gesture, double step, const std::string& before,
                          const Sampled& sampled);
  [[nodiscard]] bool is_writing(int page, double gesture, const std::string& what) const;
  [[nodiscard]] bool ends_gesture(const Posted& posted) const;
  void end_gesture();
  std::string end_writing();
  [[nodiscard]] std::vector<TextEdit> written_edits() const;
  [[nodiscard]] std::string ended_text() const;
  void keys_changed(const std::string& before, bool is_by_keys);
  void find_stale(const std::vector<KeyTable>& now);
  void note_running_keys();
  /// Keys with which steps were simulated from a state on.
  struct SimulatedKeys {
    Count from = 0;
    KeyTable table;
  };
  [[nodiscard]] std::optional<Count> first_stale(const std::vector<SimulatedKeys>& parts,
                                                 const KeyTable& table, Count since) const;
  void forget_stale();
  [[nodiscard]] Count step_before(double time, bool is_strict) const;
  [[nodiscard]] KeysInfo keys_info() const;
  void tell_keys(int page = everyone);
  void begin_replay();
  void end_replay();
  [[nodiscard]] static double gesture_of(int page, double gesture);
  [[nodiscard]] double step_of_undo(int page, double gesture, bool is_key);
  [[nodiscard]] static std::string in_one(const std::vector<Finding>& findings);
  // What is kept of what is seen (machine_keep.cpp).
  std::string obey(int page, const AskFrame& ask);
  std::string obey(int page, const RayTrace& wish);
  std::string obey(int page, const StopTracing& stop);
  std::string obey(int page, const AskGradient& ask);
  std::string obey(int page, const StopGradient& stop);
  std::string obey(int page, const AskField& ask);
  std::string obey(int page, const AskSession& ask);
  [[nodiscard]] FieldMoment field_moment() const;
  [[nodiscard]] bool may_answer_field() const;
  void attend_field();
  [[nodiscard]] std::string why_nothing_shown() const;
  [[nodiscard]] ShownMoment shown_moment(const RayTrace& wish) const;
  [[nodiscard]] std::optional<GradientOrder> gradient_order(const AskGradient& ask, std::string& why) const;
  [[nodiscard]] std::string why_other_bodies_now() const;
  void take_gradient(int page, std::uint32_t number, const SceneGradient& found);
  void forget_page(int page);
  void attend_page_jobs();
  // The session as a run (machine_record.cpp).
  std::string obey(int page, const Record& wish);
  std::string obey(int page, const StopRecording& stop);
  [[nodiscard]] std::string why_not_recorded() const;
  [[nodiscard]] RecordingOrder recording_order(const std::string& directory, bool over);
  [[nodiscard]] PageJob::Work recording_work(std::shared_ptr<const RecordingOrder> order);
  void tell_recording(RecordingInfo now);
  void attend_recording(std::chrono::milliseconds patience);
  void end_recording();
  [[nodiscard]] std::optional<Target> target_of_recorded(const std::string& name) const;
  // Texts and files (machine_text.cpp).
  struct Check {
    int page = 0;
    TypedText typed;
  };
  std::string obey(int page, const TypedText& typed);
  std::string obey(int page, const Reload& reload);
  std::string obey(int page, const KeepOpen& keep);
  [[nodiscard]] std::string why_no_text() const;
  void attend_checks();
  void begin_check();
  void renew_warnings();
  void take_warnings(const std::string& text, std::vector<DocumentFinding> findings);
  [[nodiscard]] bool has_other_warnings() const;
  void take_checked(const std::string& text, std::vector<DocumentFinding> findings);
  void say_effect(const std::string& text, TextChecked& said) const;
  static std::vector<std::string> first_keys(std::vector<std::string> keys);
  std::string apply_text(const std::string& text);
  std::string load_again(std::optional<std::string> text);
  std::string ready_folder();
  void reload();
  void look_at_files();
  void tell_files(int page = everyone);
  // Earlier sessions (machine_earlier.cpp).
  std::string obey(int page, const TakeUp& take);
  std::string obey(int page, const LeaveEarlier& leave);
  [[nodiscard]] SessionFolder* folder_of_earlier() const;
  [[nodiscard]] const EarlierSession* offered() const;
  void tell_earlier(int page = everyone);
  void take_up(const SessionPast& past);
  void end_taking_up();
  [[nodiscard]] bool is_worth_keeping() const;
  [[nodiscard]] std::string why_taking_up() const;
  std::string stop_taking_up();
  [[nodiscard]] SessionTexts texts() const;
  [[nodiscard]] HandTracks hand_tracks() const { return {live_->pulls(), live_->balls()}; }
  void finish_folder();

  // A recorded run that is gone on with (machine_continue.cpp).
  std::string obey(int page, const Continue& go_on);
  [[nodiscard]] std::string why_not_continued() const;
  [[nodiscard]] Target target_of_run() const;
  void refuse_to_continue(const std::vector<Finding>& findings);
  void tell_continued(const RecordedStart& start);

  // Loading (machine_load.cpp).
  using Loading = std::function<void(const Job::HandOver&)>;
  /// A scene before it is compiled.
  struct AtRest {
    std::unique_ptr<Scenery> scenery;
    std::vector<DocumentFinding> findings;
    std::shared_ptr<Frame> frame;
  };
  /// Thrown where the files of what is open cannot be written.
  struct CannotKeep {
    std::string why;
  };
  void keep_open();
  void load();
  [[nodiscard]] Loading scene_loading();
  [[nodiscard]] Loading run_loading();
  [[nodiscard]] static AtRest rest_of(const Assembly& assembly, std::uint32_t generation, int threads);
  /// What the document becomes if the scene can be loaded, or has findings.
  struct NextDocument {
    TextHistory history;
    TextState saved;
    std::shared_ptr<WatchedFiles> watched;
  };
  void take_document(DocumentInfo document, const TextState& saved, const PaintedFiles& painted,
                     const std::vector<std::string>& overrides, std::shared_ptr<WatchedFiles> watched);
  void take_history();
  void show_at_rest(AtRest rest);
  /// What came before the state that a scene is opened at: steps of an earlier session, or of a run.
  struct Before {
    std::shared_ptr<SessionPast> session{};
    std::shared_ptr<RecordedPast> run{};
  };
  void take_live(Simulator simulator, const SceneSource& source, const Before& before);
  void take_run(std::unique_ptr<RunView> run);
  void break_off(const std::vector<Finding>& findings);
  void give_up_loading(const std::string& why);
  std::string prepare_folder_of(const Target& target);
  [[nodiscard]] Target target_of_choice(const std::string& name) const;
  [[nodiscard]] static Target target_of_file(const std::string& path);
  [[nodiscard]] FileReader reader_of(const Target& target) const;
  [[nodiscard]] FileReader disk_reader_of(const Target& target) const;
  [[nodiscard]] static std::string folder_holding(const std::string& path);
  /// How long pages wait for an answer while something is read.
  static constexpr std::chrono::milliseconds attention{16};
  static constexpr std::size_t most_checks = 64;

  // Slices (machine_work.cpp).
  [[nodiscard]] Time wake_of_phase() const;
  void advance_slice();
  void rewind_slice();
  void play_slice();
  void follow_run();
  [[nodiscard]] bool is_unsaved() const;
  void save_now_and_then();
  bool save_session();
  bool step_once();
  void measure_now_and_then(bool now);
  void begin_moving(std::optional<double> rate);
  void stand(Phase phase, std::string reason = {}, std::string advice = {});
  void begin_rewinding(Count step);
  bool settle();
  void show_present();

  // Telling (machine_tell.cpp).
  void tell(const Event& event, int page = everyone) { listener_.tell(page, event); }
  void tell_state(int page = everyone);
  void tell_document(int page = everyone);
  void tell_system(int page = everyone);
  void tell_progress(ProgressInfo now);
  void tell_energies();
  void tell_energies_anew();
  void tell_all_energies(int page);
  void tell_hands(int page = everyone);
  void tell_fields(int page = everyone);
  void tell_changes(int page = everyone);
  void tell_topology(int page = everyone);
  void show(std::shared_ptr<Frame> frame);
  void show_now(bool exact);
  [[nodiscard]] StateInfo state_info() const;
  [[nodiscard]] const Scenery* scenery() const;

  SessionOptions options_;
  Listener& listener_;
  Phase phase_ = Phase::empty, before_loading_ = Phase::empty;
  Target target_, loading_;
  std::optional<Target> copy_;  ///< That was saved last of what was open.
  std::unique_ptr<SessionFolder> folder_, next_folder_;
  bool is_folder_kept_ = false;  ///< The next scene is the same one, and goes on in `folder_`.
  std::unique_ptr<Live> live_;
  std::unique_ptr<RunView> run_;
  std::unique_ptr<Scenery> at_rest_;  ///< What is shown while a scene is compiled, or could not be.
  std::shared_ptr<Frame> newest_;
  DocumentInfo document_, before_loading_document_;
  TextHistory history_;          ///< Of the document's text.
  std::string saved_text_;       ///< Of the file.
  PaintedFiles saved_painted_;   ///< Likewise of the files of charges beside it.
  std::string page_text_;        ///< That a page saved last.
  std::set<std::string> named_;  ///< Files that the scene of the command line names, without their endings.
  std::string start_text_;       ///< That the scene that runs was loaded from.
  PaintedFiles start_painted_;   ///< Of that.
  std::shared_ptr<PaintedStore> painted_ = std::make_shared<PaintedStore>();
  std::string live_target_;  ///< Path of the same.
  std::string told_text_;    ///< That `revision_` counts.
  Count revision_ = 0;
  std::optional<NextDocument> next_document_;
  std::shared_ptr<WatchedFiles> watched_;
  FilesInfo told_files_;  ///< To everyone.
  Time files_looked_at_{};
  std::vector<Check> checks_;  ///< Texts to be read; the first one is being read if there is a job.
  std::shared_ptr<MeshStore> check_meshes_, warning_meshes_;  ///< Of texts that are read, each alone.
  std::string warned_text_;                                   ///< Whose warnings are told, or are looked for.
  PaintedFiles warned_painted_;                               ///< Of that.
  std::string resting_text_;                                  ///< As it has been
  Time resting_since_{};                                      ///< since then.
  std::optional<ProgressInfo> progress_;                      ///< While something is read or gone back to.
  std::uint32_t generation_ = 0, sequence_ = 0;

  std::string reason_, advice_;
  std::string save_trouble_;  ///< Why session.toml could not be written; empty once it was.
  std::optional<Index> vertex_;
  std::optional<double> rate_ = 1.0;
  bool beyond_ = false;
  std::optional<Count> until_;     ///< The step at which a command of steps ends.
  std::optional<Count> scrubbed_;  ///< The step that is shown instead of the simulator's.
  Count rewind_to_ = 0;
  std::string scalar_ = "charge";

  /// By identity, of what keys move that are edited: as they were when the past was simulated.
  std::map<std::string, std::vector<SimulatedKeys>> simulated_keys_;
  std::optional<Count> stale_from_;
  FieldsInfo told_fields_;                 ///< To everyone, of
  std::string told_fields_of_;             ///< this text.
  ChangesInfo told_changes_;               ///< To everyone, of
  std::uint64_t told_changes_number_ = 0;  ///< this number.
  std::optional<KeysInfo> told_keys_;      ///< To everyone; absent if some page was told others since.
  /// Steps that are taken again, from the first one that is out of date.
  struct Replaying {
    Count from = 0, to = 0;
    bool is_begun = false;  ///< The keys are those of the text.
  };
  std::optional<Replaying> replay_;
  /// What a gesture sets, until it ends.
  struct Writing {
    int page = 0;
    double gesture = 0.0, step = 0.0;  ///< The step of undo.
    std::string what;
    std::string table, lane;
    std::vector<KeySample> samples;
    KeyTable start;
  };
  std::optional<Writing> writing_;
  double own_gesture_ = 0.0;  ///< Those of pages are positive.

  std::vector<std::pair<int, AskField>> wanted_fields_;  ///< Of each page the newest that was not answered.
  Time field_due_{};

  int pages_ = 0;
  Time no_page_since_{};
  Pacer pacer_;
  StepMeter meter_;
  double played_time_ = 0.0;  ///< Of a run, s.
  Time slice_begun_{}, energies_due_{}, energies_told_at_{}, state_due_{}, saved_at_{}, looked_at_{};
  std::size_t energies_told_ = 0;
  std::optional<StateInfo> told_state_;  ///< To everyone.
  HandsInfo told_hands_;                 ///< Likewise.
  Count rows_restarted_ = 0;
  EarlierInfo told_earlier_;   ///< To everyone.
  std::string told_moved_;     ///< Where the earlier session went, as it was told.
  bool is_taking_up_ = false;  ///< Until the steps of the earlier session are taken.
  TextNotes taken_up_notes_;   ///< Of that.
  Count saved_step_ = -1;
  std::string saved_now_;             ///< The text that was written with it.
  std::uint64_t saved_revision_ = 0;  ///< What was written with it.
  bool has_stepped_ = false;
  bool is_later_kept_ = false;  ///< The files have what was simulated before a replay that has not ended.
  bool ended_ = false;
  std::optional<RecordingInfo> told_recording_;
  std::stop_source recording_stop_;
  std::string recorded_;  ///< The folder of the run that was recorded last.
  /// Last, so that they end first: they hand over to what is above.
  std::unique_ptr<Job> check_job_, job_;
  PageJob tracing_, differentiating_, warning_, recording_;
};

}  // namespace electret::studio
