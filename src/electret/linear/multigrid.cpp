#include <algorithm>
#include <deque>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/band_cholesky.hpp>
#include <electret/linear/detail/chebyshev.hpp>
#include <electret/linear/detail/invert_block.hpp>
#include <electret/linear/multigrid.hpp>

namespace electret {
namespace {

/// A level other than the coarsest: its smoother, and the next level's right-hand side and correction.
struct Level {
  Level(Threads& threads, const BlockPattern& pattern, const BlockPattern& next, int degree, double bound)
      : smoother(threads, pattern.rows(), degree, bound),
        coarse(next),
        residual(static_cast<std::size_t>(pattern.rows())),
        coarse_rhs(static_cast<std::size_t>(next.rows())),
        correction(coarse_rhs.size()) {}
  detail::Chebyshev smoother;
  BlockMatrix coarse;  ///< The next level's matrix.
  std::vector<Padded32> residual, coarse_rhs, correction;
};

}  // namespace

struct Multigrid::Levels {
  Levels(const BlockPattern& pattern, VectorView rest, std::span<const Index> body_offsets,
         std::span<const char> held_vertices, Threads& team, MultigridOptions options)
      : threads(team),
        grids(pattern, rest, body_offsets, held_vertices),
        held(held_vertices.begin(), held_vertices.end()),
        direct(grids.pattern(coarsest()), coarsest() == 0 ? held_vertices : std::span<const char>{}) {
    for (int level = 0; level < coarsest(); ++level)
      levels.emplace_back(team, grids.pattern(level), grids.pattern(level + 1),
                          level == 0 ? options.fine_degree : 2, level == 0 ? options.fine_bound : 0.0);
  }

  [[nodiscard]] int coarsest() const { return grids.levels() - 1; }
  [[nodiscard]] Level& at(int level) { return levels[static_cast<std::size_t>(level)]; }
  [[nodiscard]] const BlockMatrix& matrix(int level) { return level == 0 ? *fine : at(level - 1).coarse; }

  [[nodiscard]] bool refresh_smoother(int level) {
    const auto marks = level == 0 ? std::span<const char>(held) : std::span<const char>{};
    return at(level).smoother.refresh(matrix(level), marks);
  }

  [[nodiscard]] bool refresh(const BlockMatrix& matrix_of_vertices, bool all) {
    require(&matrix_of_vertices.pattern() == &grids.pattern(0), "multigrid: a matrix of another pattern");
    fine = &matrix_of_vertices;
    if (!all && coarsest() > 0) return refresh_smoother(0);
    for (int level = 0; level < coarsest(); ++level) {
      if (!refresh_smoother(level)) return false;
      grids.product(level).compute(threads, matrix(level), at(level).coarse);
    }
    return direct.factorise(matrix(coarsest()));
  }

  void cycle(int level, PaddedView32 b, PaddedSpan32 x) {
    if (level == coarsest()) return direct.solve(b, x);
    Level& here = at(level);
    const GridInterpolation& p = grids.interpolation(level);
    here.smoother.from_zero(b, x);
    matrix(level).residual(threads, b, x, here.residual);
    p.restrict_to(threads, here.residual, here.coarse_rhs);
    cycle(level + 1, here.coarse_rhs, here.correction);
    p.add_prolonged(threads, here.correction, x);
    here.smoother.improve(b, x);
  }

  Threads& threads;
  GridLevels grids;
  std::vector<char> held;
  detail::BandCholesky direct;
  std::deque<Level> levels;
  const BlockMatrix* fine = nullptr;
};

Multigrid::Multigrid(const BlockPattern& pattern, VectorView rest, std::span<const Index> body_offsets,
                     std::span<const char> held, Threads& threads, MultigridOptions options)
    : levels_(std::make_unique<Levels>(pattern, rest, body_offsets, held, threads, options)) {}

Multigrid::~Multigrid() = default;

bool Multigrid::refresh(const BlockMatrix& matrix, std::span<const char> held) {
  require(std::equal(held.begin(), held.end(), levels_->held.begin(), levels_->held.end()),
          "multigrid: the held vertices must be those without which the grids were made");
  return levels_->refresh(matrix, true);
}

bool Multigrid::refresh_fine(const BlockMatrix& matrix) {
  require(levels_->fine != nullptr, "multigrid: refresh all levels before the fine one by itself");
  return levels_->refresh(matrix, false);
}

void Multigrid::apply(PaddedView32 r, PaddedSpan32 z) {
  const auto n = static_cast<std::size_t>(grids().pattern(0).rows());
  require(r.size() == n && z.size() == n, "multigrid: the arrays do not have the matrix's size");
  levels_->cycle(0, r, z);
}

std::array<float, 9> Multigrid::own_inverse(Index vertex) const {
  std::array<float, 9> inverse{};
  const auto v = static_cast<std::size_t>(vertex);
  const BlockMatrix& fine = *levels_->fine;
  if (!levels_->held.empty() && levels_->held[v] != 0) return inverse;
  static_cast<void>(detail::invert_block(fine.block(fine.pattern().diagonal()[v]), inverse.data()));
  return inverse;
}

const GridLevels& Multigrid::grids() const {
  return levels_->grids;
}

const BlockMatrix& Multigrid::matrix(int level) const {
  require(level >= 1 && level <= levels_->coarsest(), "multigrid: a level that has no matrix of its own");
  return levels_->matrix(level);
}

double Multigrid::largest_eigenvalue(int level) const {
  require(level >= 0 && level < levels_->coarsest(), "multigrid: a level without a smoother");
  return levels_->at(level).smoother.largest_eigenvalue();
}

}  // namespace electret
