#include <array>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/load.hpp>

namespace electret {
namespace {

class LoadForce final : public ExplicitForce {
 public:
  LoadForce(Index vertex_count, Threads& threads)
      : parameters_{{{"loads", "N", 3 * static_cast<std::size_t>(vertex_count), ParameterOwner::loads}}},
        threads_(threads) {}

  [[nodiscard]] std::string_view name() const override { return "load"; }
  [[nodiscard]] bool does_field_work() const override { return true; }
  [[nodiscard]] bool acts(const Inputs& inputs) const override { return !inputs.loads.empty(); }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return parameters_; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    const VectorArray& loads = at.inputs.loads;
    if (loads.empty()) return;
    require(3 * loads.size() == parameters_[0].size, "loads: the array does not have one row per vertex");
    for_vertices(threads_, loads.size(), [&](std::size_t i) { f[i] += loads[i]; });
  }

  /// The force is the same everywhere.
  void add_transposed_jacobian_x(const ForcePoint&, VectorView, VectorSpan) override {}

  void add_parameter_gradient(const ForcePoint&, std::size_t, VectorView z, ScalarSpan out) override {
    for_vertices(threads_, z.size(), [&](std::size_t i) {
      for (int axis = 0; axis < 3; ++axis) out[3 * i + static_cast<std::size_t>(axis)] += z[i][axis];
    });
  }

 private:
  std::array<ForceParameter, 1> parameters_;
  Threads& threads_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_load_force(Index vertex_count, Threads& threads) {
  return std::make_unique<LoadForce>(vertex_count, threads);
}

}  // namespace electret
