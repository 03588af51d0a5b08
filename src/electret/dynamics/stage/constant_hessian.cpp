#include <electret/dynamics/stage/constant_hessian.hpp>

namespace electret {
namespace {

/// Adds aL to a matrix under construction.
class ScaledSink final : public ScalarMatrixSink {
 public:
  ScaledSink(SparseMatrixBuilder& builder, double factor) : builder_(builder), factor_(factor) {}
  void add(Index row, Index column, double value) override { builder_.add(row, column, factor_ * value); }

 private:
  SparseMatrixBuilder& builder_;
  double factor_;
};

}  // namespace

ConstantHessian::ConstantHessian(const System& system, double factor) : factor_(factor) {
  SparseMatrixBuilder builder(system.vertex_count());
  for (Index i = 0; i < system.vertex_count(); ++i)
    builder.add(i, i, system.masses()[static_cast<std::size_t>(i)]);
  ScaledSink sink(builder, factor);
  for (const auto& energy : system.elastic) energy->add_majoriser(sink);
  factored_ = make_prefactored_system(builder.build(), system.fixed);
}

}  // namespace electret
