#include "render_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <electret/core/text.hpp>

#include "movie_timing.hpp"

namespace electret::app {
namespace {

constexpr int smallest_side = 16, largest_side = 8192;
constexpr Count usual_frames = 6;
constexpr std::size_t most_panels = 60;
constexpr double largest_zoom = 1000.0;
constexpr int most_movie_pictures = 1000000;
constexpr int usual_seconds = 5;  // of a movie whose speed is suggested

/// The text without the spaces around it.
std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == separator)
      result.emplace_back();
    else
      result.back() += c;
  }
  for (std::string& part : result) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
  }
  return result;
}

template <class Number>
std::optional<Number> number(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

/// The numbers between commas; none unless there are `count` of them.
std::optional<std::vector<double>> numbers(const std::string& text, std::size_t count) {
  std::vector<double> result;
  for (const std::string& part : parts(text, ',')) {
    const auto value = number<double>(part);
    if (!value) return std::nullopt;
    result.push_back(*value);
  }
  if (result.size() != count) return std::nullopt;
  return result;
}

void tell_wrong(std::vector<Finding>& findings, const char* option, const std::string& value,
                const std::string& allowed) {
  findings.push_back({{option, 0, 0}, in_quotes(value) + " cannot be read", allowed});
}

void tell_out_of_range(std::vector<Finding>& findings, const char* option, const std::string& value,
                       const std::string& allowed) {
  findings.push_back({{option, 0, 0}, in_quotes(value) + " is out of range", allowed});
}

class FrameList {
 public:
  FrameList(const std::vector<double>& times, std::vector<Finding>& findings)
      : times_(times), findings_(findings) {}

  std::vector<Count> numbered(const std::string& text) {
    for (const std::string& part : parts(text, ',')) add_range(part);
    return chosen_;
  }

  std::vector<Count> at_times(const std::string& text) {
    for (const std::string& part : parts(text, ',')) {
      const auto time = number<double>(part);
      const double tolerance = times_.size() > 1 ? 0.5 * (times_[1] - times_[0]) : 1e-9;
      if (!time || *time < times_.front() - tolerance || *time > times_.back() + tolerance) {
        (time ? tell_out_of_range : tell_wrong)(
            findings_, "--times", part,
            fmt::format("times from {:.6g} to {:.6g} s, as 0,0.5,1; the nearest frame is taken",
                        times_.front(), times_.back()));
        continue;
      }
      const auto nearer = [&](double a, double b) { return std::abs(a - *time) < std::abs(b - *time); };
      add(std::min_element(times_.begin(), times_.end(), nearer) - times_.begin());
    }
    return chosen_;
  }

  std::vector<Count> all() {
    add_all(0, frames() - 1, 1);
    return chosen_;
  }

  /// `count` frames, spread as evenly as possible, with the first and the last among them.
  std::vector<Count> spread(Count count) {
    const Count last = frames() - 1, some = std::min(count, frames());
    for (Count k = 0; k < some; ++k) add(some > 1 ? (k * last + (some - 1) / 2) / (some - 1) : last);
    return chosen_;
  }

 private:
  [[nodiscard]] Count frames() const { return static_cast<Count>(times_.size()); }

  void add(Count frame) {
    if (is_chosen_.empty()) is_chosen_.resize(times_.size());
    if (is_chosen_[static_cast<std::size_t>(frame)]) return;
    is_chosen_[static_cast<std::size_t>(frame)] = true;
    chosen_.push_back(frame);
  }

  void add_range(const std::string& part) {
    if (part == "all") return void(all());
    const auto bounds = parts(part, ':');
    const auto first = frame(bounds[0]), last = bounds.size() > 1 ? frame(bounds[1]) : first;
    const auto step = bounds.size() > 2 ? number<Count>(bounds[2]) : std::optional<Count>(1);
    const std::string allowed =
        fmt::format("frames from 0 to {} and last, as 0,10,20 or 0:100:10 or all", frames() - 1);
    if (!first || !last || !step || *step < 1 || bounds.size() > 3 || *first > *last)
      return tell_wrong(findings_, "--frames", part, allowed);
    if (*first < 0 || *last >= frames()) return tell_out_of_range(findings_, "--frames", part, allowed);
    add_all(*first, *last, *step);
  }

  void add_all(Count first, Count last, Count step) {
    for (Count k = first;; k += step) {
      add(k);
      if (step > last - k) return;
    }
  }

  [[nodiscard]] std::optional<Count> frame(const std::string& text) const {
    return text == "last" ? frames() - 1 : number<Count>(text);
  }

  const std::vector<double>& times_;
  std::vector<Finding>& findings_;
  std::vector<Count> chosen_ = {};
  std::vector<bool> is_chosen_ = {};
};

void read_size(const RenderArguments& arguments, RenderPlan& plan, std::vector<Finding>& findings) {
  const auto sides = parts(arguments.size, 'x');
  const auto width = number<int>(sides[0]);
  const auto height = sides.size() == 2 ? number<int>(sides[1]) : std::nullopt;
  const auto fits = [](const std::optional<int>& side) {
    return side && *side >= smallest_side && *side <= largest_side;
  };
  if (!fits(width) || !fits(height))
    return tell_wrong(
        findings, "--size", arguments.size,
        fmt::format("WIDTHxHEIGHT in pixels, {} to {} each, as 1280x720", smallest_side, largest_side));
  plan.width = *width;
  plan.height = *height;
}

std::optional<Vec3> vector(const char* option, const std::string& text, std::vector<Finding>& findings) {
  if (text.empty()) return std::nullopt;
  const auto values = numbers(text, 3);
  if (!values) {
    tell_wrong(findings, option, text, "three numbers in metres, as 2,-3,1");
    return std::nullopt;
  }
  return Vec3{(*values)[0], (*values)[1], (*values)[2]};
}

void read_camera(const RenderArguments& arguments, RenderPlan& plan, std::vector<Finding>& findings) {
  if (!arguments.camera.empty()) {
    const auto angles = numbers(arguments.camera, 2);
    if (!angles || std::abs((*angles)[1]) > 90.0)
      tell_wrong(findings, "--camera", arguments.camera,
                 "AZIMUTH,ELEVATION in degrees, the elevation from -90 to 90, as 30,18");
    else
      plan.direction = {(*angles)[0], (*angles)[1]};
  }
  plan.eye = vector("--eye", arguments.eye, findings);
  plan.target = vector("--target", arguments.target, findings);
  if (arguments.eye.empty() != arguments.target.empty())
    findings.push_back({{arguments.eye.empty() ? "--target" : "--eye", 0, 0},
                        "stands alone",
                        "give --eye and --target together"});
  if (plan.eye && plan.target && *plan.eye == *plan.target)
    findings.push_back({{"--target", 0, 0}, "is where --eye is", "give two places"});
}

/// Decides how often the movie shows each chosen frame. Frames that nobody named and that it does not show
/// are not drawn.
void time_movie(RenderPlan& plan, const RenderArguments& arguments, const std::vector<double>& times,
                std::vector<Finding>& findings) {
  std::vector<double> chosen;
  for (const Count frame : plan.frames) chosen.push_back(times[static_cast<std::size_t>(frame)]);
  if (!std::is_sorted(chosen.begin(), chosen.end())) {
    findings.push_back({{arguments.frames.empty() ? "--times" : "--frames", 0, 0},
                        "is not in the order of time, which a movie follows",
                        "give frames in ascending order"});
    return;
  }
  const double length = chosen.back() - chosen.front();
  const double pictures = movie_pictures(length, arguments.rate, arguments.speed);
  if (pictures > most_movie_pictures || (pictures < 2.0 && chosen.size() > 1)) {
    findings.push_back(
        {{"--speed", 0, 0},
         fmt::format("at a speed of {:.6g}, {:.6g} s of the run are a movie of {:.6g} picture{}",
                     arguments.speed, length, pictures, pictures > 1.0 ? "s" : ""),
         fmt::format("a movie has 2 to {} pictures: --speed {:.1g} plays them in about {} s",
                     most_movie_pictures, length / usual_seconds, usual_seconds)});
    return;
  }
  plan.shown = times_shown(chosen, arguments.rate, arguments.speed);
  if (!arguments.frames.empty() || !arguments.times.empty()) return;
  std::vector<Count> drawn, shown;
  for (std::size_t k = 0; k < plan.shown.size(); ++k) {
    if (plan.shown[k] == 0) continue;
    drawn.push_back(plan.frames[k]);
    shown.push_back(plan.shown[k]);
  }
  plan.frames = std::move(drawn);
  plan.shown = std::move(shown);
}

}  // namespace

