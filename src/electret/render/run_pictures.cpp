#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/render/charge_colours.hpp>
#include <electret/render/detail/applied.hpp>
#include <electret/render/detail/contacts.hpp>
#include <electret/render/detail/obstacles.hpp>
#include <electret/render/picture_moment.hpp>
#include <electret/render/run_pictures.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

using namespace render;

// Colours of bodies without charges. They are light, so that shading is seen.
constexpr std::array<Colour, 5> body_colours{
    {{0.45, 0.66, 0.84}, {0.93, 0.70, 0.36}, {0.45, 0.74, 0.60}, {0.82, 0.60, 0.76}, {0.86, 0.83, 0.50}}};
constexpr Colour spring_colour{0.55, 0.58, 0.63}, arrow_colour{0.20, 0.55, 0.35};
constexpr Count sampled_edges = 2000;

std::string scene_folder(const RunDirectory& run) {
  try {
    const std::filesystem::path file = read_summary(run.summary()).scene_file;
    if (file.has_parent_path()) return file.parent_path().string();
  } catch (const IoError&) {
  }
  return ".";
}

struct Bounds {
  Vec3 low{inf, inf, inf}, high{-inf, -inf, -inf};
  double lowest = inf;  ///< Along up.
  static constexpr double inf = std::numeric_limits<double>::infinity();

  void add(const Vec3& x, const Vec3& up) {
    if (!is_finite(x)) return;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis]);
      high[axis] = std::max(high[axis], x[axis]);
    }
    lowest = std::min(lowest, dot(x, up));
  }
  [[nodiscard]] bool empty() const { return !(low.x <= high.x); }
  [[nodiscard]] double size() const {
    const double found = empty() ? 0.0 : std::max(norm(high - low), 1e-6 * norm(0.5 * (low + high)));
    return found > 0.0 ? found : 1.0;
  }
  /// The longest side of the box, and the largest coordinate.
  [[nodiscard]] std::pair<double, double> reach() const {
    std::pair<double, double> found{0.0, 0.0};
    for (int axis = 0; axis < 3 && !empty(); ++axis) {
      found.first = std::max(found.first, high[axis] - low[axis]);
      found.second = std::max({found.second, std::abs(low[axis]), std::abs(high[axis])});
    }
    return found;
  }
};

/// Beyond these, squares of lengths leave the range of double, m.
constexpr double smallest_extent = 1e-100, largest_extent = 1e100;

void check_extent(const Bounds& bounds) {
  const auto [extent, farthest] = bounds.reach();
  std::string what;
  if (std::max(extent, farthest) > largest_extent)
    what = "are " + brief_text(extent) + " m wide and reach " + brief_text(farthest) + " m from the origin";
  else if (extent > 0.0 && extent < smallest_extent)
    what = "are " + brief_text(extent) + " m wide";
  if (what.empty()) return;
  throw InputError(Finding{
      {},
      "the bodies " + what + " in the frames to be drawn",
      "pictures show bodies of " + brief_text(smallest_extent) + " to " + brief_text(largest_extent) + " m"});
}

/// A body as it is drawn.
struct DrawnBody {
  RunBody run;
  double edge = 0.0;  ///< Median length of its springs at rest, m; 0 without any.
};

double median_length(const std::vector<Edge>& edges, VectorView x) {
  if (edges.empty()) return 0.0;
  std::vector<double> lengths;
  const auto step = std::max<std::size_t>(1, edges.size() / sampled_edges);
  for (std::size_t k = 0; k < edges.size(); k += step)
    lengths.push_back(
        norm(x[static_cast<std::size_t>(edges[k][1])] - x[static_cast<std::size_t>(edges[k][0])]));
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

std::vector<DrawnBody> drawn_bodies(std::vector<RunBody> all, const VectorArray& rest) {
  std::vector<DrawnBody> bodies;
  for (RunBody& body : all) {
    const double edge = median_length(body.springs, body.own(rest));
    bodies.push_back({std::move(body), edge});
  }
  return bodies;
}

Applied applied_of(const PictureMoment& moment) {
  Applied applied;
  applied.up = moment.up;
  applied.time_step = moment.time_step;
  applied.charges = moment.external_charges;
  applied.obstacles = moment.obstacles;
  applied.is_read = true;
  return applied;
}

}  // namespace

