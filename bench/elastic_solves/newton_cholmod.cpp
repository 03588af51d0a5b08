#include <Eigen/CholmodSupport>

#include <electret/dynamics/stage/newton_factoring_solver.hpp>
#include <electret/dynamics/stage/stage_operator.hpp>
#include <electret/linear/block_matrix.hpp>

#include "elastic_solves/methods.hpp"

namespace electret::bench {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, SuiteSparse_long>;

/// The entries are float32's: the directions are as good, and assembling is as fast as the product's.
class NewtonCholmodSolver final : public NewtonFactoringSolver {
 public:
  NewtonCholmodSolver(System& system, double factor, const IntegratorOptions& options)
      : NewtonFactoringSolver(system, factor, options),
        system_(system),
        pattern_(hessian_pattern(system)),
        blocks_(pattern_),
        number_(static_cast<std::size_t>(system.vertex_count()), -1) {
    for (const auto& energy : system.elastic) energy->attach(pattern_);
    for (std::size_t i = 0; i < number_.size(); ++i)
      if (objective_.free()[i] != 0.0) number_[i] = free_++;
    place_entries();
    cholmod_.cholmod().print = 0;
  }

  /// Starts where the product's Newton does.
  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    begin(problem);
    if (!problem.unforced.empty())
      std::copy(problem.unforced.begin(), problem.unforced.end(), displacement.begin());
    return search_down(objective_.evaluate_start(displacement), problem.inertial, displacement,
                       [&](int) { find_direction(objective_.place()); });
  }

 private:
  /// The lower triangle's pattern over the free vertices, and where each entry comes from.
  void place_entries() {
    std::vector<Eigen::Triplet<double, SuiteSparse_long>> entries;
    for_entries([&](SuiteSparse_long row, SuiteSparse_long column, std::size_t from) {
      entries.emplace_back(row, column, static_cast<double>(from));
    });
    matrix_.resize(3 * free_, 3 * free_);
    matrix_.setFromTriplets(entries.begin(), entries.end());
    for (SuiteSparse_long k = 0; k < matrix_.nonZeros(); ++k)
      from_.push_back(static_cast<std::size_t>(matrix_.valuePtr()[k]));
  }

  template <class Visit>
  void for_entries(Visit&& visit) const {
    for (Index row = 0; row < pattern_.rows(); ++row)
      for (Count k = pattern_.offsets()[at(row)]; k < pattern_.offsets()[at(row) + 1]; ++k) {
        const SuiteSparse_long i = number_[at(row)];
        const SuiteSparse_long j = number_[at(pattern_.columns()[static_cast<std::size_t>(k)])];
        if (i < 0 || j < 0) continue;
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            if (3 * i + r >= 3 * j + c)
              visit(3 * i + r, 3 * j + c,
                    9 * static_cast<std::size_t>(k) + static_cast<std::size_t>(3 * c + r));
      }
  }

  void find_direction(VectorView x) {
    if (!factor_at(x, HessianKind::exact)) factor_at(x, HessianKind::clamped);
    Eigen::VectorXd b(3 * free_);
    for (std::size_t i = 0; i < number_.size(); ++i)
      for (int r = 0; r < 3 && number_[i] >= 0; ++r) b(3 * number_[i] + r) = -descent_.gradient()[i][r];
    b = cholmod_.solve(b).eval();
    const VectorSpan direction = descent_.direction();
    std::fill(direction.begin(), direction.end(), Vec3{});
    for (std::size_t i = 0; i < number_.size(); ++i)
      for (int r = 0; r < 3 && number_[i] >= 0; ++r) direction[i][r] = b(3 * number_[i] + r);
  }

  bool factor_at(VectorView x, HessianKind kind) {
    blocks_.set_zero(objective_.threads());
    blocks_.add_diagonal(objective_.threads(), system_.masses());
    for (const auto& energy : system_.elastic) {
      energy->linearise(x, kind, {});
      energy->add_hessian_blocks(static_cast<float>(factor_), blocks_);
    }
    for (std::size_t k = 0; k < from_.size(); ++k) matrix_.valuePtr()[k] = double{blocks_.values()[from_[k]]};
    if (!analysed_) cholmod_.analyzePattern(matrix_);
    analysed_ = true;
    cholmod_.factorize(matrix_);
    return cholmod_.info() == Eigen::Success;
  }

  static std::size_t at(Index row) { return static_cast<std::size_t>(row); }

  System& system_;
  BlockPattern pattern_;
  BlockMatrix blocks_;
  std::vector<SuiteSparse_long> number_;  ///< Of the free vertices, -1 at pins.
  SuiteSparse_long free_ = 0;
  Matrix matrix_;
  std::vector<std::size_t> from_;  ///< The number of each entry among the blocks' floats.
  Eigen::CholmodSupernodalLLT<Matrix, Eigen::Lower> cholmod_;
  bool analysed_ = false;
};

}  // namespace

std::unique_ptr<StageSolver> make_newton_cholmod_solver(System& system, double factor,
                                                        const IntegratorOptions& options) {
  return std::make_unique<NewtonCholmodSolver>(system, factor, options);
}

}  // namespace electret::bench
