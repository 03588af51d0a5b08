#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/linear/block_system.hpp>
#include <electret/linear/conjugate_gradients.hpp>
#include <electret/linear/detail/deflation.hpp>
#include <electret/linear/detail/reduced_inverse.hpp>
#include <electret/linear/detail/reduction.hpp>
#include <electret/linear/gmres.hpp>

namespace electret {
namespace {

constexpr Count vertex_chunk = 512;
/// The smallest tolerance that is requested of one float32 solve.
constexpr double float32_tolerance = 1e-4;

double norm_of(Threads& threads, VectorView x) {
  const double squares = threads.sum(
      static_cast<Count>(x.size()),
      [&](Count begin, Count end) {
        double sum = 0.0;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
          sum += squared_norm(x[i]);
        return sum;
      },
      vertex_chunk);
  return std::sqrt(squares);
}

/// ξ → WᵀH(Vξ) + Dξ. If all constraints are pins, Vξ is ξ, and the product has rows if H has: pins then cost
/// no pass of their own.
class ReducedMatrix final : public LinearMap {
 public:
  ReducedMatrix(BlockOperator& matrix, const detail::Reduction& reduction, Threads& threads,
                std::vector<Padded32>& work)
      : matrix_(matrix), reduction_(reduction), threads_(threads), work_(work) {}
  void apply(PaddedView32 x, PaddedSpan32 y) override {
    matrix_.multiply(reduction_.expanded(threads_, x, work_), y);
    reduction_.test(threads_, x, y);
  }
  [[nodiscard]] bool has_rows() const override { return reduction_.has_pins_only() && matrix_.has_rows(); }
  void apply_rows(PaddedView32 x, PaddedSpan32 y, Count begin, Count end) const override {
    matrix_.multiply_rows(x, y, begin, end);
    reduction_.test_rows(y, begin, end);
  }

 private:
  BlockOperator& matrix_;
  const detail::Reduction& reduction_;
  Threads& threads_;
  std::vector<Padded32>& work_;
};

/// P A, which has nothing left of the slow motions.
class DeflatedMatrix final : public LinearMap {
 public:
  DeflatedMatrix(LinearMap& matrix, const detail::Deflation& deflation, Threads& threads)
      : matrix_(matrix), deflation_(deflation), threads_(threads) {}
  void apply(PaddedView32 x, PaddedSpan32 y) override {
    matrix_.apply(x, y);
    deflation_.project(threads_, y);
  }

 private:
  LinearMap& matrix_;
  const detail::Deflation& deflation_;
  Threads& threads_;
};

/// The preconditioner of a reduced system.
class ReducedPreconditioner final : public LinearMap {
 public:
  ReducedPreconditioner(Preconditioner& inverse, const detail::ReducedInverse& reduced, Threads& threads,
                        std::vector<Padded32>& work)
      : inverse_(inverse), reduced_(reduced), threads_(threads), work_(work) {}
  void apply(PaddedView32 x, PaddedSpan32 y) override {
    if (is_block_diagonal()) {
      inverse_.apply(x, y);
      reduced_.own_rows(x, y, 0, static_cast<Count>(x.size()));
    } else {
      inverse_.apply(reduced_.expanded(threads_, x, work_), y);
      reduced_.project(threads_, y);
    }
  }
  [[nodiscard]] bool has_rows() const override { return is_block_diagonal(); }
  [[nodiscard]] bool is_block_diagonal() const override { return inverse_.is_block_diagonal(); }
  void apply_rows(PaddedView32 x, PaddedSpan32 y, Count begin, Count end) const override {
    inverse_.apply_rows(x, y, begin, end);
    reduced_.own_rows(x, y, begin, end);
  }

 private:
  Preconditioner& inverse_;
  const detail::ReducedInverse& reduced_;
  Threads& threads_;
  std::vector<Padded32>& work_;
};

/// Whether W = V and D = Dᵀ.
bool is_symmetric(const VertexConstraint& c) {
  for (int row = 0; row < c.columns; ++row) {
    const auto r = static_cast<std::size_t>(row);
    if (c.trial[r] != c.test[r]) return false;
    for (int column = 0; column < row; ++column)
      if (c.diagonal[static_cast<std::size_t>(c.columns * row + column)] !=
          c.diagonal[static_cast<std::size_t>(c.columns * column + row)])
        return false;
  }
  return true;
}

}  // namespace

class BlockSystem::Solver {
 public:
  Solver(BlockOperator& matrix, Preconditioner& preconditioner, Threads& threads)
      : matrix_(matrix),
        preconditioner_(preconditioner),
        threads_(threads),
        conjugate_gradients_(threads),
        gmres_(threads) {}

