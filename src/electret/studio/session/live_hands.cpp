#include <algorithm>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/dynamics/step_schedule.hpp>
#include <electret/scene/words.hpp>
#include <electret/studio/session/edit_effect.hpp>
#include <electret/studio/session/live.hpp>

namespace electret::studio {
namespace {

/// Where the grips of all pulls are.
VectorArray grips_of(const Pulls& pulls, VectorView x) {
  VectorArray grips;
  for (const Pull& pull : pulls.all())
    grips.push_back(weighted_mean(pull.track.vertices, pull.track.weights, x));
  return grips;
}

}  // namespace

std::string Live::press(int page, int hand, const Press& press) {
  const System& system = simulator_.system();
  if (press.point >= scenery_.shown.points())
    return "there is no point " + std::to_string(press.point) + ": the last one is " +
           std::to_string(scenery_.shown.points() - 1);
  const VectorView x = simulator_.state().positions;
  auto grip = grip_at(system, scenery_.shown, x, press.point, press.brush);
  if (!grip) return "what is there is pinned: a hand cannot move it";
  const Vec3 place = grip->mean(x);
  return hands_.press(page, hand, std::move(*grip), place, press.at, press.share, system.time_step);
}

std::string Live::move(int page, int hand, const Vec3& to) {
  return hands_.move(page, hand, to) ? "" : "this hand holds nothing";
}

std::string Live::let_go(int page, int hand, bool stays) {
  if (stays) {
    const auto tacks = std::count_if(pulls_.all().begin(), pulls_.all().end(), [&](const Pull& pull) {
      return pull.is_tack_at(step()) && pull.acts_after(step());
    });
    if (static_cast<std::size_t>(tacks) >= most_tacks)
      return "there are " + std::to_string(most_tacks) + " tacks already: remove one";
    const Held* held = hands_.find(page, hand);
    if (held != nullptr && held->pull == 0)
      return "no step has seen this hand yet: step first, then leave a tack";
  }
  return hands_.let_go(page, hand, stays, pulls_, step(), next_time()) ? "" : "this hand holds nothing";
}

bool Live::let_go_all(std::optional<int> page) {
  const bool any = hands_.let_go_all(page, pulls_, step(), next_time());
  return drop_balls(page) || any;
}

std::string Live::take_ball(HeldBall ball) {
  if (ball_places_ == 0)
    return "the scene's own [[change]] adds or removes external charges: no charge can be held in the hand";
  for (const HeldBall& held : held_balls_)
    if (held.page == ball.page && held.hand == ball.hand)
      return "this hand holds a charge already: let it go first";
  if (held_balls_.size() >= most_balls) return "four charges are held already";
  ball.charge = seven_digits(ball.charge);
  ball.width = seven_digits(ball.width);
  held_balls_.push_back(ball);
  return "";
}

std::string Live::move_ball(int page, int hand, const Vec3& to) {
  for (HeldBall& held : held_balls_) {
    if (held.page != page || held.hand != hand) continue;
    held.place = to;
    return "";
  }
  return "this hand holds no charge";
}

std::string Live::drop_ball(int page, int hand) {
  const auto found = std::find_if(held_balls_.begin(), held_balls_.end(), [&](const HeldBall& held) {
    return held.page == page && held.hand == hand;
  });
  if (found == held_balls_.end()) return "this hand holds no charge";
  balls_.end(found->number, step() + 1, next_time());
  held_balls_.erase(found);
  return "";
}

/// All, or those of one page; whether there were any.
bool Live::drop_balls(std::optional<int> page) {
  return std::erase_if(held_balls_, [&](const HeldBall& held) {
           if (page && held.page != *page) return false;
           balls_.end(held.number, step() + 1, next_time());
           return true;
         }) > 0;
}

/// Writes the keys of the step that starts from the present state.
void Live::aim_balls() {
  const Count next = step() + 1;
  const double size = scenery_.shown.size();
  for (HeldBall& held : held_balls_) {
    if (held.number == 0) held.number = balls_.begin(held.charge, held.width);
    balls_.aim(held.number, next, next_time(), rounded_place(held.place, size));
  }
}

const HeldBall* Live::held_ball(std::uint32_t number) const {
  for (const HeldBall& held : held_balls_)
    if (held.number == number) return &held;
  return nullptr;
}

std::string Live::remove_tack(std::uint32_t number) {
  const Pull* pull = pulls_.find(number);
  if (pull == nullptr || !pull->acts_after(step()) || !pull->is_tack_at(step()))
    return "there is no tack " + std::to_string(number);
  if (step() < recorded_last_) forget_after_now();
  pulls_.end(number, step() + 1, next_time());
  hands_.forget_tack(number);
  return "";
}

/// What was simulated after this state is no longer what follows it.
void Live::forget_after_now() {
  if (step() < recorded_last_) forget_edits_after_now();
  forget_steps_after_now();
}

void Live::forget_steps_after_now() {
  const Count now = step();
  frames_.forget(now + 1);
  states_.forget(now + 1);
  pulls_.forget_after(now, next_time());
  balls_.forget_after(now, next_time());
  recorded_last_ = now;
  taken_up_ = std::min(taken_up_, now);
  if (last_row_ <= now) return;
  while (!rows_.empty() && rows_.back()[0] > time()) rows_.pop_back();
  last_row_ = !rows_.empty() && rows_.back()[0] == time() ? now : now - 1;
  ++rows_restarted_;
}

void Live::add_hands(const System& system, Inputs& inputs) const {
  const double h = system.assembly.scene.time.step;
  pulls_.add_to(inputs.grabs, inputs.time, h);
  balls_.write_to(inputs, first_ball_, h);
}

void Live::make_inputs() {
  const System& system = simulator_.system();
  evaluate_step(system, std::as_const(simulator_).integrator().stage_fractions(), step(), inputs_);
  add_hands(system, inputs_.start);
  add_hands(system, inputs_.end);
  for (Inputs& stage : inputs_.stages) add_hands(system, stage);
}

bool Live::are_inputs_at(Count step) const {
  const std::vector<Change>& changes = simulator_.system().assembly.scene.changes;
  return std::all_of(changes.begin(), changes.end(),
                     [&](const Change& each) { return each.step != step || is_of_inputs(each); });
}

bool Live::keeps_hands(Count step) const {
  const std::vector<Change>& changes = simulator_.system().assembly.scene.changes;
  return std::all_of(changes.begin(), changes.end(),
                     [&](const Change& each) { return each.step != step || keeps_grips(each); });
}

void Live::step_with_pulls() {
  try {
    const bool is_held = !hands_.all().empty() || !held_balls_.empty();
    if (is_held && step() < recorded_last_) forget_after_now();
    const bool is_changed = simulator_.is_change_due();
    if (is_changed) {
      make_due_changes([this](const System& changed) {
        Inputs inputs;
        changed.schedule.evaluate(changed.time(step()), inputs);
        add_hands(changed, inputs);
        return inputs;
      });
      if (!keeps_hands(step())) hands_.learn_anew(simulator_.system());
    }
    // What is played again has its ends already.
    const bool is_again = step() < std::max(recorded_last_, taken_up_);
    const bool ends = !is_again && !keeps_hands(step() + 1);
    if (ends) hands_.hold_tacks(simulator_, scenery_.shown.size(), pulls_);
    hands_.aim(simulator_, scenery_.shown.size(), ends, pulls_);
    aim_balls();
    make_inputs();
    // Going back to this state would take the changes back that were just made.
    Held* held = is_changed ? nullptr : hands_.untried();
    std::optional<Trial> trial;
    if (held != nullptr) trial = tried(*held);
    const VectorArray grips = grips_of(pulls_, simulator_.state().positions);
    simulator_.step(inputs_);
    check_pulls(grips);
    if (trial) learn(*held, trial->loaded, trial->free ? *trial->free : simulator_.state(), pulls_);
  } catch (...) {
    // No step has led to the keys that were written. Without the hands it may go on from here.
    let_go_all();
    forget_after_now();
    throw;
  }
}

/// What a trial of the grip's next axis in this step leads to. Absent if it diverges: the hand keeps the
/// strength that it has.
std::optional<Live::Trial> Live::tried(Held& held) {
  trial_ = inputs_;
  add_trial(held, trial_);
  try {
    return may_touch(simulator_.system()) ? tried_untouched() : tried_in_place();
  } catch (const DivergenceError&) {
    held.tried_axes = 3;
    held.is_measured = true;
    return std::nullopt;
  }
}

Live::Trial Live::tried_untouched() {
  if (!untouched_ || !untouched_->is_of(simulator_)) untouched_ = std::make_unique<Untouched>(simulator_);
  State loaded = untouched_->stepped(simulator_, trial_);
  return {std::move(loaded), untouched_->stepped(simulator_, inputs_)};
}

Live::Trial Live::tried_in_place() {
  const State before = simulator_.state();
  const WorkAccounts work = simulator_.work();
  try {
    simulator_.step(trial_);
  } catch (...) {
    simulator_.restore(before, work, inputs_.start);
    throw;
  }
  State loaded = simulator_.state();
  simulator_.restore(before, work, inputs_.start);
  return {std::move(loaded), std::nullopt};
}

/// Takes the step back and throws DivergenceError if it moved a grip too far. Where it moved one far, its
/// energy is checked, too, as a run does where it records. `grips` are those before the step.
void Live::check_pulls(VectorView grips) {
  const State& state = simulator_.state();
  try {
    bool is_far = false;
    for (std::size_t k = 0; k < grips.size(); ++k) {
      const Pull& pull = pulls_.all()[k];
      if (!pull.acts_at(state.step)) continue;
      const double way =
          norm(weighted_mean(pull.track.vertices, pull.track.weights, state.positions) - grips[k]);
      is_far = is_far || way > 0.5 * scenery_.shown.size();
      if (way <= pull.most_way) continue;
      throw DivergenceError(state.step, pull.track.vertices.front(),
                            "the pull of a hand moved what it holds by " + brief_text(way) + " m in one step",
                            "pull with less strength, or take a smaller time.step");
    }
    if (is_far) simulator_.check_energy(simulator_.energies());
  } catch (const DivergenceError&) {
    simulator_.abandon_step();
    put_hands_back();
    throw;
  }
}

void Live::put_hands_back() {
  if (pulls_.empty() && balls_.empty()) return;
  const System& system = simulator_.system();
  Inputs inputs;
  system.schedule.evaluate(time(), inputs);
  add_hands(system, inputs);
  if (!same_inputs(inputs, simulator_.inputs(), read_by_forces + read_by_potentials))
    simulator_.restore(State(simulator_.state()), WorkAccounts(simulator_.work()), std::move(inputs));
}

void Live::add_hands(Count step, VectorView x, Frame& frame) const {
  frame.hands = hands_at(step, x);
  frame.balls = balls_at(step);
}

Floats Live::balls_at(Count step) const {
  auto floats = std::make_shared<std::vector<float>>();
  const auto add = [&](const Vec3& place, double charge, double width) {
    const Vec3 at = place - scenery_.shown.centre();
    for (const double value : {at.x, at.y, at.z, charge, width}) floats->push_back(static_cast<float>(value));
  };
  const bool is_now = step == this->step();
  const double h = simulator_.system().assembly.scene.time.step, time = simulator_.system().time(step);
  if (is_now)
    for (const HeldBall& held : held_balls_) add(held.place, held.charge, held.width);
  for (const Ball& ball : balls_.all())
    if (ball.acts_after(step) && !(is_now && held_ball(ball.number) != nullptr))
      add(evaluate(ball.track.position, time, h), ball.charge, ball.track.width);
  return floats->empty() ? nullptr : Floats(std::move(floats));
}

Floats Live::hands_at(Count step, VectorView x) const {
  auto floats = std::make_shared<std::vector<float>>();
  const Vec3 origin = scenery_.shown.centre();
  const auto add = [&](const Vec3& grip, const Vec3& target, double force, bool is_stretched,
                       std::uint32_t number) {
    for (const Vec3& each : {grip - origin, target - origin})
      for (int axis = 0; axis < 3; ++axis) floats->push_back(static_cast<float>(each[axis]));
    floats->push_back(static_cast<float>(force));
    floats->push_back(is_stretched ? 1.0F : 0.0F);
    floats->push_back(static_cast<float>(number));
  };
  const bool is_now = step == this->step();
  const double h = simulator_.system().assembly.scene.time.step, at = simulator_.system().time(step);
  if (is_now)
    for (const Held& held : hands_.all())
      if (held.pull == 0) add(held.grip.mean(x), held.pointer, 0.0, held.is_stretched, 0);
  for (const Pull& pull : pulls_.all()) {
    if (!pull.acts_after(step)) continue;
    const Held* held = is_now ? hands_.of_pull(pull.number) : nullptr;
    const Vec3 target = evaluate(pull.track.targets, at, h),
               grip = weighted_mean(pull.track.vertices, pull.track.weights, x);
    add(grip, held != nullptr ? held->pointer : target, pull.track.stiffness * norm(target - grip),
        held != nullptr && held->is_stretched, pull.number);
  }
  return floats->empty() ? nullptr : Floats(std::move(floats));
}

void Live::add_balls_info(Count step, HandsInfo& info) const {
  const bool is_now = step == this->step();
  const auto add = [&](std::uint32_t number, const char* kind, double charge, double width) -> HandInfo& {
    HandInfo& one = info.hands.emplace_back();
    one.number = number;
    one.kind = kind;
    one.charge = charge;
    one.width = width;
    return one;
  };
  if (is_now)
    for (const HeldBall& held : held_balls_) {
      HandInfo& one = add(held.number, "ball", held.charge, held.width);
      one.page = held.page;
      one.hand = held.hand;
    }
  for (const Ball& ball : balls_.all())
    if (ball.acts_after(step) && !(is_now && held_ball(ball.number) != nullptr))
      add(ball.number, "recorded", ball.charge, ball.track.width);
}

HandsInfo Live::hands_info(Count step) const {
  HandsInfo info;
  const auto body_of = [&](Index vertex) {
    return scenery_.info.bodies[scenery_.shown.body_of_point(static_cast<std::size_t>(vertex))].name;
  };
  const bool is_now = step == this->step();
  for (const Held& held : hands_.all())
    if (is_now && held.pull == 0 && !held.stands)
      info.hands.push_back({0, "held", held.page, held.hand, body_of(held.grip.vertices.front()),
                            static_cast<Count>(held.grip.vertices.size())});
  for (const Pull& pull : pulls_.all()) {
    if (!pull.acts_after(step)) continue;
    const GrabTrack& track = pull.track;
    HandInfo one{pull.number,
                 pull.is_tack_at(step) ? "tack" : "recorded",
                 0,
                 0,
                 body_of(track.vertices.front()),
                 static_cast<Count>(track.vertices.size()),
                 track.stiffness,
                 track.damping};
    if (const Held* held = is_now ? hands_.of_pull(pull.number) : nullptr; held != nullptr && !held->stands) {
      one.kind = "held";
      one.page = held->page;
      one.hand = held->hand;
    }
    info.hands.push_back(std::move(one));
  }
  add_balls_info(step, info);
  return info;
}

}  // namespace electret::studio
