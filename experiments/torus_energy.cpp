/// \file
/// torus-energy: the energy and the shape of a charged torus over time, by several methods and steps
/// ([MSC] first version, Fig. 4).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "experiment.hpp"
#include "lammps.hpp"
#include "motion.hpp"
#include "scenes.hpp"

namespace electret::experiments {
namespace {

constexpr std::array<double, 3> steps{0.015, 0.03, 0.15};
constexpr double sample = 0.15, middle_step = 0.03;  // s

/// What counts as reproduced.
constexpr double imex_most = 0.15, unusable = 1.0, midpoint_most = 1e-3, same_cost = 0.10, agreement = 1e-3;

struct Method {
  const char* name;
  int colour;
  Marker marker;
};
const std::vector<Method> methods{{"imex", 0, Marker::circle},
                                  {"verlet", 1, Marker::square},
                                  {"LAMMPS", 6, Marker::cross},
                                  {"explicit_euler", 3, Marker::triangle},
                                  {"kick_midpoint", 2, Marker::diamond}};

class TorusEnergy {
 public:
  TorusEnergy(const Context& context, Report& report)
      : context_(context),
        report_(report),
        end_(context.quick() ? 4.5 : 15.0),
        reference_step_(context.quick() ? 0.0075 : 0.0015),
        scene_(torus_scene()),
        table_("motions", {"method", "h", "time", "energy", "energy_error", "gyration", "gyration_error"}),
        summary_("summary", {"method", "h (s)", "energy error at 0.3 s", "1 s", "4.5 s", "the end", "largest",
                             "gyration error, largest", "at the end"}) {}

  void run() {
    report_.input(scene_.file, scene_.text);
    const SceneSource fine = scene_.with("verlet", reference_step_);
    reference_ = simulate(context_, fine, sampling(), "reference", 0.0, 0.3);
    report_.command(fine.command("reference"));
    for (std::size_t k = 0; k < steps.size(); ++k)
      for (std::size_t m = 0; m < methods.size(); ++m)
        if (is_available(methods[m]))
          measure(methods[m], steps[k],
                  0.3 + 0.6 * (5.0 * static_cast<double>(k) + static_cast<double>(m)) / 15.0);
    report_.table(summary_, true);
    report_.table(table_, false);
    for (const double step : steps) {
      report_.chart(fmt::format("energy_h{}", step), energy_chart(step));
      report_.chart(fmt::format("gyration_h{}", step), gyration_chart(step));
    }
    claims();
    settings();
  }

 private:
  using Key = std::pair<std::string, double>;
  struct Result {
    Motion motion;
    std::vector<double> energy, gyration;  ///< Relative errors.
  };

  [[nodiscard]] Sampling sampling() const { return {.end = end_, .interval = sample}; }
  [[nodiscard]] static bool is_lammps(const Method& method) { return std::string(method.name) == "LAMMPS"; }
  [[nodiscard]] static bool is_available(const Method& method) {
    return !is_lammps(method) || lammps_is_installed();
  }

  void measure(const Method& method, double step, double part) {
    const std::string what = fmt::format("{}, h = {} s", method.name, step);
    const SceneSource scene = scene_.with(is_lammps(method) ? "verlet" : method.name, step);
    Result result;
    result.motion = is_lammps(method) ? simulate_with_lammps(context_, scene, sampling(), what, part)
                                      : simulate(context_, scene, sampling(), what, part, 0.04);
    result.energy = energy_errors(result.motion, reference_);
    result.gyration = gyration_errors(result.motion, reference_);
    for (std::size_t k = 0; k < result.energy.size(); ++k)
      table_.add({method.name, step, result.motion.time[k], result.motion.energy[k], result.energy[k],
                  result.motion.gyration[k], result.gyration[k]});
    summarise(method, step, result);
    if (!is_lammps(method)) report_.command(scene.command(fmt::format("{}_h{}", method.name, step)));
    results_[{method.name, step}] = std::move(result);
  }

  void summarise(const Method& method, double step, const Result& result) {
    const auto at = [&](const std::vector<double>& errors, double time) -> Table::Cell {
      const auto k = static_cast<std::size_t>(std::llround(time / sample));
      return k < errors.size() ? Table::Cell(errors[k]) : Table::Cell(std::string("–"));
    };
    const auto failed = first_above(result.motion, result.energy, unusable);
    const auto largest = [&](const std::vector<double>& errors) -> Table::Cell {
      if (failed) return fmt::format("fails at {:.2g} s", *failed);
      return largest_error(result.motion, errors);
    };
    summary_.add({method.name, step, at(result.energy, 0.3), at(result.energy, 1.05), at(result.energy, 4.5),
                  at(result.energy, end_), largest(result.energy), largest(result.gyration),
                  at(result.gyration, end_)});
  }

