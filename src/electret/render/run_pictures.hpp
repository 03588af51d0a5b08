#pragma once
/// \file
/// What pictures of a run show: its bodies at a frame, coloured by charge, with what acts on them.
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

struct RunPictureOptions {
  bool springs = false;   ///< Draw springs of bodies with faces, too.
  bool vertices = false;  ///< Draw vertices of bodies with faces, too.
  bool ground = true;     ///< A floor: a level obstacle, or just below the lowest point of the chosen frames.
  bool external_charges = true;
  int field_arrows = 0;         ///< Arrows of `[[electric_field]]` along each side of the floor; 0: none.
  std::optional<Vec3> up = {};  ///< Any length; absent: against gravity, or z.
};

/// Bodies with faces are drawn as surfaces, all others as springs (thin rods) and vertices (balls).
class RunPictures {
 public:
  /// Throws InputError where `directory` holds no run or one whose trajectory is damaged, IoError.
  RunPictures(const std::string& directory, const RunPictureOptions& options);
  ~RunPictures();
  RunPictures(const RunPictures&) = delete;
  RunPictures& operator=(const RunPictures&) = delete;

  [[nodiscard]] const std::vector<double>& times() const;  ///< s, of each frame.
  [[nodiscard]] const Vec3& up() const;                    ///< A unit vector.
  /// What could not be found out of the scene, for the user to know; mostly empty.
  [[nodiscard]] const std::vector<std::string>& remarks() const;

  /// The frames that are drawn together: they share the ground and the scale of colours. Reads them. Throws
  /// std::out_of_range for a frame that is not there.
  void choose(const std::vector<Count>& frames);
  /// Adds what is drawn in the chosen frames.
  void add_to(Framing& framing) const;
  /// C: what the ends of the scale of colours stand for; 0 where no vertex of the chosen frames is charged.
  [[nodiscard]] double largest_charge() const;
  /// The centre and radius, m, of a ball around what is drawn in the chosen frames.
  [[nodiscard]] Ball around() const;

  /// Frame `frame`, one of the chosen ones.
  [[nodiscard]] Picture picture(Count frame) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret
