#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/ddef/derivatives.hpp>
#include <electret/field/detail/checks.hpp>

namespace electret {
namespace ddef {
namespace {

constexpr Count tetrahedra_per_task = 4;

void check_options(const FieldOptions& options) {
  check_field_options(options);
  const Count points = options.ddef_grid_points.value_or(1);
  if (points < 1 || points > most_ddef_grid_points)
    throw InputError(Finding{{},
                             "coulomb.ddef.grid_points = " + std::to_string(points),
                             "allowed: whole number from 1 to " + std::to_string(most_ddef_grid_points)});
}

class DdefSolver final : public DdefFieldSolver {
 public:
  DdefSolver(const FieldOptions& options, Threads& threads, direct::InstructionSet set,
             direct::Arithmetic arithmetic)
      : options_(options),
        threads_(threads),
        direct_kernels_(direct::kernels(set)),
        kernels_(ddef::kernels(set)),
        float32_(arithmetic != direct::Arithmetic::float64),
        discretisation_(options.softening, float32_) {
    check_options(options);
  }

  [[nodiscard]] std::string_view name() const override { return "ddef"; }
  void hold(bool held) override { held_ = held; }
  void ignore_far_field(bool ignored) override { near_only_ = ignored; }
  [[nodiscard]] Count coincident_pairs() const override { return coincident_total_; }

  void prepare(VectorView sources) override { place(sources, {}, true); }
  void prepare(VectorView sources, VectorView targets) override { place(sources, targets, false); }

  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override;
  void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) override {
    own_products(charges, z, out.size(), out, {});
  }
  void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) override {
    own_products(charges, z, out.size(), {}, out);
  }
  void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) override {
    check_product_sizes(source_count(), charges, z, product.size());
    own_products(charges, z, charge_gradient.size(), product, charge_gradient);
  }
  void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                          VectorSpan product, ScalarSpan charge_gradient) override;
  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override;
  [[nodiscard]] DdefStatistics statistics() const override;

 private:
  void place(VectorView sources, VectorView targets, bool own);
  void own_products(ScalarView charges, VectorView z, std::size_t out, VectorSpan product,
                    ScalarSpan charge_gradient);
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
  template <class T>
  void evaluate(const std::vector<VertexSums>& far, VectorSpan field, ScalarSpan potential);

  FieldOptions options_;
  Threads& threads_;
  const direct::Kernels& direct_kernels_;
  const Kernels& kernels_;
  bool float32_, held_ = false, near_only_ = false;
  Discretisation discretisation_;
  SortedCharges charges_;
  FarField<double> far64_;
  FarField<float> far32_;
  Workspaces<NearWorkspace> workspaces_;
  Products products_;
  std::vector<Count> coincident_;  ///< Per task.
  Count coincident_total_ = 0;
};

void DdefSolver::place(VectorView sources, VectorView targets, bool own) {
  const Count grid_points =
      options_.ddef_grid_points.value_or(default_ddef_grid_points(static_cast<Count>(sources.size())));
  discretisation_.prepare(sources, targets, own, grid_points, held_, threads_);
}

void DdefSolver::field(ScalarView charges, VectorSpan field, ScalarSpan potential) {
  check_field_sizes(source_count(), target_count(), charges, field, potential);
  coincident_total_ = 0;
  if (!has_points()) return;
  charges_.assign(discretisation_.sources(), charges, float32_);
  if (float32_)
    evaluate<float>(far32_.evaluate(task(), threads_), field, potential);
  else
    evaluate<double>(far64_.evaluate(task(), threads_), field, potential);
}

template <class T>
void DdefSolver::evaluate(const std::vector<VertexSums>& far, VectorSpan field, ScalarSpan potential) {
  const auto& occupied = discretisation_.targets().occupied();
  const auto count = static_cast<Count>(occupied.size());
  const double unit = options_.constant / charges_.scale * discretisation_.scale();
  const FieldOutput output{field, potential, unit * discretisation_.scale(), unit};
  coincident_.assign(static_cast<std::size_t>(count / tetrahedra_per_task + 1), 0);
  const SumTask sums = task();
  threads_.for_chunks(count, tetrahedra_per_task, [&](Count begin, Count end) {
    Workspaces<NearWorkspace>::Lease w(workspaces_);
    Count coincident = 0;
    for (Count k = begin; k < end; ++k)
      coincident += evaluate_tetrahedron<T>(sums, occupied[static_cast<std::size_t>(k)], far, *w, output);
    coincident_[static_cast<std::size_t>(begin / tetrahedra_per_task)] = coincident;
  });
  for (const Count c : coincident_) coincident_total_ += c;
}

void DdefSolver::own_products(ScalarView charges, VectorView z, std::size_t out, VectorSpan product,
                              ScalarSpan charge_gradient) {
  check_own_targets(discretisation_.own());
  check_product_sizes(source_count(), charges, z, out);
  if (!has_points()) return;
  charges_.assign(discretisation_.sources(), charges, float32_);
  products_.own(task(), far64_.evaluate(task(), threads_), z, options_.constant, product, charge_gradient,
                threads_);
}

void DdefSolver::field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                                    VectorSpan product, ScalarSpan charge_gradient) {
  check_own_targets(discretisation_.own());
  check_product_sizes(source_count(), charges, z, product.size());
  check_product_sizes(source_count(), charges, z, charge_gradient.size());
  this->field(charges, field, potential);
  if (!has_points()) return;
  const auto& far = float32_ ? far64_.evaluate(task(), threads_) : far64_.sums();
  products_.own(task(), far, z, options_.constant, product, charge_gradient, threads_);
}

void DdefSolver::target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                                VectorSpan source_gradient, ScalarSpan charge_gradient) {
  check_adjoint_sizes(source_count(), target_count(), charges, w, target_gradient, source_gradient,
                      charge_gradient);
  if (discretisation_.own())
    throw std::invalid_argument("target_adjoint needs targets of their own: call prepare(sources, targets)");
  if (!has_points()) return;
  charges_.assign(discretisation_.sources(), charges, float32_);
  products_.separate(task(), far64_.evaluate(task(), threads_), w, options_.constant, target_gradient,
                     source_gradient, charge_gradient, threads_);
}

DdefStatistics DdefSolver::statistics() const {
  DdefStatistics result;
  if (!has_points()) return result;
  const Discretisation& d = discretisation_;
  const Mesh& mesh = d.mesh();
  result.grid_points = mesh.tessellation.grid_points;
  result.tetrahedra = mesh.tessellation.size();
  result.occupied = static_cast<Count>(d.targets().occupied().size());
  for (const Index s : d.sources().occupied())
    result.far_pairs +=
        d.sources().count(s) * (d.grid_size() - static_cast<Count>(mesh.sets.near_vertices[s].size()));
  for (const Index t : d.targets().occupied()) {
    Count near = 0;
    for (const Index s : mesh.sets.near[t]) near += d.sources().count(s);
    result.near_pairs += d.targets().count(t) * (d.own() ? near - 1 : near);
    for (const Index v : mesh.tessellation.vertices_of[static_cast<std::size_t>(t)]) {
      result.removed_pairs += near;
      for (const Index s : mesh.sets.near_of[v]) result.removed_pairs -= d.sources().count(s);
    }
  }
  if (d.targets().size() > 0)
    result.near_pairs_a_target =
        static_cast<double>(result.near_pairs) / static_cast<double>(d.targets().size());
  return result;
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
