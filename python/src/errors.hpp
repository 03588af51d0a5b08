#pragma once
/// \file
/// The library's exceptions as those of electret/_errors.py.

#include <vector>

#include <pybind11/pybind11.h>

#include <electret/core/errors.hpp>

namespace electret::python {

/// [Finding, …] of electret/_errors.py.
pybind11::list findings_list(const std::vector<Finding>& findings);

/// From now on exceptions of the library arrive in Python.
void translate_errors();

}  // namespace electret::python
