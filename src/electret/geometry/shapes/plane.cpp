#include <cmath>
#include <limits>

#include <electret/geometry/shapes/detail/shape_arguments.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret {
namespace {

class PlaneShape final : public RigidShape {
 public:
  explicit PlaneShape(const Vec3& normal) : normal_(normal) {}

  [[nodiscard]] SurfaceView view(const Vec3& x) const override { return {dot(normal_, x), normal_, {}}; }
  [[nodiscard]] double normal_speed(const RigidMotion& motion, double within) const override {
    return std::abs(dot(normal_, motion.velocity)) + within * norm(cross(normal_, motion.turning));
  }
  [[nodiscard]] double reach() const override { return std::numeric_limits<double>::infinity(); }
  [[nodiscard]] ShapeDrawing drawing(double) const override {
    ShapeDrawing drawing;
    drawing.plane = normal_;
    return drawing;
  }

 private:
  Vec3 normal_;
};

}  // namespace

std::shared_ptr<const RigidShape> make_plane(const Vec3& normal) {
  detail::require_unit(normal);
  return std::make_shared<PlaneShape>(normal);
}

}  // namespace electret
