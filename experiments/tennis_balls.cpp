/// \file
/// tennis-balls: what a clip of two tennis balls that meet tells of them and of the camera ([DiffPD] §7.5).

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>

#include "ball_search.hpp"
#include "filmed_balls.hpp"
#include "published_mesh.hpp"
#include "solid_run.hpp"

namespace electret::experiments {
namespace {

constexpr Count whole_steps = 147, quick_steps = 27;
constexpr double step_time = 1.0 / 180.0;  // s
constexpr double pixel_noise = 1.0;        // px
constexpr std::uint32_t pixel_seed = 1;
constexpr double published_time = 24.1 + 15.9;              // s, by 8 threads
constexpr double published_falls = 6.9e-2;                  // of the mean of four samples
constexpr double inertia_part = 0.3985;                     // v/(ω r) of a ball that has stopped slipping
constexpr double rolling_goal = 0.02, residual_goal = 1.5;  // 1, px
constexpr double speed_goal = 0.02, place_goal = 2e-3;      // 1, m
constexpr double camera_goal = 1e-8, derivative_goal = 1e-6, times_goal = 5.0;
constexpr double rolling_spin = 20.0;  // rad/s
constexpr Count close_steps = 6;
constexpr double usual_tolerance = 1e-4, tight_tolerance = 1e-11;
constexpr std::size_t published_draws = 4;

/// How the balls of the synthetic clip start, and how its camera differs from what was calibrated: turns
/// (rad), shifts (m) and zoom.
const BallStarts true_starts{{{{0.25, 0.25, 0.0}, 0.553, 0.109}, {{0.62, 0.31, 0.0}, 0.25, 3.1016}}};
const BallStarts quick_starts{{{{0.43, 0.29, 0.0}, 0.553, 0.109}, {{0.548, 0.305, 0.0}, 0.25, 3.1016}}};
/// Where derivatives are compared with differences: the balls touch at once.
const BallStarts close_starts{{{{0.48, 0.29, 0.0}, 0.553, 0.109}, {{0.5497, 0.3, 0.0}, 0.25, 3.1016}}};
constexpr std::array<double, 7> true_camera{0.012, -0.008, 0.01, 0.01, -0.006, 0.015, 1.02};

constexpr const char* camera_file = "camera.toml";

/// A scene's text with the user's camera in place of its own, if there is one. Throws InputError if it is no
/// camera.
SceneSource with_camera(SceneSource scene, const std::optional<std::string>& camera) {
  if (!camera) return scene;
  const auto own = scene.text.find("[[camera]]");
  require(own != std::string::npos, "the scenes of tennis-balls end with their camera");
  // The user's lines come first, so that what is wrong with them is found where it stands.
  scene.text = *camera + "\n" + scene.text.substr(0, own);
  SceneSource tried = scene;
  tried.file = camera_file;
  const BallScene made(tried, {});
  if (const std::size_t count = made.assembly().cameras.size(); count != 1)
    throw InputError(Finding{{camera_file, 0, 0},
                             fmt::format("has {} cameras", count),
                             "allowed: one [[camera]], that of the clip"});
  return scene;
}

std::vector<std::size_t> from_to(std::size_t first, std::size_t end) {
  std::vector<std::size_t> result(end - first);
  std::iota(result.begin(), result.end(), first);
  return result;
}

class TennisBalls {
 public:
  TennisBalls(const Context& context, Report& report)
      : context_(context), report_(report), steps_(context.quick() ? quick_steps : whole_steps) {
    const std::optional<std::string> camera = published_file(context, camera_file);
    const std::string length = fmt::format("time.steps={}", steps_);
    published_scene_ = with_camera(scene_file("tennis_balls.toml"), camera).changed({length});
    own_scene_ = with_camera(scene_file("rolling_balls.toml"), camera).changed({length});
    record();
  }

  void run() {
    const Assembly& assembly = published().assembly();
    report_.claim({"(ours) the balls are the published ones",
                   assembly.masses.size() == 326 && assembly.tetrahedra.size() == 640,
                   fmt::format("{} vertices and {} tetrahedra each", assembly.masses.size() / 2,
                               assembly.tetrahedra.size() / 2)});
    roll();
    compare_derivatives();
    search();
    FilmedBalls shown(context_, report_, clip_, is_synthetic_, steps_);
    shown.show(*published_, *own_, searches_, published_samples_, own_samples_, best_published(), best_own(),
               true_clip());
    claims();
    settings();
  }

