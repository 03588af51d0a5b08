#pragma once
/// \file
/// The contents of pictures of a run: its bodies at a frame, coloured by charge, and what acts on them.
///
/// \code
///   electret::RunPictures run("runs/torus", {});
///   run.choose({0, 10, 20});
///   electret::Picture picture = run.picture(10);
/// \endcode

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/render/camera.hpp>
#include <electret/render/picture.hpp>

namespace electret {

/// How far the camera may be from the bodies, in their radii. Farther away nothing would be seen.
inline constexpr double farthest_view = 1e4;

struct PictureMoment;

struct RunPictureOptions {
  bool springs = false;   ///< Draw springs of bodies with faces, too.
  bool vertices = false;  ///< Draw vertices of bodies with faces, too.
  /// Draws a floor: a level obstacle, or else a plane just below the lowest point of the chosen frames.
  bool ground = true;
  bool external_charges = true;
  /// Mark the vertices that obstacles push (laws `exact` and `sticking`) and the places at which bodies push
  /// each other, and draw the friction there.
  bool contacts = false;
  /// How many arrows of `[[electric_field]]` are drawn along each side of the floor; 0: none.
  int field_arrows = 0;
  /// The upward direction, of any length; absent: against gravity, or z without gravity.
  std::optional<Vec3> up = {};
};

/// Bodies with faces are drawn as surfaces, all others as springs (thin rods) and vertices (balls).
class RunPictures {
 public:
  /// Throws InputError if `directory` holds no run or one whose trajectory is damaged, and IoError.
  RunPictures(const std::string& directory, const RunPictureOptions& options);
  /// Of one moment (picture_moment.hpp), which is frame 0. Throws std::invalid_argument if its arrays do not
  /// have one row per vertex of its bodies.
  RunPictures(PictureMoment moment, const RunPictureOptions& options);
  ~RunPictures();
  RunPictures(const RunPictures&) = delete;
  RunPictures& operator=(const RunPictures&) = delete;

  [[nodiscard]] const std::vector<double>& times() const;  ///< s, of each frame.
  [[nodiscard]] const Vec3& up() const;                    ///< A unit vector.
  /// Whether the run's scene has any `[[electric_field]]`; nothing if the recorded scene cannot be read.
  [[nodiscard]] std::optional<bool> has_fields() const;
  /// What could not be found out about the scene, for the user; usually empty.
  [[nodiscard]] const std::vector<std::string>& remarks() const;

  /// Chooses and reads the frames that are drawn together: they share the ground and the colour scale. Throws
  /// std::invalid_argument for a frame that does not exist, and InputError if the bodies are smaller than
  /// 1e-100 m or larger than 1e100 m.
  void choose(const std::vector<Count>& frames);
  /// Adds to `framing` what is drawn in the chosen frames.
  void add_to(Framing& framing) const;
  /// The charge (C) at the ends of the colour scale; 0 if no vertex of the chosen frames is charged.
  [[nodiscard]] double largest_charge() const;
  /// The centre and radius (m) of a ball around what is drawn in the chosen frames.
  [[nodiscard]] Ball around() const;

  /// The picture of `frame`. Throws std::invalid_argument unless it is one of the chosen ones.
  [[nodiscard]] Picture picture(Count frame) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret
