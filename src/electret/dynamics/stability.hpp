#pragma once
/// \file
/// The fastest oscillations of a system, which limit the time step of explicit methods and of charges, whose
/// forces are always treated explicitly.
///
/// The functions here throw std::invalid_argument for arrays that do not have one row per vertex.

#include <electret/dynamics/system.hpp>

namespace electret {

/// A pair of charges and the angular frequency of its relative motion,
/// ω² = 2 k_c |q_i q_j| (1/m_i + 1/m_j)/ρ³, ρ² = r² + ε². A pinned vertex counts as infinitely heavy.
struct ChargePair {
  Index i = -1, j = -1;    ///< i < j; -1 if there is no pair that moves.
  double distance = 0.0;   ///< r, m.
  double frequency = 0.0;  ///< ω, 1/s; infinite for two charges at one point.
};

/// The pair with the largest ω, found exactly. A k-d tree and a bound on ω avoid the comparison of most
/// pairs.
ChargePair fastest_charge_pair(const System& system, VectorView positions, ScalarView charges);

/// An upper bound (1/s) on ω of all pairs that are at least `distance` (m) apart. It is the ω of two vertices
/// at that distance that have the largest charge and the smallest mass. It costs far less than
/// `fastest_charge_pair`. Infinite at distance 0 without softening.
double charge_frequency_bound(const System& system, ScalarView charges, double distance);

/// |q_i| (n, C) at its largest within the run, for each vertex. Key-framed charges may be largest at
/// different times.
std::vector<double> largest_charges(const System& system);

/// The largest angular frequency (1/s) of the network of elastic elements at `positions`: ω² = λ_max(M⁻¹H_c)
/// over the free vertices, where H_c is the clamped Hessian. 60 power iterations approach it from below, to
/// about 1 %. For solids they end when ω² grows by less than 1e-3. The frequency of a single spring, ω² =
/// 2k/m, would be too small, because elements act together. Infinite if the iteration exceeds the range of
/// float64.
double spring_frequency(System& system, VectorView positions);

/// What is elastic in the system, in words for messages: "springs", "elements", "springs and elements".
std::string elastic_parts(const System& system);

/// The angular frequencies that a step has to resolve, 1/s.
struct Oscillations {
  double springs = 0.0;
  double charges = 0.0;

  /// 0.2/√(ω_springs² + ω_charges²), s; infinite if nothing oscillates.
  [[nodiscard]] double suggested_step() const;
};

/// The frequencies from which `suggested_step` is computed. Costs a search for the fastest pair.
Oscillations fastest_oscillations(System& system);

/// A time step that resolves the system's fastest motion: 0.2/√(ω_springs² + ω_charges²), s. It is a tenth of
/// Verlet's stability limit, so that the energy's error stays below 1 %. Implicit methods are stable at
/// larger steps and damp what they do not resolve. Infinite if nothing oscillates.
///
/// ω_springs is taken at the start. ω_charges is that of the fastest pair at half the distances of the start.
/// There ω is 2.8 times as large without softening, which leaves room for motion. Each key-framed charge
/// counts with its largest |q| within the run. Half the distance is an estimate, not a bound: charges that
/// are shot at each other come closer. `charge_step_warning` and `EnergyWatch` report this during the run.
double suggested_step(System& system);

}  // namespace electret
