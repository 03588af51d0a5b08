#include "walking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/fit/optimiser.hpp>
#include <electret/scene/parameters.hpp>

#include "solid_run.hpp"
#include "steering.hpp"

namespace electret::experiments {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double difference_goal = 1e-6, difference_tolerance = 1e-12;
constexpr double difference_step = 1e-3;  ///< Of a number's range.
constexpr double speed_goal = 5.0;        ///< Times as fast as published.

}  // namespace

Gait drawn_gait(const std::vector<GaitNumber>& numbers, NumpyRandom& random) {
  Gait gait;
  for (const GaitNumber& number : numbers) gait.push_back(random.uniform(number.lowest, number.highest));
  return gait;
}

std::vector<Index> surface_vertices(const SceneSource& scene) {
  std::set<Index> vertices;
  for (const Triangle& face : assembled(scene).faces) vertices.insert(face.begin(), face.end());
  return {vertices.begin(), vertices.end()};
}

std::size_t SampledGaits::best() const {
  return static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin());
}

double SampledGaits::mean() const {
  double sum = 0.0;
  for (const double loss : losses) sum += loss;
  return sum / static_cast<double>(losses.size());
}

Walking::Walking(const Context& context, Report& report, Walker walker)
    : context_(context), report_(report), walker_(std::move(walker)) {
  const Assembly assembly = assembled(by("sticking", walker_.samples.front()));
  cubes_ = assembly.hexahedra.size(), vertices_ = assembly.masses.size();
}

SceneSource Walking::by(const std::string& law, const Gait& gait) const {
  SceneSource scene = walker_.scene(gait).changed({fmt::format("time.steps={}", walker_.frames)});
  return law == "exact" ? scene.changed(walker_.exact) : scene;
}

std::vector<Vec3> Walking::middles(const Gait& gait, Count frames, double tolerance) const {
  Simulator simulator(compiled(context_, by("sticking", gait)
                                             .with({fmt::format("time.steps={}", frames),
                                                    fmt::format("integrator.tolerance={}", tolerance)})));
  std::vector<Vec3> result{centre(simulator.state().positions)};
  for (Count frame = 0; frame < frames; ++frame) {
    context_.check_stop();
    simulator.step();
    result.push_back(centre(simulator.state().positions));
  }
  return result;
}

Walking::Evaluation Walking::evaluated(const SceneSource& scene) const {
  context_.check_stop();
  const Assembly assembly = assembled(scene);
  Simulator simulator(compile(assembly, context_.threads().count()));
  GradientOptions options;
  options.rest_positions = false;
  const LossAndGradient got = loss_and_gradient(simulator, *walker_.loss, options);
  Evaluation result{got.loss, {}, got.report.capped_steps};
  for (const GaitNumber& number : walker_.numbers) {
    double slope = 0.0;
    for (const std::string& name : number.parameters)
      slope += find_parameter(assembly, name).pull(got.gradient)[number.entry];
    result.gradient.push_back(slope);
  }
  return result;
}

double Walking::loss_of(const SceneSource& scene) const {
  context_.check_stop();
  Simulator simulator(compiled(context_, scene));
  try {
    return loss_of_run(simulator, *walker_.loss);
  } catch (const DivergenceError&) {
    return infinity;
  }
}

double Walking::difference_miss() const {
  const auto scene = [&](std::size_t number, double shift) {
    Gait gait = walker_.differentiated_at;
    gait[number] += shift;
    return by("sticking", gait)
        .with({fmt::format("time.steps={}", walker_.differentiated_frames),
               fmt::format("integrator.tolerance={}", difference_tolerance)});
  };
  const Gait gradient = evaluated(scene(walker_.differentiated.front(), 0.0)).gradient;
  double misses = 0.0, squares = 0.0;
  for (const std::size_t number : walker_.differentiated) {
    const double s = difference_step * (walker_.numbers[number].highest - walker_.numbers[number].lowest);
    const double near = loss_of(scene(number, s)) - loss_of(scene(number, -s));
    const double far = loss_of(scene(number, 2.0 * s)) - loss_of(scene(number, -2.0 * s));
    const double difference = (8.0 * near - far) / (12.0 * s);
    misses += std::pow(gradient[number] - difference, 2.0);
    squares += difference * difference;
  }
  return std::sqrt(misses / squares);
}

