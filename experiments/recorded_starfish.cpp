#include "recorded_starfish.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/losses.hpp>

#include "published_mesh.hpp"
#include "solid_run.hpp"
#include "starfish_material.hpp"
#include "starfish_recording.hpp"

namespace electret::experiments {
namespace {

constexpr const char* surface_file = "starfish_half.obj";
constexpr Count steps_a_row = 5;
constexpr std::array<double, starfish_markers> marker_weights{10.0, 1.0, 1.0, 10.0};
constexpr std::array<double, starfish_markers> marker_heights{-0.070, -0.040, 0.0362, 0.0632};  // m, along z
constexpr double flat_side = 1e-3;     // m: what lies in the side at x = 0
constexpr double half_middle = 0.018;  // m: the limbs begin there
constexpr double half_limb = 0.0075;   // m, along y

/// How far the markers are from where they were seen, mm.
struct Distance {
  double mean = 0.0, largest = 0.0;
};

/// One recording, its scene, and what was found in it.
struct RecordedRun {
  StarfishRecording seen;
  SceneSource scene;
  Assembly assembly;
  std::unique_ptr<Loss> loss;
  std::vector<double> draw_losses;
  std::vector<double> start;
  double start_loss = 0.0;
  FitOutcome outcome;
  std::vector<FitEvaluation> path;
  Distance unmoved, best_draw, at_start, found;

  [[nodiscard]] std::size_t best() const {
    return static_cast<std::size_t>(std::min_element(draw_losses.begin(), draw_losses.end()) -
                                    draw_losses.begin());
  }
};

SceneSource with_material(const SceneSource& scene, const std::vector<double>& material) {
  return scene.with({fmt::format("body.0.material.0.youngs_modulus={}", material[0]),
                     fmt::format("body.0.material.0.poissons_ratio={}", material[1])});
}

/// The recordings of the user's folder, and the fits to them.
class RecordedStarfish {
 public:
  RecordedStarfish(const Context& context, Report& report, std::string surface)
      : context_(context),
        report_(report),
        rows_(context.quick() ? 5 : 60),
        surface_(std::move(surface)),
        draws_(starfish_draws()) {}

  void add(const std::string& file, const std::string& bytes) {
    RecordedRun run;
    run.seen = read_starfish_recording(bytes, file, static_cast<std::size_t>(rows_) + 1);
    make_scene(run);
    if (markers_.empty()) find_body(assembled(run.scene));
    run.scene =
        run.scene.changed({fmt::format("body.0.element_group.0.indices=[{}]", fmt::join(tendon_, ", "))});
    run.scene.files = {{surface_file, surface_}};
    run.assembly = assembled(run.scene);
    run.loss = loss_of(run);
    runs_.push_back(std::move(run));
  }

  void run() {
    for (std::size_t k = 0; k < runs_.size(); ++k) find(k);
    tables();
    charts();
    strip();
    claims();
    settings();
  }

 private:
  void make_scene(RecordedRun& run) const {
    const double interval = run.seen.interval;
    std::vector<double> times, values;
    for (Count row = 0; row <= rows_; ++row) {
      times.push_back(interval * static_cast<double>(row));
      values.push_back(1.0 - run.seen.contractions[static_cast<std::size_t>(row)] / tendon_length);
    }
    run.scene = scene_file("recorded_starfish.toml")
                    .changed({fmt::format("time.step={}", interval / static_cast<double>(steps_a_row)),
                              fmt::format("time.steps={}", rows_ * steps_a_row),
                              fmt::format("body.0.generate.cell_size={}", context_.quick() ? 0.009 : 0.006),
                              fmt::format("body.0.muscle.0.times=[{}]", fmt::join(times, ", ")),
                              fmt::format("body.0.muscle.0.values=[{}]", fmt::join(values, ", "))});
    run.scene.file = std::filesystem::path(run.seen.name).stem().string() + ".toml";
    run.scene.files = {{surface_file, surface_}};
  }

  /// Where the tendon and the markers are, in the same tetrahedra for all recordings.
  void find_body(const Assembly& assembly) {
    const VectorArray& rest = assembly.rest_positions;
    for (std::size_t e = 0; e < assembly.tetrahedra.size(); ++e) {
      Vec3 centre{};
      double to_flat = std::numeric_limits<double>::infinity();
      for (const Index vertex : assembly.tetrahedra[e]) {
        const Vec3& x = rest[static_cast<std::size_t>(vertex)];
        centre += 0.25 * x;
        to_flat = std::min(to_flat, std::abs(x.x));
      }
      if (to_flat <= flat_side && std::abs(centre.y) <= half_limb && std::abs(centre.z) > half_middle)
        tendon_.push_back(e);
    }
    for (const double height : marker_heights) markers_.push_back(marker_at(rest, height));
    if (tendon_.empty() || std::count(markers_.begin(), markers_.end(), -1) > 0)
      throw InputError(Finding{{surface_file, 0, 0},
                               "is not half a starfish",
                               "expected a flat side at x = 0, with limbs of 70 mm along z"});
  }