struct RunPictures::Impl {
  Impl(const RunDirectory& directory, const RunPictureOptions& chosen)
      : options(chosen),
        run(directory.open()),
        applied(read_applied(run->scene(), run->overrides(), scene_folder(directory))),
        up(options.up ? (1.0 / norm(*options.up)) * *options.up : applied.up),
        times(run->times()),
        bodies(drawn_bodies(run_bodies(*run, false), run->rest_positions())),
        obstacles(applied.obstacles, applied.time_step) {
    times.resize(static_cast<std::size_t>(run->frames()));
    if (applied.time_step == 0.0) applied.time_step = run->time_step();
  }
  Impl(PictureMoment shown, const RunPictureOptions& chosen)
      : options(chosen),
        moment(std::move(shown)),
        applied(applied_of(*moment)),
        up(options.up ? (1.0 / norm(*options.up)) * *options.up : applied.up),
        times{moment->time},
        bodies(drawn_bodies(std::move(moment->bodies), moment->rest_positions)),
        obstacles(applied.obstacles, applied.time_step) {}

  [[nodiscard]] VectorArray positions_of(Count frame) const {
    return moment ? moment->positions : run->positions(frame);
  }
  /// The charges, C, or what colours show in their place.
  [[nodiscard]] std::vector<double> values_of(Count frame) const {
    return moment ? moment->values : run->charges(frame);
  }

  [[nodiscard]] bool draws_springs(const DrawnBody& body) const {
    return options.springs || !body.run.has_surface();
  }
  [[nodiscard]] bool draws_vertices(const DrawnBody& body) const {
    return options.vertices || !body.run.has_surface();
  }

  /// m; thin compared with the springs' length, and neither lost nor clumsy in the picture.
  [[nodiscard]] double rod_radius(const DrawnBody& body) const {
    return std::clamp(0.02 * body.edge, 0.0006 * bounds.size(), 0.005 * bounds.size());
  }
  [[nodiscard]] double ball_radius(const DrawnBody& body) const {
    const auto n = static_cast<double>(body.run.count);
    const double apart = body.edge > 0.0 ? body.edge : bounds.size() / std::cbrt(std::max(n, 1.0));
    return std::clamp((body.edge > 0.0 ? 0.09 : 0.25) * apart, 0.0015 * bounds.size(), 0.022 * bounds.size());
  }
  /// What obstacles and bodies push bodies with in `frame`, if that is drawn.
  [[nodiscard]] std::vector<ContactMark> contact_marks(Count frame) const {
    std::vector<ContactMark> marks;
    if (!options.contacts || !run) return marks;
    const VectorArray positions = run->positions(frame);
    if (run->has_contacts()) marks = marks_of(run->contacts(frame), positions);
    if (!run->has_contact_pairs()) return marks;
    const std::vector<ContactMark> between = marks_of(run->contact_pairs(frame), positions);
    marks.insert(marks.end(), between.begin(), between.end());
    return marks;
  }
  [[nodiscard]] double charge_radius() const { return 0.03 * bounds.size(); }
  [[nodiscard]] double largest_ball() const {
    double radius = 0.0;
    for (const DrawnBody& body : bodies)
      if (draws_vertices(body)) radius = std::max(radius, ball_radius(body));
    return radius;
  }

  [[nodiscard]] Colour colour(std::size_t body, double charge) const {
    if (moment && moment->colour) return moment->colour(charge);
    return largest > 0.0 ? charge_colour(charge / largest) : body_colours[body % body_colours.size()];
  }

  /// The points drawn of the bodies; a surface that is carried along may stick out of its elements.
  template <class Use>
  void for_points(Count frame, Use&& use) const {
    const VectorArray all = positions_of(frame);
    for (const DrawnBody& body : bodies) {
      const VectorView own = body.run.own(all);
      for (const Vec3& x : own) use(x);
      for (const Vec3& x : body.run.surface_at(own)) use(x);
    }
  }

  /// Nearby external charges are part of the picture. Far ones are not, because they would make the bodies
  /// small.
  template <class Use>
  void for_charges(Use&& use) const {
    if (!options.external_charges || bounds.empty()) return;
    const Vec3 centre = 0.5 * (bounds.low + bounds.high);
    for (const Count frame : frames) {
      Picture balls;
      add_charges(applied, times[static_cast<std::size_t>(frame)], charge_radius(), balls);
      for (const Ball& ball : balls.balls)
        if (norm(ball.centre - centre) < 2.0 * bounds.size()) use(ball);
    }
  }

  /// Balls around obstacles that are objects beside the bodies. Larger ones are terrain, and far ones would
  /// make the bodies small.
  template <class Use>
  void for_obstacles(Use&& use) const {
    if (bounds.empty()) return;
    const Vec3 centre = 0.5 * (bounds.low + bounds.high);
    for (const Count frame : frames)
      for (const Ball& ball : obstacles.extents(time_of(frame)))
        if (ball.radius < bounds.size() && norm(ball.centre - centre) < 2.0 * bounds.size()) use(ball);
  }

