/// \file
/// charge-keyframes: vertex groups whose charges are key-framed: ears that attract, a body that repels itself
/// ([MSC] Fig. 1 and 15).

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "experiment.hpp"
#include "steering.hpp"

namespace electret::experiments {
namespace {

constexpr double step = 0.02, ear_charge = 4e-7, belly_charge = 8e-7;  // s, C
constexpr Count every = 10, vertices = 900;
constexpr double ears_off = 3.5, duration = 10.0;  // s

/// What counts as reproduced: of the distance and of the size at the start; m.
constexpr double together = 0.5, swollen = 0.05, back = 0.1;

class ChargeKeyframes {
 public:
  ChargeKeyframes(const Context& context, Report& report)
      : context_(context), report_(report), scene_(scene_file("ears.toml")), assembly_(assembled(scene_)) {}

  void run() {
    add_inputs(report_, scene_);
    report_.command(scene_.command("run"));
    frames_ = steered_run(context_, scene_, every, "the blob", 0.0, 0.8);
    table();
    report_.chart("answer", chart());
    report_.chart("strip", strip(), context_.threads());
    claims();
    settings();
  }

 private:
  [[nodiscard]] const std::vector<Index>& group(const std::string& name) const {
    return std::find_if(assembly_.groups.begin(), assembly_.groups.end(),
                        [&](const NamedGroup& group) { return group.name == name; })
        ->vertices;
  }

  /// Between the middles of the ears, m.
  [[nodiscard]] double ear_distance(const SteeredFrame& frame) const {
    return norm(centre(frame.positions, group("left_ear")) - centre(frame.positions, group("right_ear")));
  }
  [[nodiscard]] double belly_size(const SteeredFrame& frame) const {
    return gyration(frame.positions, group("belly"));
  }
  [[nodiscard]] const SteeredFrame& at(double time) const {
    return frames_[static_cast<std::size_t>(std::lround(time / (step * every)))];
  }
  [[nodiscard]] double charge_of(const SteeredFrame& frame, const std::string& name) const {
    return frame.inputs.charges[static_cast<std::size_t>(group(name).front())];
  }

  void table() {
    Table all("motion",
              {"time", "left_ear_charge", "right_ear_charge", "belly_charge", "ear_distance", "belly_size"});
    for (const SteeredFrame& frame : frames_)
      all.add({frame.time, charge_of(frame, "left_ear"), charge_of(frame, "right_ear"),
               charge_of(frame, "belly"), ear_distance(frame), belly_size(frame)});
    report_.table(all, false);
  }

  [[nodiscard]] Chart chart() const {
    Chart chart;
    chart.title = "What key-framed charges do to a blob";
    chart.subtitle = "ears of unlike charges from 1 to 4 s, a body of like charges from 5 to 8 s";
    chart.x = {.label = "time (s)"};
    chart.y = {.label = "times the value at the start"};
    Series ears{.name = "distance of the ears", .colour = 0, .marker = Marker::none};
    Series belly{.name = "size of the body", .colour = 1, .marker = Marker::none};
    belly.dashed = true;
    for (const SteeredFrame& frame : frames_) {
      ears.x.push_back(frame.time);
      belly.x.push_back(frame.time);
      ears.y.push_back(ear_distance(frame) / ear_distance(frames_.front()));
      belly.y.push_back(belly_size(frame) / belly_size(frames_.front()));
    }
    chart.series = {ears, belly};
    return chart;
  }

  [[nodiscard]] TracedRows strip() const {
    TracedRows strip;
    strip.title = "Charges of vertex groups, key-framed";
    strip.subtitle =
        "red positive, blue negative, white none; ears of ±0.4 µC per vertex, a body of +0.8 µC per vertex";
    TracedRow row;
    for (const double time : {0.0, 2.0, ears_off, 5.0, 7.0, duration}) {
      strip.columns.push_back(fmt::format("t = {:g} s", time));
      // Each charge in the deepest colours: the ears', which is the smaller one, would look pale.
      row.pictures.push_back(steered_picture(
          at(time), {.faces = assembly_.faces, .largest_charge = time < 5.0 ? ear_charge : belly_charge}));
    }
    strip.rows.push_back(std::move(row));
    strip.view = {.azimuth = 25.0, .elevation = 12.0};
    return strip;
  }

  void claims() {
    const double start = ear_distance(frames_.front()), least = ear_distance(at(ears_off)) / start;
    report_.claim({"ears of unlike charges attract each other", least < together,
                   fmt::format("their distance falls from {:.2g} m to {:.2g} of that; reproduced: below {:g}",
                               start, least, together)});
    const double size = belly_size(frames_.front()), most = belly_size(at(7.0)) / size;
    report_.claim({"a body of like charges swells", most > 1.0 + swollen,
                   fmt::format("by {:.2g} % in size; reproduced: more than {:g} %", 100.0 * (most - 1.0),
                               100.0 * swollen)});
    double farthest = 0.0;
    const VectorArray &first = frames_.front().positions, &last = frames_.back().positions;
    for (std::size_t v = 0; v < first.size(); ++v) farthest = std::max(farthest, norm(last[v] - first[v]));
    report_.claim(
        {"(ours) without charges the shape comes back", farthest < back,
         fmt::format(
             "no vertex is farther than {:.2g} m from where it started, on a body of 3 m; reproduced: "
             "less than {:g} m",
             farthest, back)});
  }

  void settings() {
    report_.setting("mesh",
                    fmt::format("`generate`'s blob, {} vertices of 10 g, about 2 m (the paper's models and "
                                "key-frames are not published)",
                                vertices));
    report_.setting("springs", "40 N/m on edges and to the 12 nearest");
    report_.setting("held", "the lowest tenth, `base`");
    report_.setting("charges", fmt::format("ears ±{:g} C per vertex, body {:g} C per vertex, softening 5 cm",
                                           ear_charge, belly_charge));
    report_.setting("drag", "2 1/s");
    report_.setting("step", fmt::format("{} s, imex", step));
  }

  const Context& context_;
  Report& report_;
  SceneSource scene_;
  Assembly assembly_;
  std::vector<SteeredFrame> frames_;
};

}  // namespace

void charge_keyframes(const Context& context, Report& report) {
  ChargeKeyframes(context, report).run();
}

}  // namespace electret::experiments