void add_render_options(Command& command, RenderArguments& arguments) {
  command.option("DIR", arguments.directory, "Directory of a run").required().type_name("");
  command.option("-o,--output", arguments.output, "Folder of the pictures; default DIR/pictures")
      .type_name("OUT")
      .not_empty();
  Option frames = command.option("--frames", arguments.frames, "Frames: 0,10,20 or 0:100:10 or last or all")
                      .type_name("LIST")
                      .not_empty();
  Option times =
      command.option("--times", arguments.times, "Times, s: 0,0.5,1").type_name("LIST").not_empty();
  times.excludes(frames);
  command.flag("--strip", arguments.strip, "Also write all pictures side by side: strip.png");
  command.flag("--movie", arguments.movie, "Also write a movie of them with ffmpeg: movie.mp4");
  command.option("--rate", arguments.rate, "Pictures per second of the movie")
      .type_name("N")
      .between(1, 240)
      .shows_default();
  Option speed = command
                     .option("--speed", arguments.speed,
                             "Speed of the movie; 1: real time, 0.25: four times slower than real time")
                     .type_name("S")
                     .positive()
                     .shows_default();
  Option turntable = command.option("--turntable", arguments.turntable, "N pictures around one frame")
                         .type_name("N")
                         .between(2, 1000);
  turntable.excludes(speed);
  command.meant_by("--fps", "--rate N, in pictures per second");
  command.meant_by("--gif", "--movie; movies are MP4 files");
  command.meant_by("--transparent", "--no-ground; without a floor the background is white");
  command.meant_by("--background", "--no-ground; without a floor the background is white");
  command.option("--size", arguments.size, "Pixels").type_name("WxH").shows_default();
  Option camera = command
                      .option("--camera", arguments.camera,
                              "Where the camera is: degrees around and above; default 30,18")
                      .type_name("AZIMUTH,ELEVATION")
                      .not_empty();
  command.option("--zoom", arguments.zoom, "Magnification; above 1 is nearer")
      .type_name("Z")
      .positive()
      .shows_default();
  Option eye =
      command.option("--eye", arguments.eye, "Where the camera is, m").type_name("X,Y,Z").not_empty();
  eye.excludes(camera);
  eye.excludes(turntable);
  command.option("--target", arguments.target, "Where the camera looks, m").type_name("X,Y,Z").not_empty();
  command.option("--up", arguments.up, "Axis that points up; default: against gravity, or z")
      .type_name("AXIS")
      .one_of({"x", "y", "z"});
  command.flag("--springs", arguments.springs, "Also draw the springs of bodies with faces");
  command.flag("--vertices", arguments.vertices, "Also draw the vertices of bodies with faces");
  command.flag("--contacts", arguments.contacts,
               "Mark what obstacles and other bodies push, green where it sticks and orange where it slips, "
               "with the friction");
  command.option("--field", arguments.field, "Draw N×N arrows of the scene's electric fields on the floor")
      .type_name("N")
      .between(1, 100);
  command.flag("--no-charges", arguments.no_charges, "Leave external charges out");
  command.flag("--no-ground", arguments.no_ground, "Leave out the floor and the shadow on it");
  command.flag("--no-labels", arguments.no_labels, "Leave out the time and the scale of charges");
  command.option("--samples", arguments.samples, "The most rays through a pixel")
      .type_name("N")
      .between(8, 4096)
      .shows_default();
  command.option("--threads", arguments.threads, "Threads; 0: all cores").type_name("N").between(0, 1024);
}

