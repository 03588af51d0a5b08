#include <Eigen/Dense>
#include <array>

#include <electret/dynamics/stage/constant_hessian_solver.hpp>
#include <electret/dynamics/stage/stage_loop.hpp>
#include <electret/dynamics/vector_sums.hpp>

#include "elastic_solves/methods.hpp"

namespace electret::bench {
namespace {

class AndersonSolver final : public ConstantHessianSolver {
 public:
  AndersonSolver(System& system, double factor, const IntegratorOptions& options)
      : ConstantHessianSolver(system, factor, options) {
    const std::size_t n = objective_.vertex_count();
    for (auto* array : {&step_, &image_, &last_step_, &last_image_, &plain_}) array->resize(n);
    for (Pair& pair : pairs_)
      for (auto* array : {&pair.step, &pair.image}) array->resize(n);
  }

  StepReport solve(const StageProblem& problem, VectorSpan x) override {
    double value = begin(problem, x);
    count_ = 0;
    bool has_last = false;
    return iterate_stage(objective_, rule_, max_iterations_, [&](int) {
      constant_hessian_.solve(objective_.gradient(), step_);
      Threads& threads = objective_.threads();
      for (std::size_t i = 0; i < x.size(); ++i) step_[i] = -step_[i];  // G(x) - x
      add_scaled(threads, x, 1.0, step_, image_);                       // G(x)
      if (has_last) remember(threads);
      last_step_ = step_, last_image_ = image_, has_last = true;
      plain_ = image_;
      accelerate(threads, x);
      double next = objective_.evaluate(x);
      if (!(next <= value + rule_.value_rounding(value))) {
        std::copy(plain_.begin(), plain_.end(), x.begin());
        next = objective_.evaluate(x);
      }
      value = next;
      return true;
    });
  }

 private:
  static constexpr std::size_t depth = 5;
  struct Pair {
    VectorArray step, image;  ///< Changes of G(x) - x and of G(x).
  };

  void remember(Threads& threads) {
    Pair& pair = pairs_[count_++ % depth];
    add_scaled(threads, step_, -1.0, last_step_, pair.step);
    add_scaled(threads, image_, -1.0, last_image_, pair.image);
  }

  /// x ← G(x) - Σ θ_k ΔG_k with the θ that make ‖G(x) - x - Σ θ_k Δ_k‖ least.
  void accelerate(Threads& threads, VectorSpan x) {
    const std::size_t m = std::min(count_, depth);
    std::copy(image_.begin(), image_.end(), x.begin());
    if (m == 0) return;
    const auto size = static_cast<Eigen::Index>(m);
    Eigen::MatrixXd normal(size, size);
    Eigen::VectorXd rhs(size);
    for (std::size_t a = 0; a < m; ++a) {
      const auto row = static_cast<Eigen::Index>(a);
      rhs(row) = dot(threads, pairs_[a].step, step_);
      for (std::size_t b = 0; b <= a; ++b) {
        const auto column = static_cast<Eigen::Index>(b);
        normal(row, column) = normal(column, row) = dot(threads, pairs_[a].step, pairs_[b].step);
      }
    }
    const Eigen::VectorXd theta = normal.completeOrthogonalDecomposition().solve(rhs);
    for (std::size_t k = 0; k < m; ++k)
      add_scaled(threads, x, -theta(static_cast<Eigen::Index>(k)), pairs_[k].image, x);
  }

  VectorArray step_, image_, last_step_, last_image_, plain_;
  std::array<Pair, depth> pairs_;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<StageSolver> make_anderson_solver(System& system, double factor,
                                                  const IntegratorOptions& options) {
  return std::make_unique<AndersonSolver>(system, factor, options);
}

}  // namespace electret::bench