  void set_constraints(std::span<const VertexConstraint> constraints, std::span<const Index> pins);
  void set_slow_motions(const SlowMotions* motions) { slow_motions_ = motions; }
  SolveReport solve(const detail::Reduction& reduction, VectorView rhs, const SolveOptions& options,
                    VectorSpan solution);
  void expand(const detail::Reduction& reduction, VectorSpan solution) const {
    require(solution.size() == static_cast<std::size_t>(matrix_.rows()),
            "block system: the arrays do not have the system's size");
    reduction.expand(threads_, solution);
  }
  [[nodiscard]] const detail::Reduction& reduction() const { return reduction_; }
  [[nodiscard]] const detail::Reduction& transposed() const { return transposed_; }

 private:
  /// Marks a vertex that has no other constraint.
  void constrain(Index vertex);
  /// Solves A x ≈ residual_/`scale` into correction_ by report.method. If CG fails, the method becomes GMRES;
  /// with `stop_at_negative_curvature` it stays CG, with the x that CG has.
  KrylovReport correct(const detail::Reduction& reduction, const KrylovOptions& options, double scale,
                       bool newton, SolveReport& report);
  /// out = A x in float64.
  void multiply(const detail::Reduction& reduction, VectorView x, VectorSpan out);
  /// Writes rhs - A x to residual_.
  void take_residual(const detail::Reduction& reduction, VectorView rhs, VectorView x);
  /// Solves for the slow motions: adds their part to `x` and takes it from residual_. Returns ‖residual_‖.
  double take_slow_motions(VectorSpan x);

