#pragma once
/// \file
/// A scene that is simulated, with the memory of its past.

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <electret/dynamics/simulator.hpp>
#include <electret/scene/document.hpp>
#include <electret/studio/session/balls.hpp>
#include <electret/studio/session/earlier_session.hpp>
#include <electret/studio/session/frame_maker.hpp>
#include <electret/studio/session/hands.hpp>
#include <electret/studio/session/kept_steps.hpp>
#include <electret/studio/session/recorded_start.hpp>
#include <electret/studio/session/scene_source.hpp>
#include <electret/studio/session/system_info.hpp>
#include <electret/studio/session/untouched.hpp>

namespace electret::studio {

/// How much of the past is kept, bytes.
struct PastLimits {
  std::size_t frames = std::size_t{256} << 20;
  std::size_t states = std::size_t{256} << 20;
};

class Live {
 public:
  /// The simulator is at step 0 of the scene that `source` gives, with places for balls (balls.hpp).
  Live(Simulator simulator, Scenery scenery, SceneSource source, const PastLimits& limits);
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  [[nodiscard]] const SceneSource& source() const { return source_; }
  [[nodiscard]] const Scenery& scenery() const { return scenery_; }
  [[nodiscard]] Scenery& scenery() { return scenery_; }
  [[nodiscard]] Simulator& simulator() { return simulator_; }
  [[nodiscard]] const Simulator& simulator() const { return simulator_; }
  [[nodiscard]] Count step() const { return simulator_.state().step; }
  [[nodiscard]] double time() const { return simulator_.system().time(step()); }
  [[nodiscard]] double next_time() const { return simulator_.system().time(step() + 1); }
  /// The last step that was reached since the start.
  [[nodiscard]] Count recorded_last() const { return recorded_last_; }

  /// Takes a step, with what hands hold, and keeps it. A hand that holds something makes the steps untrue
  /// that were simulated after this state before: they are forgotten. Throws as Simulator::step; hands let go
  /// then.
  void advance();
  /// Back to step 0, with no past.
  void restart();
  /// Restores the last kept state at or before `step`, from which `advance` leads to it, bit for bit.
  void restore_before(Count step);
  /// To the last step that was reached, without taking steps; whether it was elsewhere.
  bool return_to_last();
  /// Takes back the last step, whose energies were refused.
  void abandon_step();

  /// The frame of the present state; without `exact` a scalar that takes long may be that of a frame before.
  [[nodiscard]] std::shared_ptr<Frame> frame(bool exact);
  /// The kept frame nearest to `step`; where colours show velocities, the kept state nearest to it.
  [[nodiscard]] std::shared_ptr<Frame> kept_frame(Count step);
  [[nodiscard]] FrameMaker& frames() { return maker_; }

  // Hands (live_hands.cpp). What is asked of them returns why it cannot be done, or "".
  struct Press {
    std::size_t point = 0;  ///< One of Shown.
    double brush = 0.0;     ///< m.
    std::optional<Vec3> at{};
    double share = 1.0;
  };
  std::string press(int page, int hand, const Press& press);
  std::string move(int page, int hand, const Vec3& to);
  std::string let_go(int page, int hand, bool stays);
  /// Of all, or of one page's; whether any held something.
  bool let_go_all(std::optional<int> page = std::nullopt);
  std::string remove_tack(std::uint32_t number);
  // Charges in hands, likewise.
  std::string take_ball(HeldBall ball);
  std::string move_ball(int page, int hand, const Vec3& to);
  std::string drop_ball(int page, int hand);
  [[nodiscard]] const Balls& balls() const { return balls_; }
  [[nodiscard]] const Pulls& pulls() const { return pulls_; }
  /// What pulls at `step`, which was simulated.
  [[nodiscard]] HandsInfo hands_info(Count step) const;