  /// On the edge of the flat side at -y; -1 if there is no vertex near.
  [[nodiscard]] static Index marker_at(const VectorArray& rest, double height) {
    constexpr double near = 0.005;  // m
    Index found = -1;
    for (std::size_t v = 0; v < rest.size(); ++v) {
      if (std::abs(rest[v].x) > flat_side || std::abs(rest[v].z - height) > near) continue;
      if (found < 0 || rest[v].y < rest[static_cast<std::size_t>(found)].y) found = static_cast<Index>(v);
    }
    return found;
  }

  [[nodiscard]] Vec3 target(const RecordedRun& run, Count row, std::size_t marker) const {
    const Vec3& rest = run.assembly.rest_positions[static_cast<std::size_t>(markers_[marker])];
    const auto& moved = run.seen.moved[static_cast<std::size_t>(row)][marker];
    return rest + Vec3{moved[0], 0.0, moved[1]};
  }

  [[nodiscard]] std::unique_ptr<Loss> loss_of(const RecordedRun& run) const {
    std::vector<BodyMarker> points;
    for (const Index vertex : markers_) points.push_back({{vertex}, {1.0}});
    std::vector<MarkerTarget> targets;
    for (Count row = 1; row <= rows_; ++row)
      for (std::size_t m = 0; m < starfish_markers; ++m) {
        const Vec3 x = target(run, row, m);
        targets.push_back({.step = row * steps_a_row,
                           .marker = m,
                           .coordinates = {x.x, 0.0, x.z},
                           .is_measured = {true, false, true},
                           .weight = marker_weights[m]});
      }
    return markers_loss(std::move(points), std::move(targets));
  }

  /// As published: the first from the best of four draws, each further one from where the one before ended.
  void find(std::size_t k) {
    RecordedRun& run = runs_[k];
    const double part = static_cast<double>(k) / static_cast<double>(runs_.size());
    const auto parameters = starfish_parameters(run.assembly);
    context_.progress("random materials", 0.9 * part);
    run.draw_losses = scan_loss(run.assembly, parameters, *run.loss, draws_, context_.threads().count());
    run.start = k == 0 ? draws_[run.best()] : runs_[k - 1].outcome.values;
    FitOptions options;
    options.optimiser.evaluations = context_.quick() ? 4 : 12;
    options.starts = {run.start};
    options.threads = context_.threads().count();
    options.observe = [&](const FitEvaluation& evaluation) {
      run.path.push_back(evaluation);
      context_.progress("fit", 0.9 * part + 0.01 * static_cast<double>(run.path.size()));
    };
    run.outcome = fit(run.assembly, parameters, *run.loss, options).outcomes.front();
    run.start_loss = run.path.front().loss;
    run.unmoved = distance(
        run, std::vector<VectorArray>(static_cast<std::size_t>(rows_) + 1, run.assembly.rest_positions));
    run.best_draw = distance(run, motion(run, draws_[run.best()]));
    run.at_start = distance(run, motion(run, run.start));
    run.found = distance(run, motion(run, run.outcome.values));
  }

  /// Positions at each row of the recording.
  [[nodiscard]] std::vector<VectorArray> motion(const RecordedRun& run,
                                                const std::vector<double>& material) const {
    std::vector<Count> frames;
    for (Count row = 0; row <= rows_; ++row) frames.push_back(row * steps_a_row);
    return positions_at(context_, with_material(run.scene, material), frames);
  }

  [[nodiscard]] Distance distance(const RecordedRun& run, const std::vector<VectorArray>& positions) const {
    Distance result;
    for (Count row = 1; row <= rows_; ++row)
      for (std::size_t m = 0; m < starfish_markers; ++m) {
        const Vec3 off = positions[static_cast<std::size_t>(row)][static_cast<std::size_t>(markers_[m])] -
                         target(run, row, m);
        const double length = 1e3 * std::hypot(off.x, off.z);
        result.mean += length / static_cast<double>(rows_ * static_cast<Count>(starfish_markers));
        result.largest = std::max(result.largest, length);
      }
    return result;
  }

