#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/expected_constraints.hpp>
#include <electret/dynamics/stage/rigid_correction.hpp>
#include <electret/dynamics/stage/rigid_motions.hpp>
#include <electret/dynamics/stage/stage_operator.hpp>
#include <electret/dynamics/stage/stage_preconditioners.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/multigrid.hpp>

namespace electret {
namespace {

std::vector<Index> bodies_of(const System& system) {
  const auto& offsets = system.assembly.body_offsets;
  return {offsets.begin(), offsets.end()};
}

/// Of the diagonal blocks.
class StageJacobi final : public StagePreconditioner {
 public:
  StageJacobi(System& system, double factor, std::span<const char> held)
      : system_(system),
        factor_(static_cast<float>(factor)),
        held_(held),
        blocks_(9 * held.size()),
        preconditioner_(*system.threads) {
    // Stiff parts have theirs solved apart.
    if (system.body_contacts && RigidMotions(system, factor).is_empty())
      whole_bodies_.emplace(system, preconditioner_);
  }

  bool refresh(bool, bool) override {
    if (whole_bodies_) whole_bodies_->refresh(place_, added_);
    const ScalarView masses = system_.masses();
    for_vertices(*system_.threads, masses.size(), [&](std::size_t i) {
      for (std::size_t k = 0; k < 9; ++k)
        blocks_[9 * i + k] = k % 4 == 0 ? static_cast<float>(masses[i]) : 0.0F;
    });
    for (const auto& energy : system_.elastic) energy->add_hessian_diagonal(factor_, blocks_);
    if (added_ != nullptr) added_->add_diagonal(1.0F, blocks_);
    if (preconditioner_.refresh(blocks_, held_)) return true;
    if (added_ == nullptr) return false;
    lift();
    return preconditioner_.refresh(blocks_, held_);
  }
  void add(const StencilMatrix* matrix, VectorView x) override {
    added_ = matrix;
    place_ = x;
  }
  Preconditioner& preconditioner() override {
    return whole_bodies_ ? static_cast<Preconditioner&>(*whole_bodies_) : preconditioner_;
  }
  LinearMap* products(bool) override { return nullptr; }

 private:
  /// Pairs that are pressed together hard are so stiff along one way that the rounding of a block is more
  /// than what it has along the others. Makes the blocks larger by as much.
  void lift() {
    constexpr float roundings = 8.0F * std::numeric_limits<float>::epsilon();
    for_vertices(*system_.threads, held_.size(), [&](std::size_t i) {
      float* block = &blocks_[9 * i];
      const float shift = roundings * (std::abs(block[0]) + std::abs(block[4]) + std::abs(block[8]));
      for (std::size_t k = 0; k < 9; k += 4) block[k] += shift;
    });
  }

  System& system_;
  float factor_;
  std::span<const char> held_;
  const StencilMatrix* added_ = nullptr;
  VectorView place_;
  std::vector<float> blocks_;  ///< 9 floats per vertex.
  BlockJacobi preconditioner_;
  std::optional<RigidCorrection> whole_bodies_;
};

/// The bound of Multigrid's smoother on the fine level, which holds for the clamped Hessian, and for the
/// exact one unless it is far from definite. 0 if some energy has none.
double eigenvalue_bound(const System& system) {
  double bound = 1.0;  // Of the masses.
  for (const auto& energy : system.elastic) {
    const double own = energy->smoother_bound();
    if (!(own > 0.0)) return 0.0;
    bound = std::max(bound, own);
  }
  return bound;
}

class MatrixMap final : public LinearMap {
 public:
  MatrixMap(const BlockMatrix& matrix, const ExpectedConstraints& expected, Threads& threads)
      : matrix_(matrix), expected_(expected), threads_(threads) {}
  void apply(PaddedView32 x, PaddedSpan32 y) override {
    matrix_.multiply(threads_, x, y);
    expected_.subtract(x, y);
  }

 private:
  const BlockMatrix& matrix_;
  const ExpectedConstraints& expected_;
  Threads& threads_;
};

/// Of all blocks.
class StageMultigrid final : public StagePreconditioner {
 public:
  StageMultigrid(System& system, double factor, std::span<const char> held)
      : system_(system),
        factor_(static_cast<float>(factor)),
        held_(held),
        pattern_(hessian_pattern(system)),
        matrix_(pattern_),
        map_(matrix_, expected_, *system.threads),
        preconditioner_(pattern_, system.assembly.rest_positions, bodies_of(system), held, *system.threads,
                        {.fine_bound = eigenvalue_bound(system)}) {
    for (const auto& energy : system.elastic) energy->attach(pattern_);
  }