 private:
  [[nodiscard]] const BallScene& published() const { return *published_; }

  /// The user's clip, or a synthetic one: our own run with contact of bodies, seen with noise.
  void record() {
    context_.progress("recording", 0.0);
    if (published_file(context_, "tennis_balls.csv")) {
      is_synthetic_ = false;
      const BallScene any(published_scene_, true_starts);
      clip_ = clip_of_file((std::filesystem::path(context_.data()) / "tennis_balls.csv").string(),
                           any.assembly());
      std::erase_if(clip_, [&](const ClipPicture& picture) { return picture.step > steps_; });
    } else {
      truth_.emplace(own_scene_, context_.quick() ? quick_starts : true_starts);
      true_values_ = truth_->middle();
      for (std::size_t k = 0; k < true_camera.size(); ++k)
        true_values_[truth_->first_camera() + k] = true_camera[k];
      clip_ = with_noise(filmed(context_, *truth_, true_values_, steps_), pixel_noise, pixel_seed);
    }
    report_.input("tennis_balls.csv", clip_csv(clip_, step_time));
    const BallScene any(published_scene_, true_starts);
    estimate_ = estimated(clip_, any.assembly().cameras[0].view, step_time);
    published_.emplace(published_scene_, estimate_);
    own_.emplace(own_scene_, estimate_);
  }

  [[nodiscard]] Clip true_clip() const {
    return truth_ ? filmed(context_, *truth_, true_values_, steps_) : Clip{};
  }

  /// One ball alone, by the published contact.
  void roll() {
    context_.progress("rolling", 0.05);
    std::vector<double> values = published().middle();
    values[published().first_start() + 7] += 1.0;  // The other ball is far away.
    // A slow one: the faster it rolls, the more each facet takes.
    values[published().first_start() + 2] *= rolling_spin * ball_size / published().starts(values)[0].speed;
    const double spin = published().starts(values)[0].speed;
    Simulator simulator(compile(published().with(values), context_.threads().count()));
    std::vector<Vec3> places;
    for (Count step = 0; step <= steps_; ++step) {
      context_.check_stop();
      if (step > 0) simulator.step();
      places.push_back(published().centre(simulator.state().positions, 0));
    }
    const auto speed = [&](std::size_t from, std::size_t to) {
      return norm(places[to] - places[from]) / (step_time * static_cast<double>(to - from)) / spin;
    };
    const double begin = speed(2, 14), end = speed(places.size() - 13, places.size() - 1);
    report_.claim({"(ours) the published contact turns spin into rolling at 0.3985 ω r, to 2 %",
                   std::abs(begin / inertia_part - 1.0) <= rolling_goal,
                   fmt::format("{:.4f} ω r over steps 2 to 14", begin)});
    report_.claim(
        {"(ours) a ball that spins at first ends at that speed",
         context_.quick() ? std::nullopt : std::optional(std::abs(end / inertia_part - 1.0) <= rolling_goal),
         fmt::format("{:.4f} ω r over the last 12 steps: each facet of the ball that comes down, and "
                     "the damping of imex, takes a part",
                     end)});
  }

  void compare_derivatives() {
    context_.progress("differences", 0.08);
    double camera = 0.0, all = 0.0;
    std::string figure;
    for (const SceneSource& source : {published_scene_, own_scene_}) {
      const BallScene scene(source, close_starts);
      const BallSearcher searcher(context_, scene, clip_);
      const std::vector<double> at = scene.middle();
      std::vector<std::size_t> balls = from_to(0, scene.first_camera()),
                               views = from_to(scene.first_camera(), at.size());
      if (context_.quick()) {
        balls = {0, scene.first_start() + 2, scene.first_start() + 4};
        views = {views[0], views[4], views[6]};
      }
      // The camera does not change the motion, so that the runs need not be more exact than usual.
      const double of_camera = searcher.difference_miss(at, views, close_steps, usual_tolerance);
      const double of_balls = searcher.difference_miss(at, balls, close_steps, tight_tolerance);
      camera = std::max(camera, of_camera), all = std::max({all, of_camera, of_balls});
      figure += fmt::format("{}{:.1g} with {}", figure.empty() ? "" : ", ", of_balls,
                            scene.is_published() ? "the published contact" : "contact of bodies");
    }
    report_.claim({"(ours) derivatives by the camera's numbers are those of differences, to 1e-8",
                   camera <= camera_goal, fmt::format("{:.1g} off", camera)});
    report_.claim({"(ours) derivatives by the balls' starts and contact are those of differences, to 1e-6",
                   all <= derivative_goal,
                   figure + fmt::format("; over {} steps in which the balls touch", close_steps)});
  }

