#include <algorithm>
#include <utility>
#include <vector>

#include <electret/dynamics/preconditioner_choice.hpp>
#include <electret/dynamics/stage_hessian.hpp>
#include <electret/dynamics/stage_operator.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/multigrid.hpp>

namespace electret {
namespace {

std::vector<char> held_vertices(const System& system) {
  std::vector<char> held(static_cast<std::size_t>(system.vertex_count()), 0);
  for (const Index vertex : system.pins) held[static_cast<std::size_t>(vertex)] = 1;
  return held;
}

std::vector<Index> bodies_of(const System& system) {
  const auto& offsets = system.assembly.body_offsets;
  return {offsets.begin(), offsets.end()};
}

/// A preconditioner and what of H it is made of.
class Side {
 public:
  virtual ~Side() = default;
  /// From the energies as they are linearised. `anew`: from nothing that is lagged. False: not positive
  /// definite.
  virtual bool refresh(bool anew) = 0;
  /// Whether the last refresh kept something of an earlier one.
  [[nodiscard]] virtual bool lags() const { return false; }
  virtual Preconditioner& preconditioner() = 0;
};

/// Of the diagonal blocks.
class JacobiSide final : public Side {
 public:
  JacobiSide(System& system, double factor, std::span<const char> held)
      : system_(system),
        factor_(static_cast<float>(factor)),
        held_(held),
        blocks_(9 * held.size()),
        preconditioner_(*system.threads) {}

  bool refresh(bool) override {
    const ScalarView masses = system_.masses();
    system_.threads->for_chunks(system_.vertex_count(), Threads::default_chunk, [&](Count begin, Count end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        for (std::size_t k = 0; k < 9; ++k)
          blocks_[9 * i + k] = k % 4 == 0 ? static_cast<float>(masses[i]) : 0.0F;
    });
    for (const auto& energy : system_.elastic) energy->add_hessian_diagonal(factor_, blocks_);
    return preconditioner_.refresh(blocks_, held_);
  }
  Preconditioner& preconditioner() override { return preconditioner_; }

 private:
  System& system_;
  float factor_;
  std::span<const char> held_;
  std::vector<float> blocks_;  ///< 9 a vertex.
  BlockJacobi preconditioner_;
};

/// Of all blocks. The coarse levels are made anew at every second refresh.
class MultigridSide final : public Side {
 public:
  MultigridSide(System& system, double factor, std::span<const char> held)
      : system_(system),
        factor_(static_cast<float>(factor)),
        held_(held),
        pattern_(hessian_pattern(system)),
        matrix_(pattern_),
        preconditioner_(pattern_, system.assembly.rest_positions, bodies_of(system), held, *system.threads) {
    for (const auto& energy : system.elastic) energy->attach(pattern_);
  }

  bool refresh(bool anew) override {
    matrix_.set_zero(*system_.threads);
    matrix_.add_diagonal(*system_.threads, system_.masses());
    for (const auto& energy : system_.elastic) energy->add_hessian_blocks(factor_, matrix_);
    age_ = anew || age_ < 0 ? 0 : age_ + 1;
    return age_ == 0 ? preconditioner_.refresh(matrix_, held_)
                     : preconditioner_.refresh_lagged(matrix_, age_ % 2 == 0);
  }
  [[nodiscard]] bool lags() const override { return age_ > 0; }
  Preconditioner& preconditioner() override { return preconditioner_; }

 private:
  System& system_;
  float factor_;
  std::span<const char> held_;
  BlockPattern pattern_;
  BlockMatrix matrix_;
  Multigrid preconditioner_;
  int age_ = -1;  ///< Refreshes since the last full one.
};

/// One or the other, so that both use the same solver and its work arrays.
class ChosenPreconditioner final : public Preconditioner {
 public:
  void choose(Preconditioner& now) { now_ = &now; }
  [[nodiscard]] std::string_view name() const override { return now_->name(); }
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override {
    return now_->refresh(matrix, held);
  }
  void apply(PaddedView32 r, PaddedSpan32 z) override { now_->apply(r, z); }
  [[nodiscard]] bool is_block_diagonal() const override { return now_->is_block_diagonal(); }
  void apply_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const override {
    now_->apply_rows(r, z, begin, end);
  }

 private:
  Preconditioner* now_ = nullptr;
};

}  // namespace

class StageHessian::Parts {
 public:
  Parts(System& system, double factor, PreconditionerPolicy policy)
      : system_(system),
        factor_(factor),
        held_(held_vertices(system)),
        operator_(system, factor),
        choice_(system.vertex_count(), policy),
        solver_(operator_, chosen_, *system.threads),
        rhs_(system.pins.empty() ? 0 : held_.size()) {}

  void begin_step(StageHessianMemory memory) {
    choice_.begin(memory.multigrid ? PreconditionerChoice::Kind::multigrid
                                   : PreconditionerChoice::Kind::block_jacobi);
    jacobi_clamped_ = false;
    multigrid_clamped_ = memory.clamped;
    anew_ = true;
  }
  [[nodiscard]] StageHessianMemory memory() const {
    return {choice_.now() == PreconditionerChoice::Kind::multigrid, multigrid_clamped_};
  }

  void linearise(VectorView x) {
    place_.assign(x.begin(), x.end());
    make_usable();
  }

  SolveReport solve(VectorView rhs, const SolveOptions& options, VectorSpan z) {
    const VectorView free = without_pins(rhs);
    SolveOptions limited = options;
    limited.max_iterations = choice_.most_iterations(options);
    if (choice_.now() == PreconditionerChoice::Kind::block_jacobi)
      limited.min_iterations = PreconditionerChoice::fewest_jacobi_iterations;
    SolveReport report = solve_safely(free, limited, z);
    if (choice_.give_up(report)) {
      const int before = report.iterations;
      make_usable();
      report = solve_safely(free, options, z);
      report.iterations += before;
    } else {
      choice_.count(report);
    }
    return report;
  }

