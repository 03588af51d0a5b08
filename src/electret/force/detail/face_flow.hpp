#pragma once
/// \file
/// What flowing water does to one face, with its derivatives ([DiffPD] section 7.2; docs/physics.md,
/// "Water").

#include <array>

#include <electret/core/types.hpp>

namespace electret::detail {

/// The water's numbers. C_d and C_t are cubic Bézier curves over the angle of attack, given by their
/// ordinates.
struct WaterLaw {
  double density = 0.0;  ///< ρ, kg/m³.
  Vec3 velocity;         ///< m/s.
  std::array<double, 4> drag{}, thrust{};
};

/// A triangle or a quadrilateral in water.
struct FlowFace {
  int corners = 3;
  std::array<Vec3, 4> places{};  ///< m. The outward normal is that of their order.
  Vec3 velocity;                 ///< The mean of the corners' velocities, m/s.
  bool has_two_sides = false;    ///< The water acts on the side that it flows against, whichever that is.
};

/// z·∂f/∂(each number that f depends on).
struct FlowProducts {
  std::array<Vec3, 4> places{};
  Vec3 flow;  ///< By u; the water's velocity gets it, and the face's its negative.
  double density = 0.0;
  std::array<double, 4> drag{}, thrust{};
};

/// f = ½ρA|u|² (C_d(φ) d - C_t(φ) n) with u = v_water - v_face, d = u/|u|, φ = arccos(n·d) - π/2. Where the
/// water comes from behind (n·d ≥ 0), f is 0.
class FaceFlow {
 public:
  /// `law` must outlive this.
  FaceFlow(const WaterLaw& law, const FlowFace& face);

  /// f, N: of the whole face.
  [[nodiscard]] Vec3 force() const;
  /// Head-on flow is a cone point of f; there the derivatives leave out the change of φ.
  [[nodiscard]] FlowProducts products(const Vec3& z) const;

 private:
  [[nodiscard]] Vec3 push() const { return drag_ * direction_ - thrust_ * normal_; }

  const WaterLaw& law_;
  FlowFace face_;
  bool acts_ = false;
  Vec3 flow_;                  ///< u, m/s.
  double speed_ = 0.0;         ///< |u|, m/s.
  Vec3 direction_;             ///< d.
  Vec3 normal_;                ///< n, of the side that the water acts on.
  double side_ = 1.0;          ///< -1 if this is the side behind.
  double length_ = 0.0;        ///< |N|, m², of the vector of the area.
  double area_ = 0.0;          ///< A, m².
  Vec3 across_;                ///< n × d.
  double sine_ = 0.0;          ///< |n × d|.
  double along_drag_ = 0.0;    ///< 2φ/π, where C_d is read.
  double along_thrust_ = 0.0;  ///< φ/π + ½, where C_t is read.
  double drag_ = 0.0, thrust_ = 0.0;
};

}  // namespace electret::detail
