#include "swimming.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "experiment.hpp"
#include "solid_run.hpp"

namespace electret::experiments {
namespace {

class Swimming {
 public:
  Swimming(const Context& context, Report& report, Swim swim, double part)
      : context_(context), report_(report), swim_(std::move(swim)), part_(part) {}

  void run() {
    const double before = processor_time();
    trained_ = train(context_, swim_.body, swim_.plan, part_, 0.9 - part_);
    processor_ = processor_time() - before;
    best_ = &*std::max_element(trained_.begin(), trained_.end(),
                               [](const Training& a, const Training& b) { return a.best < b.best; });
    first_ = &*std::max_element(trained_.begin(), trained_.end(), [](const Training& a, const Training& b) {
      return a.rewards.at(0) < b.rewards.at(0);
    });
    const bool any_swims = std::isfinite(best_->best);
    if (any_swims) run_ = swim(swim_.body, best_->best_network, swim_.plan.frames);
    tables();
    learning_chart();
    if (any_swims) signal_chart(), strip();
    claims();
    settings();
  }

 private:
  [[nodiscard]] double start_reward() const { return first_->rewards[0]; }
  [[nodiscard]] std::size_t runs() const {
    std::size_t sum = 0;
    for (const Training& each : trained_) sum += each.rewards.size();
    return sum;
  }

  [[nodiscard]] static std::string end_of(const Training& each) {
    if (each.failed) return *each.failed;
    return each.is_saturated() ? "saturated" : "";
  }

  void tables() {
    Table networks("networks",
                   {"seed", "first reward", "best reward", "at epoch", "epochs", "last gradient", "end"});
    Table curves("curves", {"seed", "epoch", "reward"});
    for (const Training& each : trained_) {
      const auto best = std::max_element(each.rewards.begin(), each.rewards.end());
      const auto seed = static_cast<Count>(each.seed);
      networks.add({seed, each.rewards[0], *best, static_cast<Count>(best - each.rewards.begin()),
                    static_cast<Count>(each.rewards.size() - 1), each.last_norm, end_of(each)});
      for (std::size_t k = 0; k < each.rewards.size(); ++k)
        curves.add({seed, static_cast<Count>(k), each.rewards[k]});
    }
    report_.table(networks, true);
    report_.table(curves, false);
    Table signals("signals", {"frame", "output", "value"});
    for (std::size_t k = 0; k < run_.outputs.size(); ++k)
      signals.add({static_cast<Count>(k / swim_.body.outputs), static_cast<Count>(k % swim_.body.outputs),
                   run_.outputs[k]});
    report_.table(signals, false);
  }

  void learning_chart() {
    Chart chart;
    chart.title = fmt::format("How {} networks learn to move the {}", trained_.size(), swim_.name);
    chart.subtitle = swim_.body.size_text();
    chart.x = {.label = "epochs (a run and its gradient each)", .high = swim_.plan.epochs};
    chart.y = {.label = "reward"};
    Series published{.name = "published points, by gradients", .colour = 1, .line = false, .hollow = true};
    for (const Learnt& point : swim_.published) {
      if (point.epoch > swim_.plan.epochs) continue;
      published.x.push_back(point.epoch);
      published.y.push_back(point.reward);
    }
    chart.series.push_back(std::move(published));
    for (const Training& each : trained_) {
      Series series{.name = &each == best_ ? fmt::format("seed {}, the best", each.seed) : "other seeds",
                    .colour = &each == best_ ? 2 : 0,
                    .marker = Marker::none,
                    .stroke = &each == best_ ? 2.6 : 1.0};
      for (std::size_t k = 0; k < each.rewards.size(); ++k) {
        series.x.push_back(static_cast<double>(k));
        series.y.push_back(each.rewards[k]);
      }
      chart.series.push_back(std::move(series));
    }
    report_.chart("learning", chart);
  }

  void signal_chart() {
    Chart chart;
    chart.title = fmt::format("What the best network tells the {}'s muscles", swim_.name);
    chart.subtitle = fmt::format("seed {}, reward {:.2f}", best_->seed, run_.reward);
    chart.x = {.label = "frame"};
    chart.y = {.label = "output", .low = -1.05, .high = 1.05};
    for (std::size_t o = 0; o < swim_.body.outputs; ++o) {
      Series series{
          .name = fmt::format("output {}", o), .colour = static_cast<int>(o), .marker = Marker::none};
      for (std::size_t k = o; k < run_.outputs.size(); k += swim_.body.outputs) {
        const std::size_t frame = k / swim_.body.outputs;
        series.x.push_back(static_cast<double>(frame));
        series.y.push_back(run_.outputs[k]);
      }
      chart.series.push_back(std::move(series));
    }
    report_.chart("signals", chart);
  }

  /// The positions after the frames `shown`.
  [[nodiscard]] std::vector<VectorArray> pictures(const std::vector<double>& actions,
                                                  const std::vector<Count>& shown) const {
    std::vector<VectorArray> result;
    follow(context_, swim_.body, actions, [&](const State& state) {
      if (std::count(shown.begin(), shown.end(), state.step) > 0) result.push_back(state.positions);
    });
    return result;
  }

