/// Derivative products by direct summation: every target sums all sources, in the arithmetic that the field
/// of the same accuracy uses.

#include <electret/field/direct/detail/direct_solver.hpp>

namespace electret::direct {
namespace {

/// As for the field (direct.cpp). Here coordinates that are rounded by δ change K' by at most 6√3 δ/|r|, and
/// the differences of smooth vectors by as much again.
constexpr float closest_for_float32 = 4e-6F;
constexpr float closest_for_compensated = 1.5e-16F;

Vec3 lane(const double (&values)[3][group_size], int l) {
  return {values[0][l], values[1][l], values[2][l]};
}

}  // namespace

/// Stores the charges' own vectors. Only their differences count. They are scaled so that the largest is
/// about 1. For float32 they are taken relative to the middle of their box, so that vectors with much in
/// common keep their differences.
void DirectFieldSolver::set_own_vectors(VectorView z) {
  const Frame frame = frame_of(z, {}, 0.0);
  const auto size = static_cast<std::size_t>(padded(source_count_));
  vector_scale_ = frame.scale;
  source_vectors_.assign(z, {}, frame.scale, size, 0.0);
  if (arithmetic_ != Arithmetic::float64)
    source_vectors32_.assign(z, frame.centre, frame.scale, size, 0.0F, true);
}

/// Stores the targets' vectors, scaled in the same way; the sources' vectors are 0.
void DirectFieldSolver::set_target_vectors(VectorView w) {
  vector_scale_ = power_of_two_scale(w);
  const auto source_size = static_cast<std::size_t>(padded(source_count_));
  const auto target_size = static_cast<std::size_t>(padded(target_count_));
  source_vectors_.assign({}, {}, 1.0, source_size, 0.0);
  target_vectors_.assign(w, {}, vector_scale_, target_size, 0.0);
  ones_.assign(target_size, 1.0);
  if (arithmetic_ == Arithmetic::float64) return;
  source_vectors32_.assign({}, {}, 1.0, source_size, 0.0F, true);
  target_vectors32_.assign(w, {}, vector_scale_, target_size, 0.0F, true);
  ones32_.assign(target_size, 1.0F);
}

/// Calls store(first, count, sums) for every group, in the cheapest arithmetic that is accurate enough for
/// the closest pair. Float64 does not read `task32`.
template <class Store>
void DirectFieldSolver::sum_products(const DerivativeTask<double>& task, const DerivativeTask<float>& task32,
                                     Count target_count, bool with_field, Store store) {
  const Extent extent{target_count, task.pairs.source_count};
  const auto masked = kernels_.derivative64_masked[with_field];
  Arithmetic& sufficient = sufficient_for_products_;
  if (sufficient == Arithmetic::float32 && !sum_groups(kernels_.derivative32[with_field], task32, masked,
                                                       task, extent, softened(closest_for_float32), store))
    sufficient = Arithmetic::float32_compensated;
  if (sufficient == Arithmetic::float32_compensated &&
      !sum_groups(kernels_.derivative32_compensated[with_field], task32, masked, task, extent,
                  softened(closest_for_compensated), store))
    sufficient = Arithmetic::float64;
  if (sufficient == Arithmetic::float64)
    sum_groups(kernels_.derivative64[with_field], task, masked, task, extent, 0.0, store);
}

/// Calls put(i, sums, lane, units) with the sums at each of the charges' own positions.
template <class Put>
void DirectFieldSolver::sum_own_products(ScalarView charges, VectorView z, bool with_field, Put put) {
  set_charges(charges);
  set_own_vectors(z);
  const double potential_unit = constant_ * frame_.scale / charge_scale_;
  const double field_unit = potential_unit * frame_.scale, gradient_unit = field_unit / vector_scale_;
  const OwnUnits units{potential_unit, field_unit, gradient_unit, gradient_unit * frame_.scale};
  const auto vectors = source_vectors_.view();
  const auto vectors32 = source_vectors32_.view();
  sum_products({float64_task(), vectors, vectors}, {float32_task(), vectors32, vectors32}, source_count_,
               with_field, [&](Count first, int count, const GroupSums& sums) {
                 for (int l = 0; l < count; ++l) put(static_cast<std::size_t>(first + l), sums, l, units);
               });
}

void DirectFieldSolver::field_and_products(ScalarView charges, VectorView z, VectorSpan field,
                                           ScalarSpan potential, VectorSpan product,
                                           ScalarSpan charge_gradient) {
  check_own_targets(own_targets_);
  const auto n = static_cast<std::size_t>(source_count_);
  check_field_sizes(n, n, charges, field, potential);
  check_product_sizes(n, charges, z, product.size());
  check_product_sizes(n, charges, z, charge_gradient.size());
  sum_own_products(charges, z, true, [&](std::size_t i, const GroupSums& sums, int l, const OwnUnits& units) {
    field[i] = units.field * lane(sums.field, l);
    if (!potential.empty()) potential[i] = units.potential * sums.potential[l];
    product[i] = (units.product * charges[i]) * lane(sums.vector, l);
    charge_gradient[i] = units.charge_gradient * sums.scalar[l];
  });
}

void DirectFieldSolver::products(ScalarView charges, VectorView z, VectorSpan product,
                                 ScalarSpan charge_gradient) {
  check_own_targets(own_targets_);
  const auto n = static_cast<std::size_t>(source_count_);
  check_product_sizes(n, charges, z, product.size());
  check_product_sizes(n, charges, z, charge_gradient.size());
  sum_own_products(charges, z, false,
                   [&](std::size_t i, const GroupSums& sums, int l, const OwnUnits& units) {
                     product[i] = (units.product * charges[i]) * lane(sums.vector, l);
                     charge_gradient[i] = units.charge_gradient * sums.scalar[l];
                   });
}

void DirectFieldSolver::transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) {
  check_own_targets(own_targets_);
  check_product_sizes(static_cast<std::size_t>(source_count_), charges, z, out.size());
  sum_own_products(charges, z, false,
                   [&](std::size_t i, const GroupSums& sums, int l, const OwnUnits& units) {
                     out[i] = (units.product * charges[i]) * lane(sums.vector, l);
                   });
}

