#pragma once
/// \file
/// Python's values as a tree of the scene format, and back.

#include <pybind11/pybind11.h>

#include <electret/scene/document.hpp>

namespace electret::python {

/// dict → table, list, tuple and array of numbers → list, and plain values. Throws TypeError, naming the key,
/// for anything else, and ValueError for values nested deeper than the format's.
Node node_of(const pybind11::handle& value, const std::string& key = "");
/// The reverse; lists come as lists.
pybind11::object value_of(const Node& node);

}  // namespace electret::python
