#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/field/closest.hpp>
#include <electret/field/detail/checks.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/gpu/direct/give_out.hpp>
#include <electret/field/gpu/placed.hpp>

namespace electret::gpu {
namespace {

/// |r|² (coordinates within 1) below which an arithmetic may lose more than the finest accuracy that it is
/// used for; as the CPU's direct solver, whose comments derive them.
constexpr float closest_plain = 1e-6F, closest_plain_products = 4e-6F,
                closest_compensated_products = 1.5e-16F;

/// The same for float64, which only fails where squares of distances run out of its range.
constexpr double closest_float64 = 0x1p-600;

/// The coarsest accuracy that needs compensated differences.
constexpr double least_plain_accuracy = 2e-4;

}  // namespace

template <class T>
DirectDeviceSolver<T>::DirectDeviceSolver(const FieldOptions& options, Threads& threads,
                                          std::unique_ptr<Device> device)
    : options_(options),
      threads_(threads),
      device_(std::move(device)),
      plain_allowed_(options.accuracy.value_or(0.0) >= least_plain_accuracy),
      source_rows_(*device_),
      target_rows_(*device_),
      vector_rows_(*device_),
      other_vector_rows_(*device_),
      charges_(*device_),
      close_(*device_),
      buffers_(*device_) {
  check_field_options(options);
}

template <class T>
void DirectDeviceSolver<T>::prepare(VectorView sources) {
  own_targets_ = true;
  place(sources, {});
}

template <class T>
void DirectDeviceSolver<T>::prepare(VectorView sources, VectorView targets) {
  own_targets_ = false;
  place(sources, targets);
}

template <class T>
void DirectDeviceSolver<T>::place(VectorView sources, VectorView targets) {
  placed_ = false;
  sources_.assign(sources.begin(), sources.end());
  targets_.assign(targets.begin(), targets.end());
  twin_is_placed_ = false;
  frame_ = direct::frame_of(sources, targets, options_.softening);
  origin_ = sizeof(T) == sizeof(float) ? frame_.centre : Vec3{};
  source_rows_.assign(sources, origin_, frame_.scale);
  if (!own_targets_) target_rows_.assign(targets, origin_, frame_.scale);
  plain_ = plain_products_ = plain_allowed_;
  placed_ = true;
}

template <class T>
DirectSums<T>& DirectDeviceSolver<T>::variant(bool compensated, bool products) {
  auto& sums = variants_[compensated][products];
  if (!sums) sums = std::make_unique<DirectSums<T>>(*device_, buffers_, compensated, products);
  return *sums;
}

template <class T>
bool DirectDeviceSolver<T>::sum(const DirectTask<T>& task, bool products) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return variant(false, products).sum(task, closest_float64, close_, result_);
  } else {
    bool& plain = products ? plain_products_ : plain_;
    const auto softening_squared = static_cast<float>(task.softening * task.softening);
    const auto sum = [&](bool compensated, float closest) {
      return variant(compensated, products)
          .sum(task, direct::closest_with_softening(closest, softening_squared), close_, result_);
    };
    if (plain && sum(false, products ? closest_plain_products : closest_plain)) return true;
    plain = false;
    return sum(true, products ? closest_compensated_products : closest_for_compensated);
  }
}

template <class T>
void DirectDeviceSolver<T>::count_coincident(ScalarView charges, const Int2& pair) {
  const auto i = static_cast<std::size_t>(pair.x), j = static_cast<std::size_t>(pair.y);
  if (options_.softening > 0.0 || targets()[i] != sources_[j]) return;
  if (charges[j] != 0.0 && (!own_targets_ || charges[i] != 0.0)) ++coincident_;
}

template <class T>
void DirectDeviceSolver<T>::field(ScalarView charges, VectorSpan field, ScalarSpan potential) {
  check_placed(placed_);
  check_field_sizes(sources_.size(), targets().size(), charges, field, potential);
  HostTask host{targets(), sources_, charges, {}, {}, direct::power_of_two_scale(charges)};
  charges_.assign(charges, host.charge_scale);
  DirectTask<T> task;
  task.sources = {&source_rows_, nullptr, sources_.size()};
  task.targets = own_targets_ ? task.sources : DirectSide<T>{&target_rows_, nullptr, targets_.size()};
  task.charges = &charges_;
  task.own = own_targets_;
  task.softening = frame_.scale * options_.softening;
  coincident_ = 0;
  if (!sum(task, false)) {
    twin().field(charges, field, potential);
    coincident_ = twin_->coincident_pairs();
    return;
  }
  give_out(
      host,
      [&](std::size_t i, const ExactSums& sums) {
        field[i] = options_.constant * sums.field;
        if (!potential.empty()) potential[i] = options_.constant * sums.potential;
      },
      [&](const Int2& pair) { count_coincident(charges, pair); });
}

template <class T>
FieldSolver& DirectDeviceSolver<T>::twin() {
  if (!twin_) {
    FieldOptions exact = options_;
    exact.accuracy.reset();
    twin_ = direct::make_direct_field_solver(exact, threads_, instruction_set(), direct::Arithmetic::float64);
  }
  if (twin_is_placed_) return *twin_;
  if (own_targets_)
    twin_->prepare(sources_);
  else
    twin_->prepare(sources_, targets_);
  twin_is_placed_ = true;
  return *twin_;
}

template class DirectDeviceSolver<float>;
template class DirectDeviceSolver<double>;

std::unique_ptr<FieldSolver> make_direct_field_solver(const FieldOptions& options, Threads& threads,
                                                      std::unique_ptr<Device> device) {
  check_field_options(options);
  if (options.accuracy.value_or(0.0) >= best_direct_accuracy)
    return std::make_unique<DirectDeviceSolver<float>>(options, threads, std::move(device));
  if (device->facts().float64)
    return std::make_unique<DirectDeviceSolver<double>>(options, threads, std::move(device));
  throw InputError(Finding{
      {},
      (options.accuracy ? "an accuracy below 2e-6" : "solver \"direct\" without an accuracy") +
          std::string(" asks for sums in float64, which ") + in_quotes(device->facts().name) + " lacks",
      "allowed there: accuracy = 2e-6 or more with direct, 1e-6 or more with fmm; or device = \"cpu\""});
}

}  // namespace electret::gpu
