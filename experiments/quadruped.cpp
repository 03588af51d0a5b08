/// \file
/// quadruped: three numbers of a gait with which a body on four legs gets far ([DiffPD] §7.3).

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <electret/fit/losses.hpp>

#include "legs.hpp"
#include "plant_mesh.hpp"
#include "voxels.hpp"
#include "walkers.hpp"

namespace electret::experiments {
namespace {

constexpr int across = 12, leg = 3, leg_height = 6, body_height = 3;  // cubes
constexpr double cell = 0.1 / 3.0, step = 0.01;                       // m, s
constexpr Count frames = 100;
constexpr double published_seconds = 66.0, body_length = 0.4;  // s, m
constexpr double best_known_sample = -0.68359;                 // m

/// An independent program's, at the published start within the bounds.
struct Known {
  std::size_t frame;
  double height;  // m, of the middle
};
constexpr std::array<Known, 3> known{{{1, 0.2136416415}, {5, 0.1999076415}, {10, 0.17625805}}};
constexpr double known_ahead = 0.1978562, digits = 1e-7;  // m, x of the middle after 10 frames
constexpr Vec3 known_later{0.20943306, 0.2, 0.18486454};  // m, after 25
constexpr std::array<double, 8> known_losses{-0.1885, -0.68359, -0.35298, -0.39859,
                                             -0.4211, -0.3815,  -0.3775,  -0.4987};
constexpr double loss_digits = 0.005;
constexpr double known_start_loss = -0.18438;
constexpr std::size_t known_cubes = 648, known_touching = 48;
constexpr std::array<std::size_t, 4> known_muscles{72, 36, 72, 36};

bool is_leg(int i) {
  return i < leg || i >= across - leg;
}

std::set<Cell> table() {
  std::set<Cell> cubes;
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j) {
      for (int k = 0; k < leg_height && is_leg(i) && is_leg(j); ++k) cubes.insert({i, j, k});
      for (int k = 0; k < body_height; ++k) cubes.insert({i, j, leg_height + k});
    }
  return cubes;
}

class Quadruped {
 public:
  Quadruped(const Context& context, Report& report)
      : context_(context), report_(report), body_(table(), cell) {
    std::size_t number = 0;
    for (const Cell& cube : table()) {
      if (cube[2] < leg_height) {
        const bool is_front = cube[0] >= across - leg;
        const int place = is_front ? cube[0] - (across - leg) : cube[0];  // From the leg's rear face.
        muscles_[(is_front ? 0U : 2U) + (place >= 1 ? 0U : 1U)].push_back(number);
      }
      ++number;
    }
    for (std::size_t v = 0; v < body_.mesh().vertices.size(); ++v) {
      const Vec3& x = body_.mesh().vertices[v];
      if (x.z < 0.5 * cell && (is_outline(x.x) || is_outline(x.y)))
        touching_.push_back(static_cast<Index>(v));
    }
    SceneSource scene = scene_file("quadruped.toml");
    scene.files = {{"quadruped.mesh", medit_text(body_.mesh())}};
    scene_ = with_leg_muscles(scene, muscles_)
                 .changed({fmt::format("body.0.group.0.indices=[{}]", fmt::join(touching_, ", "))});
  }

  void run() {
    Walking walking(context_, report_, walker());
    check_body();
    check_motion(walking);
    walking.search();
    walking.show();
    check_samples(walking);
    const double found = walking.best("sticking").last;
    report_.claim({"the quadruped walks several body lengths", walking.if_whole(found <= -3.0 * body_length),
                   fmt::format("{:.2f} body lengths in {:g} s, from x = 0.2 m", (-found - 0.2) / body_length,
                               step * static_cast<double>(walking.walker().frames))});
    report_.claim({"(ours) the gait found is better than the best of 16 samples, whose loss is -0.683 m",
                   walking.if_whole(found < std::min(best_known_sample, walking.sampled("sticking").least())),
                   fmt::format("{:.4f} m beside {:.4f} m", found, walking.sampled("sticking").least())});
    for (const GaitSearch& each : walking.searches())
      if (each.start == "published start")
        report_.claim(
            {"(ours) from the published start the search gets as far",
             walking.if_whole(each.last <= walking.sampled("sticking").least()),
             fmt::format("it stops at {:.4f} m after {} runs: {}", each.last, each.losses.size(), each.end)});
    const double exact = walking.best("exact").last, exact_sample = walking.sampled("exact").least();
    report_.claim({"(ours) by the exact law, too, the gait found is better than the best sample",
                   walking.if_whole(exact < exact_sample),
                   fmt::format("{:.4f} m beside {:.4f} m", exact, exact_sample)});
    report_.remark(
        "At frame 0 every muscle aims at half of its length: the legs contract at once, in the air. The loss "
        "is rough over w, because contact decides which steps hold.");
  }