  void tables() {
    Table found("found", {"recording", "material", "E (Pa)", "ν", "loss (m²)", "mean distance (mm)",
                          "largest distance (mm)"});
    for (const RecordedRun& run : runs_) {
      const auto add = [&](const char* name, const std::vector<double>& at, double loss,
                           const Distance& off) {
        found.add({run.seen.name, name, fmt::format("{:.0f}", at[0]), fmt::format("{:.4f}", at[1]), loss,
                   off.mean, off.largest});
      };
      add("best of four draws", draws_[run.best()], run.draw_losses[run.best()], run.best_draw);
      add("start", run.start, run.start_loss, run.at_start);
      add("found", run.outcome.values, run.outcome.loss, run.found);
    }
    report_.table(found, true);
    Table recordings("recordings", {"recording", "rows that count", "interval (ms)", "mean way (mm)",
                                    "largest way (mm)", "runs with gradient", "end"});
    for (const RecordedRun& run : runs_)
      recordings.add({run.seen.name, static_cast<Count>(run.seen.moved.size()), 1e3 * run.seen.interval,
                      run.unmoved.mean, run.unmoved.largest, static_cast<Count>(run.path.size()),
                      std::string(to_string(run.outcome.end))});
    report_.table(recordings, true);
    Table draws("draws", {"recording", "E (Pa)", "ν", "loss (m²)"});
    Table path("evaluations", {"recording", "evaluation", "loss", "youngs_modulus", "poissons_ratio"});
    for (const RecordedRun& run : runs_) {
      for (std::size_t d = 0; d < draws_.size(); ++d)
        draws.add({run.seen.name, draws_[d][0], draws_[d][1], run.draw_losses[d]});
      for (const FitEvaluation& each : run.path)
        path.add({run.seen.name, each.evaluation, each.loss, each.values[0], each.values[1]});
    }
    report_.table(draws, false);
    report_.table(path, false);
  }

  [[nodiscard]] std::string subtitle() const {
    const Assembly& assembly = runs_.front().assembly;
    return fmt::format("{} tetrahedra, {} vertices, {} steps of {:.3g} ms", assembly.tetrahedra.size(),
                       assembly.rest_positions.size(), rows_ * steps_a_row, 1e3 * assembly.scene.time.step);
  }

  void charts() {
    Chart loss;
    loss.title = "The loss, run by run";
    loss.subtitle = subtitle();
    loss.x = {.label = "runs with their gradient"};
    loss.y = {.label = "weighted mean squared distance (m²)", .logarithmic = true};
    int colour = 0;
    for (const RecordedRun& run : runs_) {
      Series series{.name = run.seen.name, .colour = colour++};
      for (const FitEvaluation& each : run.path) {
        series.x.push_back(static_cast<double>(each.evaluation));
        series.y.push_back(each.loss);
      }
      loss.series.push_back(std::move(series));
    }
    report_.chart("loss", loss);
    report_.chart("markers", marker_chart(runs_.front()));
  }

  [[nodiscard]] Chart marker_chart(const RecordedRun& run) const {
    Chart chart;
    chart.title = "The outer markers M1 and M4: recorded, by the best draw, and by what was found";
    chart.subtitle = run.seen.name + "; " + subtitle();
    chart.x = {.label = "time (s)"};
    chart.y = {.label = "way along x (mm)"};
    const auto drawn = motion(run, draws_[run.best()]), found = motion(run, run.outcome.values);
    for (const std::size_t m : {std::size_t{0}, starfish_markers - 1}) {
      const int colour = m == 0 ? 0 : 1;
      const auto vertex = static_cast<std::size_t>(markers_[m]);
      const std::string name = fmt::format("M{}", m + 1);
      Series seen{.name = name + ", recorded", .colour = colour, .line = false, .hollow = true};
      Series best{.name = name + ", best draw", .colour = colour, .marker = Marker::none, .dashed = true};
      Series fitted{.name = name + ", found", .colour = colour, .marker = Marker::none};
      for (Count row = 0; row <= rows_; ++row) {
        const auto r = static_cast<std::size_t>(row);
        for (Series* series : {&seen, &best, &fitted})
          series->x.push_back(run.seen.interval * static_cast<double>(row));
        seen.y.push_back(1e3 * run.seen.moved[r][m][0]);
        best.y.push_back(1e3 * (drawn[r][vertex].x - drawn[0][vertex].x));
        fitted.y.push_back(1e3 * (found[r][vertex].x - found[0][vertex].x));
      }
      for (Series* series : {&seen, &best, &fitted}) chart.series.push_back(std::move(*series));
    }
    return chart;
  }

