#include <algorithm>
#include <deque>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/linear/detail/band_cholesky.hpp>
#include <electret/linear/detail/invert_block.hpp>
#include <electret/linear/detail/lattice_rows.hpp>
#include <electret/linear/detail/lattice_smoother.hpp>
#include <electret/linear/detail/lattice_transfer.hpp>
#include <electret/linear/lattice_multigrid.hpp>

namespace electret {
namespace {

constexpr Count coarsest_nodes = 100;

Count nodes_of(const LatticeShape& shape) {
  return Count{shape.nodes(0)} * shape.nodes(1) * shape.nodes(2);
}

/// The matrix of the coarsest level, whose nodes are all coupled to their neighbours, in a band.
class CoarsestLevel {
 public:
  CoarsestLevel(const LatticeMatrix& matrix, const std::vector<char>& present)
      : from_(matrix),
        numbers_(matrix.shape().numbers()),
        pattern_(pattern_of(matrix.shape(), numbers_)),
        matrix_(pattern_),
        direct_(pattern_, absent(numbers_, present)),
        b_(numbers_.size()),
        x_(numbers_.size()) {}

  [[nodiscard]] bool refresh() {
    for (Index row = 0; row < pattern_.rows(); ++row)
      for (Count slot = pattern_.offsets()[at(row)]; slot < pattern_.offsets()[at(row) + 1]; ++slot)
        copy_block(numbers_[at(row)], numbers_[at(pattern_.columns()[static_cast<std::size_t>(slot)])],
                   matrix_.block(slot));
    return direct_.factorise(matrix_);
  }
  void solve(const LatticeVector& b, LatticeVector& x) {
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      for (int c = 0; c < 3; ++c) b_[i].lane[c] = b.axis(c)[numbers_[i]];
    direct_.solve(b_, x_);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      for (int c = 0; c < 3; ++c) x.axis(c)[numbers_[i]] = x_[i].lane[c];
  }

 private:
  static std::size_t at(Index index) { return static_cast<std::size_t>(index); }
  static BlockPattern pattern_of(const LatticeShape& shape, const std::vector<Index>& numbers) {
    std::vector<Count> offsets{0};
    std::vector<Index> columns;
    for (const Index number : numbers) {
      for (int code = -13; code <= 13; ++code) {
        const auto other = std::lower_bound(numbers.begin(), numbers.end(), number + shape.offset(code));
        if (other != numbers.end() && *other == number + shape.offset(code))
          columns.push_back(static_cast<Index>(other - numbers.begin()));
      }
      offsets.push_back(static_cast<Count>(columns.size()));
    }
    return {std::move(offsets), std::move(columns)};
  }
  static std::vector<char> absent(const std::vector<Index>& numbers, const std::vector<char>& present) {
    std::vector<char> result;
    for (const Index number : numbers) result.push_back(present[at(number)] == 0 ? 1 : 0);
    return result;
  }
  void copy_block(Index row, Index column, float* block) const {
    const int code = from_.shape().code(row, column);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        block[3 * c + r] =
            code >= 0 ? from_.entry(code, 3 * r + c)[row] : from_.entry(-code, 3 * c + r)[column];
  }

  const LatticeMatrix& from_;
  std::vector<Index> numbers_;  ///< Of the nodes.
  BlockPattern pattern_;
  BlockMatrix matrix_;
  detail::BandCholesky direct_;
  std::vector<Padded32> b_, x_;
};

/// One level but the coarsest, and the next one's matrix and vectors.
struct LatticeLevel {
  LatticeLevel(Threads& threads, const LatticeMatrix& matrix, std::vector<char> present)
      : smoother(threads, matrix, std::move(present)),
        transfer(matrix.shape()),
        coarse(transfer.coarse()),
        coarse_rhs(transfer.coarse()),
        correction(transfer.coarse()) {}
  detail::LatticeSmoother smoother;
  detail::LatticeTransfer transfer;
  LatticeMatrix coarse;
  LatticeVector coarse_rhs, correction;
};

}  // namespace

struct LatticeMultigrid::Levels {
  Levels(const Lattice& of, std::span<const char> held_vertices, Threads& team)
      : lattice(of),
        threads(team),
        held(held_vertices.begin(), held_vertices.end()),
        fine(of.shape),
        in(of.shape),
        out(of.shape) {
    std::vector<char> present(static_cast<std::size_t>(of.shape.size()), 0);
    for (std::size_t v = 0; v < of.numbers.size(); ++v)
      present[static_cast<std::size_t>(of.numbers[v])] = held.empty() || held[v] == 0 ? 1 : 0;
    const LatticeMatrix* matrix = &fine;
    while (nodes_of(matrix->shape()) > coarsest_nodes && matrix->shape().coarser() != matrix->shape()) {
      LatticeLevel& level = levels.emplace_back(threads, *matrix, std::move(present));
      present = level.transfer.restricted(level.smoother.present());
      matrix = &level.coarse;
    }
    coarsest.emplace(*matrix, present);
  }

  [[nodiscard]] bool refresh(bool keeps_eigenvalues) {
    const LatticeMatrix* matrix = &fine;
    for (LatticeLevel& level : levels) {
      if (!level.smoother.refresh(keeps_eigenvalues)) return false;
      level.transfer.compute(threads, *matrix, level.coarse);
      matrix = &level.coarse;
    }
    return coarsest->refresh();
  }