  void strip() {
    context_.progress("pictures", 0.92);
    TracedStrip strip;
    strip.title = fmt::format("The {} as the best network moves it", swim_.name);
    strip.subtitle = swim_.body.size_text() + fmt::format("; reward {:.2f}; muscles are red", run_.reward);
    std::vector<Count> shown;
    for (int k = 0; k < 5; ++k) {
      shown.push_back(k * swim_.plan.frames / 4);
      strip.columns.push_back(fmt::format("{:.2f} s", 0.0333 * static_cast<double>(shown.back())));
    }
    Perceptron start = best_->best_network;
    start.begin(first_->seed);
    const SwimmingRun before = swim(swim_.body, start, swim_.plan.frames);
    strip.rows = {
        {fmt::format("best start:\nreward {:.2f}", before.reward), pictures(before.actions, shown), ""},
        {fmt::format("learnt:\nreward {:.2f}", run_.reward), pictures(run_.actions, shown), ""}};
    strip.faces = assembled(swim_.body.scene).faces;
    strip.colours.assign(swim_.body.mesh.vertices.size(), {0.45, 0.66, 0.84});
    for (std::size_t e = 0; e < swim_.body.is_muscle.size(); ++e)
      if (swim_.body.is_muscle[e] != 0)
        for (const Index v : swim_.body.mesh.hexahedra[e])
          strip.colours[static_cast<std::size_t>(v)] = {0.85, 0.45, 0.40};
    strip.view = swim_.view;
    strip.ground = false;
    report_.chart("strip", strip, context_.threads());
  }

  void claims() {
    const auto saturated = std::count_if(trained_.begin(), trained_.end(),
                                         [](const Training& each) { return each.is_saturated(); });
    const auto failed = std::count_if(trained_.begin(), trained_.end(),
                                      [](const Training& each) { return each.failed.has_value(); });
    const auto only_whole = [&](bool holds) {
      return context_.quick() ? std::nullopt : std::optional(holds);
    };
    const double end = swim_.published.back().reward;
    const std::string ours =
        fmt::format("{:.2f} by seed {} after {} of {} epochs", best_->best, best_->seed,
                    std::max_element(best_->rewards.begin(), best_->rewards.end()) - best_->rewards.begin(),
                    swim_.plan.epochs);
    report_.claim({fmt::format("gradients lead to a reward of {:g} within 100 epochs", end),
                   only_whole(best_->best >= end), ours});
    report_.claim(
        {fmt::format("(ours) the best of {} networks reaches a reward of {:g}", trained_.size(), swim_.goal),
         only_whole(best_->best >= swim_.goal), ours});
    if (swim_.start_factor > 0.0)
      report_.claim({fmt::format("(ours) that is {:g} times the best start", swim_.start_factor),
                     start_reward() > 0.0 ? only_whole(best_->best >= swim_.start_factor * start_reward())
                                          : std::nullopt,
                     fmt::format("{:.2f} beside {:.2f}", best_->best, start_reward())});
    report_.claim(
        {"(ours) no network dies", saturated + failed == 0,
         fmt::format("of {}, {} end saturated, {} by a run that fails", trained_.size(), saturated, failed)});
    report_.remark(
        fmt::format("{} runs of {} frames, nearly all with their gradient, took {:.3g} s of processor time, "
                    "{:.3g} s a run.",
                    runs(), swim_.plan.frames, processor_, processor_ / static_cast<double>(runs())));
  }

  void settings() {
    const TrainingPlan& plan = swim_.plan;
    add_inputs(report_, swim_.body.scene);
    report_.setting("body", swim_.description + ": " + swim_.body.size_text());
    report_.setting(
        "network", fmt::format("{} inputs, two layers of 64, {} outputs, tanh everywhere; orthogonal weights "
                               "times 5/3, no biases at first; seeds 0 to {}",
                               swim_.body.senses.size(), swim_.body.outputs, plan.networks - 1));
    report_.setting(
        "training",
        fmt::format("Adam, rate {:g} falling linearly to 0 over {} epochs, gradients at most 1 long, "
                    "weight decay 1e-4; {} networks for {} epochs, the best {} of them on to the end",
                    plan.rate, plan.epochs, plan.networks, plan.first_epochs, plan.kept));
    report_.setting("run", fmt::format("{} frames of 33.3 ms from rest", plan.frames));
    report_.setting(
        "reward",
        fmt::format("Σ over the frames of u·v - {:g} |v - (u·v)u|², u = ({:g}, {:g}, {:g})",
                    swim_.body.sideways, swim_.body.forward.x, swim_.body.forward.y, swim_.body.forward.z));
    report_.setting("gradient",
                    "exact; the published code leaves out the path through the place of the body's middle");
  }

  const Context& context_;
  Report& report_;
  Swim swim_;
  double part_;
  std::vector<Training> trained_;
  const Training* best_ = nullptr;
  const Training* first_ = nullptr;  ///< The best start.
  SwimmingRun run_;                  ///< Of the best network.
  double processor_ = 0.0;           ///< Of the training, s.
};

}  // namespace

void swim_experiment(const Context& context, Report& report, Swim swim, double part) {
  Swimming(context, report, std::move(swim), part).run();
}

}  // namespace electret::experiments
