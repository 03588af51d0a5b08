#pragma once
/// \file
/// The solve of a stage whose vertices touch obstacles: docs/contact.md, "The solve".

#include <memory>

#include <electret/contact/contact_set.hpp>
#include <electret/contact/contact_springs.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stage/free_parts.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/stage/stall.hpp>
#include <electret/dynamics/stage/stopping_rule.hpp>
#include <electret/dynamics/stage/surface_search.hpp>

namespace electret {

/// Of the thickness: how deep inside an obstacle a step among touching bodies may begin and end.
inline constexpr double most_contact_depth = 0.01;

/// Finds δ with C = 0 at every vertex, where C is ∇g at vertices that touch nothing and the residual of the
/// contact law at those that may. This is no minimisation, because friction has no potential. Each outer
/// iteration linearises ∇g once. Inner ones are semismooth Newton steps on the problem that is linear but for
/// the law; the obstacle stays flat and where it was seen.
///
/// Bodies that touch each other add their potential to g. No step then lets parts of them meet, wherever the
/// obstacles put vertices (contact_among_bodies.cpp).
class ContactSolver {
 public:
  /// All must outlive this. `factor` a, s², is the stage's. `surfaces` is the potential of bodies that touch
  /// each other; null: none do.
  ContactSolver(System& system, StageObjective& objective, StageHessian& hessian, StoppingRule& rule,
                ContactSet& contacts, double factor, int max_iterations,
                SurfacePotential* surfaces = nullptr);

  /// Goes on from `displacement`, whichever of that and 0 has the smaller residual, and leaves the solution
  /// there. `objective`, `hessian`, `rule` and `contacts` have begun the step. `anchors` are those that the
  /// last step has left between bodies. Allocates nothing after the first calls and while the pairs of bodies
  /// do not grow.
  StepReport solve(const StageProblem& problem, VectorSpan displacement,
                   std::span<const PairAnchor> anchors = {});

  /// Of the solution: what each vertex of the set must be pushed by (kg m; ∇g), and how it moves.
  [[nodiscard]] VectorView forces() const { return forces_; }
  [[nodiscard]] std::span<const CornerMode> modes() const { return modes_; }
  /// Writes forces, N, and states of the solution to the set.
  void tell(double factor) const;
  /// c of each vertex of the set, kg.
  [[nodiscard]] ScalarView scales() const { return scales_; }

 private:
  double begin(const StageProblem& problem, VectorSpan displacement);
  double begin_among_bodies(const StageProblem& problem, std::span<const PairAnchor> anchors,
                            VectorSpan displacement, StepReport& report);
  void set_off(VectorView guess, VectorSpan displacement, double& norm);
  void bring_out(const StageProblem& problem, VectorSpan displacement, StepReport& report);
  bool find_pin_ways(VectorView pin_places);
  double bring_on(VectorView pin_places, VectorSpan displacement);
  void put(VectorView displacement, VectorSpan place) const;
  bool may_stay_inside(const StageProblem& problem, VectorSpan displacement);
  bool go_clear(double& length, VectorSpan displacement);
  double clear_part(VectorView from);
  void linearise(HessianKind kind);
  void find_move_among_bodies(double norm, double target, StepReport& report);
  bool search_among_bodies(VectorSpan displacement, double& norm);
  [[nodiscard]] bool is_downhill(double norm, double norm_before, double length, double slope) const;
  double evaluate(VectorView displacement);
  void meet(StepReport& report, StallWatch& watch);
  [[nodiscard]] bool has_room(std::size_t k) const;
  [[nodiscard]] bool takes_room() const;
  void keep_room();
  bool give_up_room();
  void find_corners();
  double law_after(double length);
  void weaken(std::size_t k, ContactPoint& wall) const;
  [[nodiscard]] ContactState state(std::size_t k) const;
  void forget_changes();
  void note_changes();
  bool yield();
  bool reduce();
  int find_step(double tolerance);
  double best_length(double& norm);
  int solve_linearised(double norm, double target);
  [[nodiscard]] double merit(ScalarView bounds = {}) const;
  bool project(VectorSpan displacement);
  void find_depths();
  [[nodiscard]] bool is_inside() const;
  void finish(ContactCounts& counts);
  void go(double length, VectorSpan displacement);
  void choose_scales();
  void bring_out_stiff_parts(VectorSpan displacement);
  bool search(VectorSpan displacement, double& norm);
  void find_move(VectorView inertial, VectorView displacement, double norm, StepReport& report);
  bool find_way(VectorView inertial, VectorSpan displacement, double& norm, StepReport& report);
  template <class Go>
  bool go_until_better(int most, VectorSpan displacement, double& norm, const StepReport& report, Go&& go);
  [[nodiscard]] bool crawls(double norm);
  void keep_clear(VectorView displacement, double norm);
  void end_outside(VectorSpan displacement, double& norm, StepReport& report);
  void go_back(VectorSpan displacement, double& norm);
  bool find_way_on_springs(VectorSpan displacement, double& norm, StepReport& report);
  void descend_on_springs(double target, VectorSpan displacement, StepReport& report);
  void set_springs(double raise);
  [[nodiscard]] bool is_deep() const;
  [[nodiscard]] bool rubs_on_both() const;
  bool take_chances(VectorView inertial, VectorSpan displacement, double& norm, StepReport& report);
  void descend(VectorView inertial, VectorSpan displacement, double part, StepReport& report);
  bool raise_friction(VectorView inertial, VectorSpan displacement, double& norm, StepReport& report);
  bool fix_friction(VectorView inertial, VectorSpan displacement, double& norm, StepReport& report);

