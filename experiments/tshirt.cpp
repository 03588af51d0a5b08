/// \file
/// tshirt: a t-shirt hung by two points and stretched by ten times gravity, beside projective dynamics ([MSC]
/// first version, Fig. 10).

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "experiment.hpp"
#include "motion.hpp"
#include "tshirt_scene.hpp"

namespace electret::experiments {
namespace {

constexpr double step = 0.01, height = tshirt_height;  // s, m
const std::vector<int> shown{1, 25, 50, 75, 100, 120};

/// What counts as no visual difference: of the height of the t-shirt.
constexpr double invisible = 0.01;

class Tshirt {
 public:
  Tshirt(const Context& context, Report& report)
      : context_(context),
        report_(report),
        vertices_(context.quick() ? 150 : 600),
        scene_(tshirt_scene(vertices_, 54.0)) {}

  void run() {
    report_.input(scene_.file, scene_.text);
    ours_ = motion("imex", {}, 0.0);
    dynamics_ = motion("projective_dynamics",
                       {"integrator.elastic_solver=local_global", "integrator.max_iterations=1000"}, 0.2);
    few_ = motion("projective_dynamics_10",
                  {"integrator.elastic_solver=local_global", "integrator.max_iterations=10"}, 0.8);
    const std::vector<double> apart = distances(dynamics_), few_apart = distances(few_);
    table(apart, few_apart);
    report_.chart("strip", strip());
    report_.chart("distance", chart(apart, few_apart));
    claims(apart, few_apart);
    settings();
  }

 private:
  Motion motion(const std::string& name, const std::vector<std::string>& overrides, double part) {
    Sampling sampling{.end = 120 * step, .interval = step};
    for (int frame = 0; frame <= 120; ++frame) sampling.pictures.push_back(frame * step);
    const SceneSource scene = scene_.with(overrides);
    report_.command(scene.command(name));
    return simulate(context_, scene, sampling, name, part, 0.2);
  }

  /// One value per frame: the largest distance of a vertex from where imex has it, in heights of the t-shirt.
  [[nodiscard]] std::vector<double> distances(const Motion& other) const {
    std::vector<double> result;
    for (std::size_t f = 0; f < std::min(other.pictures.size(), ours_.pictures.size()); ++f) {
      double largest = 0.0;
      for (std::size_t i = 0; i < ours_.pictures[f].size(); ++i)
        largest = std::max(largest, norm(other.pictures[f][i] - ours_.pictures[f][i]));
      result.push_back(largest / height);
    }
    return result;
  }

  [[nodiscard]] static double iterations(const Motion& motion) {
    return static_cast<double>(motion.elastic_iterations) / static_cast<double>(motion.steps);
  }

  void table(const std::vector<double>& apart, const std::vector<double>& few_apart) {
    Table all("frames", {"frame", "time", "distance", "distance_10_iterations", "energy", "gyration"});
    for (std::size_t f = 0; f < apart.size(); ++f)
      all.add(
          {static_cast<Count>(f), ours_.time[f], apart[f], few_apart[f], ours_.energy[f], ours_.gyration[f]});
    report_.table(all, false);
  }

  [[nodiscard]] PictureStrip strip() const {
    PictureStrip strip;
    strip.title = "A t-shirt hung by two points under 10 g";
    strip.subtitle = fmt::format("{} vertices, k = 54 N/m, h = {} s, no charge; all pictures at one scale",
                                 ours_.pictures[0].size(), step);
    for (const int frame : shown) strip.columns.push_back(fmt::format("frame {}", frame));
    const auto add = [&](const std::string& label, const Motion& motion) {
      StripRow row{label, {}, "failed"};
      for (const int frame : shown) row.pictures.push_back(motion.pictures[static_cast<std::size_t>(frame)]);
      strip.rows.push_back(row);
    };
    add("imex", ours_);
    add("projective\ndynamics", dynamics_);
    add("the same,\n10 iterations\na step", few_);
    strip.faces = compiled(context_, scene_)->assembly.faces;
    strip.azimuth = 20.0;
    strip.elevation = 10.0;
    return strip;
  }

  [[nodiscard]] Chart chart(const std::vector<double>& apart, const std::vector<double>& few_apart) const {
    Chart chart;
    chart.title = "How far projective dynamics is from imex";
    chart.subtitle = "largest distance of a vertex, in heights of the t-shirt (0.7 m)";
    chart.x = {.label = "time (s)"};
    chart.y = {.label = "largest distance / height", .logarithmic = true};
    chart.levels = {{invisible, "1 % of the height"}};
    Series all{.name = "to the tolerance", .x = ours_.time, .y = apart, .colour = 0, .marker = Marker::none};
    Series few{
        .name = "10 iterations a step", .x = ours_.time, .y = few_apart, .colour = 1, .marker = Marker::none};
    few.dashed = true;
    chart.series = {all, few};
    return chart;
  }

  void claims(const std::vector<double>& apart, const std::vector<double>& few_apart) {
    const double worst = *std::max_element(apart.begin(), apart.end());
    const double worst_few = *std::max_element(few_apart.begin(), few_apart.end());
    report_.claim({"no visual difference from projective dynamics", worst < invisible,
                   fmt::format("no vertex is farther than {:.2g} of the height from where projective "
                               "dynamics has it, in {} frames; "
                               "reproduced: less than {:g}",
                               worst, apart.size() - 1, invisible)});
    report_.remark(
        fmt::format("Both solve the same equations, imex by a quasi-Newton method ({:.0f} iterations per "
                    "step), projective dynamics by alternating local and global steps ({:.0f}). If "
                    "projective dynamics stops at 10 iterations per step, as games do, the cloth is a "
                    "different one: vertices are up to {:.2g} of the height apart.",
                    iterations(ours_), iterations(dynamics_), worst_few));
  }

  void settings() {
    report_.setting("mesh",
                    fmt::format("`generate`'s t-shirt, {} vertices, {} m high (the paper's is not published)",
                                ours_.pictures[0].size(), height));
    report_.setting("springs", "k = 54 N/m on edges and diagonals; 0.4 kg in all");
    report_.setting("held", "the outer ends of the shoulders, one vertex each");
    report_.setting("gravity", "98.1 m/s²");
    report_.setting("step", fmt::format("{} s, 120 frames", step));
    report_.setting(
        "projective dynamics",
        "elastic_solver = \"local_global\" [Liu13], to the same tolerance of 1e-6 or 1000 iterations per "
        "step");
  }

  const Context& context_;
  Report& report_;
  Count vertices_;
  SceneSource scene_;
  Motion ours_, dynamics_, few_;
};

}  // namespace

void tshirt_hung(const Context& context, Report& report) {
  Tshirt(context, report).run();
}

}  // namespace electret::experiments
