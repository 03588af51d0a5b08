/// \file
/// rotating-field: a charged body that an electric field turns about the z axis ([MSC] first version, Fig.
/// 13).

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "experiment.hpp"
#include "scenes.hpp"
#include "steering.hpp"

namespace electret::experiments {
namespace {

constexpr double step = 0.01, duration = 15.0, drag = 0.5, slope = 62500.0;  // s, s, 1/s, V/m²
constexpr double stiffness = 60.0, published_charge = 8e-6;                  // N/m, C
constexpr Count every = 25;                                                  // steps a frame

/// What counts as reproduced: of ratios of speeds, of a speed while it lasts, of the speed that drag allows.
constexpr double near = 0.1, smooth = 0.1, exactly = 0.05;

/// A run at one charge, or with one method.
struct Turning {
  std::string name, method;
  double charge = 0.0;  // C
  std::vector<SteeredFrame> frames = {};

  /// Drag takes what the field gives at this speed: m γ ω ρ = q a ρ at every distance ρ from the axis.
  [[nodiscard]] double expected() const { return charge * slope / drag; }
  [[nodiscard]] double final_spin() const { return spin(frames.back()); }
};

class RotatingField {
 public:
  RotatingField(const Context& context, Report& report)
      : context_(context), report_(report), vertices_(context.quick() ? 150 : 400), scene_(scene()) {}

  void run() {
    add_inputs(report_, scene_);
    runs_ = {{"8 µC", "imex", published_charge},
             {"4 µC", "imex", 0.5 * published_charge},
             {"2 µC", "imex", 0.25 * published_charge},
             {"−4 µC", "imex", -0.5 * published_charge},
             {"8 µC, kick_midpoint", "kick_midpoint", published_charge}};
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const SceneSource scene = scene_.with({fmt::format("body.0.charge={}", runs_[k].charge),
                                             fmt::format("integrator.method={}", runs_[k].method)});
      const double share = 0.8 / static_cast<double>(runs_.size());
      runs_[k].frames =
          steered_run(context_, scene, every, runs_[k].name, share * static_cast<double>(k), share);
      report_.command(scene.command(fmt::format("run_{}", k)));
    }
    table();
    report_.chart("speed", chart());
    report_.chart("strip", strip(), context_.threads());
    claims();
    settings();
  }

 private:
  /// The bunny's stand-in with its centre on the axis: beside it the field drives it outwards.
  [[nodiscard]] SceneSource scene() const {
    const SceneSource file =
        scene_file("rotating_field.toml").changed({fmt::format("body.0.generate.vertices={}", vertices_)});
    const Vec3 middle = centre(assembled(file).rest_positions);
    return file.changed({fmt::format("body.0.translate=[{}, {}, {}]", -middle.x, -middle.y, -middle.z)});
  }

  void table() {
    Table speeds("speeds", {"charge", "method", "expected", "final"});
    for (const Turning& run : runs_) speeds.add({run.charge, run.method, run.expected(), run.final_spin()});
    report_.table(speeds, true);
    Table all("motion", {"run", "time", "speed"});
    for (const Turning& run : runs_)
      for (const SteeredFrame& frame : run.frames) all.add({run.name, frame.time, spin(frame)});
    report_.table(all, false);
    report_.remark(
        "Speeds are angular, in rad/s, about the vertical axis through the body's centre: Σ(ρ×v)_z/Σρ². "
        "`expected` is q a/γ per kilogram, at which drag takes what the field gives.");
  }

  [[nodiscard]] Chart chart() const {
    Chart chart;
    chart.title = "A blob turned by an electric field";
    chart.subtitle = fmt::format("[-ay, ax, 0] with a = {:g} V/m², drag {} 1/s, h = {} s", slope, drag, step);
    chart.x = {.label = "time (s)"};
    chart.y = {.label = "angular speed about z (rad/s)"};
    int colour = 0;
    for (const Turning& run : runs_) {
      Series series{.name = run.name, .colour = colour++, .marker = Marker::none};
      series.dashed = run.method != "imex";
      for (const SteeredFrame& frame : run.frames) {
        series.x.push_back(frame.time);
        series.y.push_back(spin(frame));
      }
      chart.series.push_back(std::move(series));
    }
    return chart;
  }

