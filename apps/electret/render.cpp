/// \file
/// `electret render DIR`: draws pictures of a run.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/core/text.hpp>
#include <electret/record/picture_list.hpp>
#include <electret/record/run_page.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/render/labelled.hpp>
#include <electret/render/run_pictures.hpp>
#include <electret/render/trace.hpp>
#include <electret/scene/words.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "movie.hpp"
#include "movie_timing.hpp"
#include "print.hpp"
#include "render_options.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* render_footer =
    R"(Bodies with faces are drawn as surfaces, others as springs and vertices. Positive charges are red, negative ones blue,
and no charge is white. If a run has no charges, each body has a colour of its own. External charges are balls in the
colour of their sign. All pictures share one camera, one scale of colours and one floor.

Without --frames and --times, render draws six frames spread over the run and a strip of them; with --movie those that
the movie shows; with --turntable the last frame. OUT gets frame_0010.png and so on, turn_000.png and so on, strip.png
and movie.mp4. A movie plays in real time, or at --speed times that: it shows at each time the nearest frame, so that
some frames are left out or shown again. With -o NAME.mp4 only the movie is there. A run that is still growing, was killed or failed is drawn as far as it goes.

Examples:
  electret render runs/charged_torus
  electret render runs/charged_torus --times 0,0.5,1 --strip --size 800x600 -o pictures
  electret render runs/charged_torus --turntable 36 --movie
  electret render runs/charged_torus --movie --speed 0.25 -o slow.mp4
  electret render runs/charged_torus --frames last --camera 120,30 --springs)";

/// Whether -o names the movie itself.
bool is_movie_file(const RenderArguments& arguments) {
  std::error_code error;
  return arguments.movie && arguments.output.ends_with(".mp4") && !fs::is_directory(arguments.output, error);
}

/// The view of one picture.
using View = std::pair<Camera, TraceOptions>;

class Renderer {
 public:
  Renderer(const RenderArguments& arguments, RunPictures& run, RenderPlan plan)
      : arguments_(arguments),
        run_(run),
        plan_(std::move(plan)),
        output_(arguments.output.empty() || is_movie_file(arguments) ? arguments.directory + "/pictures"
                                                                     : arguments.output),
        movie_path_(is_movie_file(arguments) ? arguments.output : output_ + "/movie.mp4"),
        threads_(arguments.threads) {
    const auto turns = static_cast<std::size_t>(arguments.turntable);
    total_ = turns > 0 ? turns : plan_.frames.size();
  }

  /// Returns the signal that stopped it, or 0.
  int draw() {
    run_.choose(plan_.frames);
    check_view();
    make_folder();
    for (const std::string& remark : run_.remarks()) tell("electret: {}\n", remark);
    note_pictures(RunDirectory(arguments_.directory), planned());
    if (arguments_.movie) movie_ = std::make_unique<Movie>(movie_path_, arguments_.rate);
    arguments_.turntable > 0 ? draw_turntable() : draw_frames();
    if (signals_.received() != 0) return signals_.received();
    if (movie_) movie_->finish();
    if (plan_.strip) write_strip();
    progress_.clear();
    renew_page();
    return signals_.received();
  }

  [[nodiscard]] const std::string& output() const { return output_; }
  /// "pictures/movie.mp4: 1.04 s, plays in real time".
  [[nodiscard]] std::string movie_line() const {
    Count pictures = plan_.shown.empty() ? static_cast<Count>(done_) : 0;
    for (const Count times : plan_.shown) pictures += times;
    return fmt::format("{}: {:.4g} s{}", movie_path_, static_cast<double>(pictures) / arguments_.rate,
                       arguments_.turntable > 0 ? "" : ", " + speed_words(arguments_.speed));
  }

 private:
  [[nodiscard]] std::string path(const std::string& name) const { return output_ + "/" + name; }

  /// Throws InputError if the camera is so far away that nothing would be seen.
  void check_view() const {
    std::vector<Finding> findings;
    const Ball around = run_.around();
    const auto check = [&](const char* option, const std::optional<Vec3>& place) {
      if (place && norm((1.0 / around.radius) * (*place - around.centre)) > farthest_view)
        findings.push_back(
            {{option, 0, 0},
             "is too far from the bodies",
             fmt::format("a place at most {:.3g} m from them", farthest_view * around.radius)});
    };
    check("--eye", plan_.eye);
    check("--target", plan_.target);
    if (!findings.empty()) throw InputError(std::move(findings));
  }

