/// \file
/// bunny-timestep: the energy error over the last seconds of a long run against the time step ([MSC] first
/// version, Fig. 5).

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "experiment.hpp"
#include "field_errors.hpp"
#include "motion.hpp"
#include "scenes.hpp"

namespace electret::experiments {
namespace {

constexpr double stiffness = 0.5, sample = 0.05;  // N/m, s
const std::vector<double> charges{6e-6, 8e-6};    // C
const std::vector<std::string> methods{"imex", "verlet", "kick_midpoint"};

/// What counts as reproduced.
constexpr double controlled = 1.0;

class BunnyTimestep {
 public:
  BunnyTimestep(const Context& context, Report& report)
      : context_(context),
        report_(report),
        vertices_(context.quick() ? 150 : 500),
        end_(context.quick() ? 6.0 : 30.0),
        last_(context.quick() ? 1.0 : 5.0),
        reference_step_(context.quick() ? 0.01 : 0.001),
        table_("errors",
               {"charge", "method", "h", "mean", "deviation", "worst", "gyration_mean", "failed_at"}) {
    if (context.quick())
      steps_ = {0.05, 0.2, 0.5};
    else
      steps_ = {0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5};
  }

  void run() {
    for (const double charge : charges) measure(charge);
    report_.table(table_, true);
    report_.chart("energy", chart("energy", energy_));
    report_.chart("gyration", chart("radius of gyration", gyration_));
    claims();
    add_bunny_settings(report_, vertices_);
    report_.setting("k, q", "0.5 N/m; 6 and 8 µC");
    report_.setting("reference", fmt::format("verlet at h = {} s", reference_step_));
    report_.setting(
        "error", fmt::format("|E − E_ref| / |E_ref|, mean and standard deviation over the last {} s of {} s; "
                             "a run that failed has none",
                             last_, end_));
  }

 private:
  struct Key {
    double charge;
    std::string method;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer in what is compared with.
    auto operator<=>(const Key&) const = default;
  };
  using Curves = std::map<Key, std::vector<Spread>>;

  void measure(double charge) {
    const SceneSource scene = bunny_scene(vertices_, stiffness, charge);
    report_.input(scene.file.substr(0, 5) + fmt::format("_{:g}uC.toml", 1e6 * charge), scene.text);
    const Motion reference = simulate(context_, scene.with("verlet", reference_step_),
                                      {.end = end_, .interval = sample}, "reference", progress_, 0.35);
    progress_ += 0.35;
    for (const auto& method : methods)
      for (const double step : steps_) {
        const Motion motion = simulate(context_, scene.with(method, step), {.end = end_, .interval = sample},
                                       fmt::format("{}, h = {} s", method, step), progress_, 0.0);
        progress_ += 0.15 / static_cast<double>(methods.size() * steps_.size());
        add(charge, method, step, motion, reference);
      }
  }

  void add(double charge, const std::string& method, double step, const Motion& motion,
           const Motion& reference) {
    const Spread energy = spread_of(last(motion, energy_errors(motion, reference)));
    const Spread gyration = spread_of(last(motion, gyration_errors(motion, reference)));
    energy_[{charge, method}].push_back(energy);
    gyration_[{charge, method}].push_back(gyration);
    table_.add({1e6 * charge, method, step, energy.mean, energy.deviation, energy.worst, gyration.mean,
                motion.failed_at ? fmt::format("{:.2g}", *motion.failed_at) : std::string("–")});
  }

  /// Those of the last seconds; one infinite error where the motion did not last.
  [[nodiscard]] std::vector<double> last(const Motion& motion, const std::vector<double>& errors) const {
    if (motion.failed_at) return {std::numeric_limits<double>::infinity()};
    std::vector<double> result;
    for (std::size_t k = 0; k < errors.size(); ++k)
      if (motion.time[k] > end_ - last_ - 1e-9) result.push_back(errors[k]);
    return result;
  }

  [[nodiscard]] Chart chart(const std::string& what, const Curves& curves) const {
    Chart chart;
    chart.title = fmt::format("Error of the {} against the step", what);
    chart.subtitle = fmt::format(
        "charged blob of {} vertices, k = 0.5 N/m; mean and standard deviation over the last {} s of {} s",
        vertices_, last_, end_);
    chart.x = {.label = "time step h (s)", .logarithmic = true};
    chart.y = {.label = "relative error of the " + what, .logarithmic = true};
    for (const auto& [key, spreads] : curves) {
      Series series{.name = fmt::format("{}, q = {:g} µC", key.method, 1e6 * key.charge),
                    .colour = key.method == "imex"     ? 0
                              : key.method == "verlet" ? 1
                                                       : 2};
      series.dashed = series.hollow = key.charge > 7e-6;
      series.marker = key.charge > 7e-6 ? Marker::square : Marker::circle;
      for (std::size_t k = 0; k < spreads.size(); ++k) {
        series.x.push_back(steps_[k] *
                           (key.charge > 7e-6 ? 1.03 : 1.0));  // beside, so that no bar hides another
        series.y.push_back(spreads[k].mean);
        series.error.push_back(spreads[k].deviation);
      }
      chart.series.push_back(series);
    }
    return chart;
  }

  [[nodiscard]] double worst(const std::string& method, double charge) const {
    double result = 0.0;
    for (const Spread& spread : energy_.at({charge, method})) result = std::max(result, spread.mean);
    return result;
  }

  void claims() {
    bool stays = true, verlet_leaves = false;
    std::string text, verlet_text;
    for (const double charge : charges) {
      const auto& spreads = energy_.at({charge, "imex"});
      stays = stays && worst("imex", charge) < controlled;
      verlet_leaves = verlet_leaves || worst("verlet", charge) >= controlled;
      text += fmt::format("{}from {:.2g} at h = {} s to {:.2g} at {} s, at most {:.2g} (q = {:g} µC)",
                          text.empty() ? "" : "; ", spreads.front().mean, steps_.front(), spreads.back().mean,
                          steps_.back(), worst("imex", charge), 1e6 * charge);
      verlet_text += fmt::format("{}{:.2g} (q = {:g} µC)", verlet_text.empty() ? "" : ", ",
                                 worst("verlet", charge), 1e6 * charge);
    }
    report_.claim({"imex's error stays controlled as the step grows", stays,
                   fmt::format("{}; reproduced: a mean below {:g} at every step", text, controlled)});
    report_.claim({"the other methods' error does not", verlet_leaves,
                   fmt::format("verlet's largest mean error: {}; reproduced: {:g} or more at some step",
                               verlet_text, controlled)});
    report_.remark(
        "imex's error is the energy that it damps. It stops growing when no energy is left. A controlled "
        "error of the energy is therefore not a small one, and neither is that of the shape (second chart).");
  }

  const Context& context_;
  Report& report_;
  Count vertices_;
  double end_, last_, reference_step_, progress_ = 0.0;
  std::vector<double> steps_;
  Table table_;
  Curves energy_, gyration_;
};

}  // namespace

void bunny_timestep(const Context& context, Report& report) {
  BunnyTimestep(context, report).run();
}

}  // namespace electret::experiments