  [[nodiscard]] Chart chart_of(double step, const char* what) const {
    Chart chart;
    chart.title = fmt::format("A charged torus, h = {} s: {}", step, what);
    chart.subtitle = "145 points, k = 10 N/m, q = 6 µC, released at rest";
    chart.x = {.label = "time (s)", .low = 0.0, .high = end_};
    return chart;
  }
  [[nodiscard]] static Series series_of(const Method& method, const std::vector<double>& x,
                                        const std::vector<double>& y) {
    Series series{.name = method.name, .colour = method.colour, .marker = Marker::none};
    series.dashed = is_lammps(method);
    series.x.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(y.size()));
    series.y = y;
    return series;
  }

  [[nodiscard]] Chart energy_chart(double step) const {
    Chart chart = chart_of(step, "relative error of its energy");
    chart.y = {.label = "|E − E_ref| / |E_ref|", .logarithmic = true, .low = 1e-5, .high = 10.0};
    chart.levels = {{imex_most, "15 %"}};
    for (const Method& method : methods)
      if (const auto found = results_.find({method.name, step}); found != results_.end())
        chart.series.push_back(series_of(method, found->second.motion.time, found->second.energy));
    return chart;
  }

  [[nodiscard]] Chart gyration_chart(double step) const {
    Chart chart = chart_of(step, "its size");
    chart.y = {.label = "radius of gyration (m)", .low = 0.0, .high = 4.0};
    const Method reference{"reference", 4, Marker::none};
    chart.series.push_back(series_of(reference, reference_.time, reference_.gyration));
    chart.series.back().stroke = 4.0;
    for (const Method& method : methods)
      if (const auto found = results_.find({method.name, step}); found != results_.end())
        chart.series.push_back(series_of(method, found->second.motion.time, found->second.motion.gyration));
    return chart;
  }

  [[nodiscard]] const Result& result(const std::string& method, double step) const {
    return results_.at({method, step});
  }
  [[nodiscard]] double energy_error(const std::string& method, double step) const {
    return largest_error(result(method, step).motion, result(method, step).energy);
  }
  [[nodiscard]] std::string energy_text(const std::string& method, double step) const {
    return error_text(result(method, step).motion, result(method, step).energy);
  }
  [[nodiscard]] std::string at_all_steps(const std::string& method) const {
    std::string text;
    for (const double step : steps)
      text += fmt::format("{}{} at h = {} s", text.empty() ? "" : ", ", energy_text(method, step), step);
    return text;
  }
  /// "above 100 % from 0.9 s on".
  [[nodiscard]] std::string fails_text(const std::string& method, double step) const {
    const auto when = first_above(result(method, step).motion, result(method, step).energy, unusable);
    return when ? fmt::format("above 100 % from {:.2g} s on at h = {} s", *when, step)
                : fmt::format("{} at h = {} s", energy_text(method, step), step);
  }
  [[nodiscard]] bool fails(const std::string& method, double step) const {
    return first_above(result(method, step).motion, result(method, step).energy, unusable).has_value();
  }

  void claims() {
    bool less_accurate = true, stable = true, explicit_fails = true;
    std::string unusable_text;
    for (const double step : steps) {
      if (step < 0.1)
        less_accurate = less_accurate && energy_error("imex", step) > energy_error("verlet", step);
      stable = stable && energy_error("imex", step) < imex_most;
      explicit_fails = explicit_fails && fails("explicit_euler", step);
      unusable_text += (unusable_text.empty() ? "" : ", ") + fails_text("explicit_euler", step);
    }
    report_.claim(
        {"imex is less accurate than Verlet at small steps", less_accurate,
         fmt::format("largest energy error {} (imex) and {} (verlet) at h = 0.015 s, {} and {} at h = 0.03 s",
                     energy_text("imex", 0.015), energy_text("verlet", 0.015), energy_text("imex", 0.03),
                     energy_text("verlet", 0.03))});
    report_.claim({"imex is stable: less than 15 % error at every step", stable, at_all_steps("imex")});
    seeds_remark();
    report_.claim({"Verlet fails at a large step", fails("verlet", 0.15), fails_text("verlet", 0.15)});
    lammps_claims();
    report_.claim({"the explicit-explicit method is quickly unusable", explicit_fails, unusable_text});
    shape_remark();
    midpoint_claims();
  }

  /// Where imex's error ends is a property of the body: how much of its energy can be lost.
  void seeds_remark() {
    constexpr int seeds = 12;
    int below = 0;
    double least = 1.0, most = 0.0;
    for (int seed = 1; seed <= seeds; ++seed) {
      const SceneSource scene =
          scene_.with("imex", 0.15).with({fmt::format("body.0.generate.seed={}", seed)});
      const Motion motion = simulate(context_, scene, sampling(), "other tori", 0.9, 0.0);
      const double error =
          std::abs(motion.energy.back() - motion.energy.front()) / std::abs(motion.energy.front());
      least = std::min(least, error);
      most = std::max(most, error);
      below += error < imex_most ? 1 : 0;
    }
    report_.remark(fmt::format(
        "imex's error stops growing when no energy is left to damp, so that its size is a property of the "
        "body. For the tori of seeds 1 to {} it is between {:.3f} and {:.3f}, and below 0.15 for {} of "
        "them.",
        seeds, least, most, below));
  }

