#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/lattice_rows.hpp>
#include <electret/linear/detail/lattice_transfer.hpp>

namespace electret::detail {
namespace {

/// One of the terms that a coarse block along one axis is the sum of: `weight` times the fine block in the
/// row at `shift` from the coarse node's place and the column at `way` from there.
struct Term {
  int shift, way;
  float weight;
};
struct Terms {
  int count;
  Term term[7];
};

/// For coarse columns at -1, 0 and 1 of the coarse row.
constexpr Terms halved[3] = {{3, {{0, -1, 0.5F}, {-1, 0, 0.25F}, {-1, -1, 0.5F}}},
                             {7,
                              {{0, 0, 1.0F},
                               {0, 1, 0.5F},
                               {0, -1, 0.5F},
                               {1, -1, 0.5F},
                               {1, 0, 0.25F},
                               {-1, 1, 0.5F},
                               {-1, 0, 0.25F}}},
                             {3, {{0, 1, 0.5F}, {1, 0, 0.25F}, {1, 1, 0.5F}}}};
constexpr Terms kept[3] = {{1, {{0, -1, 1.0F}}}, {1, {{0, 0, 1.0F}}}, {1, {{0, 1, 1.0F}}}};

const Terms& terms_of(Index step, int way) {
  return (step == 1 ? kept : halved)[way + 1];
}

/// Pairs (dX, dY) that are kept once y is coarse: those of codes ≥ 0 for some dz.
constexpr int pairs = 5;
constexpr int pair_x[pairs] = {0, 0, 1, 1, 1}, pair_y[pairs] = {0, 1, -1, 0, 1};
int pair_of(int dx, int dy) {
  return dx == 0 ? dy : 3 + dy;
}

/// The sum of terms at hand: at most 7.
struct Sum {
  int count = 0;
  float weights[7];
  const float* terms[7];
  void add(float weight, const float* term) {
    weights[count] = weight;
    terms[count++] = term;
  }
};

}  // namespace

LatticeTransfer::LatticeTransfer(const LatticeShape& fine) : fine_(fine), coarse_(fine.coarser()) {}

template <class Visit>
void LatticeTransfer::for_parents(int axis, Index node, Visit&& visit) const {
  if (step(axis) == 1) return visit(node, 1.0F);
  if (node % 2 == 0) return visit(node / 2, 1.0F);
  visit(node / 2, 0.5F);
  visit(node / 2 + 1, 0.5F);
}

std::vector<char> LatticeTransfer::restricted(const std::vector<char>& present) const {
  std::vector<char> result(static_cast<std::size_t>(coarse_.size()), 0);
  for (Index x = 0; x < fine_.nodes(0); ++x)
    for (Index y = 0; y < fine_.nodes(1); ++y)
      for (Index z = 0; z < fine_.nodes(2); ++z) {
        if (!present[static_cast<std::size_t>(x * fine_.stride(0) + y * fine_.stride(1) + z)]) continue;
        for_parents(0, x, [&](Index p, float) {
          for_parents(1, y, [&](Index q, float) {
            for_parents(2, z, [&](Index r, float) {
              result[static_cast<std::size_t>(p * coarse_.stride(0) + q * coarse_.stride(1) + r)] = 1;
            });
          });
        });
      }
  return result;
}

void LatticeTransfer::add_prolonged(Threads& threads, const LatticeVector& x, LatticeVector& y) const {
  const Index lines = fine_.nodes(1), nodes = fine_.nodes(2);
  threads.for_chunks(Count{fine_.nodes(0)} * lines, 16, [&](Count begin, Count end) {
    for (Count k = begin; k < end; ++k) {
      const auto plane = static_cast<Index>(k / lines), line = static_cast<Index>(k % lines);
      const Count to = Count{plane} * fine_.stride(0) + Count{line} * fine_.stride(1);
      for_parents(0, plane, [&](Index p, float of_p) {
        for_parents(1, line, [&](Index q, float of_q) {
          const Count from = Count{p} * coarse_.stride(0) + Count{q} * coarse_.stride(1);
          const float weight = of_p * of_q, half = 0.5F * weight;
          for (int c = 0; c < 3; ++c) {
            const float* in = x.axis(c) + from;
            float* out = y.axis(c) + to;
            if (step(2) == 1) {
              for (Index z = 0; z < nodes; ++z) out[z] += weight * in[z];
              continue;
            }
            for (Index z = 0; z < nodes; z += 2) out[z] += weight * in[z / 2];
            for (Index z = 1; z < nodes; z += 2) out[z] += half * (in[z / 2] + in[z / 2 + 1]);
          }
        });
      });
    }
  });
}

void LatticeTransfer::restrict_to(Threads& threads, const LatticeVector& x, LatticeVector& y) const {
  const Index lines = coarse_.nodes(1), nodes = coarse_.nodes(2), last = fine_.nodes(2);
  threads.for_chunks(Count{coarse_.nodes(0)} * lines, 4, [&](Count begin, Count end) {
    for (Count k = begin; k < end; ++k) {
      const auto plane = static_cast<Index>(k / lines), line = static_cast<Index>(k % lines);
      const Count to = Count{plane} * coarse_.stride(0) + Count{line} * coarse_.stride(1);
      for (int c = 0; c < 3; ++c) std::fill_n(y.axis(c) + to, nodes, 0.0F);
      const auto for_children = [&](int axis, Index node, auto&& visit) {
        if (step(axis) == 1) return visit(node, 1.0F);
        for (int shift = -1; shift <= 1; ++shift)
          if (const Index child = 2 * node + shift; child >= 0 && child < fine_.nodes(axis))
            visit(child, shift == 0 ? 1.0F : 0.5F);
      };
      for_children(0, plane, [&](Index p, float of_p) {
        for_children(1, line, [&](Index q, float of_q) {
          const Count from = Count{p} * fine_.stride(0) + Count{q} * fine_.stride(1);
          const float weight = of_p * of_q, half = 0.5F * weight;
          for (int c = 0; c < 3; ++c) {
            const float* in = x.axis(c) + from;
            float* out = y.axis(c) + to;
            if (step(2) == 1) {
              for (Index z = 0; z < nodes; ++z) out[z] += weight * in[z];
              continue;
            }
            // What lies before and behind a line is 0, one number of it.
            for (Index z = 0; z + 1 < nodes; ++z)
              out[z] += weight * in[2 * z] + half * (in[2 * z - 1] + in[2 * z + 1]);
            const Index end_place = 2 * (nodes - 1);
            out[nodes - 1] += half * in[end_place - 1] + (end_place < last ? weight * in[end_place] : 0.0F);
          }
        });
      });
    }
  });
}

void LatticeTransfer::compute(Threads& threads, const LatticeMatrix& fine, LatticeMatrix& coarse) {
  require(fine.shape() == fine_ && coarse.shape() == coarse_, "a Galerkin product of other lattices");
  if (parts_.empty()) {
    parts_.resize(static_cast<std::size_t>(std::min<Count>(coarse_.nodes(0), threads.count())));
    for (Work& work : parts_) {
      const Count line = fine_.stride(1);
      work.plane_front = work.line_front = line + 16;
      work.plane_size = fine_.stride(0) + 3 * line + 16;
      work.line_size = coarse_.nodes(1) * line + line + 16;
      work.planes.resize(static_cast<std::size_t>(work.plane_front + 162 * work.plane_size));
      work.lines.resize(static_cast<std::size_t>(work.line_front + 9 * 3 * pairs * work.line_size));
      work.nodes.resize(static_cast<std::size_t>(coarse_.nodes(1) * line));
    }
  }
  const auto parts = static_cast<Count>(parts_.size()), planes = Count{coarse_.nodes(0)};
  threads.for_chunks(parts, 1, [&](Count begin, Count end) {
    for (Count part = begin; part < end; ++part) {
      Work& work = parts_[static_cast<std::size_t>(part)];
      for (Count plane = part * planes / parts; plane < (part + 1) * planes / parts; ++plane) {
        combine_planes(fine, static_cast<Index>(plane), work);
        combine_lines(work);
        combine_nodes(work, static_cast<Index>(plane), coarse);
      }
    }
  });
}

/// Along x, whole planes at a time.
void LatticeTransfer::combine_planes(const LatticeMatrix& fine, Index plane, Work& work) const {
  const Index step_x = step(0), size = fine_.stride(0);
  const auto rows = [&](int dx, int dy, int dz, int k, Index x) {
    const int code = 9 * dx + 3 * dy + dz;
    const Count at = Count{x} * size;
    return code >= 0 ? fine.entry(code, k) + at
                     : fine.entry(-code, 3 * (k % 3) + k / 3) + (at + fine_.offset(code));
  };
  const auto combine = lattice_kernels().combine;
  for (int dx = 0; dx <= 1; ++dx) {
    const Terms& terms = terms_of(step_x, dx);
    for (int dy = -1; dy <= 1; ++dy)
      for (int dz = -1; dz <= 1; ++dz)
        for (int k = 0; k < 9; ++k) {
          Sum sum;
          for (int t = 0; t < terms.count; ++t) {
            const Term& term = terms.term[t];
            const Index x = step_x * plane + term.shift;
            if (x >= 0 && x < fine_.nodes(0)) sum.add(term.weight, rows(term.way, dy, dz, k, x));
          }
          float* out = work.plane(dx, dy, dz, k);
          if (sum.count == 0)
            std::fill_n(out, size, 0.0F);
          else
            combine(sum.count, sum.weights, sum.terms, 0, 1, size, 0, out);
        }
  }
}

/// Along y, of each line the nodes.
void LatticeTransfer::combine_lines(Work& work) const {
  const Index step_y = step(1), line = fine_.stride(1);
  const auto combine = lattice_kernels().combine;
  for (int pair = 0; pair < pairs; ++pair) {
    const Terms& terms = terms_of(step_y, pair_y[pair]);
    for (int dz = -1; dz <= 1; ++dz)
      for (int k = 0; k < 9; ++k) {
        Sum sum;
        for (int t = 0; t < terms.count; ++t)
          sum.add(terms.term[t].weight,
                  work.plane(pair_x[pair], terms.term[t].way, dz, k) + Count{terms.term[t].shift} * line);
        combine(sum.count, sum.weights, sum.terms, Count{step_y} * line, coarse_.nodes(1), fine_.nodes(2),
                line, work.line(pair, dz, k));
      }
  }
}

/// Along z: at all nodes of the lines, of which every second is kept.
void LatticeTransfer::combine_nodes(Work& work, Index plane, LatticeMatrix& coarse) const {
  const Index line = fine_.stride(1), lines = coarse_.nodes(1), nodes = coarse_.nodes(2);
  const LatticeKernels& kernels = lattice_kernels();
  for (int code = 0; code < LatticeMatrix::codes; ++code) {
    const int dz = (code + 13) % 3 - 1, dy = (code + 13) / 3 % 3 - 1, dx = (code + 13) / 9 - 1;
    const Terms& terms = terms_of(step(2), dz);
    for (int k = 0; k < 9; ++k) {
      Sum sum;
      for (int t = 0; t < terms.count; ++t)
        sum.add(terms.term[t].weight, work.line(pair_of(dx, dy), terms.term[t].way, k) + terms.term[t].shift);
      float* out = coarse.entry(code, k) + Count{plane} * coarse_.stride(0);
      if (step(2) == 1) {
        kernels.combine(sum.count, sum.weights, sum.terms, line, lines, nodes, coarse_.stride(1), out);
        continue;
      }
      float* all = work.nodes.data();
      kernels.combine(sum.count, sum.weights, sum.terms, 0, 1, Count{lines} * line, 0, all);
      kernels.take_every_second(all, line, lines, nodes, coarse_.stride(1), out);
      if (2 * (nodes - 1) < fine_.nodes(2)) continue;
      // The last node is behind the line's last: what follows there is the next line.
      for (Index y = 0; y < lines; ++y) {
        float& last = out[Count{y} * coarse_.stride(1) + nodes - 1];
        last = 0.0F;
        for (int t = 0; t < terms.count; ++t)
          if (terms.term[t].shift < 0)
            last += sum.weights[t] * sum.terms[t][Count{y} * line + 2 * (nodes - 1)];
      }
    }
  }
}

}  // namespace electret::detail