  /// Puts the strip, or else the pictures themselves, and the movie on the run's page.
  void renew_page() const {
    std::vector<std::string> shown = made_;
    if (plan_.strip) shown = {path("strip.png")};
    if (shown.size() > most_on_page) shown.resize(most_on_page);
    if (movie_) shown.push_back(movie_path_);
    try {
      renew_run_page(RunDirectory(arguments_.directory), shown);
    } catch (const IoError& error) {
      tell("electret: the run's page was not renewed: {}\n", error.what());
    }
  }

  void make_folder() const {
    std::error_code error;
    fs::create_directories(output_, error);
    if (error || !fs::is_directory(output_, error))
      throw IoError("the folder \"" + output_ + "\" cannot be made", output_);
    if (const fs::path of_movie = fs::path(movie_path_).parent_path(); arguments_.movie && !of_movie.empty())
      fs::create_directories(of_movie, error);
  }

  static std::string frame_name(Count frame) { return fmt::format("frame_{:04}.png", frame); }
  static std::string turn_name(int view) { return fmt::format("turn_{:03}.png", view); }

  /// The paths of all that is to be made.
  [[nodiscard]] std::vector<std::string> planned() const {
    std::vector<std::string> paths;
    if (arguments_.turntable == 0)
      for (const Count frame : plan_.frames) paths.push_back(path(frame_name(frame)));
    for (int view = 0; view < arguments_.turntable; ++view) paths.push_back(path(turn_name(view)));
    if (plan_.strip) paths.push_back(path("strip.png"));
    if (arguments_.movie) paths.push_back(movie_path_);
    return paths;
  }

  /// Shows what is being done. Returns whether to stop.
  bool is_stopped(const std::string& what) {
    progress_.update(what, static_cast<double>(done_) / static_cast<double>(total_));
    return signals_.received() != 0;
  }

  [[nodiscard]] Camera zoomed(Camera camera) const {
    camera.eye = camera.target + (1.0 / arguments_.zoom) * (camera.eye - camera.target);
    return camera;
  }

  [[nodiscard]] Camera camera(double shape) const {
    if (plan_.eye && plan_.target)
      return zoomed({.eye = *plan_.eye, .target = *plan_.target, .up = run_.up()});
    Framing framing(run_.up(), plan_.direction, shape);
    run_.add_to(framing);
    return zoomed(framing.camera());
  }

  [[nodiscard]] std::string caption(Count frame) const {
    return time_caption(run_.times()[static_cast<std::size_t>(frame)]);
  }

  void keep(const std::string& name, const Picture& picture, const Camera& camera, Count frame,
            Count times_in_movie = 1) {
    const Image image = trace(picture, camera, {plan_.width, plan_.height, arguments_.samples}, threads_);
    PictureLabels labels;
    if (!arguments_.no_labels) labels = {caption(frame), run_.largest_charge()};
    const std::string png = labelled_png(image, labels);
    write_file_whole(path(name), png);
    made_.push_back(path(name));
    for (Count k = 0; movie_ && k < times_in_movie; ++k) movie_->add(png);
    ++done_;
  }

  void draw_frames() {
    const Camera seen = camera(static_cast<double>(plan_.width) / plan_.height);
    if (plan_.strip) set_panel_shape();
    const Camera of_panel = camera(static_cast<double>(panel_width_) / panel_height_);
    for (std::size_t k = 0; k < plan_.frames.size(); ++k) {
      const Count frame = plan_.frames[k];
      if (is_stopped(fmt::format("frame {}", frame))) return;
      const Picture picture = run_.picture(frame);
      keep(frame_name(frame), picture, seen, frame, plan_.shown.empty() ? 1 : plan_.shown[k]);
      add_panel(picture, of_panel, caption(frame));
    }
  }

  /// The camera goes around at a fixed distance, from which everything can be seen from every side.
  void draw_turntable() {
    const Count frame = plan_.frames.front();
    const Picture picture = run_.picture(frame);
    const Ball around = run_.around();
    const double shape = static_cast<double>(plan_.width) / plan_.height;
    for (int k = 0; k < arguments_.turntable; ++k) {
      if (is_stopped(fmt::format("view {}", k))) return;
      ViewDirection direction = plan_.direction;
      direction.azimuth += 360.0 * k / arguments_.turntable;
      Framing framing(run_.up(), direction, shape);
      framing.add(around.centre, around.radius);
      const Camera seen = zoomed(framing.camera());
      keep(turn_name(k), picture, seen, frame);
      add_panel(picture, seen, fmt::format("{:.0f}°", direction.azimuth));
    }
  }

  void add_panel(const Picture& picture, const Camera& camera, std::string caption) {
    if (!plan_.strip) return;
    strip_.push_back(trace(picture, camera, {panel_width_, panel_height_, arguments_.samples}, threads_));
    captions_.push_back(std::move(caption));
  }

