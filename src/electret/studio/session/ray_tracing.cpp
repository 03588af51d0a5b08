#include <utility>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/render/labelled.hpp>
#include <electret/render/run_pictures.hpp>
#include <electret/render/trace.hpp>
#include <electret/studio/session/ray_tracing.hpp>

namespace electret::studio {
namespace {

void check_view(const RayTrace& wish, const electret::Ball& around) {
  for (const Vec3& place : {wish.eye, wish.target})
    if (!(norm((1.0 / around.radius) * (place - around.centre)) <= farthest_view))
      throw InputError(Finding{{},
                               "the camera is too far from the bodies",
                               fmt::format("allowed: at most {:.3g} m", farthest_view * around.radius)});
}

}  // namespace

std::string ray_traced(PictureMoment moment, const RayTrace& wish, int threads, const Control& control) {
  const Vec3 up{0.0, 0.0, 1.0};
  const double time = moment.time;
  const bool shows_charges = !moment.colour;
  RunPictures pictures(std::move(moment), {.springs = wish.springs, .ground = wish.ground, .up = up});
  pictures.choose({0});
  check_view(wish, pictures.around());
  Threads team(threads);
  const Image image = trace(pictures.picture(0), {.eye = wish.eye, .target = wish.target, .up = up},
                            {.width = wish.width, .height = wish.height}, team, control);
  PictureLabels labels;
  if (wish.labels) labels = {time_caption(time), shows_charges ? pictures.largest_charge() : 0.0};
  return labelled_png(image, labels);
}

}  // namespace electret::studio
