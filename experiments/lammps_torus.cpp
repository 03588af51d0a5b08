/// \file
/// lammps-torus: pictures of a torus released freely, by imex and by LAMMPS, at a large and a small step
/// ([MSC] first version, Fig. 12).

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "experiment.hpp"
#include "lammps.hpp"
#include "motion.hpp"
#include "scenes.hpp"

namespace electret::experiments {
namespace {

constexpr double large = 0.1, small = 0.005, sample = 0.1;  // s

/// What counts as reproduced.
constexpr double plausible = 0.5, agreement = 1e-3;

struct Row {
  std::string name;
  double step;
  int colour;
  bool dashed;
  Motion motion;
};

class LammpsTorus {
 public:
  LammpsTorus(const Context& context, Report& report)
      : context_(context),
        report_(report),
        end_(context.quick() ? 4.0 : 10.0),
        scene_(
            torus_scene().with({fmt::format("time.step={}", large), fmt::format("time.duration={}", end_)})) {
  }

  void run() {
    report_.input(scene_.file, scene_.text);
    const double fine = context_.quick() ? 0.005 : 0.001;
    reference_ = {"verlet", fine, 4, false, motion("verlet", fine, 0.0, 0.6)};
    for (const double step : {large, small}) {
      if (lammps_is_installed())
        rows_.push_back({"LAMMPS", step, 1, step == small,
                         simulate_with_lammps(context_, scene_.with("verlet", step), sampling(),
                                              fmt::format("LAMMPS, h = {} s", step), 0.6)});
      rows_.push_back({"imex", step, 0, step == small, motion("imex", step, 0.7, 0.1)});
      verlet_.push_back(motion("verlet", step, 0.8, 0.05));
    }
    tables();
    report_.chart("strip", strip());
    report_.chart("gyration", chart());
    claims();
    add_torus_settings(report_);
    report_.setting("steps", "h = 0.1 and 0.005 s");
    report_.setting("reference", fmt::format("verlet at h = {} s", fine));
    report_.setting("LAMMPS", lammps_is_installed() ? "coul/cut beyond the body, bond_style harmonic, fix nve"
                                                    : no_lammps());
  }

 private:
  [[nodiscard]] Sampling sampling() const {
    Sampling result{.end = end_, .interval = sample};
    for (double time = 0.0; time < end_ + 1.0; time += 2.0) result.pictures.push_back(time);
    return result;
  }

  Motion motion(const std::string& method, double step, double part, double share) {
    const SceneSource scene =
        scene_.with({fmt::format("integrator.method={}", method), fmt::format("time.step={}", step)});
    report_.command(scene.command(fmt::format("{}_h{}", method, step)));
    return simulate(context_, scene, sampling(), fmt::format("{}, h = {} s", method, step), part, share);
  }

  void tables() {
    Table all("motions", {"method", "h", "time", "energy", "energy_error", "gyration", "gyration_error"});
    Table summary("summary", {"method", "h (s)", "energy error, largest", "gyration error, mean",
                              "gyration error, largest"});
    for (const Row& row : rows_) {
      const auto energy = energy_errors(row.motion, reference_.motion),
                 gyration = gyration_errors(row.motion, reference_.motion);
      for (std::size_t k = 0; k < energy.size(); ++k)
        all.add({row.name, row.step, row.motion.time[k], row.motion.energy[k], energy[k],
                 row.motion.gyration[k], gyration[k]});
      summary.add({row.name, row.step, error_text(row.motion, energy), mean(gyration),
                   error_text(row.motion, gyration)});
    }
    report_.table(summary, true);
    report_.table(all, false);
  }
  [[nodiscard]] static double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(std::max<std::size_t>(values.size(), 1));
  }

  [[nodiscard]] PictureStrip strip() const {
    PictureStrip strip;
    strip.title = "A charged torus, released freely";
    strip.subtitle =
        "145 points, k = 10 N/m, q = 6 µC; all pictures at one scale; of its springs those shorter than 0.5 "
        "m at the start";
    for (const double time : sampling().pictures) strip.columns.push_back(fmt::format("{:g} s", time));
    const auto add = [&](const Row& row, const char* label) {
      strip.rows.push_back(
          {fmt::format("{}{},\nh = {} s", label, row.name, row.step), row.motion.pictures, "failed"});
    };
    for (const Row& row : rows_) add(row, "");
    add(reference_, "reference:\n");
    strip.fitted_row = strip.rows.size() - 1;
    const auto system = compiled(context_, scene_);
    for (const Spring& spring : system->assembly.springs)
      if (spring.rest_length < 0.5) strip.edges.push_back({spring.i, spring.j});
    return strip;
  }

  [[nodiscard]] Chart chart() const {
    Chart chart;
    chart.title = "The size of the torus over time";
    chart.subtitle = "145 points, k = 10 N/m, q = 6 µC, released at rest";
    chart.x = {.label = "time (s)", .low = 0.0, .high = end_};
    chart.y = {.label = "radius of gyration (m)", .low = 0.0, .high = 3.0};
    const auto add = [&](const Row& row, double stroke, const char* label) {
      Series series{.name = fmt::format("{}{}, {} s", label, row.name, row.step),
                    .x = row.motion.time,
                    .y = row.motion.gyration,
                    .colour = row.colour,
                    .marker = Marker::none};
      series.stroke = stroke;
      series.dashed = row.dashed;
      chart.series.push_back(series);
    };
    add(reference_, 4.0, "reference: ");
    for (const Row& row : rows_) add(row, 1.8, "");
    return chart;
  }

  void claims() {
    bool all = true;
    std::string text;
    for (const Row& row : rows_) {
      if (row.name != "imex") continue;
      const auto errors = gyration_errors(row.motion, reference_.motion);
      all = all && largest_error(row.motion, errors) < plausible;
      text +=
          fmt::format("{}{} at h = {} s", text.empty() ? "" : ", ", error_text(row.motion, errors), row.step);
    }
    report_.claim({"imex is plausible at a large and at a small step", all,
                   fmt::format("the radius of gyration is off by at most {}; reproduced: by less than {:g}",
                               text, plausible)});
    agreement_claim();
    report_.remark(
        "Positions of single vertices say little over such times, in which small differences grow. The "
        "radius of gyration "
        "says whether the body swings, and for how long.");
  }

  void agreement_claim() {
    Claim claim{"(ours) LAMMPS's Verlet and ours agree to three digits", {}, no_lammps()};
    if (lammps_is_installed()) {
      const Motion& theirs = rows_[2].motion;  // the small step's
      const double energy = largest_error(theirs, energy_errors(theirs, verlet_[1])),
                   gyration = largest_error(theirs, gyration_errors(theirs, verlet_[1]));
      claim.reproduced = energy < agreement && gyration < agreement;
      claim.figure = fmt::format(
          "at h = 0.005 s energies differ by at most {:.1e}, radii of gyration by {:.1e}", energy, gyration);
    }
    report_.claim(claim);
  }

  const Context& context_;
  Report& report_;
  double end_;
  SceneSource scene_;
  Row reference_;
  std::vector<Row> rows_;
  std::vector<Motion> verlet_;  ///< At the large and at the small step.
};

}  // namespace

void lammps_torus(const Context& context, Report& report) {
  LammpsTorus(context, report).run();
}

}  // namespace electret::experiments