 private:
  static bool is_outline(double x) {
    const long place = std::lround(x / cell);
    return place == 0 || place == leg || place == across - leg || place == across;
  }

  [[nodiscard]] Walker walker() const {
    const bool quick = context_.quick();
    Walker walker;
    walker.name = "quadruped";
    walker.description =
        "the published cubes; E = 1 MPa, ν = 0.49, 300 kg/m³, `projective`; legs of muscles of 5e5 Pa, "
        "activations ½(1 ± A sin wt) of frame t; dropped from 25 mm";
    walker.scene = [this](const Gait& gait) { return with_leg_gait(scene_, gait); };
    constexpr double turn = 2.0 * std::numbers::pi;
    walker.numbers = leg_numbers("quadruped", {0.5, 0.5, turn / 100.0}, {1.0, 1.0, turn / 5.0});
    walker.loss = forward_loss({1.0, 0.0, 0.0});
    walker.loss_text = "-x of the middle (m)";
    NumpyRandom random(42);
    (void)drawn_gait(walker.numbers,
                     random);  // A hundredth of it is the published start, moved into the bounds.
    walker.published_start = Gait{0.5, 0.5, turn / 100.0};
    for (int k = 0; k < (quick ? 2 : 16); ++k) walker.samples.push_back(drawn_gait(walker.numbers, random));
    walker.frames = quick ? 8 : frames;
    walker.step = step;
    walker.evaluations = quick ? 2 : 30;
    walker.published_seconds = published_seconds;
    walker.scanned = 2;
    walker.differentiated = {0, 1, 2};
    walker.differentiated_at = walker.samples[1];
    walker.differentiated_frames = 14;
    walker.exact = {"obstacle.0.law=exact", "obstacle.0.friction=1.0",
                    fmt::format("body.0.group.0.indices=[{}]", fmt::join(surface_vertices(scene_), ", "))};
    walker.view = {.azimuth = 20.0, .elevation = 12.0};
    return walker;
  }

  void check_body() {
    bool holds = body_.mesh().hexahedra.size() == known_cubes && touching_.size() == known_touching;
    std::vector<std::size_t> sizes;
    for (std::size_t m = 0; m < muscles_.size(); ++m) {
      sizes.push_back(muscles_[m].size());
      holds = holds && sizes.back() == known_muscles[m];
    }
    report_.claim({"(ours) the quadruped is the published one", holds,
                   fmt::format("{} cubes, {} vertices that may touch; muscles of {} cubes",
                               body_.mesh().hexahedra.size(), touching_.size(), fmt::join(sizes, ", "))});
  }

  void check_motion(const Walking& walking) {
    context_.progress("the published start", 0.0);
    const std::vector<Vec3> middles =
        walking.middles(*walking.walker().published_start, context_.quick() ? 10 : 25, 1e-11);
    double off = std::abs(middles[10].x - known_ahead);
    for (const Known& each : known) off = std::max(off, std::abs(middles[each.frame].z - each.height));
    std::string figure = fmt::format("at most {:.1g} m off up to frame 10", off);
    if (!context_.quick()) figure += fmt::format("; {:.1g} m at frame 25", norm(middles[25] - known_later));
    report_.claim({"(ours) from the published start it moves as an independent program's, to 1e-7 m",
                   off <= digits, figure});
  }

  void check_samples(const Walking& walking) {
    double off = 0.0;
    if (!context_.quick())
      for (std::size_t k = 0; k < known_losses.size(); ++k)
        off = std::max(off, std::abs(walking.sampled("sticking").losses[k] - known_losses[k]));
    report_.claim(
        {"(ours) losses of the first eight samples are an independent program's, to 0.005 m",
         walking.if_whole(off <= loss_digits),
         context_.quick() ? "a small run has other lengths" : fmt::format("{:.2g} m off at most", off)});
    for (const GaitSearch& each : walking.searches())
      if (each.start == "published start" && !context_.quick())
        report_.claim({"(ours) so is that of the published start",
                       std::abs(each.losses.front() - known_start_loss) <= loss_digits,
                       fmt::format("{:.5f} m beside {:.5f} m", each.losses.front(), known_start_loss)});
  }

  const Context& context_;
  Report& report_;
  VoxelBody body_;
  LegMuscles muscles_;
  std::vector<Index> touching_;
  SceneSource scene_;
};

}  // namespace

void quadruped(const Context& context, Report& report) {
  Quadruped(context, report).run();
}

}  // namespace electret::experiments
