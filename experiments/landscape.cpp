/// \file
/// landscape: loss and gradient around a start, by large implicit and by small explicit steps ([DiffPD] Fig.
/// 2).

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/scene/parameters.hpp>

#include "cantilever_scene.hpp"
#include "experiment.hpp"
#include "solid_run.hpp"

namespace electret::experiments {
namespace {

constexpr int across = 3;         // cells: 12×3×3
constexpr double reach = 1e-3;    // m: of a component of a direction
constexpr double duration = 0.2;  // s
constexpr double goal = 3.0;      ///< How much less the implicit loss and gradient scatter.

struct Method {
  std::string name;
  double step;  ///< s.
  double tolerance;
  int colour;
  [[nodiscard]] std::string text() const {
    return fmt::format("{}, {:g} ms", name == "imex" ? "imex" : "symplectic Euler", 1e3 * step);
  }
};

/// Loss and ‖∂ℒ/∂x_0‖ along one direction.
struct Line {
  std::vector<double> loss, gradient;
};

/// value/|value in the middle| - 1, the sign of the middle one taken out.
std::vector<double> relative(const std::vector<double>& values) {
  const double middle = values[values.size() / 2];
  std::vector<double> result;
  for (const double value : values) result.push_back((value - middle) / std::abs(middle));
  return result;
}

double deviation(const std::vector<double>& values) {
  double mean = 0.0, squares = 0.0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

class Landscape {
 public:
  Landscape(const Context& context, Report& report)
      : context_(context),
        report_(report),
        random_(42),
        beam_(cantilever_scene(across, 20, random_)),
        loss_(beam_.loss()),
        cells_(context.quick() ? 6 : 20),
        lines_(context.quick() ? 2 : 16) {
    methods_ = {{"imex", 0.01, 3e-4, 0}, {"symplectic_euler", 0.0005, 0.0, 1}};
    for (int k = 0; k <= cells_; ++k) places_.push_back(-1.0 + 2.0 * k / cells_);
    draw_directions();
  }

  void run() {
    for (std::size_t m = 0; m < methods_.size(); ++m) scan(m, 0.05 + 0.35 * static_cast<double>(m));
    chart("loss", "The loss along random directions of the start", "relative change of the loss",
          &Line::loss);
    chart("gradient", "The gradient's norm along them", "relative change of ‖∂ℒ/∂x₀‖", &Line::gradient);
    if (!context_.quick()) planes();
    strip();
    table();
    claims();
    settings();
  }

 private:
  void draw_directions() {
    const Assembly assembly = assembled(beam_.scene);
    std::vector<bool> held(assembly.masses.size(), false);
    for (const PinTrack& pin : assembly.pin_tracks)
      for (const Index vertex : pin.vertices) held[static_cast<std::size_t>(vertex)] = true;
    for (int line = 0; line < lines_; ++line) {
      VectorArray direction(held.size());
      for (std::size_t i = 0; i < held.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) {
          const double drawn = random_.uniform(-reach, reach);
          direction[i][axis] = held[i] ? 0.0 : drawn;
        }
      directions_.push_back(std::move(direction));
    }
  }

  [[nodiscard]] SceneSource scene_by(const Method& method) const {
    return beam_.scene.with({fmt::format("integrator.method={}", method.name),
                             fmt::format("time.step={}", method.step),
                             fmt::format("time.steps={}", std::llround(duration / method.step)),
                             method.tolerance > 0.0 ? fmt::format("integrator.tolerance={}", method.tolerance)
                                                    : std::string("integrator.max_iterations=1000")});
  }

  /// The start, moved along directions.
  [[nodiscard]] static Assembly moved(Assembly assembly, const VectorArray& direction, double s) {
    for (std::size_t i = 0; i < direction.size(); ++i) assembly.initial_positions[i] += s * direction[i];
    return assembly;
  }

  void scan(std::size_t number, double part) {
    const Method& method = methods_[number];
    const Assembly assembly = assembled(scene_by(method));
    const Parameter positions = find_parameter(assembly, "body.beam.positions");
    found_.emplace_back();
    for (std::size_t d = 0; d < directions_.size(); ++d) {
      Line line;
      for (const double s : places_) {
        context_.progress(method.text(), part + 0.35 * static_cast<double>(d) / static_cast<double>(lines_));
        Simulator simulator(compile(moved(assembly, directions_[d], s), 1));
        GradientOptions options;
        options.rest_positions = false;
        const LossAndGradient got = loss_and_gradient(simulator, *loss_, options);
        line.loss.push_back(got.loss);
        line.gradient.push_back(norm_of_free(assembly, positions.pull(got.gradient)));
      }
      found_.back().push_back(std::move(line));
    }
  }

  [[nodiscard]] static double norm_of_free(const Assembly& assembly, std::vector<double> values) {
    for (const PinTrack& pin : assembly.pin_tracks)
      for (const Index vertex : pin.vertices)
        for (std::size_t axis = 0; axis < 3; ++axis)
          values[3 * static_cast<std::size_t>(vertex) + axis] = 0.0;
    double squares = 0.0;
    for (const double value : values) squares += value * value;
    return std::sqrt(squares);
  }

  [[nodiscard]] std::string subtitle() const {
    return fmt::format(
        "{} directions, each component of a vertex within ±{:g} mm at the ends; 0.2 s of the beam of {} "
        "vertices",
        lines_, 1e3 * reach, directions_[0].size());
  }

  void chart(const std::string& name, const std::string& title, const std::string& label,
             std::vector<double> Line::*which) {
    Chart chart;
    chart.title = title;
    chart.subtitle = subtitle();
    chart.x = {.label = "place along the direction"};
    chart.y = {.label = label};
    for (const std::size_t m : {std::size_t{1}, std::size_t{0}})
      for (const Line& line : found_[m])
        chart.series.push_back({.name = methods_[m].text(),
                                .x = places_,
                                .y = relative(line.*which),
                                .colour = methods_[m].colour,
                                .marker = Marker::none,
                                .stroke = 1.2});
    report_.chart(name, chart);
  }

  /// The loss over the plane of the first two directions.
  void planes() {
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      const Assembly assembly = assembled(scene_by(methods_[m]));
      ColourMap map;
      map.title = "The loss over a plane of starts: " + methods_[m].text();
      map.subtitle = "spanned by two random directions; change against the middle";
      map.x_label = "along the first direction";
      map.y_label = "along the second";
      map.value_label = "relative change (%)";
      map.scale = 100.0;
      constexpr int side = 10;  // Ticks with one decimal.
      for (int k = 0; k <= side; ++k) map.x.push_back(-1.0 + 2.0 * k / side);
      map.y = map.x;
      for (const double t : map.y) {
        context_.progress("plane, " + methods_[m].text(), 0.8 + 0.08 * static_cast<double>(m));
        map.value.emplace_back();
        for (const double s : map.x) {
          Simulator simulator(compile(moved(moved(assembly, directions_[0], s), directions_[1], t), 1));
          map.value.back().push_back(loss_of_run(simulator, *loss_));
        }
      }
      const double middle = map.value[side / 2][side / 2];
      for (auto& row : map.value)
        for (double& value : row) value = (value - middle) / std::abs(middle);
      report_.chart("plane_" + methods_[m].name, map);
    }
  }

  void strip() {
    TracedStrip strip;
    strip.title = "The beam by both methods";
    strip.subtitle = "12×3×3 hexahedra, held at the left";
    const std::vector<double> times{0.0, 0.02, 0.05, 0.1, 0.2};
    for (const double time : times) strip.columns.push_back(fmt::format("{:g} s", time));
    for (const Method& method : methods_) {
      std::vector<Count> frames;
      for (const double time : times) frames.push_back(std::llround(time / method.step));
      strip.rows.push_back({method.name == "imex" ? "imex,\nh = 10 ms" : "symplectic\nEuler,\nh = 0.5 ms",
                            positions_at(context_, scene_by(method), frames), "failed"});
    }
    strip.faces = assembled(beam_.scene).faces;
    report_.chart("strip", strip, context_.threads());
  }

  void table() {
    Table lines("lines", {"method", "h", "direction", "place", "loss", "gradient_norm"});
    for (std::size_t m = 0; m < methods_.size(); ++m)
      for (std::size_t d = 0; d < found_[m].size(); ++d)
        for (std::size_t k = 0; k < places_.size(); ++k)
          lines.add({methods_[m].name, methods_[m].step, static_cast<Count>(d), places_[k],
                     found_[m][d].loss[k], found_[m][d].gradient[k]});
    report_.table(lines, false);
    Table spread("spread", {"method", "h (s)", "states", "loss in the middle", "deviation of the loss",
                            "deviation of the gradient"});
    for (std::size_t m = 0; m < methods_.size(); ++m)
      spread.add(
          {methods_[m].name, methods_[m].step, static_cast<Count>(std::llround(duration / methods_[m].step)),
           found_[m][0].loss[places_.size() / 2], spread_of(m, &Line::loss), spread_of(m, &Line::gradient)});
    report_.table(spread, true);
  }

  /// The deviation of the relative change at the ends of all lines.
  [[nodiscard]] double spread_of(std::size_t method, std::vector<double> Line::*which) const {
    std::vector<double> ends;
    for (const Line& line : found_[method]) {
      const std::vector<double> change = relative(line.*which);
      ends.push_back(change.front());
      ends.push_back(change.back());
    }
    return deviation(ends);
  }

  /// Whether 0.2 s by symplectic Euler with this step stay finite.
  [[nodiscard]] bool is_stable(double step) const {
    try {
      static_cast<void>(positions_at(context_, scene_by({"symplectic_euler", step, 0.0, 0}),
                                     {std::llround(duration / step)}));
      return true;
    } catch (const DivergenceError&) {
      return false;
    }
  }

  void claims() {
    for (const auto& [what, which] :
         {std::pair("loss", &Line::loss), std::pair("gradient", &Line::gradient)}) {
      const double implicit = spread_of(0, which), explicitly = spread_of(1, which);
      report_.claim(
          {fmt::format("the {} scatters less around the start by large implicit steps", what),
           explicitly > implicit,
           fmt::format("deviation at the ends {:.3g} % (imex), {:.3g} % (symplectic Euler): {:.3g} times",
                       100 * implicit, 100 * explicitly, explicitly / implicit)});
    }
    double stable = methods_[1].step;
    for (const double step : {0.001, 0.002, 0.005, 0.01})
      if (is_stable(step)) stable = step;
    report_.claim(
        {"explicit steps have to be 20 times as small", stable < 0.001,
         fmt::format("symplectic Euler runs at {:g} ms; of 1, 2, 5 and 10 ms {}", 1e3 * methods_[1].step,
                     stable < 0.001 ? std::string("it diverges at each")
                                    : fmt::format("at {:g} ms, too", 1e3 * stable))});
    report_.remark(
        fmt::format("The loss is that of `cantilever`: weights of either sign on the last positions and "
                    "velocities. A direction moves every free vertex by its own random amount, {:.2g} % of "
                    "the beam's length at the ends. The beam therefore starts rough, and rough shapes move "
                    "fast. Implicit Euler damps this motion within a step or two; symplectic Euler keeps "
                    "it to the end. The smoother landscape is a result of damping.",
                    100 * reach / 0.32));
  }

  void settings() {
    add_inputs(report_, beam_.scene);
    for (const Method& method : methods_) report_.command(scene_by(method).command(method.name));
    report_.setting("beam", "12×3×3 hexahedra, `projective`, E = 1 MPa, ν = 0.45, 0.2 s");
    report_.setting("directions",
                    fmt::format("{}, {} places each; uniform components, NumPy's numbers, seed 42", lines_,
                                places_.size()));
    report_.setting("scatter",
                    fmt::format("deviation, over both ends of all directions, of the change against the "
                                "middle; {:g} times less is our goal",
                                goal));
  }

  const Context& context_;
  Report& report_;
  NumpyRandom random_;
  Cantilever beam_;
  std::unique_ptr<Loss> loss_;
  int cells_, lines_;
  std::vector<Method> methods_;
  std::vector<double> places_;
  std::vector<VectorArray> directions_;
  std::vector<std::vector<Line>> found_;  ///< Of each method, for each direction.
};

}  // namespace

void landscape(const Context& context, Report& report) {
  Landscape(context, report).run();
}

}  // namespace electret::experiments
