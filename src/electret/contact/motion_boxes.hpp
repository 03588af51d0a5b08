#pragma once
/// \file
/// Boxes around the motions of a surface's vertices.

#include <span>
#include <vector>

#include <electret/contact/contact_surface.hpp>
#include <electret/core/parallel.hpp>
#include <electret/geometry/measure.hpp>

namespace electret {

/// One box per vertex of the surface, in the order of `surface.vertices()`: around the vertex' places at both
/// ends of a motion, wider on each side by 1.5 thicknesses and a tenth of the body's longest way.
class MotionBoxes {
 public:
  /// With `is_relative`, motions are those less the mean motion of the body's surface.
  MotionBoxes(const ContactSurface& surface, bool is_relative, double thickness, Threads& threads);

  void place(VectorView from, VectorView to);
  /// Whether each vertex at `place` (n×3, m) is in its box less half a thickness.
  [[nodiscard]] bool covers(VectorView place);
  [[nodiscard]] std::span<const BoundingBox> boxes() const { return boxes_; }

 private:
  template <class Body>
  void for_vertices(const Body& body);
  void measure(VectorView place);

  const ContactSurface& surface_;
  bool is_relative_;
  double thickness_;
  Threads& threads_;
  std::vector<Count> offsets_;   ///< Which of the surface's vertices each body has.
  VectorArray from_;             ///< One per vertex of the surface, as are the boxes.
  VectorArray means_;            ///< One per body, m.
  std::vector<double> longest_;  ///< One per body, m.
  std::vector<BoundingBox> boxes_;
};

}  // namespace electret
