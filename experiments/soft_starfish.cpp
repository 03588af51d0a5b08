/// \file
/// soft-starfish: Young's modulus and Poisson's ratio of soft limbs from markers on them, as Du and others
/// did with recordings of a robot (RoboSoft 2021). Here markers are synthetic; recorded_starfish.cpp takes
/// the user's recordings.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/fit/fit.hpp>
#include <electret/fit/losses.hpp>

#include "experiment.hpp"
#include "numpy_random.hpp"
#include "plant_mesh.hpp"
#include "recorded_starfish.hpp"
#include "solid_run.hpp"
#include "starfish_material.hpp"
#include "voxels.hpp"

namespace electret::experiments {
namespace {

constexpr double modulus = 5e5, ratio = 0.4;  // The truth; Pa
constexpr double modulus_goal = 0.05, ratio_goal = 0.02;
constexpr double density = 400.0;                              // kg/m³
constexpr double half_length = 0.085;                          // m, of both limbs together
constexpr double thickness = 0.0175;                           // m, along x
constexpr int layers = 2;                                      // of cubes across it
constexpr double wide = 0.035, narrow = 0.0175;                // m, along y: in the middle and at the ends
constexpr double noise = 1e-3;                                 // m, of each coordinate of a marker
constexpr Count frames_between = 5;                            // of a recording of 60 pictures a second
constexpr std::array<double, 4> places{-1.0, -0.5, 0.5, 1.0};  // of the markers, in half lengths
constexpr std::array<double, 4> weights{10.0, 1.0, 1.0, 10.0};
constexpr std::uint32_t noise_seed = 1;

class SoftStarfish {
 public:
  SoftStarfish(const Context& context, Report& report)
      : context_(context), report_(report), steps_(context.quick() ? 100 : 300), cell_(thickness / layers) {
    make_scene();
    assembly_ = assembled(scene_);
    parameters_ = starfish_parameters(assembly_);
    find_markers();
  }

  void run() {
    record();
    choose_start();
    find();
    tables();
    charts();
    strip();
    claims();
    settings();
  }

 private:
  void make_scene() {
    const int half = static_cast<int>(std::lround(half_length / cell_));
    std::set<Cell> cubes;
    std::vector<std::size_t> tendons;
    for (int k = -half; k < half; ++k) {
      const double along = std::abs(k + 0.5) / half;
      const int half_width = static_cast<int>(std::lround(0.5 * (wide + (narrow - wide) * along) / cell_));
      for (int i = 0; i < layers; ++i)
        for (int j = -half_width; j < half_width; ++j) cubes.insert({i, j, k});
    }
    std::size_t number = 0;
    for (const Cell& cube : cubes) {
      if (cube[0] == 0) tendons.push_back(number);
      ++number;
    }
    mesh_ = VoxelBody(cubes, cell_).mesh();
    scene_ = scene_file("soft_starfish.toml")
                 .changed({fmt::format("time.steps={}", steps_),
                           fmt::format("body.0.mass={}", density * std::pow(cell_, 3.0)),
                           fmt::format("body.0.element_group.0.indices=[{}]", fmt::join(tendons, ", "))});
    scene_.files = {{"starfish.mesh", medit_text(mesh_)}};
  }

  /// On the middle line of the side without tendons.
  void find_markers() {
    for (const double place : places) {
      const Vec3 at{thickness, 0.0, place * cell_ * std::round(half_length / cell_)};
      const auto nearest = std::min_element(
          mesh_.vertices.begin(), mesh_.vertices.end(),
          [&](const Vec3& a, const Vec3& b) { return squared_norm(a - at) < squared_norm(b - at); });
      markers_.push_back(static_cast<Index>(nearest - mesh_.vertices.begin()));
    }
  }

