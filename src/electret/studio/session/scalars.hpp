#pragma once
/// \file
/// The scalars by which bodies are coloured: charge, speed, height, potential, stress, energy density.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/field/options.hpp>
#include <electret/studio/session/events.hpp>

namespace electret {
struct Assembly;
class ElementStresses;
class TrajectoryReader;
}  // namespace electret

namespace electret::studio {

class Shown;

/// What a scalar may need of a moment. Velocities may be missing (a frame kept as floats).
struct Moment {
  VectorView positions;                  ///< n×3, m.
  std::optional<VectorView> velocities;  ///< n×3, m/s.
  ScalarView charges;                    ///< n, C.
};

class Scalars {
 public:
  Scalars();
  ~Scalars();
  Scalars(Scalars&&) noexcept;
  Scalars& operator=(Scalars&&) noexcept;
  Scalars(const Assembly& assembly, const Shown& shown, int threads);
  Scalars(const TrajectoryReader& run, const Shown& shown, int threads);

  /// What can be shown of these bodies. Ranges are those of the start, or what is likely.
  [[nodiscard]] const std::vector<ScalarInfo>& list() const { return list_; }
  [[nodiscard]] bool has(const std::string& name) const;
  /// Whether a moment without velocities lacks what this scalar needs.
  [[nodiscard]] static bool needs_velocities(const std::string& name) { return name == "speed"; }
  /// One number per vertex; absent if the moment lacks what the scalar needs. `name` is one of the list.
  [[nodiscard]] std::optional<std::vector<double>> values(const std::string& name,
                                                          const Moment& moment) const;

  /// How the field of the bodies' charges is computed.
  [[nodiscard]] const FieldOptions& field() const { return field_; }

 private:
  struct Elements;
  void list_common(const Shown& shown, ScalarView charges, ScalarView largest, const Vec3& gravity);
  void list_elements(double stiffest);
  [[nodiscard]] std::vector<double> of_elements(bool energy, VectorView positions) const;

  std::vector<ScalarInfo> list_;
  FieldOptions field_;
  Vec3 up_{0, 0, 1};
  Vec3 centre_{};
  int threads_ = 0;
  std::unique_ptr<Elements> elements_;
};

}  // namespace electret::studio