  void lammps_claims() {
    Claim fails_too{"LAMMPS fails at a large step", {}, no_lammps()};
    Claim agrees{
        "(ours) LAMMPS's Verlet and ours agree to three digits where both are stable", {}, no_lammps()};
    if (lammps_is_installed()) {
      fails_too.reproduced = fails("LAMMPS", 0.15);
      fails_too.figure = fails_text("LAMMPS", 0.15);
      double worst = 0.0;
      for (const double step : {0.015, 0.03}) {
        const Motion &a = result("LAMMPS", step).motion, &b = result("verlet", step).motion;
        for (const auto& errors : {energy_errors(a, b), gyration_errors(a, b)})
          worst = std::max(worst, largest_error(a, errors));
      }
      agrees.reproduced = worst < agreement;
      agrees.figure =
          fmt::format("energies and radii of gyration differ by at most {:.1e} over {} s", worst, end_);
    }
    report_.claim(fails_too);
    report_.claim(agrees);
  }

  void shape_remark() {
    const auto shape = [&](const char* method, double step) {
      return error_text(result(method, step).motion, result(method, step).gyration);
    };
    report_.remark(fmt::format(
        "A body that has stopped may have a small error of the energy: backward Euler damps all motion of "
        "the springs, and imex's error stops growing when no energy is left to lose. The radius of "
        "gyration says how far the shape is off: at most {} (imex), {} (verlet) and {} (kick_midpoint) at "
        "h = 0.03 s, {} (imex) at h = 0.15 s.",
        shape("imex", 0.03), shape("verlet", 0.03), shape("kick_midpoint", 0.03), shape("imex", 0.15)));
  }

  struct Cost {
    double seconds =
        std::numeric_limits<double>::infinity();  ///< Wall time of a step, the least of several runs.
    double iterations = 0.0;                      ///< Of elastic solves, a step.
    double change = 0.0;  ///< The largest of the energy, at any step, relative to the start's.
  };
  void run_once(const char* method, Cost& cost) const {
    const Motion motion =
        simulate(context_, scene_.with(method, middle_step), {.end = end_, .interval = middle_step},
                 fmt::format("cost of {}", method), 0.95, 0.0);
    const auto made = static_cast<double>(motion.steps);
    cost.seconds = std::min(cost.seconds, motion.seconds / made);
    cost.iterations = static_cast<double>(motion.elastic_iterations) / made;
    for (const double energy : motion.energy)
      cost.change = std::max(cost.change, std::abs(energy / motion.energy.front() - 1.0));
  }

  void midpoint_claims() {
    Cost imex, midpoint;
    for (int k = 0; k < 7; ++k) {  // in turns, so that whatever else the machine does hits both
      run_once("imex", imex);
      run_once("kick_midpoint", midpoint);
    }
    report_.claim(
        {fmt::format("(ours) kick_midpoint's energy error at h = 0.03 s is at most {}", midpoint_most),
         midpoint.change <= midpoint_most,
         fmt::format("{:.2g} at any step of {} s, where imex has {:.3f}", midpoint.change, end_,
                     imex.change)});
    report_.claim({"(ours) a step of kick_midpoint costs as much as one of imex, to 10 %",
                   midpoint.seconds <= (1.0 + same_cost) * imex.seconds,
                   fmt::format("{:.3f} ms ({:.1f} iterations) and {:.3f} ms ({:.1f})", 1e3 * midpoint.seconds,
                               midpoint.iterations, 1e3 * imex.seconds, imex.iterations)});
  }

  void settings() {
    add_torus_settings(report_);
    report_.setting("reference", fmt::format("verlet at h = {} s", reference_step_));
    report_.setting("error", "|E − E_ref| / |E_ref| of the total energy, every 0.15 s");
    report_.setting("length", fmt::format("{} s", end_));
    report_.setting("fails", "an error above 100 %, a divergence, or LAMMPS's stopping with an error");
    report_.setting("LAMMPS", lammps_is_installed() ? "coul/cut beyond the body, bond_style harmonic, fix nve"
                                                    : no_lammps());
  }

  const Context& context_;
  Report& report_;
  double end_, reference_step_;
  SceneSource scene_;
  Table table_, summary_;
  Motion reference_;
  std::map<Key, Result> results_;
};

}  // namespace

void torus_energy(const Context& context, Report& report) {
  TorusEnergy(context, report).run();
}

}  // namespace electret::experiments