  /// The recording: where the markers of the truth are, with noise; y was not measured.
  void record() {
    context_.progress("recording", 0.0);
    std::vector<Count> frames;
    for (Count step = frames_between; step <= steps_; step += frames_between) frames.push_back(step);
    truth_ = positions_at(context_, scene_, frames);
    NumpyRandom random(noise_seed);
    std::string csv = "time,marker,x,y,z,weight\n";
    std::vector<BodyMarker> points;
    for (const Index marker : markers_) points.push_back({{marker}, {1.0}});
    for (std::size_t f = 0; f < frames.size(); ++f)
      for (std::size_t m = 0; m < markers_.size(); ++m) {
        const Vec3 x = truth_[f][static_cast<std::size_t>(markers_[m])];
        const MarkerTarget seen{
            .step = frames[f],
            .marker = m,
            .coordinates = {x.x + noise * random.normal(), 0.0, x.z + noise * random.normal()},
            .is_measured = {true, false, true},
            .weight = weights[m]};
        fmt::format_to(std::back_inserter(csv), "{},starfish[{}],{},,{},{}\n",
                       static_cast<double>(seen.step) * assembly_.scene.time.step, markers_[m],
                       seen.coordinates[0], seen.coordinates[2], seen.weight);
        targets_.push_back(seen);
      }
    loss_ = markers_loss(std::move(points), targets_);
    report_.input("markers.csv", csv);
  }

  /// The best of four draws within the bounds.
  void choose_start() {
    context_.progress("random materials", 0.05);
    draws_ = starfish_draws();
    draw_losses_ = scan_loss(assembly_, parameters_, *loss_, draws_, context_.threads().count());
    const auto best = std::min_element(draw_losses_.begin(), draw_losses_.end());
    start_ = static_cast<std::size_t>(best - draw_losses_.begin());
  }

  void find() {
    FitOptions options;
    options.optimiser.evaluations = context_.quick() ? 8 : 20;
    options.starts = draws_;
    if (context_.quick()) options.starts = {draws_[start_]};
    options.threads = context_.threads().count();
    options.observe = [&](const FitEvaluation& evaluation) {
      path_.push_back(evaluation);
      context_.progress("fit", 0.2 + 0.008 * static_cast<double>(std::min<std::size_t>(path_.size(), 80)));
    };
    context_.progress("fit", 0.2);
    const FitResult result = fit(assembly_, parameters_, *loss_, options);
    outcome_ = *std::min_element(result.outcomes.begin(), result.outcomes.end(),
                                 [](const FitOutcome& a, const FitOutcome& b) { return a.loss < b.loss; });
    ends_ = result.outcomes;
  }

  [[nodiscard]] SceneSource scene_of(const std::vector<double>& material) const {
    return scene_.with({fmt::format("body.0.material.0.youngs_modulus={}", material[0]),
                        fmt::format("body.0.material.0.poissons_ratio={}", material[1])});
  }

  /// The mean distance of the markers from what was recorded, and from where the truth has them, mm.
  struct Miss {
    double recorded, truth;
  };
  [[nodiscard]] Miss miss_of(const std::vector<double>& material) const {
    std::vector<Count> frames;
    for (Count step = frames_between; step <= steps_; step += frames_between) frames.push_back(step);
    const std::vector<VectorArray> motion = positions_at(context_, scene_of(material), frames);
    Miss miss{0.0, 0.0};
    for (const MarkerTarget& seen : targets_) {
      const auto frame = static_cast<std::size_t>(seen.step / frames_between - 1);
      const auto vertex = static_cast<std::size_t>(markers_[seen.marker]);
      const Vec3 x = motion[frame][vertex];
      miss.recorded += 1e3 * std::hypot(x.x - seen.coordinates[0], x.z - seen.coordinates[2]);
      miss.truth += 1e3 * norm(x - truth_[frame][vertex]);
    }
    const auto count = static_cast<double>(targets_.size());
    return {miss.recorded / count, miss.truth / count};
  }