  void search() {
    const bool quick = context_.quick();
    const std::size_t draws = quick ? 2 : 16;
    const Count evaluations = quick ? 2 : 40;
    const BallSearcher with_published(context_, published(), clip_), with_own(context_, *own_, clip_);
    published_samples_ = with_published.sampled(draws, "random numbers, published contact", 0.12);
    own_samples_ = with_own.sampled(draws, "random numbers, contact of bodies", 0.3);
    const auto add = [&](const BallSearcher& searcher, const std::string& model, const std::string& start,
                         const std::vector<double>& from, std::size_t end, double part) {
      searches_.push_back(searcher.search(model, start, from, from_to(0, end), evaluations, part));
    };
    const auto& numbers = published().numbers();
    const auto& drawn = published_samples_;
    add(with_published, "published", "published start", drawn.values[drawn.best(published_draws)],
        numbers.size(), 0.18);
    add(with_published, "published", "best of 16", drawn.values[drawn.best(draws)], numbers.size(), 0.24);
    add(with_own, "bodies", "best of 16", own_samples_.values[own_samples_.best(draws)],
        own_->numbers().size(), 0.4);
    if (!truth_) return;
    // With the true camera the estimate of the starts is another one.
    known_.emplace(own_scene_, estimated(clip_, truth_->with(true_values_).cameras[0].view, step_time));
    const BallSearcher with_known(context_, *known_, clip_);
    std::vector<double> from = known_->middle();
    std::copy(true_camera.begin(), true_camera.end(),
              from.begin() + static_cast<std::ptrdiff_t>(known_->first_camera()));
    add(with_known, "bodies, camera known", "estimate", from, known_->first_camera(), 0.6);
  }

  [[nodiscard]] const BallSearch& best_of(const std::string& model) const {
    const BallSearch* best = nullptr;
    for (const BallSearch& each : searches_)
      if (each.model == model && (best == nullptr || each.least < best->least)) best = &each;
    require(best != nullptr, "each model of the balls was searched for");
    return *best;
  }
  [[nodiscard]] const BallSearch& best_published() const { return best_of("published"); }
  [[nodiscard]] const BallSearch& best_own() const { return best_of("bodies"); }
  [[nodiscard]] std::optional<bool> if_whole(bool holds) const {
    return context_.quick() ? std::nullopt : std::optional(holds);
  }
  static double residual(double mean) { return std::sqrt(mean); }

  void claims() {
    const double typical = published_samples_.mean(published_draws);
    const BallSearch& published_start = searches_[0];
    report_.claim(
        {"the loss falls to 6.9e-2 of that of four random guesses",
         if_whole(published_start.least / typical <= published_falls),
         fmt::format("{:.2g} after {} runs from the published start, {:.2g} after {} from the best of "
                     "{}; {}",
                     published_start.least / typical, published_start.losses.size(),
                     searches_[1].least / typical, searches_[1].losses.size(),
                     published_samples_.losses.size(),
                     is_synthetic_ ? "of a synthetic clip" : "of the given clip")});
    report_.claim({"(ours) with contact of bodies the pictures are met to 1.5 px",
                   if_whole(residual(best_own().least) <= residual_goal),
                   fmt::format("{:.2f} px, root mean square; with the published contact {:.2f} px",
                               residual(best_own().least), residual(best_published().least))});
    report_.claim({"(ours) the published contact does not meet them as well",
                   if_whole(best_published().least > best_own().least),
                   fmt::format("{:.3g} times the mean square", best_published().least / best_own().least)});
    if (truth_) known_claim();
    report_.claim(
        {"(ours) one loss and gradient takes a fifth of the published time at most",
         if_whole(searches_[0].seconds * times_goal <= published_time),
         fmt::format("{:.3g} s by {} threads on average, with contact of bodies {:.3g} s; published "
                     "{:g} s by 8",
                     searches_[0].seconds, context_.threads().count(), best_own().seconds, published_time)});
    Count capped = 0;
    for (const BallSearch& each : searches_) capped += each.capped;
    report_.claim({"(ours) no step of the searches misses its tolerance", capped == 0,
                   fmt::format("{} steps", capped)});
  }