void DirectFieldSolver::charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) {
  check_own_targets(own_targets_);
  check_product_sizes(static_cast<std::size_t>(source_count_), charges, z, out.size());
  sum_own_products(charges, z, false,
                   [&](std::size_t i, const GroupSums& sums, int l, const OwnUnits& units) {
                     out[i] = units.charge_gradient * sums.scalar[l];
                   });
}

/// Uses the same kernel twice. For the targets, it sums w against zero vectors of the sources: Σ_j q_j
/// K'(r_aj) w_a. For the sources j, with r_ja = -r_aj, it sums their zero vectors against w and unit charges
/// of the targets: Σ_a K'(r_ja)(0 - w_a) = -Σ_a K' w_a and Σ_a K(r_ja)·(0 - w_a) = Σ_a w_a·K(r_aj).
void DirectFieldSolver::target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                                       VectorSpan source_gradient, ScalarSpan charge_gradient) {
  check_adjoint_sizes(static_cast<std::size_t>(source_count_), static_cast<std::size_t>(target_count_),
                      charges, w, target_gradient, source_gradient, charge_gradient);
  set_charges(charges);
  set_target_vectors(w);
  const double charge_unit = constant_ * frame_.scale * frame_.scale / vector_scale_;
  const double source_unit = charge_unit * frame_.scale;
  DerivativeTask<double> task{float64_task(), target_vectors_.view(), source_vectors_.view()};
  DerivativeTask<float> task32{float32_task(), target_vectors32_.view(), source_vectors32_.view()};
  sum_products(task, task32, target_count_, false, [&](Count first, int count, const GroupSums& sums) {
    for (int l = 0; l < count; ++l)
      target_gradient[static_cast<std::size_t>(first + l)] =
          (source_unit / charge_scale_) * lane(sums.vector, l);
  });
  const auto swap_sides = [&](auto& t, const auto& ones) {
    std::swap(t.pairs.targets, t.pairs.sources);
    std::swap(t.target_vectors, t.source_vectors);
    t.pairs.charges = ones.data();
    t.pairs.source_count = target_count_;
  };
  swap_sides(task, ones_);
  swap_sides(task32, ones32_);
  sum_products(task, task32, source_count_, false, [&](Count first, int count, const GroupSums& sums) {
    for (int l = 0; l < count; ++l) {
      const auto j = static_cast<std::size_t>(first + l);
      source_gradient[j] = (source_unit * charges[j]) * lane(sums.vector, l);
      charge_gradient[j] = charge_unit * sums.scalar[l];
    }
  });
}

}  // namespace electret::direct