  void tables() {
    Table path("evaluations", {"start", "evaluation", "loss", "youngs_modulus", "poissons_ratio"});
    for (const FitEvaluation& each : path_)
      path.add({static_cast<Count>(each.start), each.evaluation, each.loss, each.values[0], each.values[1]});
    report_.table(path, false);
    start_miss_ = miss_of(draws_[start_]);
    found_miss_ = miss_of(outcome_.values);
    Table found("found",
                {"material", "E (Pa)", "ν", "loss (m²)", "from the recording (mm)", "from the truth (mm)"});
    const auto add = [&](const char* name, const std::vector<double>& at, double loss, const Miss& miss) {
      found.add({name, fmt::format("{:.0f}", at[0]), fmt::format("{:.4f}", at[1]), loss, miss.recorded,
                 miss.truth});
    };
    add("truth", {modulus, ratio}, scan_loss(assembly_, parameters_, *loss_, {{modulus, ratio}}, 1)[0],
        miss_of({modulus, ratio}));
    add("best of four draws", draws_[start_], draw_losses_[start_], start_miss_);
    add("found", outcome_.values, outcome_.loss, found_miss_);
    Table ends("ends", {"start", "first E (Pa)", "first ν", "E (Pa)", "ν", "loss (m²)", "end"});
    for (std::size_t k = 0; k < ends_.size(); ++k) {
      const std::vector<double>& first = ends_.size() == 1 ? draws_[start_] : draws_[k];
      ends.add({static_cast<Count>(k), first[0], first[1], ends_[k].values[0], ends_[k].values[1],
                ends_[k].loss, std::string(to_string(ends_[k].end))});
    }
    report_.table(ends, true);
    report_.table(found, true);
  }

  [[nodiscard]] std::string subtitle() const {
    return fmt::format("{} cubes, {} vertices, {} steps of 1/300 s", mesh_.hexahedra.size(),
                       mesh_.vertices.size(), steps_);
  }

  void charts() {
    Chart loss;
    loss.title = "The loss, run by run";
    loss.subtitle = subtitle();
    loss.x = {.label = "runs with their gradient"};
    loss.y = {.label = "weighted mean squared distance (m²)", .logarithmic = true};
    for (std::size_t start = 0; start < ends_.size(); ++start) {
      Series series{.name = fmt::format("start {}", start), .colour = static_cast<int>(start)};
      for (const FitEvaluation& each : path_) {
        if (each.start != start) continue;
        series.x.push_back(static_cast<double>(each.evaluation));
        series.y.push_back(each.loss);
      }
      loss.series.push_back(std::move(series));
    }
    report_.chart("loss", loss);
    Chart markers;
    markers.title = "The outer markers: recorded (synthetic, with noise), at the start, and found";
    markers.subtitle = subtitle();
    markers.x = {.label = "time (s)"};
    markers.y = {.label = "x (mm)"};
    int colour = 0;
    for (const auto& [name, material] :
         {std::pair("start", draws_[start_]), std::pair("found", outcome_.values)}) {
      Series line{.name = name, .colour = 1 + colour++, .marker = Marker::none};
      const auto vertex = static_cast<std::size_t>(markers_.back());
      std::vector<Count> frames;
      for (Count step = 0; step <= steps_; step += frames_between) frames.push_back(step);
      const auto motion = positions_at(context_, scene_of(material), frames);
      for (std::size_t f = 0; f < frames.size(); ++f) {
        line.x.push_back(static_cast<double>(frames[f]) / 300.0);
        line.y.push_back(1e3 * motion[f][vertex].x);
      }
      markers.series.push_back(std::move(line));
    }
    Series seen{.name = "synthetic recording", .colour = 0, .line = false, .hollow = true};
    for (const MarkerTarget& target : targets_)
      if (target.marker == markers_.size() - 1) {
        seen.x.push_back(static_cast<double>(target.step) / 300.0);
        seen.y.push_back(1e3 * target.coordinates[0]);
      }
    markers.series.push_back(std::move(seen));
    report_.chart("markers", markers);
  }

