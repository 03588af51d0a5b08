#include <electret/core/instruction_set.hpp>
#include <electret/field/ddef/solver_base.hpp>
#include <electret/field/detail/checks.hpp>

namespace electret {
namespace ddef {
namespace {

class DdefSolver final : public SolverBase {
 public:
  DdefSolver(const FieldOptions& options, Threads& threads, direct::InstructionSet set,
             direct::Arithmetic arithmetic)
      : SolverBase(options, threads, set,
                   arithmetic == direct::Arithmetic::float64 ? FieldSums::float64 : FieldSums::float32) {}

  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override;
  [[nodiscard]] Count coincident_pairs() const override { return coincident_total_; }

 private:
  FarField<float> far32_;
  Count coincident_total_ = 0;
};

void DdefSolver::field(ScalarView charges, VectorSpan field, ScalarSpan potential) {
  check_field_sizes(source_count(), target_count(), charges, field, potential);
  coincident_total_ = 0;
  if (!has_points()) return;
  assign_charges(charges);
  coincident_total_ = sums_ == FieldSums::float32
                          ? evaluate<float>(far32_.evaluate(task(), threads_), field, potential)
                          : evaluate<double>(far64_.evaluate(task(), threads_), field, potential);
}

}  // namespace
}  // namespace ddef

std::unique_ptr<DdefFieldSolver> make_ddef_field_solver(const FieldOptions& options, Threads& threads) {
  const bool tight = options.accuracy && *options.accuracy < 2e-4;
  return make_ddef_field_solver(options, threads, instruction_set(),
                                tight ? direct::Arithmetic::float64 : direct::Arithmetic::float32);
}

std::unique_ptr<DdefFieldSolver> make_ddef_field_solver(const FieldOptions& options, Threads& threads,
                                                        direct::InstructionSet instruction_set,
                                                        direct::Arithmetic arithmetic) {
  return std::make_unique<ddef::DdefSolver>(options, threads, instruction_set, arithmetic);
}

bool ddef_available() {
  return true;
}

}  // namespace electret
