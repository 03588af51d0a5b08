#pragma once
/// \file
/// Ray tracing of a picture by Embree, with soft shadows of one lamp, light from the sky and smooth edges.

#include <electret/core/control.hpp>
#include <electret/core/parallel.hpp>
#include <electret/render/camera.hpp>
#include <electret/render/image.hpp>
#include <electret/render/picture.hpp>

namespace electret {

struct TraceOptions {
  int width = 1280, height = 720;  ///< Pixels; 1 to 16384 each.
  /// The most rays through a pixel; rounded down to a multiple of 8, at least 8.
  int samples = 32;
};

/// The picture as the camera sees it. A pixel takes eight rays, and more, up to `samples`, if its brightness
/// varies. Marks have neither shadows nor a part in them. The grain of shadows is smoothed over neighbouring
/// pixels on the same surface. Parts that are not finite are left out. The same input gives the same pixels
/// at any number of threads. Throws std::invalid_argument if `width`, `height` or `samples` is out of range,
/// or if the camera's distance is more than a million times the extent of all parts together. Throws
/// InternalError if Embree fails, std::bad_alloc if memory runs out, and Cancelled. Progress counts rows.
[[nodiscard]] Image trace(const Picture& picture, const Camera& camera, const TraceOptions& options,
                          Threads& threads, const Control& control = {});

}  // namespace electret
