#pragma once
/// \file
/// The fastest oscillations of a system: what limits the step of explicit methods and explicit charges.

#include <electret/dynamics/system.hpp>

namespace electret {

/// A pair of charges and the angular frequency of its relative motion,
/// ω² = 2 k_c |q_i q_j| (1/m_i + 1/m_j)/ρ³, ρ² = r² + ε²; a pinned vertex does not move, and
/// counts as infinitely heavy.
struct ChargePair {
  Index i = -1, j = -1;    ///< i < j; -1 where no two charges move.
  double distance = 0.0;   ///< r, m.
  double frequency = 0.0;  ///< ω, 1/s; infinite for two charges at one point.
};

/// The pair with the largest ω. Exact; a k-d tree and a bound keep it from looking at every pair.
ChargePair fastest_charge_pair(const System& system, VectorView positions, ScalarView charges);

/// What no pair of charges at least `distance` (m) apart oscillates faster than, 1/s: the largest charges and
/// the smallest masses at that distance. Far cheaper than `fastest_charge_pair`; infinite at distance 0
/// without softening.
double charge_frequency_bound(const System& system, ScalarView charges, double distance);

/// The largest angular frequency of the network of elastic elements at `positions`, 1/s:
/// ω² = λ_max(M⁻¹H_c), H_c the clamped Hessian, free vertices only, by 60 power iterations (from below, to
/// about a per cent). A single spring's 2k/m is not enough: elements act together. Infinite where float64
/// does not hold what the iteration needs.
double spring_frequency(System& system, VectorView positions);

/// What is elastic in the system, for people: "springs", "elements", "springs and elements".
std::string elastic_parts(const System& system);

/// What a step has to resolve, 1/s.
struct Oscillations {
  double springs = 0.0;
  double charges = 0.0;

  /// 0.2/√(ω_springs² + ω_charges²), s; infinite where nothing oscillates.
  [[nodiscard]] double suggested_step() const;
};

/// The frequencies that `suggested_step` resolves. Costs a search for the fastest pair.
Oscillations fastest_oscillations(System& system);

/// A step that resolves the system's fastest motion: 0.2/√(ω_springs² + ω_charges²), s. It is a tenth of
/// Verlet's limit of stability, which keeps the energy's error below a per cent. The implicit methods are
/// stable at larger steps and damp what they do not resolve. Infinite where nothing oscillates.
///
/// ω_springs is that of the start. ω_charges leaves room for motion: it is that of the fastest pair at half
/// the distances of the start (2.8 times as fast without softening), with each key-framed charge at its
/// largest |q| within the run. Half is an estimate, no bound: charges shot at each other come closer, which
/// `charge_step_warning` and `EnergyWatch` tell during the run.
double suggested_step(System& system);

}  // namespace electret
