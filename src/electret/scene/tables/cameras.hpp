#pragma once
/// \file
/// `[[camera]]`.

#include <string>

#include <electret/scene/numbers.hpp>
#include <electret/scene/pinhole.hpp>

namespace electret {

struct SceneTable;

/// `[[camera]]`: a camera that filmed the scene's bodies. It acts on nothing.
struct CameraOptions {
  std::string name{};
  Vec3 position{};            ///< m.
  Vec3 towards{};             ///< Where it looks. Any length but 0.
  Vec3 up{0.0, 0.0, 1.0};     ///< What is up in its picture. Not along `towards`.
  double focal_length = 0.0;  ///< px, > 0.
  Vec3 rotate{};              ///< Degrees.
  Vec3 translate{};           ///< m.
  double zoom = 1.0;          ///< > 0.
};

/// One `[[camera]]`.
struct CameraTrack {
  std::string name;  ///< "camera.desk".
  Pinhole view;
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind camera_rotate, camera_translate, camera_zoom;
}

/// The table itself.
SceneTable camera_table();

}  // namespace electret
