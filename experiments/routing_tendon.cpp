/// \file
/// routing-tendon: sixteen activations that bring a soft arm's end to a place ([DiffPD] §7.2).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/fit/fit.hpp>

#include "experiment.hpp"
#include "fitting.hpp"
#include "linear_loss.hpp"
#include "numpy_random.hpp"
#include "solid_run.hpp"

namespace electret::experiments {
namespace {

constexpr double cell = 0.025;  // m
constexpr int muscles = 16;
constexpr Vec3 goal{0.2, 0.2, 0.45};  // m
/// What the published code has at its start, found again by an independent program: the loss, the norm of its
/// derivatives by the activations, and some of them.
constexpr double published_start = 183.695680, published_norm = 324.5517798;
struct Component {
  std::size_t muscle;
  double derivative;
};
constexpr std::array<Component, 4> published_components{
    {{0, 12.93085938}, {4, -162.37136641}, {8, 187.1162354}, {15, 38.07881406}}};
constexpr double printed_digits = 1e-7;
constexpr double published_loss = 9.6e-4;  // of the mean loss of random activations
constexpr int published_evaluations = 40;
constexpr double near_enough = 1e-3;  // m

SceneSource arm_scene(Count frames, const std::vector<double>& activations) {
  std::vector<std::string> changes{fmt::format("time.steps={}", frames)};
  for (std::size_t g = 0; g < activations.size(); ++g)
    changes.push_back(fmt::format("body.0.muscle.{}.activation={}", g, activations[g]));
  return scene_file("arm.toml").changed(changes);
}

class Arm {
 public:
  Arm(const Context& context, Report& report)
      : context_(context), report_(report), random_(42), frames_(context.quick() ? 15 : 100) {
    for (int g = 0; g < muscles; ++g) start_.push_back(random_.uniform(0.0, 2.0));
    scene_ = arm_scene(frames_, start_);
    assembly_ = assembled(scene_);
    for (int g = 0; g < muscles; ++g) {
      parameters_.push_back(
          parameter_of(assembly_, fmt::format("body.arm.muscle.{}.activation", g), 0.0, 2.0));
      // 0 is a limit like 2: by its logarithm a value near it would never come back.
      parameters_.back().parameter.scale = ParameterScale::linear;
    }
    end_ = static_cast<Index>(assembly_.masses.size()) - 1;  // The corner at the largest x, y and z.
    loss_ = std::make_unique<EndPointLoss>(end_, goal, cell);
  }

  void run() {
    first_gradient();
    fit_activations();
    typical_loss();
    tables();
    charts();
    strip();
    claims();
    settings();
  }

 private:
  void first_gradient() {
    context_.progress("first gradient", 0.0);
    Simulator simulator(compile(assembly_, context_.threads().count()));
    GradientOptions options;
    options.rest_positions = false;
    const LossAndGradient got = loss_and_gradient(simulator, *loss_, options);
    first_loss_ = got.loss;
    for (const FitParameter& parameter : parameters_)
      derivatives_.push_back(parameter.parameter.pull(got.gradient)[0]);
  }

  void fit_activations() {
    FitOptions options;
    options.optimiser.evaluations = context_.quick() ? 10 : 80;
    // 0.1 mm from the goal.
    options.optimiser.loss_tolerance = 0.5 * std::pow(1e-4 / cell, 2.0);
    options.starts = {start_};
    options.threads = context_.threads().count();
    options.observe = [&](const FitEvaluation& evaluation) {
      path_.push_back(evaluation);
      const double most = static_cast<double>(options.optimiser.evaluations);
      context_.progress("fit", 0.05 + 0.7 * std::min(static_cast<double>(path_.size()) / most, 1.0));
    };
    outcome_ = fit(assembly_, parameters_, *loss_, options).outcomes[0];
  }

  void typical_loss() {
    std::vector<std::vector<double>> points(context_.quick() ? 2 : 16);
    for (auto& point : points)
      for (int g = 0; g < muscles; ++g) point.push_back(random_.uniform(0.0, 2.0));
    context_.progress("losses of random activations", 0.8);
    for (const double loss : scan_loss(assembly_, parameters_, *loss_, points, context_.threads().count()))
      typical_ += loss / static_cast<double>(points.size());
  }

  /// m, from the goal.
  [[nodiscard]] static double miss_of(double loss) { return cell * std::sqrt(2.0 * loss); }

  void tables() {
    Table activations("activations", {"muscle", "start", "derivative at the start", "found"});
    for (std::size_t g = 0; g < muscles; ++g)
      activations.add({static_cast<Count>(g), start_[g], derivatives_[g], outcome_.values[g]});
    report_.table(activations, true);
    Table path("evaluations", {"evaluation", "loss", "normalised_loss", "miss"});
    for (std::size_t k = 0; k < path_.size(); ++k)
      path.add({static_cast<Count>(k + 1), path_[k].loss, path_[k].loss / typical_, miss_of(path_[k].loss)});
    report_.table(path, false);
  }

  [[nodiscard]] std::string subtitle() const {
    return fmt::format("512 hexahedra, 825 vertices, {} frames of 10 ms, sixteen muscles", frames_);
  }

  void charts() {
    Chart miss;
    miss.title = "How far the arm's end is from the goal";
    miss.subtitle = subtitle();
    miss.x = {.label = "runs with their gradient"};
    miss.y = {.label = "distance (m)", .logarithmic = true};
    Series series{.name = "sixteen activations"};
    double best = std::numeric_limits<double>::infinity();
    Series lowest{.name = "the best so far", .colour = 1, .marker = Marker::none};
    for (std::size_t k = 0; k < path_.size(); ++k) {
      best = std::min(best, miss_of(path_[k].loss));
      series.x.push_back(static_cast<double>(k + 1));
      series.y.push_back(miss_of(path_[k].loss));
      lowest.x.push_back(static_cast<double>(k + 1));
      lowest.y.push_back(best);
    }
    miss.series = {series, lowest};
    miss.levels.push_back({near_enough, "1 mm"});
    report_.chart("miss", miss);
    Chart found;
    found.title = "The activations";
    found.subtitle = "1 is rest, less contracts; each of four columns has four segments from the foot up";
    found.x = {.label = "muscle"};
    found.y = {.label = "activation", .low = 0.0, .high = 2.0};
    for (const auto& [values, name, colour] :
         {std::tuple(&start_, "start", 6), std::tuple(&outcome_.values, "found", 0)}) {
      Series each{.name = name, .y = *values, .colour = colour, .line = false, .hollow = colour == 6};
      for (int g = 0; g < muscles; ++g) each.x.push_back(g);
      found.series.push_back(std::move(each));
    }
    report_.chart("activations", found);
  }

  void strip() {
    context_.progress("pictures", 0.95);
    TracedStrip strip;
    strip.title = "The arm with the first activations, and with those found";
    strip.subtitle = subtitle() + "; the ball: the goal of the far upper corner";
    std::vector<Count> shown{0, 5, 10, 15};
    if (!context_.quick()) shown = {0, 5, 15, 40, 100};
    for (const Count frame : shown)
      strip.columns.push_back(fmt::format("{:g} s", 0.01 * static_cast<double>(frame)));
    strip.rows = {{"start", positions_at(context_, scene_, shown), ""},
                  {"found", positions_at(context_, arm_scene(frames_, outcome_.values), shown), ""}};
    strip.faces = assembly_.faces;
    strip.balls = {{goal, 0.02, {0.84, 0.37, 0.0}}};
    strip.view = {.azimuth = 15.0, .elevation = 10.0};
    report_.chart("strip", strip, context_.threads());
  }

  void claims() {
    double worst = std::abs(first_loss_ / published_start - 1.0), squares = 0.0;
    for (const double derivative : derivatives_) squares += derivative * derivative;
    worst = std::max(worst, std::abs(std::sqrt(squares) / published_norm - 1.0));
    for (const Component& component : published_components)
      worst = std::max(worst, std::abs(derivatives_[component.muscle] / component.derivative - 1.0));
    report_.claim({"(ours) loss and derivatives at the start are the published scene's",
                   context_.quick() ? std::nullopt : std::optional(worst <= printed_digits),
                   fmt::format("loss {:.6f}; with the gradient's norm and four components at most {:.1g} off",
                               first_loss_, worst)});
    double best = std::numeric_limits<double>::infinity();
    const auto within = std::min<std::size_t>(path_.size(), published_evaluations);
    for (std::size_t k = 0; k < within; ++k) best = std::min(best, path_[k].loss);
    report_.claim({"the loss falls to 9.6e-4 of that of random activations in about 30 evaluations",
                   best / typical_ <= published_loss,
                   fmt::format("{:.2g} after {} runs with their gradient", best / typical_, within)});
    report_.claim({"(ours) the arm's end comes within 1 mm of the goal",
                   miss_of(outcome_.loss) <= near_enough,
                   fmt::format("{:.2g} mm after {} runs", 1e3 * miss_of(outcome_.loss), path_.size())});
  }

  void settings() {
    report_.input(scene_.file, scene_.text);
    SceneSource found = arm_scene(frames_, outcome_.values);
    found.file = "found.toml";
    report_.input(found.file, found.text);
    report_.command(scene_.command("start"));
    report_.command(found.command("found"));
    report_.setting(
        "arm", subtitle() + " of 1e5 Pa; `projective`, E = 0.5 MPa, ν = 0.45, no gravity, held at z = 0");
    report_.setting("activations",
                    "constant in time, 0 to 2, 1 is rest; the start is NumPy's uniform numbers of seed 42");
    report_.setting("loss",
                    "½|x - (0.2, 0.2, 0.45)|²/(25 mm)² of the corner (0.1, 0.1, 0.8) in the last frame");
    report_.setting("optimiser",
                    "L-BFGS within bounds, activations on a linear scale, until 0.1 mm are left");
  }

  const Context& context_;
  Report& report_;
  NumpyRandom random_;
  Count frames_;
  std::vector<double> start_, derivatives_;
  SceneSource scene_;
  Assembly assembly_;
  std::vector<FitParameter> parameters_;
  Index end_ = 0;
  std::unique_ptr<EndPointLoss> loss_;
  double first_loss_ = 0.0, typical_ = 0.0;
  std::vector<FitEvaluation> path_;
  FitOutcome outcome_;
};

}  // namespace

void routing_tendon(const Context& context, Report& report) {
  Arm(context, report).run();
}

}  // namespace electret::experiments
