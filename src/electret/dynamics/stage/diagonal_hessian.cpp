#include <algorithm>
#include <limits>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/diagonal_hessian.hpp>
#include <electret/dynamics/stage/diagonal_sink.hpp>

namespace electret {
namespace {

/// Whether L ≼ 2 diag(L).
bool is_bounded(const System& system) {
  return std::all_of(system.elastic.begin(), system.elastic.end(), [](const auto& energy) {
    const double bound = energy->smoother_bound();
    return bound > 0.0 && bound <= 2.0;
  });
}

}  // namespace

DiagonalHessian::DiagonalHessian(const System& system, double factor)
    : threads_(*system.threads), inverse_(system.masses().size()) {
  if (!is_bounded(system)) stiffness_ = std::numeric_limits<double>::infinity();
  DiagonalSink sink(inverse_);
  for (const auto& energy : system.elastic) energy->add_majoriser(sink);
  std::vector<char> held(inverse_.size(), 0);
  for (const Index pin : system.fixed) held[static_cast<std::size_t>(pin)] = 1;
  for (std::size_t i = 0; i < inverse_.size(); ++i) {
    const double m = system.masses()[i], springs = factor * inverse_[i];
    if (held[i] == 0) stiffness_ = std::max(stiffness_, springs / m);
    inverse_[i] = held[i] == 0 ? 1.0 / (m + 0.5 * springs) : 0.0;
  }
}

void DiagonalHessian::solve(VectorView rhs, VectorSpan direction) const {
  for_vertices(threads_, rhs.size(), [&](std::size_t i) { direction[i] = inverse_[i] * rhs[i]; });
}

}  // namespace electret
