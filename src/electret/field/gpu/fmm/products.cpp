#include <electret/core/vertex_loops.hpp>
#include <electret/field/gpu/close_pairs.hpp>
#include <electret/field/gpu/fmm/evaluation.hpp>

namespace electret::gpu {
namespace {

constexpr Count chunk_size = Count{1} << 14;

}  // namespace

/// Only differences of z count: they are taken relative to the middle of its box, so that vectors with much
/// in common keep their differences.
void Evaluation::upload_vectors(ScalarView charges, double charge_scale, VectorView z,
                                const direct::Frame& vectors) {
  const std::size_t n = z.size();
  rounded_rows_.resize(n);
  const auto round = [&](std::size_t i) {
    const Vec3 v = vectors.scale * (z[i] - vectors.centre);
    rounded_rows_[i] = {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z),
                        static_cast<float>(charge_scale * charges[i])};
  };
  for_vertices(threads_, n, round, chunk_size);
  given_.assign(rounded_rows_);
  vectors_.resize(n), near_products_.resize(n), products_.resize(n);
  const DevicePoints& points = interactions_->sources().points;
  device_.launch(*put_vectors_, groups_for(static_cast<Count>(n), put_vectors_->lanes()),
                 static_cast<std::int32_t>(n), points.order, given_, vectors_, points.high);
}

void Evaluation::sum_products_on_device() {
  const DeviceTree& sources = interactions_->sources();
  const DeviceLists& lists = interactions_->lists();
  const std::size_t n = sources_.size();
  device_.fill(sums_.memory(), n * sizeof(Float4), sizeof(NearCounters), 0);
  far_.find_moments(sources);
  far_.find_dipole_moments(sources, vectors_);
  far_.find_locals(sources, sources, lists);
  far_.find_dipole_locals(sources, lists);
  near_pass_.sum(sources, sources, lists, near_settings(), {vectors_, vectors_, near_products_}, near_, sums_,
                 n);
  if (has_taylor_pairs()) {
    taylor_->find_moments(sources);
    taylor_->find_dipole_moments(sources, vectors_);
    taylor_->find_locals(sources, sources, lists, softening());
    taylor_->find_dipole_locals(sources, lists, softening());
    taylor_->add_products(sources, vectors_, near_, near_products_);
  }
  far_.evaluate_products(sources, vectors_, near_, near_products_, sums_, products_);
}

void Evaluation::put_products(ScalarView charges, double charge_scale, double vector_scale,
                              const Products& out) const {
  const double length = interactions_->frame().scale, potential = options_.constant * length / charge_scale;
  const double field = potential * length, charge_gradient = field / vector_scale,
               product = charge_gradient * length;
  const auto put = [&](std::size_t i) {
    const Float4 &sum = received_[i], &more = received_products_[i];
    if (!out.field.empty()) out.field[i] = field * Vec3{sum.x, sum.y, sum.z};
    if (!out.potential.empty()) out.potential[i] = potential * static_cast<double>(sum.w);
    if (!out.product.empty()) out.product[i] = (product * charges[i]) * Vec3{more.x, more.y, more.z};
    if (!out.charge_gradient.empty()) out.charge_gradient[i] = charge_gradient * static_cast<double>(more.w);
  };
  for_vertices(threads_, sources_.size(), put, chunk_size);
}

void Evaluation::add_close_products(ScalarView charges, VectorView z, const Products& out) const {
  const double k = options_.constant;
  for (const Int2& pair : near_pass_.close()) {
    const auto i = static_cast<std::size_t>(pair.x), j = static_cast<std::size_t>(pair.y);
    const ExactSums sums = exact_pair(sources_[i], sources_[j], charges[j], options_.softening, z[i], z[j]);
    if (!out.field.empty()) out.field[i] += k * sums.field;
    if (!out.potential.empty()) out.potential[i] += k * sums.potential;
    if (!out.product.empty()) out.product[i] += (k * charges[i]) * sums.product;
    if (!out.charge_gradient.empty()) out.charge_gradient[i] += k * sums.charge_product;
  }
}

bool Evaluation::products(ScalarView charges, VectorView z, const Products& out) {
  if (sources_.empty()) return true;
  if (interactions_->lists().has_long_leaf) return false;
  const Count coincident = coincident_;
  const double charge_scale = direct::power_of_two_scale(charges);
  const direct::Frame vectors = direct::frame_of(z, {}, 0.0);
  do {
    upload_vectors(charges, charge_scale, z, vectors);
    sum_products_on_device();
  } while (!read_sums());
  coincident_ = coincident;  // it is the last field's
  if (too_many_close()) return false;
  received_products_.resize(sources_.size());
  products_.download(received_products_);
  put_products(charges, charge_scale, vectors.scale, out);
  add_close_products(charges, z, out);
  return true;
}

}  // namespace electret::gpu
