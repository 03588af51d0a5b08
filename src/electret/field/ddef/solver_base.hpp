#pragma once
/// \file
/// What all solvers of `ddef` share, wherever they sum the field: positions and their grid, statistics, and
/// derivative products, which are float64 sums on the CPU.

#include <electret/core/instruction_set.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/ddef/derivatives.hpp>

namespace electret::ddef {

/// A solver sums the field in float64, in float32, or on a device. The CPU's float32 reads arrays of its own.
enum class FieldSums { float64, float32, device };

class SolverBase : public DdefFieldSolver {
 public:
  /// Throws InputError for options out of range.
  SolverBase(const FieldOptions& options, Threads& threads, direct::InstructionSet set, FieldSums sums);

  [[nodiscard]] std::string_view name() const override { return "ddef"; }
  void hold(bool held) override { held_ = held; }
  void ignore_far_field(bool ignored) override { near_only_ = ignored; }

  void prepare(VectorView sources) override { place(sources, {}, true); }
  void prepare(VectorView sources, VectorView targets) override { place(sources, targets, false); }

  void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) override {
    own_products(charges, z, out.size(), out, {});
  }
  void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) override {
    own_products(charges, z, out.size(), {}, out);
  }
  void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) override;
  void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                          VectorSpan product, ScalarSpan charge_gradient) override;
  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override;
  [[nodiscard]] DdefStatistics statistics() const override;

 protected:
  /// The discretisation has new positions.
  virtual void placed() {}
  /// Computes derivative products at the targets, which are the sources; either may be empty. The charges are
  /// assigned. `after_field`: the last sums were those of `field` with the same charges. This is the CPU's.
  virtual void sum_products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient,
                            bool after_field);

  [[nodiscard]] SumTask task() const {
    return {discretisation_, charges_, direct_kernels_, kernels_, options_.ddef_half_taylor, near_only_};
  }
  [[nodiscard]] bool has_points() const {
    return discretisation_.sources().size() > 0 || discretisation_.targets().size() > 0;
  }
  [[nodiscard]] std::size_t source_count() const {
    return static_cast<std::size_t>(discretisation_.sources().size());
  }
  [[nodiscard]] std::size_t target_count() const {
    return static_cast<std::size_t>(discretisation_.targets().size());
  }
  /// The factors that turn scaled fields and potentials into the caller's units.
  struct Units {
    double field, potential;
  };
  [[nodiscard]] Units units() const;
  void assign_charges(ScalarView charges) {
    charges_.assign(discretisation_.sources(), charges, sums_ != FieldSums::float64);
  }

  /// Sums on the CPU in the arithmetic T, with the charges assigned and their far field. Returns the number
  /// of coincident pairs.
  template <class T>
  Count evaluate(const std::vector<VertexSums>& far, VectorSpan field, ScalarSpan potential);

  FieldOptions options_;
  Threads& threads_;
  const direct::Kernels& direct_kernels_;
  const Kernels& kernels_;
  FieldSums sums_;
  bool held_ = false, near_only_ = false;
  Discretisation discretisation_;
  SortedCharges charges_;
  FarField<double> far64_;

 private:
  void place(VectorView sources, VectorView targets, bool own);
  void own_products(ScalarView charges, VectorView z, std::size_t out, VectorSpan product,
                    ScalarSpan charge_gradient);

  Products products_;
  Workspaces<NearWorkspace> workspaces_;
  std::vector<Count> coincident_;  ///< Per task.
};

}  // namespace electret::ddef