RunPictureOptions picture_options(const RenderArguments& arguments, std::vector<Finding>& findings) {
  RunPictureOptions options;
  options.springs = arguments.springs;
  options.vertices = arguments.vertices;
  options.contacts = arguments.contacts;
  options.ground = !arguments.no_ground;
  options.external_charges = !arguments.no_charges;
  options.field_arrows = arguments.field;
  if (arguments.up == "x") options.up = Vec3{1, 0, 0};
  if (arguments.up == "y") options.up = Vec3{0, 1, 0};
  if (arguments.up == "z") options.up = Vec3{0, 0, 1};
  if (arguments.zoom > largest_zoom || arguments.zoom < 1.0 / largest_zoom)
    findings.push_back({{"--zoom", 0, 0},
                        fmt::format("{:.6g} is out of range", arguments.zoom),
                        fmt::format("from {} to {}", 1.0 / largest_zoom, largest_zoom)});
  return options;
}

RenderPlan view_plan(const RenderArguments& arguments, std::vector<Finding>& findings) {
  RenderPlan plan;
  plan.strip = arguments.strip;
  read_size(arguments, plan, findings);
  read_camera(arguments, plan, findings);
  return plan;
}

void choose_frames(RenderPlan& plan, const RenderArguments& arguments, const std::vector<double>& times,
                   std::vector<Finding>& findings) {
  FrameList list(times, findings);
  if (times.empty())
    findings.push_back({{arguments.directory, 0, 0}, "holds no frame yet", "give a run with frames"});
  else if (!arguments.frames.empty())
    plan.frames = list.numbered(arguments.frames);
  else if (!arguments.times.empty())
    plan.frames = list.at_times(arguments.times);
  else if (arguments.turntable > 0)
    plan.frames = {static_cast<Count>(times.size()) - 1};
  else if (arguments.movie)
    plan.frames = list.all();
  else {
    plan.frames = list.spread(usual_frames);
    plan.strip = true;
  }
  if (arguments.movie && arguments.turntable == 0 && findings.empty())
    time_movie(plan, arguments, times, findings);
  const std::size_t panels =
      arguments.turntable > 0 ? static_cast<std::size_t>(arguments.turntable) : plan.frames.size();
  if (plan.strip && panels > most_panels)
    findings.push_back({{"--strip", 0, 0},
                        fmt::format("a strip of {} pictures is too large", panels),
                        fmt::format("at most {}: fewer frames, as 0:last:10", most_panels)});
  if (arguments.turntable > 0 && plan.frames.size() > 1)
    findings.push_back(
        {{"--turntable", 0, 0}, "goes around one frame, but several are given", "give one frame"});
}

}  // namespace electret::app
