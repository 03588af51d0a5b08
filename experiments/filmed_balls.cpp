#include "filmed_balls.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solid_run.hpp"

namespace electret::experiments {
namespace {

constexpr double frame_time = 1.0 / 180.0;  // s
constexpr Colour left_colour{0.36, 0.60, 0.80}, right_colour{0.86, 0.72, 0.30};

/// A line through one ball's centres in the pictures.
Series path_of(const Clip& clip, std::size_t ball, const std::string& name, int colour) {
  Series series{.name = name, .colour = colour, .marker = Marker::none};
  for (const ClipPicture& picture : clip) {
    series.x.push_back(picture.balls[ball].u);
    series.y.push_back(picture.balls[ball].v);
  }
  return series;
}

}  // namespace

std::string FilmedBalls::subtitle() const {
  return fmt::format("two balls of 163 vertices and 320 tetrahedra, {} steps of 1/180 s; {}", steps_,
                     is_synthetic_ ? "a synthetic clip with noise of 1 px" : "a given clip");
}

void FilmedBalls::show(const BallScene& published, const BallScene& own,
                       const std::vector<BallSearch>& searches, const BallSamples& published_samples,
                       const BallSamples& own_samples, const BallSearch& best_published,
                       const BallSearch& best_own, const Clip& truth) {
  tables(published, own, searches, published_samples, own_samples);
  learning_curve(searches);
  landscape(published, own, best_published, best_own);
  paths(published, own, best_published, best_own, truth);
  strip(published, own, best_published, best_own);
}

void FilmedBalls::tables(const BallScene& published, const BallScene& own,
                         const std::vector<BallSearch>& searches, const BallSamples& published_samples,
                         const BallSamples& own_samples) {
  Table found("searches", {"contact", "start", "runs", "loss at the start (px²)", "least loss (px²)",
                           "residual (px)", "published loss", "capped steps", "seconds a run", "end"});
  for (const BallSearch& each : searches)
    found.add({each.model, each.start, static_cast<Count>(each.losses.size()), each.first, each.least,
               std::sqrt(each.least), published_loss_of(each.least, clip_), each.capped, each.seconds,
               each.end});
  report_.table(found, true);
  Table numbers("numbers", {"contact", "start", "number", "lowest", "highest", "at the start", "found"});
  for (const BallSearch& each : searches) {
    const BallScene& scene = each.model == "published" ? published : own;
    for (std::size_t k = 0; k < each.found.size(); ++k) {
      std::string name = scene.numbers()[k].name;
      std::replace(name.begin(), name.end(), ',', ' ');
      numbers.add({each.model, each.start, name, scene.numbers()[k].lowest, scene.numbers()[k].highest,
                   each.from[k], each.found[k]});
    }
  }
  report_.table(numbers, false);
  Table samples("samples", {"sample", "published contact (px²)", "contact of bodies (px²)"});
  for (std::size_t k = 0; k < published_samples.losses.size(); ++k)
    samples.add({static_cast<Count>(k + 1), published_samples.losses[k], own_samples.losses[k]});
  report_.table(samples, true);
  Table path("evaluations", {"contact", "start", "evaluation", "loss (px²)"});
  for (const BallSearch& each : searches)
    for (std::size_t k = 0; k < each.losses.size(); ++k)
      path.add({each.model, each.start, static_cast<Count>(k + 1), each.losses[k]});
  report_.table(path, false);
}

void FilmedBalls::learning_curve(const std::vector<BallSearch>& searches) {
  Chart chart;
  chart.title = "The loss, run by run";
  chart.subtitle = subtitle();
  chart.x = {.label = "runs with their gradient"};
  chart.y = {.label = "mean squared distance in the pictures (px²)", .logarithmic = true};
  int colour = 0;
  for (const BallSearch& each : searches) {
    Series series{.name = each.model + ", " + each.start, .colour = colour++};
    for (std::size_t k = 0; k < each.losses.size(); ++k) {
      series.x.push_back(static_cast<double>(k + 1));
      series.y.push_back(each.losses[k]);
    }
    chart.series.push_back(std::move(series));
  }
  if (is_synthetic_) chart.levels.push_back({2.0, "noise"});
  report_.chart("loss", chart);
}

void FilmedBalls::landscape(const BallScene& published, const BallScene& own,
                            const BallSearch& best_published, const BallSearch& best_own) {
  const int points = context_.quick() ? 2 : 31;
  Chart chart;
  chart.title = "The loss over one number, the others as found";
  chart.subtitle = subtitle();
  chart.x = {.label = "place of the number within its bounds, 0 to 1"};
  chart.y = {.label = "mean squared distance in the pictures (px²)", .logarithmic = true};
  Table table("landscape", {"contact", "number", "value", "loss (px²)"});
  int colour = 0;
  const auto scan = [&](const BallScene& scene, const BallSearch& search, std::size_t k,
                        const std::string& model) {
    const BallSearcher searcher(context_, scene, clip_);
    const BallNumber& number = scene.numbers()[k];
    std::string name = number.name;
    std::replace(name.begin(), name.end(), ',', ' ');
    Series series{.name = model + ": " + name, .colour = colour++, .marker = Marker::none};
    for (int p = 0; p < points; ++p) {
      context_.progress("landscape", 0.8 + 0.02 * colour);
      std::vector<double> values = search.found;
      const double part = p / (points - 1.0);
      values[k] = number.lowest + part * (number.highest - number.lowest);
      const double loss = searcher.loss_at(values);
      table.add({model, name, values[k], loss});
      series.x.push_back(part);
      series.y.push_back(loss);
    }
    chart.series.push_back(std::move(series));
  };
  scan(published, best_published, 0, "published");
  scan(published, best_published, published.first_start() + 2, "published");
  scan(published, best_published, published.first_start() + 5, "published");
  scan(own, best_own, own.first_start() + 2, "bodies");
  scan(own, best_own, own.first_start() + 5, "bodies");
  report_.table(table, false);
  report_.chart("landscape", chart);
}

void FilmedBalls::paths(const BallScene& published, const BallScene& own, const BallSearch& best_published,
                        const BallSearch& best_own, const Clip& truth) {
  Chart chart;
  chart.title = is_synthetic_ ? "In the pictures: the synthetic clip, a start and what was found"
                              : "In the pictures: the clip, a start and what was found";
  chart.subtitle = subtitle();
  chart.x = {.label = "to the right of the middle (px)"};
  chart.y = {.label = "above the middle (px)"};
  const auto add = [&](const BallScene& scene, const std::vector<double>& values, const std::string& name,
                       int colour) {
    const Clip seen = filmed(context_, scene, values, steps_);
    for (std::size_t b = 0; b < 2; ++b) chart.series.push_back(path_of(seen, b, name, colour));
  };
  add(published, best_published.from, "published contact, start", 3);
  add(published, best_published.found, "published contact, found", 1);
  add(own, best_own.found, "contact of bodies, found", 2);
  for (std::size_t b = 0; b < 2; ++b) {
    Series seen = path_of(clip_, b, is_synthetic_ ? "synthetic clip" : "clip", 0);
    seen.line = false, seen.hollow = true, seen.marker = Marker::circle;
    chart.series.push_back(std::move(seen));
  }
  report_.chart("pictures", chart);
  Table table("pictures", {"time", "ball", "u", "v", "u published", "v published", "u bodies", "v bodies",
                           "u truth", "v truth"});
  const Clip by_published = filmed(context_, published, best_published.found, steps_);
  const Clip by_own = filmed(context_, own, best_own.found, steps_);
  for (const ClipPicture& picture : clip_)
    for (std::size_t b = 0; b < 2; ++b) {
      const auto k = static_cast<std::size_t>(picture.step / steps_a_picture);
      const Pixel &seen = picture.balls[b], &a = by_published[k].balls[b], &c = by_own[k].balls[b];
      const Pixel t = truth.empty() ? Pixel{NAN, NAN, NAN} : truth[k].balls[b];
      table.add({frame_time * static_cast<double>(picture.step), std::string(b == 0 ? "left" : "right"),
                 seen.u, seen.v, a.u, a.v, c.u, c.v, t.u, t.v});
    }
  report_.table(table, false);
}

void FilmedBalls::strip(const BallScene& published, const BallScene& own, const BallSearch& best_published,
                        const BallSearch& best_own) {
  context_.progress("pictures", 0.95);
  TracedStrip strip;
  strip.title = "Two tennis balls: a start, and what was found in the clip";
  strip.subtitle = subtitle();
  std::vector<Count> shown;
  const int pictures = context_.quick() ? 1 : 4;
  for (int k = 0; k <= pictures; ++k) {
    shown.push_back(k * steps_ / pictures);
    strip.columns.push_back(fmt::format("{:.2f} s", frame_time * static_cast<double>(shown.back())));
  }
  const auto row = [&](const std::string& label, const BallScene& scene, const std::vector<double>& values) {
    strip.rows.push_back({label, positions_at(context_, scene.with(values), shown), ""});
  };
  row("start,\npublished\ncontact", published, best_published.from);
  row("found,\npublished\ncontact", published, best_published.found);
  row("found,\ncontact of\nbodies", own, best_own.found);
  strip.faces = published.assembly().faces;
  strip.colours.assign(published.assembly().masses.size(), left_colour);
  for (const Index v : published.vertices(1)) strip.colours[static_cast<std::size_t>(v)] = right_colour;
  strip.view = {.azimuth = 0.0, .elevation = 50.0};
  strip.floor = -ball_size;
  report_.chart("strip", strip, context_.threads());
}

}  // namespace electret::experiments
