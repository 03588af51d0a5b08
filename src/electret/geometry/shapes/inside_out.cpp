#include <limits>
#include <utility>

#include <electret/geometry/shapes/shapes.hpp>

namespace electret {
namespace {

class InsideOut final : public RigidShape {
 public:
  explicit InsideOut(std::shared_ptr<const RigidShape> shape) : shape_(std::move(shape)) {}

  [[nodiscard]] SurfaceView view(const Vec3& x) const override {
    const SurfaceView s = shape_->view(x);
    return {-s.distance, -s.normal, -1.0 * s.curvature};
  }
  int walls(const Vec3& x, std::span<SurfaceView, 3> out) const override {
    const int count = shape_->sides(x, out);
    for (int k = 0; k < count; ++k) {
      SurfaceView& s = out[static_cast<std::size_t>(k)];
      s = {-s.distance, -s.normal, -1.0 * s.curvature};
    }
    return count;
  }
  [[nodiscard]] bool has_corners() const override { return true; }
  [[nodiscard]] std::optional<double> radius() const override { return shape_->radius(); }
  [[nodiscard]] std::shared_ptr<const RigidShape> of_radius(double radius) const override {
    auto shape = shape_->of_radius(radius);
    return shape ? make_inside_out(std::move(shape)) : nullptr;
  }
  /// n changes its sign with φ, so that -n·w does, too.
  [[nodiscard]] Vec3 growth(const Vec3& x) const override { return shape_->growth(x); }
  [[nodiscard]] double normal_speed(const RigidMotion& motion, double within) const override {
    return shape_->normal_speed(motion, within);
  }
  [[nodiscard]] double reach() const override { return shape_->reach(); }
  /// One has to look through its walls to see the bodies.
  [[nodiscard]] ShapeDrawing drawing(double by) const override {
    ShapeDrawing drawing;
    drawing.lines = shape_->drawing(-by).lines;
    return drawing;
  }

 private:
  std::shared_ptr<const RigidShape> shape_;
};

}  // namespace

std::shared_ptr<const RigidShape> make_inside_out(std::shared_ptr<const RigidShape> shape) {
  return std::make_shared<InsideOut>(std::move(shape));
}

}  // namespace electret
