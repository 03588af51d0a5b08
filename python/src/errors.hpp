#pragma once
/// \file
/// The library's exceptions as those of electret/_errors.py.

#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include <electret/core/errors.hpp>

namespace electret::python {

/// Parameters by name, flat.
using Values = std::vector<std::pair<std::string, std::vector<double>>>;

/// What is wrong with `values` if no system can be made of them.
InputError refused(const Values& values, const DivergenceError& error);

/// [Finding, …] of electret/_errors.py.
pybind11::list findings_list(const std::vector<Finding>& findings);

/// From now on exceptions of the library arrive in Python.
void translate_errors();

}  // namespace electret::python
