/// \file
/// exafmm-t, measured as Electret is: exafmm_driver … ORDER LEAF (see driver.hpp), in float64, or in float32
/// where compiled with -DFLOAT.
///
/// LEAF is the most charges of a leaf. The operators that depend on order and box alone are computed once,
/// before the clock starts, for a box that holds the charges wherever they are moved to; tree, lists and the
/// set-up of M2L are made in each call, as charges that move need it. exafmm-t's kernel is 1/(4π r), its
/// gradient that of the potential.

#include <build_list.h>
#include <build_tree.h>
#include <laplace.h>

#include "driver.hpp"

namespace {

using namespace exafmm_t;

constexpr double four_pi = 12.566370614359172;

/// Sets the root box: its operators stay valid while the charges stay inside.
void set_box(const std::vector<double>& x, LaplaceFmm& fmm) {
  double lowest[3], highest[3], radius = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    lowest[axis] = highest[axis] = x[axis];
    for (std::size_t i = axis; i < x.size(); i += 3) {
      lowest[axis] = std::min(lowest[axis], x[i]);
      highest[axis] = std::max(highest[axis], x[i]);
    }
    radius = std::max(radius, 0.5 * (highest[axis] - lowest[axis]));
    fmm.x0[static_cast<int>(axis)] = static_cast<real_t>(0.5 * (lowest[axis] + highest[axis]));
  }
  fmm.r0 = static_cast<real_t>(1.001 * radius);
}

Bodies<real_t> bodies_of(const peers::Charges& charges) {
  Bodies<real_t> bodies(charges.q.size());
#pragma omp parallel for
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].ibody = static_cast<int>(i);
    bodies[i].q = static_cast<real_t>(charges.q[i]);
    for (int axis = 0; axis < 3; ++axis)
      bodies[i].X[axis] = static_cast<real_t>(charges.x[3 * i + static_cast<std::size_t>(axis)]);
  }
  return bodies;
}

void sort_back(const NodePtrs<real_t>& leafs, peers::Result& result) {
#pragma omp parallel for
  for (std::size_t k = 0; k < leafs.size(); ++k) {
    const Node<real_t>& leaf = *leafs[k];
    for (std::size_t j = 0; j < leaf.itrgs.size(); ++j) {
      const auto i = static_cast<std::size_t>(leaf.itrgs[j]);
      result.potential[i] = four_pi * leaf.trg_value[4 * j];
      for (std::size_t axis = 0; axis < 3; ++axis)
        result.field[3 * i + axis] = -four_pi * leaf.trg_value[4 * j + 1 + axis];
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return peers::run(argc, argv, [](const peers::Arguments& arguments, const peers::Charges& charges) {
    omp_set_num_threads(arguments.threads);
    init_rel_coord();
    LaplaceFmm fmm(static_cast<int>(arguments.number(0)), static_cast<int>(arguments.number(1)));
    set_box(charges.x, fmm);
    fmm.precompute();
    peers::measure(arguments, charges, [&](const peers::Charges& now, peers::Result& result) {
      Bodies<real_t> sources = bodies_of(now), targets = sources;
      NodePtrs<real_t> leafs, nonleafs;
      Nodes<real_t> nodes = build_tree(sources, targets, leafs, nonleafs, fmm);
      build_list(nodes, fmm);
      fmm.M2L_setup(nonleafs);
      fmm.upward_pass(nodes, leafs, false);
      fmm.downward_pass(nodes, leafs, false);
      sort_back(leafs, result);
    });
  });
}
