#include <algorithm>
#include <optional>

#include <electret/field/ddef/solver_base.hpp>
#include <electret/field/detail/checks.hpp>
#include <electret/field/direct/arrays.hpp>
#include <electret/field/gpu/ddef/solver.hpp>
#include <electret/field/gpu/ddef/sums.hpp>
#include <electret/field/gpu/placed.hpp>

namespace electret::gpu {
namespace {

constexpr Count targets_per_task = 4096;
/// Below this accuracy all differences are compensated. The CPU takes float64 there.
constexpr double plain_accuracy = 2e-4;

class DeviceDdefSolver final : public ddef::SolverBase {
 public:
  DeviceDdefSolver(const FieldOptions& options, Threads& threads, std::unique_ptr<Device> device)
      : SolverBase(options, threads, instruction_set(), ddef::FieldSums::device),
        device_(std::move(device)),
        sums_on_device_(*device_,
                        {options.accuracy && *options.accuracy < plain_accuracy, options.ddef_half_taylor}) {}

  void prepare(VectorView sources) override {
    placed_ = false;
    SolverBase::prepare(sources);
    placed_ = true;
  }
  void prepare(VectorView sources, VectorView targets) override {
    placed_ = false;
    SolverBase::prepare(sources, targets);
    placed_ = true;
  }
  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override;
  [[nodiscard]] Count coincident_pairs() const override { return coincident_; }

 private:
  void placed() override {
    if (source_count() > 0 && target_count() > 0) sums_on_device_.place(discretisation_, threads_);
  }

  void sum_products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient,
                    bool after_field) override;
  /// Fills `products_` and `charge_products_`. Returns false if the device left out too much.
  bool products_on_device(VectorView z, double scale, bool after_field);
  void add_close_products(VectorView z, double scale);

  /// Sums on the device, and adds what it left out. Nothing if that is too much.
  std::optional<Count> sum(VectorSpan field, ScalarSpan potential);
  void give_out(VectorSpan field, ScalarSpan potential);
  Count add_close_pairs(VectorSpan field, ScalarSpan potential) const;

  std::unique_ptr<Device> device_;
  DdefSums sums_on_device_;
  std::vector<Float4> results_;
  ddef::Arrays<double> vectors_;  ///< z, sorted and scaled.
  VectorArray products_;          ///< In the caller's order, scaled.
  std::vector<double> charge_products_;
  Count coincident_ = 0;
  bool placed_ = false;  ///< The last prepare came to its end.
};

void DeviceDdefSolver::field(ScalarView charges, VectorSpan field, ScalarSpan potential) {
  check_placed(placed_);
  check_field_sizes(source_count(), target_count(), charges, field, potential);
  coincident_ = 0;
  if (!has_points()) return;
  assign_charges(charges);
  if (const auto coincident = sum(field, potential))
    coincident_ = *coincident;
  else
    coincident_ = evaluate<double>(far64_.evaluate(task(), threads_), field, potential);
}

std::optional<Count> DeviceDdefSolver::sum(VectorSpan field, ScalarSpan potential) {
  results_.resize(target_count());
  if (source_count() == 0 || target_count() == 0) {
    std::fill(results_.begin(), results_.end(), Float4{});
    give_out(field, potential);
    return 0;
  }
  sums_on_device_.set_charges(charges_);
  if (!near_only_) sums_on_device_.sum_far();
  const auto coincident = sums_on_device_.evaluate(near_only_, results_);
  if (!coincident) return {};
  give_out(field, potential);
  return *coincident + add_close_pairs(field, potential);
}

void DeviceDdefSolver::give_out(VectorSpan field, ScalarSpan potential) {
  const Units unit = units();
  threads_.for_chunks(static_cast<Count>(results_.size()), targets_per_task, [&](Count begin, Count end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const Float4& r = results_[i];
      field[i] =
          unit.field * Vec3{static_cast<double>(r.x), static_cast<double>(r.y), static_cast<double>(r.z)};
      if (!potential.empty()) potential[i] = unit.potential * static_cast<double>(r.w);
    }
  });
}