  /// As if multigrid were chosen, on a body that is large enough for it.
  [[nodiscard]] double memory_needed() const {
    constexpr double vertex = 310.0;  // Padded vectors of conjugate gradients and of the smoother.
    constexpr double block = 40.0, grids = 55.0;  // Of the matrix; of coarse ones and the way to them.
    constexpr double spring = 90.0;               // A linearised one; other elements tell theirs.
    const bool grown = system_.vertex_count() >= PreconditionerChoice::fewest_vertices;
    double bytes = vertex * system_.vertex_count(), blocks = system_.vertex_count();
    for (const auto& energy : system_.elastic) {
      const auto elements = static_cast<double>(energy->elements().size());
      const double corners = energy->elements().vertices_per_element();
      const ElementType type = energy->elements().type();
      bytes += type == ElementType::spring ? spring * elements : energy->memory_needed();
      // Solid elements share sides and edges, tetrahedra more of them: at most this part is their own.
      const double own = type == ElementType::hexahedron    ? 0.5
                         : type == ElementType::tetrahedron ? 0.25
                                                            : 1.0;
      blocks += own * corners * (corners - 1.0) * elements;
    }
    return bytes + (grown ? block + grids : 0.0) * blocks;
  }

 private:
  VectorView without_pins(VectorView rhs) {
    if (rhs_.empty()) return rhs;
    rhs_.assign(rhs.begin(), rhs.end());
    for (const Index pin : system_.pins) rhs_[static_cast<std::size_t>(pin)] = {};
    return rhs_;
  }

  bool& clamped() {
    return choice_.now() == PreconditionerChoice::Kind::multigrid ? multigrid_clamped_ : jacobi_clamped_;
  }

  Side& side() {
    if (choice_.now() == PreconditionerChoice::Kind::multigrid) {
      if (!multigrid_) multigrid_ = std::make_unique<MultigridSide>(system_, factor_, held_);
      return *multigrid_;
    }
    if (!jacobi_) jacobi_ = std::make_unique<JacobiSide>(system_, factor_, held_);
    return *jacobi_;
  }

  /// Refreshes the preconditioner, with as much care as it takes.
  void make_usable() {
    const bool multigrid = choice_.now() == PreconditionerChoice::Kind::multigrid;
    const bool anew = multigrid && std::exchange(anew_, false);
    refresh(anew);
    if (!usable_ && side().lags()) refresh(true);
    if (!usable_ && !clamped()) use_clamped();
  }

  /// Solves again where a preconditioner turns out not to be positive definite: with one that lags in
  /// nothing, of the clamped Hessian, by block-Jacobi at last.
  SolveReport solve_safely(VectorView rhs, const SolveOptions& options, VectorSpan z) {
    SolveReport report = solve_once(rhs, options, z);
    if (report.bad_preconditioner && side().lags()) {
      refresh(true);
      report = solve_once(rhs, options, z);
    }
    if (report.bad_preconditioner && !clamped()) {
      use_clamped();
      report = solve_once(rhs, options, z);
    }
    if (!report.bad_preconditioner || choice_.now() == PreconditionerChoice::Kind::block_jacobi)
      return report;
    choice_.set(PreconditionerChoice::Kind::block_jacobi);
    make_usable();
    return solve_safely(rhs, options, z);
  }

  SolveReport solve_once(VectorView rhs, const SolveOptions& options, VectorSpan z) {
    if (usable_) {
      chosen_.choose(side().preconditioner());
      return solver_.solve(rhs, options, z);
    }
    SolveReport refused;
    refused.bad_preconditioner = true;
    return refused;
  }

  void linearise_energies(HessianKind kind) {
    for (const auto& energy : system_.elastic) energy->linearise(place_, kind, {});
    operator_.linearised();
  }

  /// The products are those of the exact Hessian always.
  void refresh(bool anew) {
    if (clamped()) {
      linearise_energies(HessianKind::clamped);
      usable_ = side().refresh(anew);
    }
    linearise_energies(HessianKind::exact);
    if (!clamped()) usable_ = side().refresh(anew);
  }

  /// M + a·(positive semi-definite) is positive definite, so that a refusal here is rounding of entries far
  /// beyond the masses: then nothing is solved.
  void use_clamped() {
    clamped() = true;
    refresh(true);
  }

  System& system_;
  double factor_;
  std::vector<char> held_;  ///< 1 at pins.
  StageOperator operator_;
  PreconditionerChoice choice_;
  ChosenPreconditioner chosen_;
  BlockSystem solver_;
  std::unique_ptr<Side> jacobi_, multigrid_;  ///< Made when first chosen.
  VectorArray place_, rhs_;
  bool jacobi_clamped_ = false, multigrid_clamped_ = false;
  bool anew_ = true;    ///< Multigrid has not been refreshed in this step.
  bool usable_ = true;  ///< The preconditioner is positive definite as far as it was looked.
};

StageHessian::StageHessian(System& system, double factor, PreconditionerPolicy policy)
    : parts_(std::make_unique<Parts>(system, factor, policy)) {}
StageHessian::~StageHessian() = default;

void StageHessian::begin_step(StageHessianMemory memory) {
  parts_->begin_step(memory);
}

StageHessianMemory StageHessian::memory() const {
  return parts_->memory();
}

std::string_view StageHessian::preconditioner() const {
  return memory().multigrid ? "multigrid" : "block_jacobi";
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
