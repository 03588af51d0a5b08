#pragma once
/// \file
/// Electric fields that are Python functions.

#include <memory>

#include <pybind11/pybind11.h>

#include <electret/scene/expression.hpp>

namespace electret::python {

/// `value`(x, t) -> (n, 3), `product`(x, t, z) -> (n, 3) or None; both are given arrays of their own, called
/// with the GIL, and let go with it. What they raise passes through.
std::shared_ptr<const FieldFunction> field_function(pybind11::function value,
                                                    const pybind11::object& product);

}  // namespace electret::python