  void add_obstacles(double time, Picture& picture) const {
    const Vec3 centre = bounds.empty() ? Vec3{} : 0.5 * (bounds.low + bounds.high);
    const double size = bounds.empty() ? 0.0 : 2.0 * bounds.size();
    obstacles.add_to(picture, {centre, size, up}, time);
  }

  [[nodiscard]] double time_of(Count frame) const { return times.at(static_cast<std::size_t>(frame)); }

  void add_body(std::size_t number, const VectorArray& x, const std::vector<double>& charges,
                Picture& picture) const {
    const DrawnBody& body = bodies[number];
    const VectorView own = body.run.own(x);
    const ScalarView own_charges = body.run.own(charges);
    if (!body.run.surface_faces.empty())
      add_surface(number, body.run.surface_at(own), body.run.shown_charges(own_charges),
                  body.run.surface_faces, picture);
    else if (!body.run.faces.empty())
      add_surface(number, own, own_charges, body.run.faces, picture);
    if (draws_springs(body))
      for (const auto& [i, j] : body.run.springs)
        picture.rods.push_back({own[static_cast<std::size_t>(i)], own[static_cast<std::size_t>(j)],
                                rod_radius(body), rod_radius(body), spring_colour});
    if (draws_vertices(body))
      for (std::size_t i = 0; i < own.size(); ++i)
        picture.balls.push_back({own[i], ball_radius(body), colour(number, own_charges[i])});
  }

  void add_surface(std::size_t number, VectorView x, ScalarView charges, const std::vector<Triangle>& faces,
                   Picture& picture) const {
    Surface surface{.positions = {x.begin(), x.end()}, .faces = faces};
    for (const double charge : charges) surface.colours.push_back(colour(number, charge));
    picture.surfaces.push_back(std::move(surface));
  }

  /// Draws the arrows on a square of the floor that is a tenth wider than the bodies. The strongest arrow is
  /// as long as the distance between two.
  void add_arrows(double time, Picture& picture) const {
    const int n = options.field_arrows;
    if (n <= 0 || applied.fields.empty() || bounds.empty()) return;
    const CameraAxes plane =
        axes({.eye = up, .target = {}, .up = std::abs(up.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}});
    const double apart = 1.1 * bounds.size() / n;
    const Vec3 centre = 0.5 * (bounds.low + bounds.high);
    const Vec3 middle = centre + (floor_height(time) + 0.12 * apart - dot(centre, up)) * up;
    std::vector<std::pair<Vec3, Vec3>> arrows;
    double strongest = 0.0;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        const Vec3 at = middle + apart * ((i - 0.5 * (n - 1)) * plane.right + (k - 0.5 * (n - 1)) * plane.up);
        arrows.emplace_back(at, field_at(applied, at, time));
        if (is_finite(arrows.back().second)) strongest = std::max(strongest, norm(arrows.back().second));
      }
    for (const auto& [at, field] : arrows) {
      if (!is_finite(field) || norm(field) < 0.02 * strongest || strongest == 0.0) continue;
      const Vec3 whole = (0.85 * apart / strongest) * field;
      const Vec3 tail = at - 0.5 * whole, tip = at + 0.5 * whole;
      const double width = 0.025 * apart, head = std::min(0.3 * apart, 0.6 * norm(whole));
      const Vec3 neck = tip - (head / norm(whole)) * whole;
      picture.rods.push_back({tail, neck, width, width, arrow_colour});
      picture.rods.push_back({neck, tip, 3.0 * width, 0.1 * width, arrow_colour});
    }
  }

  /// The height of a level obstacle, or just below everything that is drawn.
  [[nodiscard]] double floor_height(double time) const {
    double lowest = bounds.lowest - largest_ball() - 0.02 * bounds.size();
    for_obstacles([&](const Ball& ball) { lowest = std::min(lowest, dot(ball.centre, up) - ball.radius); });
    return obstacles.ground(up, time).value_or(lowest);
  }

  RunPictureOptions options;
  // One of the two.
  std::optional<TrajectoryReader> run;
  std::optional<PictureMoment> moment;
  Applied applied;
  Vec3 up;
  std::vector<double> times;
  std::vector<DrawnBody> bodies;
  DrawnObstacles obstacles;
  std::vector<Count> frames = {};
  Bounds bounds = {};
  double largest = 0.0;         ///< C.
  double strongest_push = 0.0;  ///< Of contact forces, N.
};