  bool refresh(bool all, bool) override {
    matrix_.set_zero(*system_.threads);
    matrix_.add_diagonal(*system_.threads, system_.masses());
    for (const auto& energy : system_.elastic) energy->add_hessian_blocks(factor_, matrix_);
    expected_.add([&](Index vertex, int row, int column) -> float& {
      return matrix_.block(pattern_.diagonal()[static_cast<std::size_t>(vertex)])[3 * column + row];
    });
    return all ? preconditioner_.refresh(matrix_, held_) : preconditioner_.refresh_fine(matrix_);
  }
  Preconditioner& preconditioner() override { return preconditioner_; }
  void expect(std::span<const VertexConstraint> constraints) override { expected_.set(constraints); }
  LinearMap* products(bool same) override { return same ? &map_ : nullptr; }

 private:
  System& system_;
  float factor_;
  std::span<const char> held_;
  ExpectedConstraints expected_;
  BlockPattern pattern_;
  BlockMatrix matrix_;
  MatrixMap map_;
  Multigrid preconditioner_;
};

/// Of half of the blocks, on the lattice that the vertices lie on.
class StageLattice final : public StagePreconditioner {
 public:
  StageLattice(System& system, double factor, std::span<const char> held, const Lattice& lattice)
      : system_(system),
        factor_(static_cast<float>(factor)),
        lattice_(lattice),
        multigrid_(lattice, held, *system.threads),
        map_(multigrid_) {}

  /// A coarse level costs so little that it is never left alone.
  bool refresh(bool, bool same_step) override {
    LatticeMatrix& matrix = multigrid_.matrix();
    assemble(matrix);
    expected_.add([&](Index vertex, int row, int column) -> float& {
      return matrix.entry(0, 3 * row + column)[lattice_.numbers[static_cast<std::size_t>(vertex)]];
    });
    return multigrid_.refresh(same_step);
  }
  void expect(std::span<const VertexConstraint> constraints) override { expected_.set(constraints); }
  Preconditioner& preconditioner() override { return multigrid_; }
  LinearMap* products(bool same) override {
    map_.matrix = &multigrid_.matrix();
    map_.expected = &expected_;
    if (same) return &map_;
    map_.expected = nullptr;
    if (!exact_) exact_.emplace(lattice_.shape);
    assemble(*exact_);
    multigrid_.clear_held(*exact_);
    map_.matrix = &*exact_;
    return &map_;
  }

 private:
  struct Map final : LinearMap {
    explicit Map(LatticeMultigrid& by) : multigrid(by) {}
    void apply(PaddedView32 x, PaddedSpan32 y) override {
      multigrid.multiply(*matrix, x, y);
      if (expected != nullptr) expected->subtract(x, y);
    }
    LatticeMultigrid& multigrid;
    const LatticeMatrix* matrix = nullptr;
    const ExpectedConstraints* expected = nullptr;  ///< That are in the matrix, too; null: none.
  };

  void assemble(LatticeMatrix& matrix) {
    matrix.set_zero(*system_.threads);
    const ScalarView masses = system_.masses();
    for_vertices(*system_.threads, masses.size(), [&](std::size_t v) {
      for (const int k : {0, 4, 8}) matrix.entry(0, k)[lattice_.numbers[v]] = static_cast<float>(masses[v]);
    });
    for (const auto& energy : system_.elastic) energy->add_hessian_to_lattice(factor_, lattice_, matrix);
  }

  System& system_;
  float factor_;
  const Lattice& lattice_;
  ExpectedConstraints expected_;
  LatticeMultigrid multigrid_;
  std::optional<LatticeMatrix> exact_;  ///< Where the preconditioner is of the clamped Hessian.
  Map map_;
};

}  // namespace

std::unique_ptr<StagePreconditioner> make_stage_jacobi(System& system, double factor,
                                                       std::span<const char> held) {
  return std::make_unique<StageJacobi>(system, factor, held);
}

std::unique_ptr<StagePreconditioner> make_stage_multigrid(System& system, double factor,
                                                          std::span<const char> held) {
  return std::make_unique<StageMultigrid>(system, factor, held);
}

std::unique_ptr<StagePreconditioner> make_stage_lattice(System& system, double factor,
                                                        std::span<const char> held, const Lattice& lattice) {
  return std::make_unique<StageLattice>(system, factor, held, lattice);
}

std::optional<Lattice> lattice_of(const System& system) {
  if (system.assembly.body_offsets.size() != 2) return {};
  std::vector<ElementList> lists;
  // Solids first: the axes are those of the first element, as the energies' own.
  for (const bool is_solid : {true, false})
    for (const auto& energy : system.elastic)
      if (energy->is_solid() == is_solid)
        lists.push_back({energy->elements().vertices_per_element(), energy->elements().connectivity()});
  return find_lattice(system.assembly.rest_positions, lists);
}

}  // namespace electret
