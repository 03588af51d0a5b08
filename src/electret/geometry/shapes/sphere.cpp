#include <electret/geometry/shapes/detail/outlines.hpp>
#include <electret/geometry/shapes/detail/shape_arguments.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret {
namespace {

class SphereShape final : public RigidShape {
 public:
  explicit SphereShape(double radius) : radius_(radius) {}

  [[nodiscard]] SurfaceView view(const Vec3& x) const override {
    const double length = norm(x);
    if (length == 0.0) return {-radius_, {}, {}};
    const Vec3 n = (1.0 / length) * x;
    return {length - radius_, n, (1.0 / length) * detail::across(n)};
  }
  [[nodiscard]] std::optional<double> radius() const override { return radius_; }
  [[nodiscard]] std::shared_ptr<const RigidShape> of_radius(double radius) const override {
    return make_sphere(radius);
  }
  [[nodiscard]] Vec3 growth(const Vec3& x) const override {
    const double length = norm(x);
    return length == 0.0 ? Vec3{} : (1.0 / length) * x;
  }
  [[nodiscard]] double normal_speed(const RigidMotion& motion, double) const override {
    return norm(motion.velocity);
  }
  [[nodiscard]] double reach() const override { return radius_; }
  [[nodiscard]] ShapeDrawing drawing(double by) const override {
    ShapeDrawing drawing;
    drawing.ball = detail::lowered(radius_, by);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 normal;
      normal[axis] = 1.0;
      detail::add_circle(drawing.lines, {}, normal, *drawing.ball);
    }
    return drawing;
  }

 private:
  double radius_;
};

}  // namespace

std::shared_ptr<const RigidShape> make_sphere(double radius) {
  detail::require_size(radius);
  return std::make_shared<SphereShape>(radius);
}

}  // namespace electret
