#pragma once
/// \file
/// Ray tracing of a picture by Embree: soft shadows of one lamp, light of the sky, smooth edges.

#include <electret/core/parallel.hpp>
#include <electret/render/camera.hpp>
#include <electret/render/image.hpp>
#include <electret/render/picture.hpp>

namespace electret {

struct TraceOptions {
  int width = 1280, height = 720;  ///< Pixels, 1 to 16384 each.
  int samples = 32;                ///< The most rays through a pixel; a multiple of 8 is used, at least 8.
};

/// The picture seen by the camera. A pixel takes eight rays, and further ones up to `samples` where its
/// brightness varies; shadows' grain is smoothed over neighbours on the same surface. The same input gives
/// the same pixels at any number of threads. Throws std::invalid_argument for sizes out of range and for a
/// camera farther away than a million times the picture's size, InternalError where Embree fails,
/// std::bad_alloc where its memory is at an end. Parts that are not finite are left out.
[[nodiscard]] Image trace(const Picture& picture, const Camera& camera, const TraceOptions& options,
                          Threads& threads);

}  // namespace electret