void Walking::sample(const std::string& law, double part) {
  SampledGaits& row = sampled_.emplace_back();
  row.law = law;
  for (const Gait& gait : walker_.samples) {
    context_.progress("random gaits, " + law, part + 0.1 * static_cast<double>(row.losses.size()) /
                                                         static_cast<double>(walker_.samples.size()));
    row.losses.push_back(loss_of(by(law, gait)));
  }
}

void Walking::search_from(const std::string& law, const std::string& start, const Gait& from,
                          const std::string& optimiser, double part) {
  GaitSearch result{law, start, optimiser, from, {}, 0.0, {}, "", 0};
  const std::vector<GaitNumber>& numbers = walker_.numbers;
  const auto value = [&](std::size_t k, double variable) {
    return numbers[k].lowest + 0.5 * (1.0 + variable) * (numbers[k].highest - numbers[k].lowest);
  };
  OptimiserOptions options;
  options.method = optimiser;
  options.evaluations = walker_.evaluations;
  options.change_tolerance = 1e-3;
  std::vector<double> variables;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    variables.push_back(2.0 * (from[k] - numbers[k].lowest) / (numbers[k].highest - numbers[k].lowest) - 1.0);
  const auto function = [&](ScalarView at, ScalarSpan gradient) {
    context_.progress(
        "gaits, " + law + ", from the " + start,
        part + 0.15 * static_cast<double>(result.losses.size()) / static_cast<double>(walker_.evaluations));
    Gait gait;
    for (std::size_t k = 0; k < numbers.size(); ++k) gait.push_back(value(k, at[k]));
    double taken = 0.0;
    try {
      const Evaluation got = [&] {
        const Stopwatch watch(taken);
        return evaluated(by(law, gait));
      }();
      for (std::size_t k = 0; k < numbers.size(); ++k)
        gradient[k] = 0.5 * (numbers[k].highest - numbers[k].lowest) * got.gradient[k];
      result.capped += got.capped;
      result.losses.push_back(got.loss);
      if (law == "sticking") seconds_ += taken, ++timed_;
    } catch (const DivergenceError&) {
      result.losses.push_back(infinity);
    }
    return result.losses.back();
  };
  const std::vector<double> down(variables.size(), -1.0), up(variables.size(), 1.0);
  const OptimiserResult end = minimise(function, variables, {down, up}, options);
  for (std::size_t k = 0; k < numbers.size(); ++k) result.found.push_back(value(k, end.variables[k]));
  result.last = end.value;
  result.end = to_string(end.end);
  searches_.push_back(std::move(result));
}

void Walking::search() {
  sample("sticking", 0.1);
  search_from("sticking", "best sample", walker_.samples[sampled("sticking").best()], "lbfgs", 0.2);
  if (walker_.published_start)
    search_from("sticking", "published start", *walker_.published_start, "lbfgs", 0.35);
  // Where contact makes the loss rough, a line search ends early; steps of a given length do not.
  if (!context_.quick())
    search_from("sticking", "best sample", walker_.samples[sampled("sticking").best()], "adam", 0.45);
  sample("exact", 0.55);
  search_from("exact", "best sample", walker_.samples[sampled("exact").best()], "lbfgs", 0.65);
}

const SampledGaits& Walking::sampled(const std::string& law) const {
  return *std::find_if(sampled_.begin(), sampled_.end(),
                       [&](const SampledGaits& each) { return each.law == law; });
}

const GaitSearch& Walking::best(const std::string& law) const {
  const GaitSearch* result = nullptr;
  for (const GaitSearch& each : searches_)
    if (each.law == law && (result == nullptr || each.last < result->last)) result = &each;
  require(result != nullptr, "a walker was searched for by each law");
  return *result;
}

