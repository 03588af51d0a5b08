/// \file
/// Coulomb sums: a solver that is kept, and the true error of a field.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include <electret/field/field.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/field/gpu/placement.hpp>
#include <electret/field/solver.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "native.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

FieldOptions options_of(const std::string& solver, std::optional<double> accuracy,
                        std::optional<double> constant, double softening, std::optional<Count> grid_points,
                        const std::string& device) {
  FieldOptions options;
  options.solver = solver;
  options.accuracy = accuracy;
  if (constant) options.constant = *constant;
  options.softening = softening;
  options.ddef_grid_points = grid_points;
  options.device = device;
  return options;
}

/// A solver with its own threads. Arrays come checked and of fitting sizes.
class Field : public Guarded {
 public:
  Field(Count count, FieldOptions options, int threads)
      : Guarded("field solver"), options_(std::move(options)), threads_(threads_here(threads)) {
    const DefaultFloats floats;
    solver_ = make_field_solver(options_, count, threads_);
  }

  void prepare(const Array& sources, const std::optional<Array>& targets) {
    const Entry entry(*this);
    const VectorView at = vectors(sources), to = targets ? vectors(*targets) : VectorView();
    const ReleasedGil release;
    targets ? solver_->prepare(at, to) : solver_->prepare(at);
  }

  Count field(const Array& charges, Array field, std::optional<Array> potential) {
    const Entry entry(*this);
    const ScalarView q = scalars(charges);
    const VectorSpan e = writable_vectors(field);
    const ScalarSpan phi = potential ? writable_scalars(*potential) : ScalarSpan();
    const ReleasedGil release;
    solver_->field(q, e, phi);
    return solver_->coincident_pairs();
  }

  Array jacobian_product(const Array& charges, const Array& z) {
    Array result = empty_vectors(vectors(z).size());
    product(&FieldSolver::transposed_jacobian_product, charges, z, writable_vectors(result));
    return result;
  }

  Array charge_gradient(const Array& charges, const Array& z) {
    Array result = empty_scalars(scalars(charges).size());
    product(&FieldSolver::charge_gradient, charges, z, writable_scalars(result));
    return result;
  }

  py::tuple field_and_products(const Array& charges, const Array& z) {
    const Entry entry(*this);
    const ScalarView q = scalars(charges);
    const VectorView weights = vectors(z);
    Array e = empty_vectors(q.size()), phi = empty_scalars(q.size());
    Array product = empty_vectors(q.size()), by_charge = empty_scalars(q.size());
    const VectorSpan e_out = writable_vectors(e), product_out = writable_vectors(product);
    const ScalarSpan phi_out = writable_scalars(phi), charge_out = writable_scalars(by_charge);
    {
      const ReleasedGil release;
      solver_->field_and_products(q, weights, e_out, phi_out, product_out, charge_out);
    }
    return py::make_tuple(e, phi, product, by_charge);
  }

  /// Of Σ w_a·E_a.
  py::tuple target_adjoint(const Array& charges, const Array& w) {
    const Entry entry(*this);
    const ScalarView q = scalars(charges);
    const VectorView weights = vectors(w);
    Array by_target = empty_vectors(weights.size()), by_source = empty_vectors(q.size());
    Array by_charge = empty_scalars(q.size());
    const VectorSpan target_out = writable_vectors(by_target), source_out = writable_vectors(by_source);
    const ScalarSpan charge_out = writable_scalars(by_charge);
    {
      const ReleasedGil release;
      solver_->target_adjoint(q, weights, target_out, source_out, charge_out);
    }
    return py::make_tuple(by_target, by_source, by_charge);
  }

  /// `count` times what `field` does: for the performance table.
  double native_fields(const Array& charges, Array field, Array potential, Count count) {
    const Entry entry(*this);
    const ScalarView q = scalars(charges);
    const VectorSpan e = writable_vectors(field);
    const ScalarSpan phi = writable_scalars(potential);
    return seconds_of(count, [&] { solver_->field(q, e, phi); });
  }

  [[nodiscard]] std::string name() const { return std::string(solver_->name()); }

 private:
  template <class Product, class Out>
  void product(Product of, const Array& charges, const Array& z, Out out) {
    const Entry entry(*this);
    const ScalarView q = scalars(charges);
    const VectorView weights = vectors(z);
    const ReleasedGil release;
    (solver_.get()->*of)(q, weights, out);
  }

  FieldOptions options_;
  Threads threads_;
  std::unique_ptr<FieldSolver> solver_;
};

const char* kind_name(gpu::Kind kind) {
  switch (kind) {
    case gpu::Kind::discrete:
      return "discrete";
    case gpu::Kind::integrated:
      return "integrated";
    case gpu::Kind::processor:
      return "cpu";
  }
  return "";
}

/// What `el.devices()` says, in the order of its fields.
py::list listed_devices() {
  const std::vector<gpu::Listed> all = gpu::devices();
  py::list list;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const gpu::Facts& facts = all[k].facts;
    list.append(py::make_tuple(shown(facts.name), shown(gpu::choice_of(all, k)), kind_name(facts.kind),
                               shown(facts.platform), shown(facts.version), shown(facts.driver), facts.memory,
                               facts.largest_buffer, facts.compute_units, facts.clock, facts.float64,
                               shown(all[k].unusable)));
  }
  return list;
}

py::tuple verify(const Array& positions, const Array& charges, const Array& field,
                 const std::optional<Array>& at, const FieldOptions& options, Count samples,
                 const std::optional<Array>& potential) {
  const DefaultFloats floats;
  const VectorView x = vectors(positions), e = vectors(field), targets = at ? vectors(*at) : VectorView();
  const ScalarView q = scalars(charges), phi = potential ? scalars(*potential) : ScalarView();
  FieldError error;
  {
    const ReleasedGil release;
    error = at ? verify_field_at(x, q, targets, e, options, samples, phi)
               : verify_field(x, q, e, options, samples, phi);
  }
  return py::make_tuple(error.samples, error.relative, error.median, error.worst, error.potential);
}

}  // namespace

void bind_field(py::module_& module) {
  py::class_<FieldOptions>(module, "FieldOptions").def(py::init(&options_of));
  py::class_<Field>(module, "FieldSolver")
      .def(py::init<Count, FieldOptions, int>())
      .def("prepare", &Field::prepare)
      .def("field", &Field::field)
      .def("jacobian_product", &Field::jacobian_product)
      .def("charge_gradient", &Field::charge_gradient)
      .def("field_and_products", &Field::field_and_products)
      .def("native_fields", &Field::native_fields)
      .def("target_adjoint", &Field::target_adjoint)
      .def_property_readonly("name", &Field::name);
  module.def("field_choice", [](const FieldOptions& options, Count count, bool apart) {
    return to_string(field_solver_choice(options, count, apart));
  });
  module.def("verify_field", verify);
  module.def("devices", listed_devices);
}

}  // namespace electret::python