  BlockOperator& matrix_;
  Preconditioner& preconditioner_;
  Threads& threads_;
  detail::Reduction reduction_, transposed_;
  detail::ReducedInverse inverse_;
  const SlowMotions* slow_motions_ = nullptr;
  detail::Deflation deflation_;
  bool symmetric_ = true;
  std::vector<char> constrained_;
  ConjugateGradients conjugate_gradients_;
  Gmres gmres_;
  std::vector<Padded32> expanded32_, scaled_, correction_;
  VectorArray expanded_, residual_, trial_;
};

void BlockSystem::Solver::constrain(Index vertex) {
  require(vertex >= 0 && vertex < matrix_.rows(), "a constraint names a vertex that does not exist");
  char& mark = constrained_[static_cast<std::size_t>(vertex)];
  require(mark == 0, "a vertex has two constraints");
  mark = 1;
}

void BlockSystem::Solver::set_constraints(std::span<const VertexConstraint> constraints,
                                          std::span<const Index> pins) {
  constrained_.assign(static_cast<std::size_t>(matrix_.rows()), 0);
  symmetric_ = true;
  for (const Index vertex : pins) constrain(vertex);
  for (const VertexConstraint& c : constraints) {
    require(c.columns >= 0 && c.columns <= 3, "a constraint has 0 to 3 columns");
    constrain(c.vertex);
    symmetric_ = symmetric_ && is_symmetric(c);
  }
  reduction_.set(constraints, pins, false);
  transposed_.set(constraints, pins, true);
}

void BlockSystem::Solver::multiply(const detail::Reduction& reduction, VectorView x, VectorSpan out) {
  matrix_.multiply(reduction.expanded(threads_, x, expanded_), out);
  reduction.test(threads_, x, out);
}

void BlockSystem::Solver::take_residual(const detail::Reduction& reduction, VectorView rhs, VectorView x) {
  multiply(reduction, x, residual_);
  for_vertices(
      threads_, rhs.size(), [&](std::size_t i) { residual_[i] = rhs[i] - residual_[i]; }, vertex_chunk);
  reduction.trim(threads_, residual_);
}

double BlockSystem::Solver::take_slow_motions(VectorSpan x) {
  deflation_.correct(threads_, residual_, x);
  return norm_of(threads_, residual_);
}

KrylovReport BlockSystem::Solver::correct(const detail::Reduction& reduction, const KrylovOptions& options,
                                          double scale, bool newton, SolveReport& report) {
  for_vertices(
      threads_, residual_.size(), [&](std::size_t i) { scaled_[i] = padded32((1.0 / scale) * residual_[i]); },
      vertex_chunk);
  ReducedMatrix reduced(matrix_, reduction, threads_, expanded32_);
  DeflatedMatrix deflated(reduced, deflation_, threads_);
  LinearMap& a = deflation_.is_empty() ? static_cast<LinearMap&>(reduced) : deflated;
  ReducedPreconditioner b(preconditioner_, inverse_, threads_, expanded32_);
  KrylovReport krylov;
  if (report.method == "cg") {
    krylov = conjugate_gradients_.solve(a, b, scaled_, options, correction_);
    report.iterations += krylov.iterations;
    report.negative_curvature |= krylov.negative_curvature;
    report.bad_preconditioner |= krylov.bad_preconditioner;
    if (newton || !(krylov.negative_curvature || krylov.bad_preconditioner)) return krylov;
    report.method = "gmres";
  }
  krylov = gmres_.solve(a, b, scaled_, options, correction_);
  report.iterations += krylov.iterations;
  return krylov;
}

SolveReport BlockSystem::Solver::solve(const detail::Reduction& reduction, VectorView rhs,
                                       const SolveOptions& options, VectorSpan solution) {
  const auto n = static_cast<std::size_t>(matrix_.rows());
  require(rhs.size() == n && solution.size() == n, "block system: the arrays do not have the system's size");
  for (auto* array : {&residual_, &trial_}) array->resize(n);
  for (auto* array : {&scaled_, &correction_}) array->resize(n);
  std::copy(rhs.begin(), rhs.end(), residual_.begin());
  reduction.trim(threads_, residual_);
  std::fill(solution.begin(), solution.end(), Vec3{});
  inverse_.set(reduction_, preconditioner_);
  SolveReport report;
  report.method = symmetric_ ? "cg" : "gmres";
  const double size = norm_of(threads_, residual_), target = options.tolerance * size;
  deflation_.clear();
  if (slow_motions_ != nullptr)
    deflation_.set(threads_, matrix_.rows(), *slow_motions_, reduction,
                   [&](VectorView x, VectorSpan y) { multiply(reduction, x, y); });
  if (symmetric_ && options.stop_at_negative_curvature && !deflation_.is_positive_definite()) {
    deflation_.clear();
    report.negative_curvature = true;
  }
  double left = deflation_.is_empty() ? size : take_slow_motions(solution);
  report.converged = left <= target;
  const bool single = options.tolerance >= float32_tolerance && deflation_.is_empty();
  while (!report.converged && report.iterations < options.max_iterations) {
    const double wanted = single ? options.tolerance : std::max(float32_tolerance, 0.5 * target / left);
    const KrylovOptions inner{wanted, options.max_iterations - report.iterations, options.min_iterations};
    const KrylovReport krylov = correct(reduction, inner, left, options.stop_at_negative_curvature, report);
    for_vertices(
        threads_, n, [&](std::size_t i) { trial_[i] = solution[i] + left * unpadded(correction_[i]); },
        vertex_chunk);
    const bool is_last =
        single || (report.method == "cg" && (report.negative_curvature || report.bad_preconditioner));
    if (krylov.negative_curvature && options.stop_at_negative_curvature && !deflation_.is_empty()) {
      // What was solved for apart need not lead downhill beside that curvature.
      deflation_.clear();
      std::copy(rhs.begin(), rhs.end(), residual_.begin());
      reduction.trim(threads_, residual_);
      std::fill(solution.begin(), solution.end(), Vec3{});
      left = size;
      continue;
    }
    if (is_last && deflation_.is_empty()) {
      std::copy(trial_.begin(), trial_.end(), solution.begin());
      left *= krylov.residual;
      report.converged = krylov.converged;
      break;
    }
    const double before = left;
    ++report.refinements;
    take_residual(reduction, rhs, trial_);
    const double next = deflation_.is_empty() ? norm_of(threads_, residual_) : take_slow_motions(trial_);
    if (next < before || is_last) {
      std::copy(trial_.begin(), trial_.end(), solution.begin());
      left = next;
    }
    report.converged = left <= target;
    if (is_last || !(next < 0.5 * before)) break;
  }
  report.residual = size > 0.0 ? left / size : 0.0;
  return report;
}

BlockSystem::BlockSystem(BlockOperator& matrix, Preconditioner& preconditioner, Threads& threads)
    : solver_(std::make_unique<Solver>(matrix, preconditioner, threads)) {}

BlockSystem::~BlockSystem() = default;

void BlockSystem::set_constraints(std::span<const VertexConstraint> constraints,
                                  std::span<const Index> pins) {
  solver_->set_constraints(constraints, pins);
}

void BlockSystem::set_slow_motions(const SlowMotions* motions) {
  solver_->set_slow_motions(motions);
}

SolveReport BlockSystem::solve(VectorView rhs, const SolveOptions& options, VectorSpan solution) {
  return solver_->solve(solver_->reduction(), rhs, options, solution);
}

SolveReport BlockSystem::solve_transposed(VectorView rhs, const SolveOptions& options, VectorSpan solution) {
  return solver_->solve(solver_->transposed(), rhs, options, solution);
}

void BlockSystem::expand(VectorSpan solution) const {
  solver_->expand(solver_->reduction(), solution);
}

void BlockSystem::expand_transposed(VectorSpan solution) const {
  solver_->expand(solver_->transposed(), solution);
}

}  // namespace electret
