/// \file
/// parameter-map: imex's energy error over stiffness and charge ([MSC] first version, Fig. 14).

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiment.hpp"
#include "motion.hpp"
#include "scenes.hpp"

namespace electret::experiments {
namespace {

constexpr double step = 0.05, reference_step = 0.01;  // s
constexpr int frames = 100;

/// What counts as reproduced.
constexpr double least_of_most = 0.10, most_of_most = 0.30;

class ParameterMap {
 public:
  ParameterMap(const Context& context, Report& report)
      : context_(context),
        report_(report),
        vertices_(context.quick() ? 150 : 500),
        table_("errors", {"stiffness", "charge", "energy_error", "gyration_error", "reference_drift"}) {
    for (int k = 2; k <= 10; k += context.quick() ? 4 : 1) stiffnesses_.push_back(k);
    for (int q = 1; q <= 6; q += context.quick() ? 5 : 1) charges_.push_back(q);
  }

  void run() {
    for (const double charge : charges_) {
      energy_.emplace_back();
      gyration_.emplace_back();
      for (const double stiffness : stiffnesses_) measure(stiffness, charge);
    }
    report_.table(table_, false);
    report_.chart("energy", map("energy", energy_));
    report_.chart("gyration", map("radius of gyration", gyration_));
    claims();
    add_bunny_settings(report_, vertices_);
    report_.setting("error", "|E − E_ref| / |E_ref| at the 100th frame, t = 5 s; imex at h = 0.05 s");
    report_.setting("reference", "verlet at h = 0.01 s");
  }

 private:
  void measure(double stiffness, double charge) {
    const std::size_t cells = stiffnesses_.size() * charges_.size();
    const double part = static_cast<double>(done_++) / static_cast<double>(cells),
                 share = 0.5 / static_cast<double>(cells);
    const SceneSource scene = bunny_scene(vertices_, stiffness, 1e-6 * charge);
    if (done_ == 1) {
      report_.input(scene.file, scene.text);
      report_.command(
          scene.with("imex", step).with({"time.duration=5", "body.0.charge=6e-6"}).command("imex"));
      report_.command(scene.with("verlet", reference_step)
                          .with({"time.duration=5", "body.0.charge=6e-6"})
                          .command("verlet"));
      report_.input("map.toml", sweep_job(scene.file));
      report_.command("electret sweep inputs/map.toml -o map");
    }
    const Sampling sampling{.end = frames * step, .interval = frames * step};
    const std::string what = fmt::format("k = {} N/m, q = {} µC", stiffness, charge);
    const Motion reference =
        simulate(context_, scene.with("verlet", reference_step), sampling, what, part, share);
    const Motion motion = simulate(context_, scene.with("imex", step), sampling, what, part + share, share);
    energy_.back().push_back(energy_errors(motion, reference).back());
    gyration_.back().push_back(gyration_errors(motion, reference).back());
    // Nothing acts from outside: the reference's own energy should stay what it was.
    const double drift = std::abs(reference.energy.back() / reference.energy.front() - 1.0);
    drift_ = std::max(drift_, drift);
    table_.add({stiffness, charge, energy_.back().back(), gyration_.back().back(), drift});
  }

  /// All runs of the experiment as a sweep.
  [[nodiscard]] std::string sweep_job(const std::string& scene) const {
    std::vector<double> charges;  // C
    for (const double charge : charges_) charges.push_back(1e-6 * charge);
    const auto steps = [](double h) { return std::llround(frames * step / h); };
    return fmt::format(R"(# All runs behind errors.csv: imex and its reference for each charge and stiffness.
[sweep]
scene = "{}"
set = ["time.duration={}"]

[[vary]]
key = "body.0.charge"
values = [{}]

[[vary]]
key = "body.0.springs.0.stiffness"
values = [{}]

[[vary]]
key = "integrator.method"
values = ["verlet", "imex"]
together = "method"

[[vary]]
key = "time.step"
values = [{}, {}]
together = "method"

[[vary]]
key = "output.every"
values = [{}, {}]
together = "method"

[keep]
quantities = {{ start = "first of total", end = "last of total", size = "last of radius_of_gyration" }}
)",
                       scene, frames * step, fmt::join(charges, ", "), fmt::join(stiffnesses_, ", "),
                       reference_step, step, steps(reference_step), steps(step));
  }

  [[nodiscard]] ColourMap map(const std::string& what, const std::vector<std::vector<double>>& errors) const {
    ColourMap map;
    map.title = fmt::format("imex's error of the {} at the 100th frame", what);
    map.subtitle =
        fmt::format("charged blob of {} vertices, h = 0.05 s, against verlet at h = 0.01 s", vertices_);
    map.x_label = "stiffness k (N/m)";
    map.y_label = "charge q (µC)";
    map.x = stiffnesses_;
    map.y = charges_;
    map.value = errors;
    map.value_label = "relative error (%)";
    map.scale = 100.0;
    return map;
  }

  void claims() {
    double most = 0.0, worst_k = 0.0, worst_q = 0.0;
    std::size_t grows = 0, falls = 0;
    for (std::size_t q = 0; q < charges_.size(); ++q)
      for (std::size_t k = 0; k < stiffnesses_.size(); ++k) {
        const double error = energy_[q][k];
        if (error > most) most = error, worst_k = stiffnesses_[k], worst_q = charges_[q];
        if (q > 0) ++(error > energy_[q - 1][k] ? grows : falls);
      }
    report_.claim({"the largest error is about 20 %", most > least_of_most && most < most_of_most,
                   fmt::format("{:.1f} %, at k = {} N/m and q = {} µC; reproduced: between {:g} and {:g} %",
                               100.0 * most, worst_k, worst_q, 100.0 * least_of_most, 100.0 * most_of_most)});
    report_.claim(
        {"the error is largest where charge dominates", worst_q == charges_.back() && grows > 9 * falls,
         fmt::format(
             "the largest is at q = {} µC, and from one charge to the next it grows in {} of {} cells; "
             "reproduced: at the largest charge, and growing in more than nine tenths",
             worst_q, grows, grows + falls)});
    report_.remark(fmt::format(
        "At q = {} µC the error is {:.1f} % at k = {} N/m and {:.1f} % at {} N/m. The reference's own "
        "energy drifts by at most {:.2g}, so that the errors are imex's. If the error of a cell is out of "
        "line, two charges passed each other closer than h = 0.05 s resolves, and gained energy.",
        charges_.back(), 100.0 * energy_.back().front(), stiffnesses_.front(), 100.0 * energy_.back().back(),
        stiffnesses_.back(), drift_));
  }

  const Context& context_;
  Report& report_;
  Count vertices_;
  Table table_;
  std::vector<double> stiffnesses_, charges_;           // N/m, µC
  std::vector<std::vector<double>> energy_, gyration_;  // [charge][stiffness]
  double drift_ = 0.0;  ///< The largest of the references' relative changes of energy.
  std::size_t done_ = 0;
};

}  // namespace

void parameter_map(const Context& context, Report& report) {
  ParameterMap(context, report).run();
}

}  // namespace electret::experiments
