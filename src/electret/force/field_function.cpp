#include <electret/core/errors.hpp>
#include <electret/force/field_function.hpp>

namespace electret {
namespace {

class FieldFunctionForce final : public ExplicitForce {
 public:
  FieldFunctionForce(std::shared_ptr<const FieldFunction> function, Index vertex_count)
      : function_(std::move(function)),
        charges_{"charges", "C", static_cast<std::size_t>(vertex_count), ParameterOwner::charges},
        values_(charges_.size),
        weights_(charges_.size) {
    require(static_cast<bool>(function_->value), "electric field: a function without a value");
  }

  [[nodiscard]] std::string_view name() const override { return "electric_field"; }
  [[nodiscard]] bool does_field_work() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return {&charges_, 1}; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    evaluate(at);
    for (std::size_t i = 0; i < values_.size(); ++i) f[i] += at.inputs.charges[i] * values_[i];
  }

  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    check(at);
    if (!function_->transposed_product)
      throw InputError(
          Finding{{}, "an electric field's function has no derivative", "give its transposed product"});
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = at.inputs.charges[i] * z[i];
    function_->transposed_product(at.positions, at.inputs.time, weights_, values_);
    for (std::size_t i = 0; i < values_.size(); ++i) out[i] += values_[i];
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t /*parameter*/, VectorView z,
                              ScalarSpan out) override {
    evaluate(at);
    for (std::size_t i = 0; i < values_.size(); ++i) out[i] += dot(z[i], values_[i]);
  }

 private:
  void check(const ForcePoint& at) const {
    require(at.positions.size() == charges_.size && at.inputs.charges.size() == charges_.size,
            "electric field: the arrays do not have one row per vertex");
  }
  void evaluate(const ForcePoint& at) {
    check(at);
    function_->value(at.positions, at.inputs.time, values_);
  }

  std::shared_ptr<const FieldFunction> function_;
  ForceParameter charges_;
  VectorArray values_, weights_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_field_function_force(std::shared_ptr<const FieldFunction> function,
                                                         Index vertex_count) {
  return std::make_unique<FieldFunctionForce>(std::move(function), vertex_count);
}

}  // namespace electret