  /// With the camera known: starts within 2 % or 2 mm of the truth.
  void known_claim() {
    const BallSearch& search = best_of("bodies, camera known");
    const BallStarts found = known_->starts(search.found), truth = truth_->starts(true_values_);
    double speeds = 0.0, places = 0.0, turns = 0.0;
    for (std::size_t b = 0; b < 2; ++b) {
      speeds = std::max(speeds, std::abs(found[b].speed / truth[b].speed - 1.0));
      places = std::max(places, norm(found[b].centre - truth[b].centre));
      turns = std::max(
          turns, std::abs(std::remainder(found[b].direction - truth[b].direction, 2.0 * std::numbers::pi)));
    }
    report_.claim({"(ours) the camera known, speeds and spins are found within 2 %, places within 2 mm",
                   if_whole(speeds <= speed_goal && places <= place_goal),
                   fmt::format("{:.2g} %, {:.2g} mm; directions within {:.2g} rad", 100.0 * speeds,
                               1e3 * places, turns)});
    report_.remark(
        "The clip is synthetic: our own run with contact of bodies, seen with normal noise of 1 px. The "
        "searches with contact of bodies therefore have the right model, which no search of a real clip "
        "has.");
    report_.remark(
        "With the camera free, the balls' places are not determined: balls and camera that are moved "
        "together "
        "give the same pictures. The search with the camera known has the true one.");
  }

  void settings() {
    SceneSource own = own_->written(best_own().found);
    const SceneSource found = published().written(best_published().found);
    for (const auto& [name, bytes] : found.files) report_.input(name, bytes);
    report_.input(found.file, found.text);
    report_.command(found.command("published"));
    for (const auto& [name, bytes] : own.files) report_.input("rolling_" + name, bytes);
    own = own.changed({"body.0.velocities=rolling_left.csv", "body.1.velocities=rolling_right.csv"});
    report_.input(own.file, own.text);
    report_.command(own.command("bodies"));
    report_.command(
        "electret gradient inputs/rolling_balls.toml --loss pixels:inputs/tennis_balls.csv --wrt "
        "camera.above.rotate,camera.above.translate,camera.above.zoom");
    report_.setting("clip",
                    is_synthetic_
                        ? fmt::format("synthetic: {} pictures of our own run with contact of bodies, 60 a "
                                      "second, noise of 1 px, NumPy's normal numbers of seed {}",
                                      clip_.size(), pixel_seed)
                        : fmt::format("tennis_balls.csv of the given folder: {} pictures", clip_.size()));
    report_.setting(
        "camera",
        is_synthetic_
            ? "1100 px, 1.2 m above the middle of the table's front edge; that of the clip is turned, "
              "shifted and zoomed by numbers that the searches do not know"
            : "yours of camera.toml, or 1100 px, 1.2 m above the middle of the table's front edge");
    report_.setting("loss",
                    "mean of |p - p*|² over both balls and all pictures but the first, px²; the published "
                    "one is its multiple");
    report_.setting("unknowns",
                    "19 with the published contact, 15 with contact of bodies, within the published "
                    "bounds; speeds of rolling balls within 0.8 to 1.3 of the estimate");
    report_.setting("starts",
                    "NumPy's uniform numbers of seed 0, after one draw that does not count; the published "
                    "start is the best of the first four. Order: stiffnesses, frictions, directions, "
                    "spins, places, camera");
    report_.setting("contact of bodies",
                    "thickness 1 mm, friction 0.3 between the balls and 0.6 on the table, ν = "
                    "0.45; the balls start rolling");
    report_.setting("published contact",
                    "`law = \"sticking\"`, `[[ball_contact]]`; E = 1 MPa, ν = 0.49, "
                    "`projective`; volumes of elements are true, the published ones their "
                    "mean");
    report_.setting("optimiser",
                    "L-BFGS-B, 40 runs at most, ends when ten improvements change less than 1e-4");
  }

  const Context& context_;
  Report& report_;
  Count steps_;
  SceneSource published_scene_, own_scene_;
  bool is_synthetic_ = true;
  std::optional<BallScene> truth_, published_, own_, known_;
  std::vector<double> true_values_;
  Clip clip_;
  BallStarts estimate_;
  BallSamples published_samples_, own_samples_;
  std::vector<BallSearch> searches_;
};

}  // namespace

void tennis_balls(const Context& context, Report& report) {
  TennisBalls(context, report).run();
}

}  // namespace electret::experiments
