#include <electret/field/detail/checks.hpp>
#include <electret/field/gpu/direct/give_out.hpp>
#include <electret/field/gpu/placed.hpp>

namespace electret::gpu {
namespace {

constexpr auto no_pair = [](const Int2&) {};

}  // namespace

/// Calls put(i, ExactSums) for each charge. Only differences of z count: they are taken relative to the
/// middle of its box, so that vectors with much in common keep their differences.
template <class T>
template <class Put>
bool DirectDeviceSolver<T>::sum_own_products(ScalarView charges, VectorView z, Put put) {
  const direct::Frame vectors = direct::frame_of(z, {}, 0.0);
  HostTask host{sources_, sources_, charges, z, z, direct::power_of_two_scale(charges), vectors.scale};
  charges_.assign(charges, host.charge_scale);
  vector_rows_.assign(z, sizeof(T) == sizeof(float) ? vectors.centre : Vec3{}, vectors.scale);
  DirectTask<T> task;
  task.sources = task.targets = {&source_rows_, &vector_rows_, sources_.size()};
  task.charges = &charges_;
  task.own = true;
  task.softening = frame_.scale * options_.softening;
  if (!sum(task, true)) return false;
  give_out(host, put, no_pair);
  return true;
}

template <class T>
void DirectDeviceSolver<T>::field_and_products(ScalarView charges, VectorView z, VectorSpan field,
                                               ScalarSpan potential, VectorSpan product,
                                               ScalarSpan charge_gradient) {
  check_placed(placed_);
  check_own_targets(own_targets_);
  const std::size_t n = sources_.size();
  check_field_sizes(n, n, charges, field, potential);
  check_product_sizes(n, charges, z, product.size());
  check_product_sizes(n, charges, z, charge_gradient.size());
  const double k = options_.constant;
  const bool done = sum_own_products(charges, z, [&](std::size_t i, const ExactSums& sums) {
    field[i] = k * sums.field;
    if (!potential.empty()) potential[i] = k * sums.potential;
    product[i] = (k * charges[i]) * sums.product;
    charge_gradient[i] = k * sums.charge_product;
  });
  if (!done) twin().field_and_products(charges, z, field, potential, product, charge_gradient);
}

template <class T>
void DirectDeviceSolver<T>::products(ScalarView charges, VectorView z, VectorSpan product,
                                     ScalarSpan charge_gradient) {
  check_placed(placed_);
  check_own_targets(own_targets_);
  check_product_sizes(sources_.size(), charges, z, product.size());
  check_product_sizes(sources_.size(), charges, z, charge_gradient.size());
  const double k = options_.constant;
  const bool done = sum_own_products(charges, z, [&](std::size_t i, const ExactSums& sums) {
    product[i] = (k * charges[i]) * sums.product;
    charge_gradient[i] = k * sums.charge_product;
  });
  if (!done) twin().products(charges, z, product, charge_gradient);
}

template <class T>
void DirectDeviceSolver<T>::transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) {
  check_placed(placed_);
  check_own_targets(own_targets_);
  check_product_sizes(sources_.size(), charges, z, out.size());
  const bool done = sum_own_products(charges, z, [&](std::size_t i, const ExactSums& sums) {
    out[i] = (options_.constant * charges[i]) * sums.product;
  });
  if (!done) twin().transposed_jacobian_product(charges, z, out);
}

template <class T>
void DirectDeviceSolver<T>::charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) {
  check_placed(placed_);
  check_own_targets(own_targets_);
  check_product_sizes(sources_.size(), charges, z, out.size());
  const bool done = sum_own_products(charges, z, [&](std::size_t i, const ExactSums& sums) {
    out[i] = options_.constant * sums.charge_product;
  });
  if (!done) twin().charge_gradient(charges, z, out);
}

/// Two passes, as the CPU's direct solver: w at the targets against zero vectors of the sources; then, with
/// the sides exchanged and charges of 1, zero vectors of the sources against w.
template <class T>
void DirectDeviceSolver<T>::target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                                           VectorSpan source_gradient, ScalarSpan charge_gradient) {
  check_placed(placed_);
  check_adjoint_sizes(sources_.size(), targets().size(), charges, w, target_gradient, source_gradient,
                      charge_gradient);
  const double k = options_.constant;
  HostTask host{targets(),
                sources_,
                charges,
                w,
                {},
                direct::power_of_two_scale(charges),
                direct::power_of_two_scale(w)};
  charges_.assign(charges, host.charge_scale);
  vector_rows_.assign(w, {}, host.vector_scale);
  zeros_.assign(sources_.size(), Vec3{});
  other_vector_rows_.assign(zeros_, {}, 1.0);
  DirectTask<T> task;
  task.targets = {own_targets_ ? &source_rows_ : &target_rows_, &vector_rows_, targets().size()};
  task.sources = {&source_rows_, &other_vector_rows_, sources_.size()};
  task.charges = &charges_;
  task.softening = frame_.scale * options_.softening;
  task.own = own_targets_;
  bool done = sum(task, true);
  if (done) {
    give_out(
        host, [&](std::size_t a, const ExactSums& sums) { target_gradient[a] = k * sums.product; }, no_pair);
    std::swap(task.targets, task.sources);
    charges_.assign_ones(targets().size());
    host = {sources_, targets(), {}, {}, w, 1.0, host.vector_scale};
    done = sum(task, true);
  }
  if (!done) return twin().target_adjoint(charges, w, target_gradient, source_gradient, charge_gradient);
  give_out(
      host,
      [&](std::size_t j, const ExactSums& sums) {
        source_gradient[j] = (k * charges[j]) * sums.product;
        charge_gradient[j] = k * sums.charge_product;
      },
      no_pair);
}

template class DirectDeviceSolver<float>;
template class DirectDeviceSolver<double>;

}  // namespace electret::gpu
