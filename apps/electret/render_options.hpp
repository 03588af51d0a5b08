#pragma once
/// \file
/// The options of `electret render`, read and checked.

#include <optional>
#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/render/camera.hpp>
#include <electret/render/run_pictures.hpp>

#include "command.hpp"

namespace electret::app {

/// The options as written on the command line.
struct RenderArguments {
  std::string directory, output;
  std::string frames, times, size = "1280x720", camera, eye, target, up;
  double zoom = 1.0, speed = 1.0;
  int turntable = 0, field = 0, samples = 32, rate = 25, threads = 0;
  bool strip = false, movie = false, springs = false, vertices = false, contacts = false, no_ground = false,
       no_labels = false, no_charges = false;
};

void add_render_options(Command& command, RenderArguments& arguments);

/// What is to be drawn.
struct RenderPlan {
  std::vector<Count> frames;  ///< In the requested order, each once.
  /// How often the movie shows each of them; empty: once.
  std::vector<Count> shown;
  bool strip = false;
  int width = 1280, height = 720;  ///< Pixels.
  ViewDirection direction;
  std::optional<Vec3> eye, target;  ///< m; both are given or neither.
};

/// The picture's options. What is wrong with them is added to `findings`.
RunPictureOptions picture_options(const RenderArguments& arguments, std::vector<Finding>& findings);

/// The pictures' size and the view, without frames. What is wrong with them is added to `findings`.
RenderPlan view_plan(const RenderArguments& arguments, std::vector<Finding>& findings);

/// Chooses frames of a run whose frames are at `times` (s). If the user gave neither frames nor times, they
/// are those that a movie shows, the last for a turntable, and otherwise six that are spread over the run, as
/// a strip.
void choose_frames(RenderPlan& plan, const RenderArguments& arguments, const std::vector<double>& times,
                   std::vector<Finding>& findings);

}  // namespace electret::app
