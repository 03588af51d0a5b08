#include <algorithm>
#include <functional>
#include <limits>

#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/stage/constant_hessian.hpp>
#include <electret/dynamics/stage/stage_operator.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/block_system.hpp>

#include "elastic_solves/measure.hpp"

namespace electret::bench {
namespace {

/// Milliseconds of the fastest of many calls, for a fifth of a second at least.
double fastest(const std::function<void()>& body) {
  body();
  double best = std::numeric_limits<double>::infinity(), total = 0.0;
  for (int k = 0; k < 5 || total < 0.2; ++k) {
    double spent = 0.0;
    {
      const Stopwatch watch(spent);
      body();
    }
    best = std::min(best, spent);
    total += spent;
  }
  return 1e3 * best;
}

/// a ← b + s c (McCalpin's STREAM triad); 24 bytes each, what the write fetches first not counted.
LoopMeasured triad(int threads) {
  Threads team(threads);
  constexpr std::size_t size = 8'000'000;
  std::vector<double> a(size, 0.0), b(size, 1.0), c(size, 2.0);
  const double ms = fastest([&] {
    team.for_chunks(size, 1 << 16, [&](Count begin, Count end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        a[i] = b[i] + 3.0 * c[i];
    });
  });
  return {ms, 24.0 * static_cast<double>(size), 0.0};
}

/// The system where the scene starts, linearised.
struct Linearised {
  Linearised(Assembly assembly, int threads)
      : system(compile(std::move(assembly), threads)),
        factor(system->time_step * system->time_step),
        h(*system, factor),
        x(system->assembly.initial_positions) {
    for (const auto& energy : system->elastic) {
      energy->linearise(x, HessianKind::clamped, {});
      springs += static_cast<double>(energy->elements().size());
    }
    h.linearised();
    for (const Vec3& v : x) d.push_back(padded32(v));
    for (const Index pin : system->pins) d[static_cast<std::size_t>(pin)] = {};
    out.resize(d.size());
    vertices = static_cast<double>(d.size());
  }

  std::unique_ptr<System> system;
  double factor, vertices = 0.0, springs = 0.0;
  StageOperator h;
  VectorArray x;
  std::vector<Padded32> d, out;
};

LoopMeasured product(Linearised& at) {
  const double ms = fastest([&] { at.h.multiply(PaddedView32(at.d), PaddedSpan32(at.out)); });
  return {ms, 48.0 * at.springs + 36.0 * at.vertices, at.springs};
}

LoopMeasured block_product(Linearised& at) {
  const BlockPattern pattern = hessian_pattern(*at.system);
  BlockMatrix matrix(pattern);
  for (const auto& energy : at.system->elastic) {
    energy->attach(pattern);
    energy->add_hessian_blocks(static_cast<float>(at.factor), matrix);
  }
  const double ms = fastest([&] { matrix.multiply(*at.system->threads, at.d, at.out); });
  return {ms, 40.0 * static_cast<double>(pattern.blocks()) + 40.0 * at.vertices, at.springs};
}

/// Of a solve of many iterations, one's share.
LoopMeasured jacobi_iteration(Linearised& at) {
  constexpr int iterations = 20;
  std::vector<char> held(at.d.size(), 0);
  for (const Index pin : at.system->pins) held[static_cast<std::size_t>(pin)] = 1;
  std::vector<float> blocks(9 * at.d.size(), 0.0F);
  for (std::size_t i = 0; i < at.d.size(); ++i)
    for (std::size_t k = 0; k < 9; k += 4) blocks[9 * i + k] = static_cast<float>(at.system->masses()[i]);
  for (const auto& energy : at.system->elastic)
    energy->add_hessian_diagonal(static_cast<float>(at.factor), blocks);
  BlockJacobi inverse(*at.system->threads);
  if (!inverse.refresh(blocks, held)) return {};
  BlockSystem solver(at.h, inverse, *at.system->threads);
  solver.set_constraints({}, at.system->pins);
  VectorArray rhs(at.x), z(at.x.size());
  for (const Index pin : at.system->pins) rhs[static_cast<std::size_t>(pin)] = {};
  SolveOptions options;
  options.tolerance = 1e-4;
  options.max_iterations = options.min_iterations = iterations;
  options.stop_at_negative_curvature = true;
  int done = 1;
  const double ms = fastest([&] { done = std::max(1, solver.solve(rhs, options, z).iterations); });
  return {ms / done, jacobi_iteration_bytes(at.vertices, at.springs), at.springs};
}

LoopMeasured factor_solve(Linearised& at) {
  ConstantHessian constant(*at.system, at.factor);
  VectorArray z(at.x.size());
  const double ms = fastest([&] { constant.solve(at.x, z); });
  return {ms, 16.0 * static_cast<double>(constant.factor_nonzeros()), at.springs};
}

}  // namespace

double jacobi_iteration_bytes(double vertices, double springs) {
  // A spring's two sides, 24 bytes each. A vertex: p, q, x, r, z and H p of 16 bytes in three passes, and its
  // inverse block.
  return 48.0 * springs + 212.0 * vertices;
}

LoopMeasured measure_loop(Loop loop, Assembly assembly, int threads) {
  if (loop == Loop::triad) return triad(threads);
  Linearised at(std::move(assembly), threads);
  switch (loop) {
    case Loop::block_product:
      return block_product(at);
    case Loop::jacobi_iteration:
      return jacobi_iteration(at);
    case Loop::factor_solve:
      return factor_solve(at);
    default:
      return product(at);
  }
}

}  // namespace electret::bench
