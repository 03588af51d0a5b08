#include <algorithm>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/dynamics/stage_hessian.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/multigrid.hpp>

namespace electret {
namespace {

/// Below it a V-cycle costs more than the iterations it saves.
constexpr Index multigrid_from = 1000;

BlockPattern pattern_of(const System& system) {
  std::vector<ElementList> lists;
  for (const auto& energy : system.elastic)
    lists.push_back({energy->elements().vertices_per_element(), energy->elements().connectivity()});
  return BlockPattern::of_elements(system.vertex_count(), lists);
}

std::vector<char> held_vertices(const System& system) {
  std::vector<char> held(static_cast<std::size_t>(system.vertex_count()), 0);
  for (const Index vertex : system.pins) held[static_cast<std::size_t>(vertex)] = 1;
  return held;
}

std::unique_ptr<Preconditioner> make_preconditioner(const System& system, const BlockPattern& pattern,
                                                    std::span<const char> held) {
  Threads& threads = *system.threads;
  if (system.vertex_count() < multigrid_from) return std::make_unique<BlockJacobi>(threads);
  const auto& counts = system.assembly.body_offsets;
  const std::vector<Index> offsets(counts.begin(), counts.end());
  return std::make_unique<Multigrid>(pattern, system.assembly.rest_positions, offsets, held, threads);
}

/// H by the energies' own products at their last linearisation.
class MatrixFree final : public BlockOperator {
 public:
  MatrixFree(System& system, double factor) : system_(system), factor_(factor) {
    for (const double m : system.masses()) masses32_.push_back(static_cast<float>(m));
    scratch_.resize(masses32_.size());
  }
  [[nodiscard]] Index rows() const override { return system_.vertex_count(); }

  void multiply(PaddedView32 d, PaddedSpan32 out) override {
    for_rows([&](std::size_t i) {
      for (int l = 0; l < 4; ++l) out[i].lane[l] = masses32_[i] * d[i].lane[l];
    });
    for (const auto& energy : system_.elastic)
      energy->add_hessian_product(static_cast<float>(factor_), d, out);
  }

  void multiply(VectorView d, VectorSpan out) override {
    std::fill(scratch_.begin(), scratch_.end(), Vec3{});
    for (const auto& energy : system_.elastic) energy->add_hessian_product(d, scratch_);
    for_rows([&](std::size_t i) { out[i] = system_.masses()[i] * d[i] + factor_ * scratch_[i]; });
  }

 private:
  template <class Row>
  void for_rows(Row&& row) {
    system_.threads->for_chunks(rows(), Threads::default_chunk, [&](Count begin, Count end) {
      for (Count i = begin; i < end; ++i) row(static_cast<std::size_t>(i));
    });
  }

  System& system_;
  double factor_;
  std::vector<float> masses32_;  ///< n, kg.
  VectorArray scratch_;          ///< ∇²E d.
};

}  // namespace

class StageHessian::Parts {
 public:
  Parts(System& system, double factor)
      : system_(system),
        factor_(factor),
        held_(held_vertices(system)),
        pattern_(pattern_of(system)),
        matrix_(pattern_),
        operator_(system, factor),
        preconditioner_(make_preconditioner(system, pattern_, held_)),
        block_system_(operator_, *preconditioner_, *system.threads),
        scratch_(held_.size()) {
    std::vector<VertexConstraint> constraints;
    for (const Index vertex : system.pins) constraints.push_back(pin(vertex));
    block_system_.set_constraints(constraints);
    for (const auto& energy : system.elastic) energy->attach(pattern_);
  }

  void begin_step() { clamped_ = false; }

  void linearise(VectorView x) {
    place_.assign(x.begin(), x.end());
    if (!clamped_) {
      linearise_energies(HessianKind::exact);
      usable_ = refresh();
      if (usable_) return;
    }
    use_clamped();
  }

  SolveReport solve(VectorView rhs, const SolveOptions& options, VectorSpan z) {
    SolveReport report;
    if (usable_) report = block_system_.solve(rhs, options, z);
    if (clamped_ || !report.bad_preconditioner) return report;
    use_clamped();
    return usable_ ? block_system_.solve(rhs, options, z) : report;
  }

  [[nodiscard]] double memory_needed() const {
    constexpr double vertex = 310.0;  // Padded vectors of conjugate gradients and of the smoother.
    constexpr double block = 40.0, grids = 55.0;  // Of the matrix; of coarse ones and the way to them.
    constexpr double element = 90.0;              // A linearised spring.
    double bytes =
        vertex * pattern_.rows() + (system_.vertex_count() < multigrid_from ? block : block + grids) *
                                       static_cast<double>(pattern_.blocks());
    for (const auto& energy : system_.elastic)
      bytes += element * static_cast<double>(energy->elements().size());
    return bytes;
  }

 private:
  void linearise_energies(HessianKind kind) {
    std::fill(scratch_.begin(), scratch_.end(), Vec3{});
    for (const auto& energy : system_.elastic) energy->linearise(place_, kind, scratch_);
  }

  bool refresh() {
    matrix_.set_zero(*system_.threads);
    matrix_.add_diagonal(*system_.threads, system_.masses());
    for (const auto& energy : system_.elastic)
      energy->add_hessian_blocks(static_cast<float>(factor_), matrix_);
    return preconditioner_->refresh(matrix_, held_);
  }

  /// The products stay those of the exact Hessian. M + a·(positive semi-definite) is positive definite, so
  /// that a refusal here is rounding of entries far beyond the masses: then nothing is solved.
  void use_clamped() {
    clamped_ = true;
    linearise_energies(HessianKind::clamped);
    usable_ = refresh();
    linearise_energies(HessianKind::exact);
  }

  System& system_;
  double factor_;
  std::vector<char> held_;  ///< 1 at pins.
  BlockPattern pattern_;
  BlockMatrix matrix_;
  MatrixFree operator_;
  std::unique_ptr<Preconditioner> preconditioner_;
  BlockSystem block_system_;
  VectorArray place_, scratch_;
  bool clamped_ = false, usable_ = true;
};

StageHessian::StageHessian(System& system, double factor) : parts_(std::make_unique<Parts>(system, factor)) {}
StageHessian::~StageHessian() = default;

void StageHessian::begin_step() {
  parts_->begin_step();
}

void StageHessian::linearise(VectorView x) {
  parts_->linearise(x);
}

double StageHessian::memory_needed() const {
  return parts_->memory_needed();
}

SolveReport StageHessian::solve(VectorView rhs, const SolveOptions& options, VectorSpan z) {
  return parts_->solve(rhs, options, z);
}

}  // namespace electret
