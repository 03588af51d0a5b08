#pragma once
/// \file
/// What a hand holds, and how strongly it pulls.
///
/// A grip holds the vertices of one body within a brush about the point that was pressed; weights fall off as
/// (1 - d²/r²)². With m_e = 1/Σ(w²/m) and the compliance C, what 1 N on the grip moves it in one step, max(w·
/// ∂x'/∂f·w, h w·∂v'/∂f·w) over the axes, its spring and damper have
///
///     k = min(γ/C, m_e/τ² + Σ w L_ii),   c = min(2√(k m_e), γ h/C),
///
/// with L the majoriser of the elastic energies. The
/// first bound keeps the explicit pull stable at any time step and stiffness of the body; the second keeps
/// small steps from making it violent. As long as C is not known, it is taken for that of a free mass, with a
/// third of γ. For the kick methods C is h²/(2 m_e) at least, what half a step's kick does: they kick at both
/// ends of a step, and on a stiff body the elastic flow between may cancel what a constant force shows, but
/// not what a spring and a damper do, whose force is another at the end.
///
/// C is that of the bodies without obstacles and contact (untouched.hpp). These only add to what holds the
/// grip, so that C bounds its compliance whatever touches it and lets it go later: γ/C is stable throughout.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/dynamics/simulator.hpp>
#include <electret/studio/session/shown.hpp>

namespace electret::studio {

/// Σ w a over some vertices.
[[nodiscard]] Vec3 weighted_mean(const std::vector<Index>& vertices, const std::vector<double>& weights,
                                 VectorView a);

struct Grip {
  std::vector<Index> vertices;  ///< Global indices, ascending; none is pinned.
  std::vector<double> weights;  ///< Their sum is 1.
  double mass = 0.0;            ///< m_e, kg.
  double stiffness = 0.0;       ///< Σ w L_ii, N/m.
  double diagonal = 1.0;        ///< Of the box of its body, m.

  /// x̄ = Σ w x, also of velocities.
  [[nodiscard]] Vec3 mean(VectorView x) const { return weighted_mean(vertices, weights, x); }
};

/// The largest number of vertices that a grip holds: those nearest to the point.
inline constexpr std::size_t most_held = 4096;

/// The grip at point `point` of `shown`, with vertices at `x`. `brush` is its radius, m; at least the nearest
/// vertex is held. Absent if all vertices of the body are pinned, or all within the brush where it holds more
/// than one.
[[nodiscard]] std::optional<Grip> grip_at(const System& system, const Shown& shown, VectorView x,
                                          std::size_t point, double brush);

/// Its mass and stiffness in a system that was changed.
void weigh_anew(const System& system, Grip& grip);

struct GripStrength {
  double stiffness = 0.0;  ///< k, N/m.
  double damping = 0.0;    ///< c, N s/m.
};

/// `compliance` is C, m/N, or 0 if it is not known yet; `share` of 0 … 1 is what the user wants of k.
/// `beside` is the sum of `overlap`² with whatever else pulls: γ is halved for each pull at the same place.
/// So all pulls at one place have less than 2 γ/C together, however many they are.
[[nodiscard]] GripStrength strength_of(const Grip& grip, double compliance, double time_step,
                                       std::string_view method, double share, double beside = 0.0);

/// How much two grips move each other: Σ w u/m / √(Σ w²/m Σ u²/m), 0 of grips without a common vertex and 1
/// of equal ones. `vertices`, ascending, and `weights` are those of the other.
[[nodiscard]] double overlap(const System& system, const Grip& grip, const std::vector<Index>& vertices,
                             const std::vector<double>& weights);

/// Whether a pull of this method has a target that goes on beyond the pointer (Hands).
[[nodiscard]] bool may_reach_beyond(std::string_view method);

/// A force that moves the grip by a small part of the body in one step, N.
[[nodiscard]] double trial_force(const Grip& grip, double time_step);

}  // namespace electret::studio