  // Edits (live_edits.cpp, live_changes.cpp).
  /// Why charges of this body ("2") are not edited at this state; "" if they may be.
  [[nodiscard]] std::string why_no_charges(const std::string& body) const;
  /// The same of this external charge ("0").
  [[nodiscard]] std::string why_no_external(const std::string& number) const;
  /// What an edit does.
  struct Edited {
    bool is_other = false;               ///< The scene that runs is another.
    std::vector<std::string> waiting{};  ///< Keys of what it cannot do while the scene runs.
  };
  /// What waits for Reset if it cannot be had live: what is compiled with the scene and cannot be, or
  /// nothing.
  enum class Wait { live, nothing };
  /// From the next step on the scene is that of this tree, which is one without findings, but for what waits
  /// for Reset (edit_effect.hpp). Where something pulls, what makes bodies softer or lighter acts a step
  /// later: hands let go first. What was simulated after this state is forgotten. Throws InputError, and
  /// changes nothing, if inputs cannot be had and nothing waits, or by Wait::nothing if anything cannot.
  Edited edit(const Node& wanted, Wait wait = Wait::live);
  /// What `edit` would do, unless it throws or what is tried has to wait.
  [[nodiscard]] Edited would_edit(const Node& wanted) const;
  /// Whether this tree has edits that are live and were not made, at any state of what was simulated.
  [[nodiscard]] bool lacks_edits(const Node& wanted) const;
  /// The last `most` edits, and what they gained where a step has made them.
  [[nodiscard]] ChangesInfo changes(std::size_t most) const;
  /// A number that grows with them.
  [[nodiscard]] std::uint64_t changes_number() const { return 1 + edits_revision_ + gains_revision_; }
  /// At this state, which was simulated before: keys of these tables of the text are those of `wanted` from
  /// here on, and were so in what is simulated next. Edits and hands that came after this state come again.
  /// Throws InputError, and changes nothing, if keys cannot be had.
  void replay_keys(const Node& wanted, const std::vector<std::string>& tables);
  /// What came after this state does not come again.
  void end_replay();
  /// Tables of keys of the scene that runs, from the present state on.
  [[nodiscard]] std::vector<KeyTable> running_keys() const;
  /// Tables of keys of the scene that runs, by place and identity, and the state from which on each of them
  /// has been at its place. An edit of later may have made it, or moved it there.
  [[nodiscard]] std::map<std::pair<std::string, std::string>, Count> tables_since() const;
  /// Throws InputError with the findings of a text, as a scene of its own, whose files `read` reads.
  void require_scene(const std::string& text, const FileReader& read) const;
  /// What hands and edits did in an earlier session comes again with the steps. It is at step 0, and nothing
  /// was done yet. Throws InputError, and changes nothing, if times are no steps of this scene.
  void take_up(const SessionPast& past);
  /// Goes on from a recorded run of the same scene. It is at step 0, and nothing was done yet. `rows` are the
  /// run's energies before its last state. Throws InputError if the state is none of this method.
  using Row = std::array<double, 9>;
  void go_on_from(const RecordedPast& past, std::vector<Row> rows);
  /// Shows the scene as changes before this state have made it.
  void show_changes();
  /// Shows what the scene is compiled with at this state; whether something else was shown.
  bool show_present();
  /// Whether anything was changed here since the start.
  [[nodiscard]] bool is_edited() const { return !edits_.empty(); }
  /// The charges at the present state, C; those of the next step if a change comes before it.
  [[nodiscard]] ScalarView charges_now() const;
  /// The bodies' own charges, which those of groups take the place of, C.
  [[nodiscard]] std::vector<double> own_charges() const;
  /// The vertices whose charge is a group's.
  [[nodiscard]] std::set<Index> charged_by_groups() const;
  /// A number that grows with what hands and edits do.
  [[nodiscard]] std::uint64_t revision() const {
    return pulls_.revision() + balls_.revision() + edits_revision_;
  }

  /// Adds a row for the present step unless there is one at or after it. Throws DivergenceError as
  /// Simulator::check_energy.
  void measure();
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// How often rows were thinned out or dropped: a change means that rows told before are void.
  [[nodiscard]] Count rows_restarted() const { return rows_restarted_; }