  void cycle(std::size_t number, const LatticeVector& b, LatticeVector& x) {
    if (number == levels.size()) return coarsest->solve(b, x);
    LatticeLevel& level = levels[number];
    level.smoother.from_zero(b, x);
    level.transfer.restrict_to(threads, level.smoother.residual(b, x), level.coarse_rhs);
    cycle(number + 1, level.coarse_rhs, level.correction);
    level.transfer.add_prolonged(threads, level.correction, x);
    level.smoother.improve(b, x);
  }

  void take(PaddedView32 r) {
    for_vertices(threads, r.size(), [&](std::size_t v) {
      const Index number = lattice.numbers[v];
      for (int c = 0; c < 3; ++c) in.axis(c)[number] = r[v].lane[c];
    });
  }
  void give(PaddedSpan32 z) const {
    for_vertices(threads, z.size(), [&](std::size_t v) {
      const Index number = lattice.numbers[v];
      Padded32 row;
      if (held.empty() || held[v] == 0)
        for (int c = 0; c < 3; ++c) row.lane[c] = out.axis(c)[number];
      z[v] = row;
    });
  }

  const Lattice& lattice;
  Threads& threads;
  std::vector<char> held;
  LatticeMatrix fine;
  std::deque<LatticeLevel> levels;
  std::optional<CoarsestLevel> coarsest;
  LatticeVector in, out;
};

LatticeMultigrid::LatticeMultigrid(const Lattice& lattice, std::span<const char> held, Threads& threads)
    : levels_(std::make_unique<Levels>(lattice, held, threads)) {}
LatticeMultigrid::~LatticeMultigrid() = default;

LatticeMatrix& LatticeMultigrid::matrix() {
  return levels_->fine;
}

void LatticeMultigrid::clear_held(LatticeMatrix& a) const {
  for (std::size_t v = 0; v < levels_->held.size(); ++v)
    if (levels_->held[v] != 0) a.clear(levels_->lattice.numbers[v]);
}

bool LatticeMultigrid::refresh(bool keeps_eigenvalues) {
  clear_held(levels_->fine);
  return levels_->refresh(keeps_eigenvalues);
}

bool LatticeMultigrid::refresh(const BlockMatrix& matrix, std::span<const char> held) {
  require(std::equal(held.begin(), held.end(), levels_->held.begin(), levels_->held.end()),
          "multigrid: the held vertices must be those without which the grids were made");
  const BlockPattern& pattern = matrix.pattern();
  const auto& numbers = levels_->lattice.numbers;
  require(static_cast<std::size_t>(pattern.rows()) == numbers.size(), "multigrid: a matrix of another size");
  LatticeMatrix& fine = levels_->fine;
  fine.set_zero(levels_->threads);
  for (std::size_t row = 0; row < numbers.size(); ++row)
    for (Count slot = pattern.offsets()[row]; slot < pattern.offsets()[row + 1]; ++slot) {
      const auto column = static_cast<std::size_t>(pattern.columns()[static_cast<std::size_t>(slot)]);
      const int code = fine.shape().code(numbers[row], numbers[column]);
      if (code < 0) continue;
      for (int k = 0; k < 9; ++k) fine.entry(code, k)[numbers[row]] = matrix.block(slot)[3 * (k % 3) + k / 3];
    }
  return refresh();
}

void LatticeMultigrid::apply(PaddedView32 r, PaddedSpan32 z) {
  require(r.size() == levels_->lattice.numbers.size() && z.size() == r.size(),
          "multigrid: the arrays do not have the matrix's size");
  levels_->take(r);
  levels_->cycle(0, levels_->in, levels_->out);
  levels_->give(z);
}

std::array<float, 9> LatticeMultigrid::own_inverse(Index vertex) const {
  std::array<float, 9> block, inverse{};
  const auto v = static_cast<std::size_t>(vertex);
  if (!levels_->held.empty() && levels_->held[v] != 0) return inverse;
  for (int k = 0; k < 9; ++k)
    block[static_cast<std::size_t>(k)] = levels_->fine.entry(0, k)[levels_->lattice.numbers[v]];
  static_cast<void>(detail::invert_block(block.data(), inverse.data()));
  return inverse;
}

void LatticeMultigrid::multiply(const LatticeMatrix& a, PaddedView32 x, PaddedSpan32 y) {
  levels_->take(x);
  a.multiply(levels_->threads, levels_->in, levels_->out);
  levels_->give(y);
}

int LatticeMultigrid::levels() const {
  return static_cast<int>(levels_->levels.size()) + 1;
}

const LatticeMatrix& LatticeMultigrid::matrix(int level) const {
  require(level >= 0 && level < levels(), "multigrid: a level that it does not have");
  return level == 0 ? levels_->fine : levels_->levels[static_cast<std::size_t>(level) - 1].coarse;
}

double LatticeMultigrid::bytes(const LatticeShape& shape) {
  // Entries, inverses and vectors, in all levels an eighth more for each; parts of the Galerkin product.
  constexpr double node = sizeof(float) * (9.0 * LatticeMatrix::codes + 6.0 + 15.0), levels = 8.0 / 7.0;
  constexpr double of_parts = 8.0 * sizeof(float) * (162.0 + 68.0);
  return levels * node * static_cast<double>(shape.size()) + of_parts * shape.stride(0);
}

}  // namespace electret