/// Returns how many of them are at one place.
Count DeviceDdefSolver::add_close_pairs(VectorSpan field, ScalarSpan potential) const {
  const ddef::Discretisation& d = discretisation_;
  const Units unit = units();
  Count coincident = 0;
  for (const Int2& pair : sums_on_device_.close()) {
    const Vec3 y = d.targets().coordinates().at(pair.x), x = d.sources().coordinates().at(pair.y);
    const double charge = charges_.float64[static_cast<std::size_t>(pair.y)];
    if (y == x && d.softening() == 0.0) {
      const bool counts = !d.own() || charges_.float64[static_cast<std::size_t>(pair.x)] != 0.0;
      coincident += charge != 0.0 && counts ? 1 : 0;
      continue;
    }
    const ExactSums sums = exact_pair(y, x, charge, d.softening(), {}, {});
    const std::size_t i = d.targets().caller(pair.x);
    field[i] += unit.field * sums.field;
    if (!potential.empty()) potential[i] += unit.potential * sums.potential;
  }
  return coincident;
}

void DeviceDdefSolver::sum_products(ScalarView charges, VectorView z, VectorSpan product,
                                    ScalarSpan charge_gradient, bool after_field) {
  check_placed(placed_);
  const double scale = direct::power_of_two_scale(z);
  if (!products_on_device(z, scale, after_field)) {
    SolverBase::sum_products(charges, z, product, charge_gradient, after_field);
    return;
  }
  const double unit = units().field / scale, product_unit = unit * discretisation_.scale();
  for (std::size_t i = 0; i < products_.size(); ++i) {
    if (!product.empty()) product[i] = (product_unit * charges[i]) * products_[i];
    if (!charge_gradient.empty()) charge_gradient[i] = unit * charge_products_[i];
  }
}

bool DeviceDdefSolver::products_on_device(VectorView z, double scale, bool after_field) {
  const std::size_t n = source_count();
  results_.resize(n);
  if (!after_field || near_only_) {
    sums_on_device_.set_charges(charges_);
    sums_on_device_.sum_far();
    if (!sums_on_device_.evaluate(false, results_)) return false;
  }
  vectors_.resize(static_cast<Count>(n));
  threads_.for_chunks(static_cast<Count>(n), targets_per_task, [&](Count begin, Count end) {
    for (Count k = begin; k < end; ++k) vectors_.set(k, scale * z[discretisation_.sources().caller(k)]);
  });
  if (!sums_on_device_.products(discretisation_.mesh(), vectors_, results_)) return false;
  products_.resize(n);
  charge_products_.resize(n);
  threads_.for_chunks(static_cast<Count>(n), targets_per_task, [&](Count begin, Count end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const Float4& r = results_[i];
      products_[i] = {static_cast<double>(r.x), static_cast<double>(r.y), static_cast<double>(r.z)};
      charge_products_[i] = static_cast<double>(r.w);
    }
  });
  add_close_products(z, scale);
  return true;
}

/// A pair that is near both ways has both vectors; otherwise it has that of its target, or of its source.
void DeviceDdefSolver::add_close_products(VectorView z, double scale) {
  const ddef::SortedPoints& points = discretisation_.sources();
  const auto& sets = discretisation_.mesh().sets;
  const auto tetrahedron_of = [&](Count place) {
    const auto& occupied = points.occupied();
    return *std::prev(std::upper_bound(occupied.begin(), occupied.end(), place,
                                       [&](Count k, Index t) { return k < points.begin(t); }));
  };
  const auto holds = [](std::span<const Index> list, Index t) {
    return std::binary_search(list.begin(), list.end(), t);
  };
  for (const Int2& pair : sums_on_device_.close_products()) {
    const std::size_t i = points.caller(pair.x), j = points.caller(pair.y);
    const Index t = tetrahedron_of(pair.x), s = tetrahedron_of(pair.y);
    const ExactSums sums = exact_pair(
        points.coordinates().at(pair.x), points.coordinates().at(pair.y),
        charges_.float64[static_cast<std::size_t>(pair.y)], discretisation_.softening(),
        holds(sets.near[t], s) ? scale * z[i] : Vec3{}, holds(sets.near[s], t) ? scale * z[j] : Vec3{});
    products_[i] += sums.product;
    charge_products_[i] += sums.charge_product;
  }
}

}  // namespace

std::unique_ptr<DdefFieldSolver> make_device_ddef_field_solver(const FieldOptions& options, Threads& threads,
                                                               std::unique_ptr<Device> device) {
  return std::make_unique<DeviceDdefSolver>(options, threads, std::move(device));
}

}  // namespace electret::gpu
