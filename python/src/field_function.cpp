#include "field_function.hpp"

#include <algorithm>
#include <stdexcept>

#include "arrays.hpp"
#include "gil.hpp"
#include "guard.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

using Held = std::shared_ptr<py::function>;

/// Whoever lets the last copy go takes the GIL for it; after the interpreter's end there is none to take.
Held held(py::function function) {
  return {new py::function(std::move(function)), [](py::function* last) {
            if (Py_IsInitialized() == 0) return;
            const HeldGil gil;
            delete last;
          }};
}

/// Calls with the GIL and in the caller's floating-point environment.
template <class Call>
void fill(VectorSpan out, Call&& call) {
  const HeldGil gil;
  const CallersFloats floats;
  const Array result = call().template cast<Array>();
  const VectorView values = vectors(result);
  if (values.size() != out.size())
    throw std::invalid_argument("the electric field does not have one row per vertex");
  std::copy(values.begin(), values.end(), out.begin());
}

}  // namespace

std::shared_ptr<const FieldFunction> field_function(py::function value, const py::object& product) {
  auto made = std::make_shared<FieldFunction>();
  made->value = [own = held(std::move(value))](VectorView x, double t, VectorSpan e) {
    fill(e, [&] { return (*own)(copied(x), t); });
  };
  if (!product.is_none())
    made->transposed_product = [own = held(product.cast<py::function>())](VectorView x, double t,
                                                                          VectorView z, VectorSpan out) {
      fill(out, [&] { return (*own)(copied(x), t, copied(z)); });
    };
  return made;
}

}  // namespace electret::python