  void strip() {
    context_.progress("pictures", 0.92);
    const RecordedRun& run = runs_.front();
    TracedStrip strip;
    strip.title = "Half a soft starfish, seen from -y: the best draw, and what was found";
    strip.subtitle = run.seen.name + "; " + subtitle();
    std::vector<std::size_t> shown;
    for (Count k = 0; k < 5; ++k) {
      shown.push_back(static_cast<std::size_t>(k * rows_ / 4));
      strip.columns.push_back(fmt::format("{:.2f} s", run.seen.interval * static_cast<double>(shown.back())));
    }
    const auto add = [&](const std::string& name, const std::vector<double>& material) {
      const auto positions = motion(run, material);
      StripRow& row = strip.rows.emplace_back();
      row.label = fmt::format("{}:\n{:.3g} MPa,\n{:.3f}", name, 1e-6 * material[0], material[1]);
      for (const std::size_t at : shown) row.pictures.push_back(positions[at]);
    };
    add("best draw", draws_[run.best()]);
    add("found", run.outcome.values);
    strip.faces = run.assembly.faces;
    strip.view = {.azimuth = 0.0, .elevation = 10.0};
    strip.ground = false;
    report_.chart("strip", strip, context_.threads());
  }

  void claims() {
    bool is_below = true;
    std::string losses, distances;
    for (const RecordedRun& run : runs_) {
      is_below &= run.outcome.loss < run.draw_losses[run.best()];
      const char* comma = losses.empty() ? "" : ", ";
      losses +=
          fmt::format("{}{:.3g} m² beside {:.3g} m²", comma, run.outcome.loss, run.draw_losses[run.best()]);
      distances += fmt::format("{}{:.2f} mm ({:.2f} mm by the best draw; the markers went {:.2f} mm)", comma,
                               run.found.mean, run.best_draw.mean, run.unmoved.mean);
    }
    report_.claim({"a fit to real markers ends below the best of four random materials", is_below, losses});
    report_.claim({"(ours) the found body's markers are nearer to the recorded ones than markers that stay",
                   std::all_of(runs_.begin(), runs_.end(),
                               [](const RecordedRun& run) { return run.found.mean < run.unmoved.mean; }),
                   "mean distance of " + distances});
  }

  void settings() {
    for (const RecordedRun& run : runs_) {
      report_.input(run.scene.file, run.scene.text);
      report_.command(run.scene.command(std::filesystem::path(run.scene.file).stem().string()));
    }
    report_.input(surface_file, surface_);
    report_.setting("body",
                    fmt::format("the given {}, filled: {}; the published one has tetrahedra of another "
                                "program, each vertex of one mass",
                                surface_file, subtitle()));
    report_.setting("material",
                    fmt::format("`projective`, 400 kg/m³; a tendon of 2 MPa in {} tetrahedra that "
                                "touch the flat side of the limbs along z",
                                tendon_.size()));
    report_.setting("tendon", "1 - c/65 mm from row to row of a recording, where c is its contraction");
    report_.setting("recordings",
                    fmt::format("{} rows after that in which the tendon begins to pull, {} steps a row; "
                                "velocities are not clipped, as the published ones are from the second on",
                                rows_, steps_a_row));
    report_.setting("markers", "ways from the first row, y as -z; weights 10, 1, 1, 10");
    report_.setting("bounds", "E 10 kPa to 5 MPa, ν 0.2 to 0.45");
    report_.setting("start", fmt::format("the best of four draws, NumPy's seed {}, for the first recording; "
                                         "for a further one what was found before",
                                         material_draw_seed));
  }

  const Context& context_;
  Report& report_;
  Count rows_;  ///< Of a recording after its first.
  std::string surface_;
  std::vector<std::vector<double>> draws_;
  std::vector<std::size_t> tendon_;  ///< Tetrahedra.
  std::vector<Index> markers_;
  std::vector<RecordedRun> runs_;
};

}  // namespace

bool fit_to_recordings(const Context& context, Report& report) {
  std::vector<std::pair<std::string, std::string>> recordings;
  for (int k = 1; k <= 3; ++k) {
    const std::string file = fmt::format("data_horizontal_cyclic{}.csv", k);
    if (std::optional<std::string> bytes = published_file(context, file))
      recordings.emplace_back(file, std::move(*bytes));
  }
  if (recordings.empty()) return false;
  const std::optional<std::string> surface = published_file(context, surface_file);
  if (!surface)
    throw InputError(Finding{{context.data(), 0, 0},
                             fmt::format("has {}, but no {}", recordings.front().first, surface_file),
                             "expected the surface of the body that was recorded"});
  RecordedStarfish starfish(context, report, *surface);
  for (const auto& [file, bytes] : recordings) starfish.add(file, bytes);
  starfish.run();
  return true;
}

}  // namespace electret::experiments
