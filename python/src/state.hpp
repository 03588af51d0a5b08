#pragma once
/// \file
/// A state's arrays between Python and the library.

#include <pybind11/pybind11.h>

#include <electret/dynamics/simulator.hpp>

#include "arrays.hpp"

namespace electret::python {

/// Copies of (n, 3) positions and velocities, m and m/s, and of the method's arrays by name. Throws
/// std::invalid_argument unless both have `vertices` rows.
State state_of(Count step, const Array& positions, const Array& velocities, const pybind11::dict& memory,
               std::size_t vertices);
/// {name: copy} of the method's arrays.
pybind11::dict memory_of(const State& state);
/// {name: copy}.
pybind11::dict arrays_of(const NamedArrays& named);
/// Appends copies.
void take_arrays(const pybind11::dict& arrays, NamedArrays& named);
/// Every array that may be in a state, of the method or as starts for the solves of another: {name: (how many
/// numbers, whether it has derivatives)}.
pybind11::dict layout_of(const Simulator& simulator);

}  // namespace electret::python
