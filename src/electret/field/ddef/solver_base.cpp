#include <electret/core/errors.hpp>
#include <electret/field/ddef/solver_base.hpp>
#include <electret/field/detail/checks.hpp>

namespace electret::ddef {
namespace {

constexpr Count tetrahedra_per_task = 4;

const FieldOptions& checked(const FieldOptions& options) {
  check_field_options(options);
  const Count points = options.ddef_grid_points.value_or(1);
  if (points < 1 || points > most_ddef_grid_points)
    throw InputError(Finding{{},
                             "coulomb.ddef.grid_points = " + std::to_string(points),
                             "allowed: whole number from 1 to " + std::to_string(most_ddef_grid_points)});
  return options;
}

}  // namespace

SolverBase::SolverBase(const FieldOptions& options, Threads& threads, direct::InstructionSet set,
                       FieldSums sums)
    : options_(checked(options)),
      threads_(threads),
      direct_kernels_(direct::kernels(set)),
      kernels_(ddef::kernels(set)),
      sums_(sums),
      discretisation_(options.softening, sums == FieldSums::float32) {}

void SolverBase::place(VectorView sources, VectorView targets, bool own) {
  const Count grid_points =
      options_.ddef_grid_points.value_or(default_ddef_grid_points(static_cast<Count>(sources.size())));
  discretisation_.prepare(sources, targets, own, grid_points, held_, threads_);
  placed();
}

SolverBase::Units SolverBase::units() const {
  const double unit = options_.constant / charges_.scale * discretisation_.scale();
  return {unit * discretisation_.scale(), unit};
}

template <class T>
Count SolverBase::evaluate(const std::vector<VertexSums>& far, VectorSpan field, ScalarSpan potential) {
  const auto& occupied = discretisation_.targets().occupied();
  const auto count = static_cast<Count>(occupied.size());
  const Units unit = units();
  const FieldOutput output{field, potential, unit.field, unit.potential};
  coincident_.assign(static_cast<std::size_t>(count / tetrahedra_per_task + 1), 0);
  const SumTask sums = task();
  threads_.for_chunks(count, tetrahedra_per_task, [&](Count begin, Count end) {
    Workspaces<NearWorkspace>::Lease w(workspaces_);
    Count coincident = 0;
    for (Count k = begin; k < end; ++k)
      coincident += evaluate_tetrahedron<T>(sums, occupied[static_cast<std::size_t>(k)], far, *w, output);
    coincident_[static_cast<std::size_t>(begin / tetrahedra_per_task)] = coincident;
  });
  Count total = 0;
  for (const Count c : coincident_) total += c;
  return total;
}

template Count SolverBase::evaluate<float>(const std::vector<VertexSums>&, VectorSpan, ScalarSpan);
template Count SolverBase::evaluate<double>(const std::vector<VertexSums>&, VectorSpan, ScalarSpan);

void SolverBase::products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) {
  check_product_sizes(source_count(), charges, z, product.size());
  own_products(charges, z, charge_gradient.size(), product, charge_gradient);
}

void SolverBase::own_products(ScalarView charges, VectorView z, std::size_t out, VectorSpan product,
                              ScalarSpan charge_gradient) {
  check_own_targets(discretisation_.own());
  check_product_sizes(source_count(), charges, z, out);
  if (!has_points()) return;
  assign_charges(charges);
  sum_products(charges, z, product, charge_gradient, false);
}

void SolverBase::sum_products(ScalarView, VectorView z, VectorSpan product, ScalarSpan charge_gradient,
                              bool after_field) {
  const bool has_far = after_field && sums_ == FieldSums::float64;
  const auto& far = has_far ? far64_.sums() : far64_.evaluate(task(), threads_);
  products_.own(task(), far, z, options_.constant, product, charge_gradient, threads_);
}

void SolverBase::field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                                    VectorSpan product, ScalarSpan charge_gradient) {
  check_own_targets(discretisation_.own());
  check_product_sizes(source_count(), charges, z, product.size());
  check_product_sizes(source_count(), charges, z, charge_gradient.size());
  this->field(charges, field, potential);
  if (!has_points()) return;
  sum_products(charges, z, product, charge_gradient, true);
}

void SolverBase::target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                                VectorSpan source_gradient, ScalarSpan charge_gradient) {
  check_adjoint_sizes(source_count(), target_count(), charges, w, target_gradient, source_gradient,
                      charge_gradient);
  if (!has_points()) return;
  assign_charges(charges);
  products_.adjoint(task(), far64_.evaluate(task(), threads_), w, options_.constant, target_gradient,
                    source_gradient, charge_gradient, threads_);
}

DdefStatistics SolverBase::statistics() const {
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

}  // namespace electret::ddef
