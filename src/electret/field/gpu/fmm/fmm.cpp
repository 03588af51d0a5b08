#include <algorithm>
#include <optional>

#include <electret/core/errors.hpp>
#include <electret/field/crossover.hpp>
#include <electret/field/detail/checks.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/gpu/fmm/evaluation.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>
#include <electret/field/gpu/placed.hpp>

namespace electret::gpu {
namespace {

class FmmDeviceSolver final : public FieldSolver {
 public:
  /// Without a plan the accuracy chooses, and another one for separate targets (accuracy_part_apart).
  FmmDeviceSolver(const FieldOptions& options, Threads& threads, std::unique_ptr<Device> device,
                  const std::optional<fmm::Plan>& plan)
      : options_(options), threads_(threads), device_(std::move(device)), plan_(plan) {}

  [[nodiscard]] std::string_view name() const override { return "fmm"; }

  void prepare(VectorView sources) override {
    own_targets_ = true;
    keep(sources, {});
    present().place(sources_);
    placed_ = true;
  }
  void prepare(VectorView sources, VectorView targets) override {
    own_targets_ = false;
    keep(sources, targets);
    present().place(sources_, targets_);
    placed_ = true;
  }

  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override {
    check_placed(placed_);
    check_field_sizes(sources_.size(), targets().size(), charges, field, potential);
    if (present().field(charges, field, potential)) {
      coincident_ = present().coincident_pairs();
    } else {
      twin().field(charges, field, potential);
      coincident_ = twin().coincident_pairs();
    }
  }
  void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) override {
    check_products(charges, z, out.size());
    if (!present().products(charges, z, {{}, {}, out, {}}))
      twin().transposed_jacobian_product(charges, z, out);
  }
  void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) override {
    check_products(charges, z, out.size());
    if (!present().products(charges, z, {{}, {}, {}, out})) twin().charge_gradient(charges, z, out);
  }
  void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) override {
    check_products(charges, z, product.size());
    check_products(charges, z, charge_gradient.size());
    if (!present().products(charges, z, {{}, {}, product, charge_gradient}))
      twin().products(charges, z, product, charge_gradient);
  }
  void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                          VectorSpan product, ScalarSpan charge_gradient) override {
    check_products(charges, z, product.size());
    check_field_sizes(sources_.size(), sources_.size(), charges, field, potential);
    check_products(charges, z, charge_gradient.size());
    if (!present().products(charges, z, {field, potential, product, charge_gradient}))
      twin().field_and_products(charges, z, field, potential, product, charge_gradient);
  }
  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override {
    check_placed(placed_);
    twin().target_adjoint(charges, w, target_gradient, source_gradient, charge_gradient);
  }
  [[nodiscard]] Count coincident_pairs() const override { return coincident_; }

 private:
  [[nodiscard]] VectorView targets() const { return own_targets_ ? sources_ : targets_; }
  /// The twin and the pairs that are left to the host need the points.
  void keep(VectorView sources, VectorView targets) {
    placed_ = false;
    sources_.assign(sources.begin(), sources.end());
    targets_.assign(targets.begin(), targets.end());
    twin_is_placed_ = false;
  }
  Evaluation& present() {
    auto& kept = own_targets_ || plan_ ? own_ : apart_;
    if (!kept) kept = std::make_unique<Evaluation>(options_, plan(), *device_, threads_);
    return *kept;
  }
  /// No plan is finer than float32.
  [[nodiscard]] fmm::Plan plan() const {
    if (plan_) return *plan_;
    const double part = own_targets_ ? 1.0 : fmm::accuracy_part_apart;
    return fmm::plan_for(
        std::max(part * options_.accuracy.value_or(default_field_accuracy), best_fmm_accuracy));
  }
  void check_products(ScalarView charges, VectorView z, std::size_t out) const {
    check_placed(placed_);
    check_own_targets(own_targets_);
    check_product_sizes(sources_.size(), charges, z, out);
  }
  FieldSolver& twin();

  FieldOptions options_;
  Threads& threads_;
  std::unique_ptr<Device> device_;
  std::optional<fmm::Plan> plan_;
  bool placed_ = false;  ///< The last prepare came to its end.
  bool own_targets_ = true;
  VectorArray sources_, targets_;
  std::unique_ptr<Evaluation> own_, apart_;
  Count coincident_ = 0;
  std::unique_ptr<FieldSolver> twin_;
  bool twin_is_placed_ = false;
};

FieldSolver& FmmDeviceSolver::twin() {
  if (!twin_)
    twin_ = plan_ ? fmm::make_fmm_field_solver(options_, threads_, instruction_set(), *plan_)
                  : fmm::make_fmm_field_solver(options_, threads_, instruction_set());
  if (twin_is_placed_) return *twin_;
  if (own_targets_)
    twin_->prepare(sources_);
  else
    twin_->prepare(sources_, targets_);
  twin_is_placed_ = true;
  return *twin_;
}

std::unique_ptr<FieldSolver> make(const FieldOptions& options, Threads& threads,
                                  std::unique_ptr<Device> device, const std::optional<fmm::Plan>& plan) {
  check_field_options(options);
  if (options.accuracy.value_or(default_field_accuracy) < best_fmm_accuracy)
    throw InputError(Finding{{},
                             "coulomb.accuracy is finer than a GPU's sums in float32",
                             "allowed on a GPU: accuracy = 1e-6 or more; or device = \"cpu\""});
  return std::make_unique<FmmDeviceSolver>(options, threads, std::move(device), plan);
}

}  // namespace

std::unique_ptr<FieldSolver> make_device_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                          std::unique_ptr<Device> device) {
  return make(options, threads, std::move(device), std::nullopt);
}

std::unique_ptr<FieldSolver> make_device_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                          std::unique_ptr<Device> device,
                                                          const fmm::Plan& plan) {
  return make(options, threads, std::move(device), plan);
}

}  // namespace electret::gpu