  void strip() {
    context_.progress("pictures", 0.9);
    TracedStrip strip;
    strip.title = "Soft limbs: the synthetic truth, the start, and what was found";
    strip.subtitle = subtitle();
    std::vector<Count> shown;
    for (int k = 0; k < 5; ++k) {
      shown.push_back(k * steps_ / 4);
      strip.columns.push_back(fmt::format("{:.2f} s", static_cast<double>(shown.back()) / 300.0));
    }
    const auto row = [&](const std::string& name, const std::vector<double>& material) {
      strip.rows.push_back({fmt::format("{}:\n{:.3g} MPa,\n{:.3f}", name, 1e-6 * material[0], material[1]),
                            positions_at(context_, scene_of(material), shown), ""});
    };
    row("truth", {modulus, ratio});
    row("start", draws_[start_]);
    row("found", outcome_.values);
    strip.faces = assembly_.faces;
    strip.view = {.azimuth = 0.0, .elevation = 10.0};
    strip.ground = false;
    report_.chart("strip", strip, context_.threads());
  }

  void claims() {
    report_.claim({"a fit to real markers ends below the best of four random materials", std::nullopt,
                   "no recording of the robot is given: --data takes the folder that has them"});
    report_.claim(
        {"(ours) so does a fit to synthetic markers", outcome_.loss < draw_losses_[start_],
         fmt::format("{:.3g} m² beside {:.3g} m²; mean distance {:.2f} mm from the synthetic recording, "
                     "{:.2f} mm at the start",
                     outcome_.loss, draw_losses_[start_], found_miss_.recorded, start_miss_.recorded)});
    const double off = outcome_.values[0] / modulus - 1.0, off_ratio = outcome_.values[1] - ratio;
    report_.claim(
        {"(ours) from synthetic markers with 1 mm of noise, E is found within 5 % and ν within 0.02",
         context_.quick() ? std::nullopt
                          : std::optional(std::abs(off) <= modulus_goal && std::abs(off_ratio) <= ratio_goal),
         fmt::format("E = {:.6g} Pa ({:+.2g} %), ν = {:.5g} ({:+.2g}) after {} runs; {}", outcome_.values[0],
                     100.0 * off, outcome_.values[1], off_ratio, path_.size(),
                     std::string(to_string(outcome_.end)))});
    report_.remark(
        "All markers are synthetic: positions of our own run with the truth, and normal noise of 1 mm. They "
        "say "
        "nothing about a real body, whose material the model may not have.");
  }

  void settings() {
    add_inputs(report_, scene_);
    report_.command(scene_.command("soft-starfish"));
    report_.setting("body", "two limbs of 85 mm, 17.5 mm thick, of ours: " + subtitle());
    report_.setting("material",
                    "`projective`, E = 0.5 MPa, ν = 0.4, 400 kg/m³; tendons of 2 MPa in the layer at -x");
    report_.setting("contraction", "up to 20 %, once a second; the published ones are the robot's");
    report_.setting(
        "markers",
        fmt::format("synthetic: four vertices, 60 pictures a second, x and z with noise of 1 mm, NumPy's "
                    "normal numbers of seed {}; weights 10, 1, 1, 10",
                    noise_seed));
    report_.setting("bounds", "E 10 kPa to 5 MPa, ν 0.2 to 0.45");
    report_.setting("start",
                    fmt::format("four draws, NumPy's seed {}: from each of them, and the lowest loss counts",
                                material_draw_seed));
  }

  const Context& context_;
  Report& report_;
  Count steps_;
  double cell_;  ///< m.
  SceneSource scene_;
  Mesh mesh_;
  Assembly assembly_;
  std::vector<FitParameter> parameters_;
  std::vector<Index> markers_;
  std::vector<VectorArray> truth_;  ///< Of the recorded frames.
  std::vector<MarkerTarget> targets_;
  std::unique_ptr<Loss> loss_;
  std::vector<std::vector<double>> draws_;
  std::vector<double> draw_losses_;
  std::size_t start_ = 0;
  std::vector<FitEvaluation> path_;
  FitOutcome outcome_;            ///< The best one,
  std::vector<FitOutcome> ends_;  ///< of these, one a start.
  Miss start_miss_{}, found_miss_{};
};

}  // namespace

void soft_starfish(const Context& context, Report& report) {
  if (!fit_to_recordings(context, report)) SoftStarfish(context, report).run();
}

}  // namespace electret::experiments