  [[nodiscard]] TracedRows strip() const {
    TracedRows strip;
    strip.title = "A charged blob in a rotation field";
    strip.subtitle = fmt::format("{} vertices of 1 kg, k = {:g} N/m, q = 8 µC and 4 µC, imex with h = {} s",
                                 vertices_, stiffness, step);
    const std::vector<double> times{0.0, 3.0, 6.0, 9.0, 12.0, 15.0};
    for (const double time : times) strip.columns.push_back(fmt::format("t = {:g} s", time));
    SteeredStyle style{.faces = assembled(scene_).faces, .largest_charge = 1.5 * published_charge};
    for (const std::size_t k : {0U, 1U}) {
      TracedRow row{runs_[k].name, {}};
      for (const double time : times)
        row.pictures.push_back(steered_picture(
            runs_[k].frames[static_cast<std::size_t>(std::lround(time / (step * every)))], style));
      strip.rows.push_back(std::move(row));
    }
    strip.view = {.azimuth = 20.0, .elevation = 25.0};
    return strip;
  }

  /// Whether the speed, once up, has one sign and stays near its last value.
  [[nodiscard]] static double unevenness(const Turning& run) {
    double worst = 0.0;
    for (const SteeredFrame& frame : run.frames)
      if (frame.time >= 0.8 * duration)
        worst = std::max(worst, std::abs(spin(frame) / run.final_spin() - 1.0));
    return worst;
  }

  void claims() {
    const double uneven = unevenness(runs_.front());
    report_.claim(
        {"the body rotates smoothly about the z axis", uneven < smooth,
         fmt::format("at 8 µC its angular speed is {:.3g} rad/s at the end and differs from that by at most "
                     "{:.2g} % in the last fifth of the run; reproduced: less than {:g} %",
                     runs_.front().final_spin(), 100.0 * uneven, 100.0 * smooth)});
    std::string text;
    double worst = 0.0;
    const Turning& first = runs_.front();
    for (const Turning& run : runs_) {
      if (run.method != "imex") continue;
      const double speeds = run.final_spin() / first.final_spin(), charges = run.charge / first.charge;
      worst = std::max(worst, std::abs(speeds / charges - 1.0));
      text += fmt::format("{}{:.3g} rad/s at {}", text.empty() ? "" : ", ", run.final_spin(), run.name);
    }
    report_.claim({"charge and its sign set the speed and the direction", worst < near,
                   fmt::format("{}: in the ratio of the charges within {:.2g} %; reproduced: within {:g} %",
                               text, 100.0 * worst, 100.0 * near)});
    const Turning& exact = runs_.back();
    const double error = std::abs(exact.final_spin() / exact.expected() - 1.0);
    report_.claim(
        {"(ours) kick_midpoint reaches the speed at which drag takes as much power as the field gives",
         error < exactly,
         fmt::format("{:.4g} rad/s at 8 µC, q a/γm is {:.4g}; imex, whose damping slows swollen bodies, has "
                     "{:.4g}; reproduced: within {:g} %",
                     exact.final_spin(), exact.expected(), first.final_spin(), 100.0 * exactly)});
  }

  void settings() {
    add_bunny_settings(report_, vertices_);
    report_.setting("stiffness", fmt::format("{:g} N/m (the paper's is not given)", stiffness));
    report_.setting("field",
                    fmt::format("[-ay, ax, 0], a = {:g} V/m²: the printed [y/z, x/z, 0] is a saddle and "
                                "rotates no body (examples/saddle_field.toml)",
                                slope));
    report_.setting("drag", fmt::format("{} 1/s, so that there is a steady speed", drag));
    report_.setting("step", fmt::format("{} s, {:g} s in all", step, duration));
    report_.setting("place",
                    "the body's centre is on the axis, because elsewhere the field would drive it "
                    "outwards");
  }

  const Context& context_;
  Report& report_;
  Count vertices_;
  SceneSource scene_;
  std::vector<Turning> runs_;
};

}  // namespace

void rotating_field(const Context& context, Report& report) {
  RotatingField(context, report).run();
}

}  // namespace electret::experiments