const Vec3& Walking::end_of(const std::string& law) const {
  const auto found =
      std::find_if(ends_.begin(), ends_.end(), [&](const auto& each) { return each.first == law; });
  require(found != ends_.end(), "a walker's end is known once it is shown");
  return found->second;
}

std::optional<bool> Walking::if_whole(bool holds) const {
  return context_.quick() ? std::nullopt : std::optional(holds);
}

std::string Walking::subtitle() const {
  return fmt::format("{} cubes, {} vertices, {} frames of {:g} ms", cubes_, vertices_, walker_.frames,
                     1e3 * walker_.step);
}

void Walking::show() {
  tables();
  learning_curve();
  landscape();
  strip();
  claims();
  settings();
}

void Walking::tables() {
  Table found("searches", {"law", "start", "optimiser", "runs", "loss at the start", "least loss",
                           "best sample", "mean of the samples", "capped steps", "end"});
  for (const GaitSearch& each : searches_)
    found.add({each.law, each.start, each.optimiser, static_cast<Count>(each.losses.size()),
               each.losses.front(), each.last, sampled(each.law).least(), sampled(each.law).mean(),
               each.capped, each.end});
  report_.table(found, true);
  Table gaits("gaits", {"law", "start", "optimiser", "number", "at the start", "found"});
  for (const GaitSearch& each : searches_)
    for (std::size_t k = 0; k < walker_.numbers.size(); ++k)
      gaits.add({each.law, each.start, each.optimiser, walker_.numbers[k].name, each.from[k], each.found[k]});
  report_.table(gaits, walker_.numbers.size() < 10);
  std::vector<std::string> columns{"sample"};
  for (const SampledGaits& each : sampled_) columns.push_back("loss by " + each.law);
  Table samples("samples", columns);
  for (std::size_t k = 0; k < walker_.samples.size(); ++k) {
    std::vector<Table::Cell> row{static_cast<Count>(k + 1)};
    for (const SampledGaits& each : sampled_) row.emplace_back(each.losses[k]);
    samples.add(std::move(row));
  }
  report_.table(samples, true);
  Table path("evaluations", {"law", "start", "optimiser", "evaluation", "loss"});
  for (const GaitSearch& each : searches_)
    for (std::size_t k = 0; k < each.losses.size(); ++k)
      path.add({each.law, each.start, each.optimiser, static_cast<Count>(k + 1), each.losses[k]});
  report_.table(path, false);
}

void Walking::learning_curve() {
  Chart chart;
  chart.title = "The loss, run by run";
  chart.subtitle = subtitle();
  chart.x = {.label = "runs with their gradient"};
  chart.y = {.label = walker_.loss_text};
  int colour = 0;
  for (const GaitSearch& each : searches_) {
    Series series{.name = fmt::format("{}, {}, {}", each.law, each.start, each.optimiser),
                  .colour = colour++};
    for (std::size_t k = 0; k < each.losses.size(); ++k) {
      if (!std::isfinite(each.losses[k])) continue;
      series.x.push_back(static_cast<double>(k + 1));
      series.y.push_back(each.losses[k]);
    }
    chart.series.push_back(std::move(series));
  }
  for (const SampledGaits& each : sampled_)
    chart.levels.push_back({each.least(), "best sample, " + each.law});
  report_.chart("loss", chart);
}

void Walking::landscape() {
  if (!walker_.scanned) return;
  const std::size_t k = *walker_.scanned;
  const GaitNumber& number = walker_.numbers[k];
  const int points = context_.quick() ? 2 : 61;
  Chart chart;
  chart.title = fmt::format("The loss over {}", number.name);
  chart.subtitle = "the other numbers as found; sticking";
  chart.x = {.label = number.name + " (rad a frame)"};
  chart.y = {.label = walker_.loss_text};
  Table table("landscape", {number.name, "loss"});
  Series series{.name = "sticking", .marker = Marker::none};
  for (int p = 0; p < points; ++p) {
    context_.progress("landscape", 0.8 + 0.1 * p / points);
    Gait gait = best("sticking").found;
    gait[k] = number.lowest + (number.highest - number.lowest) * p / (points - 1.0);
    const double loss = loss_of(by("sticking", gait));
    table.add({gait[k], loss});
    if (!std::isfinite(loss)) continue;
    series.x.push_back(gait[k]);
    series.y.push_back(loss);
  }
  chart.series = {series};
  report_.table(table, false);
  report_.chart("landscape", chart);
}