RunPictures::RunPictures(const std::string& directory, const RunPictureOptions& options) {
  impl_ = std::make_unique<Impl>(RunDirectory(directory), options);
}

RunPictures::RunPictures(PictureMoment moment, const RunPictureOptions& options) {
  std::size_t vertices = 0;
  for (const RunBody& body : moment.bodies) vertices += body.count;
  const auto fits = [&](std::size_t count) { return count == vertices; };
  require_argument(
      fits(moment.positions.size()) && fits(moment.values.size()) && fits(moment.rest_positions.size()),
      "a picture of a moment whose arrays do not have one row per vertex");
  impl_ = std::make_unique<Impl>(std::move(moment), options);
}

RunPictures::~RunPictures() = default;

const std::vector<double>& RunPictures::times() const {
  return impl_->times;
}

const Vec3& RunPictures::up() const {
  return impl_->up;
}

std::optional<bool> RunPictures::has_fields() const {
  if (!impl_->applied.is_read) return std::nullopt;
  return !impl_->applied.fields.empty();
}

const std::vector<std::string>& RunPictures::remarks() const {
  return impl_->applied.remarks;
}

void RunPictures::choose(const std::vector<Count>& frames) {
  Impl& run = *impl_;
  for (const Count frame : frames)
    require_argument(frame >= 0 && frame < static_cast<Count>(run.times.size()),
                     "a frame that the run does not have");
  run.frames = frames;
  run.bounds = {};
  run.largest = run.strongest_push = 0.0;
  run.obstacles.clear();
  for (const Count frame : frames) {
    run.for_points(frame, [&](const Vec3& x) {
      run.bounds.add(x, run.up);
      run.obstacles.add(x, run.time_of(frame));
    });
    run.strongest_push = std::max(run.strongest_push, largest_force(run.contact_marks(frame)));
    for (const double charge : run.values_of(frame))
      if (std::isfinite(charge)) run.largest = std::max(run.largest, std::abs(charge));
  }
  if (run.moment && run.moment->largest > 0.0) run.largest = run.moment->largest;
  check_extent(run.bounds);
  run.obstacles.set_margin(0.002 * run.bounds.size());
}

void RunPictures::add_to(Framing& framing) const {
  const double radius = impl_->largest_ball();
  for (const Count frame : impl_->frames)
    impl_->for_points(frame, [&](const Vec3& x) { framing.add(x, radius); });
  const auto add = [&](const Ball& ball) { framing.add(ball.centre, ball.radius); };
  impl_->for_charges(add);
  impl_->for_obstacles(add);
}

double RunPictures::largest_charge() const {
  return impl_->largest;
}

Ball RunPictures::around() const {
  Bounds all = impl_->bounds;
  if (all.empty()) return {{}, 1.0, {}};
  const auto add = [&](const Ball& ball) { all.add(ball.centre, impl_->up); };
  impl_->for_charges(add);
  impl_->for_obstacles(add);
  const Vec3 centre = 0.5 * (all.low + all.high);
  double farthest = 0.0;
  for (const Count frame : impl_->frames)
    impl_->for_points(frame, [&](const Vec3& x) {
      if (is_finite(x)) farthest = std::max(farthest, norm(x - centre));
    });
  const auto reach = [&](const Ball& ball) {
    farthest = std::max(farthest, norm(ball.centre - centre) + ball.radius);
  };
  impl_->for_charges(reach);
  impl_->for_obstacles(reach);
  const double radius = farthest + impl_->largest_ball();
  return {centre, radius > 0.0 ? radius : 1.0, {}};
}

Picture RunPictures::picture(Count frame) const {
  const Impl& run = *impl_;
  require_argument(std::find(run.frames.begin(), run.frames.end(), frame) != run.frames.end(),
                   "a frame that was not chosen");
  const double time = run.time_of(frame);
  Picture picture;
  picture.up = run.up;
  const VectorArray positions = run.positions_of(frame);
  const std::vector<double> charges = run.values_of(frame);
  for (std::size_t number = 0; number < run.bodies.size(); ++number)
    run.add_body(number, positions, charges, picture);
  if (run.options.external_charges) add_charges(run.applied, time, run.charge_radius(), picture);
  run.add_obstacles(time, picture);
  run.add_arrows(time, picture);
  if (!run.bounds.empty())
    add_contacts(run.contact_marks(frame), run.strongest_push, 0.25 * run.bounds.size(),
                 0.012 * run.bounds.size(), picture);
  if (run.options.ground && !run.bounds.empty()) picture.ground = run.floor_height(time);
  return picture;
}

}  // namespace electret
