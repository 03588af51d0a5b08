#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/electric_field.hpp>

namespace electret {
namespace {

/// The value of one component with its derivatives; `constants` may be empty.
double component(const FieldExpression& field, std::size_t axis, const Vec3& x, double t, Vec3& d_position,
                 ScalarSpan d_constants) {
  return field.components[axis].value_and_gradient(x, t, field.constants, d_position, d_constants);
}

class ElectricFieldForce final : public ExplicitForce {
 public:
  ElectricFieldForce(FieldExpression field, Index vertex_count, Threads& threads)
      : field_(std::move(field)),
        threads_(threads),
        scratch_(field_.constants.size() * ((static_cast<std::size_t>(vertex_count) + chunk - 1) / chunk)) {
    require(field_.constants.size() == field_.constant_names.size(),
            "electric field: constants without names");
    parameters_.push_back({"charges", "C", static_cast<std::size_t>(vertex_count), ParameterOwner::charges});
    for (const std::string& constant : field_.constant_names) parameters_.push_back({constant, "", 1});
  }

  [[nodiscard]] std::string_view name() const override { return "electric_field"; }
  [[nodiscard]] bool does_field_work() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return parameters_; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for_rows(at, [&](std::size_t i) { f[i] += at.inputs.charges[i] * value(at, i); });
  }

  /// q_i Σ_a z_a ∇e_a.
  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    for_rows(at, [&](std::size_t i) {
      Vec3 product;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3 gradient;
        component(field_, axis, at.positions[i], at.inputs.time, gradient, {});
        product += z[i][static_cast<int>(axis)] * gradient;
      }
      out[i] += at.inputs.charges[i] * product;
    });
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t parameter, VectorView z,
                              ScalarSpan out) override {
    if (parameter == 0) {
      for_rows(at, [&](std::size_t i) { out[i] += dot(z[i], value(at, i)); });
      return;
    }
    check(at);
    const std::size_t constant = parameter - 1, constants = field_.constants.size();
    out[0] += threads_.sum(
        static_cast<Count>(at.positions.size()),
        [&](Count begin, Count end) {
          const ScalarSpan derivatives(scratch_.data() + static_cast<std::size_t>(begin / chunk) * constants,
                                       constants);
          double sum = 0.0;
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            Vec3 derivative, unused;
            for (std::size_t axis = 0; axis < 3; ++axis) {
              component(field_, axis, at.positions[i], at.inputs.time, unused, derivatives);
              derivative[static_cast<int>(axis)] = derivatives[constant];
            }
            sum += at.inputs.charges[i] * dot(z[i], derivative);
          }
          return sum;
        },
        chunk);
  }

 private:
  void check(const ForcePoint& at) const {
    require(at.positions.size() == parameters_[0].size && at.inputs.charges.size() == parameters_[0].size,
            "electric field: the arrays do not have one row per vertex");
  }

  template <class Row>
  void for_rows(const ForcePoint& at, Row&& row) {
    check(at);
    for_vertices(threads_, at.positions.size(), row, chunk);
  }

  [[nodiscard]] Vec3 value(const ForcePoint& at, std::size_t i) const {
    Vec3 e;
    for (std::size_t axis = 0; axis < 3; ++axis)
      e[static_cast<int>(axis)] =
          field_.components[axis].value(at.positions[i], at.inputs.time, field_.constants);
    return e;
  }

  static constexpr Count chunk = 256;

  FieldExpression field_;
  Threads& threads_;
  std::vector<ForceParameter> parameters_;
  std::vector<double> scratch_;  ///< Derivatives by the constants, one set per chunk.
};

}  // namespace

std::unique_ptr<ExplicitForce> make_electric_field_force(FieldExpression field, Index vertex_count,
                                                         Threads& threads) {
  return std::make_unique<ElectricFieldForce>(std::move(field), vertex_count, threads);
}

}  // namespace electret