  System& system_;
  StageObjective& objective_;
  StageHessian& hessian_;
  StoppingRule& rule_;
  ContactSet& contacts_;
  FreeParts parts_;
  double factor_;
  int max_iterations_;
  std::vector<double> scales_;  ///< c of each vertex of the set, kg.
  /// Of stiff parts' vertices: c by their own stiffness, c where they are near to an obstacle, kg, and how
  /// near that is, m. Empty without stiff parts.
  std::vector<double> own_scales_, part_scales_, near_;
  VectorView start_;             ///< x_t.
  VectorView pin_places_;        ///< At the step's end.
  VectorArray place_, kept_;     ///< Where ∇g was linearised; δ there. n×3, m.
  VectorArray best_;             ///< δ of the least residual, where steps are tried that need not lead down.
  VectorArray move_, force_;     ///< δ since then, and ∇g + Hδ. n×3.
  VectorArray direction_;        ///< The move along which `search` goes.
  VectorArray law_;              ///< C, n×3,
  double law_size_ = 0.0;        ///< and its norm over all vertices; others are over the unsolved parts.
  VectorArray shifts_;           ///< Of stiff parts out of obstacles.
  std::vector<double> deepest_;  ///< Of each stiff part inside an obstacle, m.
  VectorArray step_, step_force_;           ///< A Newton step of the linearised problem, and H of it.
  VectorArray right_hand_side_, solution_;  ///< Reduced.
  std::vector<ContactPoint> points_;        ///< One per vertex of the set.
  std::vector<ContactResidual> residuals_;
  /// Of the vertices that may touch several walls, in place of the above: which of them vertex k of the set
  /// is, or -1.
  std::vector<Index> corner_of_;
  std::vector<CornerPoint> corners_;
  std::vector<CornerResidual> corner_residuals_;
  std::vector<VertexConstraint> constraints_;
  VectorArray forces_;
  std::vector<CornerMode> modes_;
  std::vector<double> bounds_;  ///< Of friction, while `is_bounded_`, kg m.
  bool is_bounded_ = false;
  /// How deep inside obstacles vertices may be, m: springs have left them there. One per vertex of the set.
  std::vector<double> depths_;
  VectorArray outside_;          ///< δ where the step began; it is inside no obstacle.
  VectorArray led_;              ///< δ to which springs have led.
  VectorArray clear_;            ///< δ at which a step may end if it gets no farther,
  double clear_norm_ = 0.0;      ///< and the residual there.
  double raise_ = 1.0;           ///< Of the springs' stiffness.
  bool rubs_on_both_ = false;    ///< Bodies rub each other and an obstacle.
  bool is_led_ = false;          ///< Springs have led on in this step.
  double least_norm_ = 0.0;      ///< The residual that was last less by half,
  int idle_ = 0;                 ///< and the iterations since then.
  double friction_share_ = 1.0;  ///< By which all frictions are multiplied.
  // Of vertices that must not slide on an obstacle; empty if there is none.
  std::vector<char> yields_;  ///< 1: it slides all the same in this step.
  std::vector<int> changes_;  ///< How often its state has changed since ∇g was linearised.
  std::vector<ContactState> states_before_;
  /// Vertices to which walls leave no place from where the step begins on; 1: such a vertex of the set.
  std::vector<char> had_no_room_;
  bool keeps_room_ = false;           ///< Places at which others have none are not gone to,
  bool has_kept_room_ = false;        ///< as one was not.
  double value_ = 0.0, merit_ = 0.0;  ///< g, and g with the work of friction.
  // With bodies that touch each other.
  SurfacePotential* surfaces_;
  std::unique_ptr<ContactSprings> springs_;  ///< In the obstacles' place, and the search down with them.
  std::unique_ptr<SurfaceSearch> descent_;
  StencilMatrix pairs_;  ///< Of H.
  HessianKind kind_ = HessianKind::exact;
  bool is_indefinite_ = false;         ///< The last Newton step met negative curvature.
  VectorArray from_, way_, target_;    ///< A way from a place, n×3, m.
  VectorArray law_before_;             ///< C where a Newton step began.
  std::vector<double> bounds_before_;  ///< Of friction there, one per vertex of the set, kg m.
  VectorArray pin_ways_;               ///< How far pins have still to go, n×3; 0 at other vertices.
  VectorArray pins_, pins_before_;     ///< Where they are, pins×3.
  bool brings_pins_ = false;
  std::vector<double> distances_;
};

}  // namespace electret