void Walking::strip() {
  context_.progress("pictures", 0.92);
  TracedStrip strip;
  strip.title = fmt::format("The {}: a start, and what was found", walker_.name);
  strip.subtitle = subtitle();
  std::vector<Count> shown;
  const int pictures = context_.quick() ? 1 : 4;
  for (int k = 0; k <= pictures; ++k) {
    shown.push_back(k * walker_.frames / pictures);
    strip.columns.push_back(fmt::format("{:g} s", walker_.step * static_cast<double>(shown.back())));
  }
  const auto row = [&](const std::string& label, const std::string& law, const Gait& gait) {
    strip.rows.push_back({label, positions_at(context_, by(law, gait), shown), ""});
    return centre(strip.rows.back().pictures.back());
  };
  if (walker_.published_start) row("published\nstart", "sticking", *walker_.published_start);
  row("best\nsample", "sticking", walker_.samples[sampled("sticking").best()]);
  for (const char* law : {"sticking", "exact"})
    ends_.emplace_back(law, row(fmt::format("found,\n{}", law), law, best(law).found));
  const Assembly assembly = assembled(by("sticking", walker_.samples.front()));
  strip.faces = assembly.faces;
  strip.colours.assign(vertices_, {0.45, 0.66, 0.84});
  for (const MuscleTrack& muscle : assembly.muscles)
    for (const Index e : muscle.elements.hexahedra)
      for (const Index v : assembly.hexahedra[static_cast<std::size_t>(e)])
        strip.colours[static_cast<std::size_t>(v)] = {0.85, 0.45, 0.40};
  strip.view = walker_.view;
  strip.floor = 0.0;
  report_.chart("strip", strip, context_.threads());
}

void Walking::claims() {
  context_.progress("differences", 0.96);
  const double miss = difference_miss();
  report_.claim({"(ours) derivatives by the gait's numbers are those of differences, to 1e-6",
                 miss <= difference_goal,
                 fmt::format("{:.1g} off, of {} numbers over {} frames", miss, walker_.differentiated.size(),
                             walker_.differentiated_frames)});
  const double seconds = seconds_ / static_cast<double>(timed_);
  report_.claim({"(ours) one loss and gradient takes a fifth of the published time at most",
                 if_whole(seconds * speed_goal <= walker_.published_seconds),
                 fmt::format("{:.3g} s by {} threads on average; published {:g} s by 8", seconds,
                             context_.threads().count(), walker_.published_seconds)});
  report_.claim({"gradients by DiffPD end lower than by Newton's methods", std::nullopt,
                 "the paper prints losses relative to each other, and none of them itself"});
}

void Walking::settings() {
  const Gait& found = best("sticking").found;
  add_inputs(report_, by("sticking", found));
  SceneSource exact = by("exact", best("exact").found);
  exact.file = "exact_" + exact.file;
  report_.input(exact.file, exact.text);
  report_.command(by("sticking", found).command("found"));
  report_.command(exact.command("exact"));
  report_.setting("body", walker_.description + "; " + subtitle());
  report_.setting("loss", walker_.loss_text);
  report_.setting(
      "samples", fmt::format("{}: NumPy's uniform numbers of seed 42, as published", walker_.samples.size()));
  report_.setting("optimisers",
                  fmt::format("L-BFGS-B and Adam, {} runs with their gradient at most", walker_.evaluations));
  report_.setting("exact law", "friction 1; the whole surface may touch");
}

}  // namespace electret::experiments
