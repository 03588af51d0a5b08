#include <algorithm>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/studio/session/balls.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {
namespace {

/// What stands in the place of a ball that nobody holds.
ExternalChargeTrack ball_place() {
  return {{Vec3{}}, KeyFrames<double>::constant(0.0), KeyFrames<Vec3>::constant(Vec3{}), 1.0};
}

void add_key(Ball& ball, Count step, double time, double charge, const Vec3& place) {
  ball.steps.push_back(step);
  ball.track.charge.times.push_back(time);
  ball.track.charge.values.push_back(charge);
  ball.track.position.times.push_back(time);
  ball.track.position.values.push_back(place);
}

void drop_ball_keys_after(Count step, Ball& ball) {
  const auto kept = static_cast<std::size_t>(std::upper_bound(ball.steps.begin(), ball.steps.end(), step) -
                                             ball.steps.begin());
  ball.steps.resize(kept);
  ball.track.charge.times.resize(kept);
  ball.track.charge.values.resize(kept);
  ball.track.position.times.resize(kept);
  ball.track.position.values.resize(kept);
}

}  // namespace

Ball* Balls::at(std::uint32_t number) {
  for (Ball& ball : balls_)
    if (ball.number == number) return &ball;
  return nullptr;
}

std::uint32_t Balls::begin(double charge, double width) {
  Ball& ball = balls_.emplace_back();
  ball.number = ++last_number_;
  ball.charge = charge;
  ball.track = {{Vec3{}}, {{}, {}, Interpolation::step}, {{}, {}, Interpolation::step}, width};
  return last_number_;
}

void Balls::aim(std::uint32_t number, Count step, double time, const Vec3& place) {
  Ball* ball = at(number);
  require_argument(ball != nullptr && ball->end == Ball::never && step > 0 &&
                       (ball->steps.empty() || step > ball->steps.back()),
                   "balls: a key before the last one");
  if (ball->steps.empty()) add_key(*ball, 0, 0.0, 0.0, place);
  if (ball->steps.size() > 1 && ball->track.position.values.back() == place) return;
  add_key(*ball, step, time, ball->charge, place);
  ++revision_;
}

void Balls::end(std::uint32_t number, Count step, double time) {
  Ball* ball = at(number);
  if (ball == nullptr || (ball->end != Ball::never && ball->end <= step)) return;
  ++revision_;
  if (ball->steps.size() < 2 || ball->steps[1] >= step) {
    balls_.erase(balls_.begin() + (ball - balls_.data()));
    return;
  }
  drop_ball_keys_after(step - 1, *ball);
  ball->end = step;
  add_key(*ball, step, time, 0.0, ball->track.position.values.back());
}

void Balls::forget_after(Count step, double next_time) {
  ++revision_;
  std::erase_if(balls_, [&](const Ball& ball) { return ball.steps.size() < 2 || ball.steps[1] > step; });
  for (Ball& ball : balls_) {
    if (ball.end != Ball::never && ball.end <= step) continue;
    drop_ball_keys_after(step, ball);
    ball.end = step + 1;
    add_key(ball, step + 1, next_time, 0.0, ball.track.position.values.back());
  }
}

void Balls::clear() {
  balls_.clear();
  ++revision_;
}

void Balls::write_to(Inputs& inputs, std::size_t first, double time_step) const {
  for (const Ball& ball : balls_) {
    const double charge = evaluate(ball.track.charge, inputs.time, time_step);
    if (charge == 0.0) continue;
    require(first < inputs.external_charges.size(), "there is a place for each ball that is held");
    inputs.external_charges[first++] = {evaluate(ball.track.position, inputs.time, time_step), charge,
                                        ball.track.width};
  }
}

std::vector<ExternalChargeTrack> Balls::tracks_until(Count step) const {
  std::vector<ExternalChargeTrack> tracks;
  for (Ball ball : balls_) {
    drop_ball_keys_after(step, ball);
    if (ball.steps.size() > 1) tracks.push_back(std::move(ball.track));
  }
  return tracks;
}

void Balls::take_up(ExternalChargeTrack track, std::vector<Count> steps) {
  Ball& ball = balls_.emplace_back();
  ball.number = ++last_number_;
  ball.charge = track.charge.values.at(1);
  ball.steps = std::move(steps);
  if (track.charge.values.back() == 0.0) ball.end = ball.steps.back();
  ball.track = std::move(track);
  ++revision_;
}

std::string ball_tables(const std::vector<ExternalChargeTrack>& tracks) {
  std::string text;
  for (const ExternalChargeTrack& track : tracks)
    text += "\n[[external_charge]]  # held in the hand\nwidth = " + toml_value(number_node(track.width)) +
            "\ntimes = " + toml_value(list_node(track.charge.times)) +
            "\ncharges = " + toml_value(list_node(track.charge.values)) +
            "\npositions = " + toml_value(rows_node(track.position.values)) + "\ninterpolation = \"step\"\n";
  return text;
}

std::size_t ball_place_count(const Scene& scene) {
  const auto adds = [](const std::string& key) { return external_of_key(key) == ""; };
  const bool is_other = std::any_of(scene.changes.begin(), scene.changes.end(), [&](const Change& change) {
    return std::any_of(change.set.begin(), change.set.end(), adds) ||
           std::any_of(change.unset.begin(), change.unset.end(), adds);
  });
  return is_other ? 0 : most_balls;
}

void add_ball_places(Assembly& assembly) {
  for (std::size_t k = ball_place_count(assembly.scene); k > 0; --k) {
    const ExternalChargeTrack track = ball_place();
    assembly.scene.external_charges.push_back({track.charge, track.position, "", track.width});
    assembly.external_charges.push_back(track);
  }
}

std::vector<std::string> ball_places(std::size_t own) {
  const std::string one = "{ charge = 0.0, width = 1.0 }";
  std::vector<std::string> overrides;
  if (own == 0) overrides.push_back("external_charge=[" + one + "]");
  while (overrides.size() < most_balls)
    overrides.push_back("external_charge." + std::to_string(own + overrides.size()) + "=" + one);
  return overrides;
}

}  // namespace electret::studio
