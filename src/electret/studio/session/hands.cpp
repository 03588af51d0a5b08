#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/studio/session/hands.hpp>

namespace electret::studio {
namespace {

/// In body diagonals: how far from the grip the pointer counts, and how far beyond it the target may be.
constexpr double reach = 0.3, most_beyond = 0.6;
/// What is added to the latter in a step, of what is missing.
constexpr double beyond_a_step = 0.05;
/// What would take longer than this for the way to the pointer is stuck, s. The target of what moves stays:
/// an integral of the miss would make a heavy body swing ever more.
constexpr double slow = 1.0;
/// No grip is stiffer than this part of a free one.
constexpr double least_compliance = 1e-12;

Vec3 within(const Vec3& v, double longest) {
  const double length = norm(v);
  return length > longest ? (longest / length) * v : v;
}

/// In sizes of the bodies: a grip that a pull moves farther in one step diverges. No hand reaches as far, and
/// what flew as fast when the hand took hold is allowed for.
constexpr double most_way = 10.0;

/// Whose hands hold tacks.
constexpr int nobody = -2;

}  // namespace

const Held* Hands::find(int page, int hand) const {
  for (const Held& held : held_)
    if (held.page == page && held.hand == hand) return &held;
  return nullptr;
}

Held* Hands::at(int page, int hand) {
  for (Held& held : held_)
    if (held.page == page && held.hand == hand) return &held;
  return nullptr;
}

const Held* Hands::of_pull(std::uint32_t number) const {
  for (const Held& held : held_)
    if (held.pull == number) return &held;
  return nullptr;
}

std::string Hands::press(int page, int hand, Grip grip, const Vec3& grip_place, const std::optional<Vec3>& at,
                         double share, double time_step) {
  if (find(page, hand) != nullptr) return "this hand holds something already: let it go first";
  const auto is_hand = [](const Held& held) { return !held.stands; };
  if (std::count_if(held_.begin(), held_.end(), is_hand) >= static_cast<std::ptrdiff_t>(most_hands))
    return "four hands hold something already";
  Held held;
  held.page = page;
  held.hand = hand;
  held.grip = std::move(grip);
  held.pointer = grip_place;
  if (at) held.from_pointer = grip_place - *at;
  held.share = share;
  held.time_step = time_step;
  held_.push_back(std::move(held));
  return "";
}

bool Hands::move(int page, int hand, const Vec3& to) {
  Held* held = at(page, hand);
  if (held != nullptr) held->pointer = to + held->from_pointer;
  return held != nullptr;
}

bool Hands::let_go(int page, int hand, bool stays, Pulls& pulls, Count step, double next_time) {
  const Held* held = find(page, hand);
  if (held == nullptr) return false;
  const bool is_pulling = held->pull != 0 && !held->stands;  // What stands stays as it is.
  if (is_pulling && stays)
    pulls.let_stand(held->pull, step);
  else if (is_pulling)
    pulls.end(held->pull, step + 1, next_time);
  held_.erase(held_.begin() + (held - held_.data()));
  return true;
}

bool Hands::let_go_all(std::optional<int> page, Pulls& pulls, Count step, double next_time) {
  bool any = false;
  for (std::size_t k = held_.size(); k-- > 0;) {
    const Held& held = held_[k];
    if (!page || held.page == *page) any |= let_go(held.page, held.hand, false, pulls, step, next_time);
  }
  return any;
}

void Hands::aim(const Simulator& simulator, double size, bool ends, Pulls& pulls) {
  const System& system = simulator.system();
  const Count next = simulator.state().step + 1;
  if (!ends) {
    for (Held& held : held_) aim(held, simulator, size, pulls);
    // What has its strength stands alone.
    std::erase_if(held_, [](const Held& held) { return held.stands && held.is_measured; });
    return;
  }
  for (Held& held : held_) held.pull = 0;
  pulls.end_all(next, system.time(next));
}

void Hands::learn_anew(const System& changed) {
  for (Held& held : held_) {
    weigh_anew(changed, held.grip);
    held.time_step = changed.time_step;
    held.tried_axes = 0;
    held.compliance = 0.0;
    held.moves.clear();
    held.is_measured = false;
  }
}

double Hands::beside(const Held& held, const System& system, const Pulls& pulls, Count step) {
  double sum = 0.0;
  for (const Pull& pull : pulls.all()) {
    if (pull.number == held.pull || !pull.acts_at(step)) continue;
    const auto moved = held.moves.find(pull.number);
    const double part = moved != held.moves.end() && pull.compliance > 0.0 && held.compliance > 0.0
                            ? moved->second / std::sqrt(held.compliance * pull.compliance)
                            : overlap(system, held.grip, pull.track.vertices, pull.track.weights);
    sum += std::min(1.0, part * part);
  }
  return sum;
}

void Hands::aim(Held& held, const Simulator& simulator, double scene_size, Pulls& pulls) {
  const System& system = simulator.system();
  const Count next = simulator.state().step + 1;
  const double time = system.time(next);
  const Vec3 at = held.grip.mean(simulator.state().positions), miss = held.pointer - at;
  const double size = held.grip.diagonal;
  const std::string_view method = simulator.integrator().name();
  held.is_stretched = norm(miss) > reach * size;
  const Vec3 wanted = within(miss, reach * size);
  const bool is_stuck = norm(held.grip.mean(simulator.state().velocities)) * slow < norm(miss);
  if (may_reach_beyond(method) && is_stuck)
    held.beyond = within(held.beyond + beyond_a_step * wanted, most_beyond * size);
  const bool is_new = held.pull == 0, is_known = !held.is_measured && held.tried_axes == 3;
  if (is_known && !is_new) pulls.end(held.pull, next, time);
  held.is_measured |= is_known;
  if (is_known || is_new) begin(held, simulator, scene_size, beside(held, system, pulls, next), pulls);
  const Vec3 target = held.stands ? held.pointer : rounded_place(at + wanted + held.beyond, size);
  pulls.aim(held.pull, next, time, target);
}

void Hands::begin(Held& held, const Simulator& simulator, double scene_size, double beside, Pulls& pulls) {
  const GripStrength strength =
      strength_of(held.grip, held.is_measured ? held.compliance : 0.0, held.time_step,
                  simulator.integrator().name(), held.share, beside);
  const double flight = held.time_step * norm(held.grip.mean(simulator.state().velocities));
  held.pull = pulls.begin({held.grip.vertices,
                           held.grip.weights,
                           seven_digits(strength.stiffness),
                           seven_digits(strength.damping),
                           {}},
                          most_way * scene_size + 2.0 * flight, held.is_measured ? held.compliance : 0.0);
  if (held.stands) pulls.let_stand(held.pull, simulator.state().step + 1);
}

void Hands::hold_tacks(const Simulator& simulator, double size, const Pulls& pulls) {
  const Count now = simulator.state().step;
  for (const Pull& pull : pulls.all()) {
    if (!pull.acts_after(now) || !pull.is_tack_at(now) || of_pull(pull.number) != nullptr) continue;
    Held& held = held_.emplace_back();
    held.page = nobody;
    held.hand = static_cast<int>(pull.number);
    held.grip.vertices = pull.track.vertices;
    held.grip.weights = pull.track.weights;
    held.grip.diagonal = size;
    held.pointer = pull.track.targets.values.back();
    held.pull = pull.number;
    held.stands = true;
    weigh_anew(simulator.system(), held.grip);
  }
}

void Hands::forget_tack(std::uint32_t pull) {
  std::erase_if(held_, [&](const Held& held) { return held.stands && held.pull == pull; });
}

Held* Hands::untried() {
  for (Held& held : held_)
    if (held.tried_axes < 3) return &held;
  return nullptr;
}

void add_trial(const Held& held, StepInputs& inputs) {
  const Grip& grip = held.grip;
  Vec3 force;
  force[held.tried_axes] = trial_force(grip, held.time_step);
  const auto add = [&](Inputs& to) {
    if (to.loads.empty()) to.loads.resize(to.charges.size());
    for (std::size_t k = 0; k < grip.vertices.size(); ++k)
      to.loads[static_cast<std::size_t>(grip.vertices[k])] += grip.weights[k] * force;
  };
  add(inputs.start);
  add(inputs.end);
  for (Inputs& stage : inputs.stages) add(stage);
}

void learn(Held& held, const State& loaded, const State& free, const Pulls& pulls) {
  const int axis = held.tried_axes++;
  const Grip& grip = held.grip;
  const double h = held.time_step, force = trial_force(grip, h);
  const Vec3 moved = grip.mean(loaded.positions) - grip.mean(free.positions),
             faster = grip.mean(loaded.velocities) - grip.mean(free.velocities);
  held.compliance = std::max(
      {held.compliance, moved[axis] / force, h * faster[axis] / force, least_compliance * h * h / grip.mass});
  for (const Pull& pull : pulls.all()) {
    if (pull.number == held.pull || !pull.acts_at(free.step)) continue;
    const auto change_of = [&](VectorView with, VectorView without) {
      return norm(weighted_mean(pull.track.vertices, pull.track.weights, with) -
                  weighted_mean(pull.track.vertices, pull.track.weights, without));
    };
    double& most = held.moves[pull.number];
    most = std::max({most, change_of(loaded.positions, free.positions) / force,
                     h * change_of(loaded.velocities, free.velocities) / force});
  }
}

}  // namespace electret::studio