 private:
  void keep(bool stays = false);
  void thin_rows();
  void renew_external();
  [[nodiscard]] std::shared_ptr<Frame> kept_state_frame(Count step);
  void forget_after_now();
  void forget_steps_after_now();
  void step_alone();
  void step_with_pulls();
  /// What a trial led to, with its force and without. Without it: the step itself, where it is absent.
  struct Trial {
    State loaded;
    std::optional<State> free;
  };
  std::optional<Trial> tried(Held& held);
  Trial tried_untouched();
  Trial tried_in_place();
  void check_pulls(VectorView grips);
  /// The step's inputs: the schedule's and the pulls'.
  void make_inputs();
  /// Adds what pulls, and what charges in hands do, at the time of the inputs.
  void add_hands(const System& system, Inputs& inputs) const;
  void aim_balls();
  bool drop_balls(std::optional<int> page);
  void add_balls_info(Count step, HandsInfo& info) const;
  [[nodiscard]] const HeldBall* held_ball(std::uint32_t number) const;
  [[nodiscard]] Floats balls_at(Count step) const;
  [[nodiscard]] std::string why_own_change(const std::string& what,
                                           const std::function<bool(const std::string&)>& is_one) const;
  /// After the simulator was put back to a state: what pulls there.
  void put_hands_back();
  struct Planned {
    std::vector<Change> changes;
    std::vector<std::string> overrides;
    std::shared_ptr<const ChangedScenes> changed;
    std::vector<TimeLeg> legs;
  };
  struct Proposed {
    Change change;
    std::vector<Change> edits;  ///< Those that stay.
    bool forgets = false;       ///< Others do not.
    std::vector<std::string> waiting;
  };
  [[nodiscard]] Proposed proposed(const Node& wanted, std::vector<Change> edits) const;
  bool draw_back(Proposed& proposed, Wait wait);
  [[nodiscard]] bool is_pulled() const;
  /// The edits that stay where another future begins at this state.
  [[nodiscard]] std::vector<Change> edits_until_now() const;
  [[nodiscard]] Count step_at(double time, Count most) const;
  void take_up_hands(const SessionPast& past);
  /// Throws InputError if the scene's own changes have set what is to be edited.
  void require_no_own_change(const Change& change) const;
  [[nodiscard]] std::string why_no_change(const Change& change) const;
  [[nodiscard]] std::string why_no_other_keys(const std::string& key) const;
  [[nodiscard]] std::string why_no_live(const std::string& text) const;
  void make_edit(Change change, std::vector<Change> edits);
  void plan_ahead(std::vector<Change> edits, bool compiles = false);
  Planned plan(const std::vector<Change>& edits);
  [[nodiscard]] std::vector<TimeLeg> legs_of(const std::vector<Change>& changes) const;
  [[nodiscard]] Count last_step_of(const TimeOptions& time) const;
  void require_compilable(Assembly next) const;
  void make_due_changes(const Simulator::InputsOf& inputs = {});
  void renew_changed();
  void take_back(Planned before);
  void look_ahead(Count at, bool compiles);
  void show(const Assembly& scene);
  [[nodiscard]] bool is_ahead() const;
  [[nodiscard]] Node without_auto(Node root) const;
  [[nodiscard]] Document edited(const std::vector<Change>& edits) const;
  [[nodiscard]] Document edited(const std::vector<Change>& edits, std::vector<Finding>& findings) const;
  void forget_edits_after_now();
  [[nodiscard]] std::vector<Change> all_changes(const std::vector<Change>& edits) const;
  /// Whether the changes that are made before the step from `step` leave hands as they are.
  [[nodiscard]] bool keeps_hands(Count step) const;
  /// Whether they set inputs of the next step only.
  [[nodiscard]] bool are_inputs_at(Count step) const;
  /// What hands do to `frame`.
  void add_hands(Count step, VectorView x, Frame& frame) const;
  [[nodiscard]] Floats hands_at(Count step, VectorView x) const;
  [[nodiscard]] const std::vector<PlacedCharge>& external_now() const;

  Simulator simulator_;
  SceneSource source_;
  Scenery scenery_;
  FrameMaker maker_;
  /// Steps whose charges are the same share them.
  using Charges = std::shared_ptr<const std::vector<double>>;
  struct KeptFrame {
    Floats positions;
    Charges charges;
    Floats external;
  };
  KeptSteps<KeptFrame> frames_;
  struct Past {
    State state;
    WorkAccounts work;
    Charges charges;
    Floats external;
  };
  KeptSteps<Past> states_;
  std::optional<Past> last_;  ///< At the last step that was reached, where it was gone back from there.
  Floats shown_now_;          ///< Positions of the present state.
  Charges kept_charges_;
  Floats kept_external_;
  Pulls pulls_;
  Hands hands_;
  Balls balls_;
  std::vector<HeldBall> held_balls_;
  std::size_t ball_places_ = 0;
  std::size_t first_ball_ = 0;    ///< The place of the first ball among the inputs' external charges.
  std::size_t own_external_ = 0;  ///< External charges of the scene's text.
  StepInputs inputs_, trial_;
  std::unique_ptr<Untouched> untouched_;
  std::vector<Change> own_changes_;  ///< Of the scene's text.
  std::vector<Change> edits_;        ///< Made here, ascending by step.
  std::uint64_t edits_revision_ = 0;
  std::string auto_method_;        ///< What `auto` stood for when the scene began; "" without it.
  std::set<std::string> refused_;  ///< Assignments that cannot be had live, and keys that cannot be removed.
  std::uint64_t gains_revision_ = 0;
  std::map<Count, double> gains_;  ///< What changes before the step from a state have gained, J.
  bool shows_ahead_ = false;       ///< The scenery is that after changes that no step has made.
  Count shown_system_ = 0;         ///< The number of the system that the scenery shows, but for that.
  struct Ahead {
    Count step;
    std::vector<double> charges, own;
    std::set<Index> of_groups;
    std::vector<PlacedCharge> external;
  };
  std::optional<Ahead> ahead_;  ///< After the changes before the step from this state.
  Count recorded_last_ = 0;
  Count taken_up_ = 0;  ///< The last step of an earlier session, whose steps are taken again to there.
  std::vector<Row> rows_;
  Count last_row_ = -1;  ///< Its step.
  Count rows_restarted_ = 0;
};

}  // namespace electret::studio
