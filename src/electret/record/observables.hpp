#pragma once
/// \file
/// observables.csv: how all vertices together move, one row per frame.

#include <optional>
#include <string>
#include <vector>

#include <electret/dynamics/system.hpp>
#include <electret/record/closest_charges.hpp>

namespace electret {

inline constexpr const char* observables_header =
    "time,centre_of_mass_x,centre_of_mass_y,centre_of_mass_z,radius_of_gyration,"
    "linear_momentum_x,linear_momentum_y,linear_momentum_z,"
    "angular_momentum_x,angular_momentum_y,angular_momentum_z,smallest_charge_distance";

/// The header with the columns of the forces that exact obstacles exert: force_of_NAME_x, …_y, …_z. Of a name
/// only letters, digits, _, - and . are kept; _ stands for the rest, and a number follows where another
/// obstacle has that name: wall_1, wall_1_2. Then, if bodies touch each other,
/// contact_energy.
[[nodiscard]] std::string observables_header_with(const std::vector<std::string>& obstacles,
                                                  bool do_bodies_touch);

struct Observables {
  double time = 0.0;                ///< s.
  Vec3 centre_of_mass;              ///< Σ m x / Σ m, m.
  double radius_of_gyration = 0.0;  ///< √(Σ m |x - centre|² / Σ m), m.
  Vec3 linear_momentum;             ///< Σ m v, kg m/s.
  Vec3 angular_momentum;            ///< Σ m x × v about the origin, kg m²/s.
  /// Between vertices whose charge is not 0, m; +∞ ("inf") if there are fewer than two.
  double smallest_charge_distance = 0.0;
  /// What each obstacle that pushes exactly exerts on all vertices together at the end of the step, N; 0 if
  /// no step led here.
  VectorArray obstacle_forces;
  /// By which bodies that touch each other repel each other, J; a part of the elastic energy. Absent if no
  /// bodies may touch.
  std::optional<double> contact_energy;
};

/// Measures states; keeps buffers between calls. Sums run in the order of the vertices.
class Observer {
 public:
  Observables observe(double time, ScalarView masses, ScalarView charges, VectorView positions,
                      VectorView velocities);

 private:
  ClosestPair closest_;
  VectorArray charged_;
};

/// The numbers of a row, in the order of the header.
[[nodiscard]] std::vector<double> observables_numbers(const Observables& observables);
/// One row with 17 significant digits, without the end of line.
[[nodiscard]] std::string observables_row(const Observables& observables);

}  // namespace electret
