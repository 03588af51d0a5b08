#pragma once
/// \file
/// What a solver of stages with obstacles has for bodies that touch each other.

#include <memory>
#include <span>
#include <vector>

#include <electret/contact/body_contacts.hpp>
#include <electret/dynamics/stage/pair_memory.hpp>
#include <electret/dynamics/stage/preconditioned_hessian.hpp>
#include <electret/dynamics/stage/surface_adjoint.hpp>

namespace electret {

/// Their potential, its adjoint, and the anchors between steps.
class SurfaceStage {
 public:
  /// Null if no bodies of `system` touch each other. All must outlive it.
  static std::unique_ptr<SurfaceStage> of(System& system, StageHessian& hessian, double factor) {
    return system.body_contacts ? std::make_unique<SurfaceStage>(system, hessian, factor) : nullptr;
  }
  /// Coarse levels do not see pairs: multigrid serves while there are none. Only large solids save much by
  /// it.
  static PreconditionerPolicy preconditioner(const System& system) {
    return !system.body_contacts || has_solids_and_many_vertices(system) ? PreconditionerPolicy::counted
                                                                         : PreconditionerPolicy::block_jacobi;
  }
  static int iterations(const System& system, const IntegratorOptions& options) {
    return (system.body_contacts ? iterations_of_touching_bodies : 1) * options.max_iterations;
  }

  SurfaceStage(System& system, StageHessian& hessian, double factor)
      : system_(system),
        potential_(*system.body_contacts, *system.threads),
        adjoint_(system, hessian, potential_, factor) {}

  [[nodiscard]] SurfacePotential& potential() { return potential_; }
  [[nodiscard]] const SurfacePotential& potential() const { return potential_; }
  [[nodiscard]] SurfaceAdjoint& adjoint() { return adjoint_; }

  /// The anchors that the last step has left; none without a memory.
  std::span<const PairAnchor> read(const StageProblem& problem) {
    anchors_.clear();
    if (problem.memory != nullptr) read_anchors(*problem.memory, problem.start.size(), anchors_);
    return anchors_;
  }
  /// Tells what pairs do at the last place of `objective`, and keeps their anchors.
  void end_step(const StageObjective& objective, const StageProblem& problem) {
    BodyContacts& contacts = *system_.body_contacts;
    potential_.report(objective.place(), objective.moved(), contacts.state());
    contacts.state().passage =
        passages_.find(contacts.pairs(), problem.start, objective.place(), *system_.threads);
    if (problem.memory == nullptr) return;
    potential_.friction().keep(anchors_);
    write_anchors(anchors_, *problem.memory);
  }

 private:
  System& system_;
  SurfacePotential potential_;
  SurfaceAdjoint adjoint_;
  BodyPassages passages_;
  std::vector<PairAnchor> anchors_;
};

}  // namespace electret