  /// Panels have the shape of what is seen, so that little of a strip is empty.
  void set_panel_shape() {
    Framing framing(run_.up(), plan_.direction, 1.0);
    run_.add_to(framing);
    const double shape =
        plan_.eye ? static_cast<double>(plan_.width) / plan_.height : std::clamp(framing.shape(), 0.5, 1.8);
    const double height = std::min({plan_.height * 2.0 / 3.0, plan_.width / shape, tallest_panel});
    panel_height_ = std::max(16, static_cast<int>(std::lround(height)));
    panel_width_ = std::max(16, static_cast<int>(std::lround(height * shape)));
  }

  void write_strip() const {
    write_file_whole(path("strip.png"),
                     strip_png(strip_, captions_, std::clamp(widest_strip / panel_width_, 2, most_columns),
                               arguments_.no_labels ? 0.0 : run_.largest_charge()));
  }

  static constexpr int widest_strip = 2700, most_columns = 6;
  static constexpr std::size_t most_on_page = 12;
  static constexpr double tallest_panel = 1080;  // pixels

  const RenderArguments& arguments_;
  RunPictures& run_;
  RenderPlan plan_;
  std::string output_, movie_path_;
  Threads threads_;
  SignalStop signals_;
  ProgressDisplay progress_{"render"};
  std::unique_ptr<Movie> movie_;
  std::vector<Image> strip_;
  std::vector<std::string> captions_;
  int panel_width_ = 480, panel_height_ = 480;
  std::vector<std::string> made_;  ///< Pictures.
  std::size_t done_ = 0, total_ = 1;
};

/// Finds a file, or the name of one, where a folder is meant.
void check_output(const RenderArguments& arguments, std::vector<Finding>& findings) {
  const std::string ending = fs::path(arguments.output).extension().string();
  constexpr std::array<std::string_view, 9> files{".mp4",  ".png", ".jpg", ".jpeg", ".gif",
                                                  ".webm", ".mov", ".mkv", ".avi"};
  std::error_code error;
  if (is_movie_file(arguments) || fs::is_directory(arguments.output, error)) return;
  if (std::find(files.begin(), files.end(), ending) == files.end()) {
    if (fs::exists(arguments.output, error))
      findings.push_back({{arguments.output, 0, 0}, "is a file", "give a folder for the pictures"});
    return;
  }
  findings.push_back(
      {{"-o", 0, 0},
       in_quotes(arguments.output) + " is the name of a file, and -o names the folder of the pictures",
       ending == ".mp4"  ? "add --movie to make this movie, or give a folder"
       : arguments.movie ? "give a folder, or the movie as NAME.mp4"
                         : "give a folder; its pictures are called frame_0010.png and so on"});
}

/// Finds wishes that this run cannot fulfil, and a folder for pictures that is another run's.
void check_run(const RenderArguments& arguments, const RunPictures& pictures,
               std::vector<Finding>& findings) {
  if (arguments.field > 0 && !pictures.has_fields().value_or(true))
    findings.push_back({{"--field", 0, 0},
                        "the run's scene has no [[electric_field]] whose arrows could be drawn",
                        "leave --field out, or render a run whose scene has one"});
  std::error_code error;
  if (arguments.output.empty() || !fs::exists(arguments.output, error) ||
      fs::equivalent(arguments.output, arguments.directory, error))
    return;
  if (RunDirectory(arguments.output).contents() == RunDirectory::Contents::run)
    findings.push_back({{arguments.output, 0, 0},
                        "holds another run",
                        "give a folder for the pictures of this run, such as " +
                            in_quotes(arguments.directory + "/pictures")});
}

int run_render(const RenderArguments& arguments) {
  std::vector<Finding> findings;
  const RunPictureOptions options = picture_options(arguments, findings);
  RenderPlan plan = view_plan(arguments, findings);
  check_output(arguments, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  RunPictures pictures(arguments.directory, options);
  choose_frames(plan, arguments, pictures.times(), findings);
  check_run(arguments, pictures, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  if (arguments.movie) Movie::check_installed();
  Renderer renderer(arguments, pictures, std::move(plan));
  if (const int signal = renderer.draw(); signal != 0) {
    tell("electret: interrupted; the pictures made so far are in {}\n", renderer.output());
    return ended_by(signal);
  }
  say("{}\n", renderer.output());
  if (arguments.movie) say("{}\n", renderer.movie_line());
  return Status::done;
}

}  // namespace

void add_render(CommandLine& line) {
  auto arguments = std::make_shared<RenderArguments>();
  Command command = line.add("render", "Draw pictures of a run");
  add_render_options(command, *arguments);
  command.footer(render_footer);
  command.does([arguments] { return run_render(*arguments); });
}

}  // namespace electret::app
