#include "state.hpp"

#include <stdexcept>
#include <string>

#include <electret/dynamics/stage/stage_hessian.hpp>

namespace py = pybind11;

namespace electret::python {

State state_of(Count step, const Array& positions, const Array& velocities, const py::dict& memory,
               std::size_t vertices) {
  State state;
  state.step = step;
  const VectorView x = vectors(positions), v = vectors(velocities);
  if (x.size() != vertices || v.size() != vertices)
    throw std::invalid_argument("the state does not have as many vertices as the simulator");
  state.positions.assign(x.begin(), x.end());
  state.velocities.assign(v.begin(), v.end());
  take_arrays(memory, state.memory);
  return state;
}

py::dict arrays_of(const NamedArrays& named) {
  py::dict arrays;
  for (const auto& array : named.arrays) arrays[py::str(array.name)] = copied(ScalarView(array.values));
  return arrays;
}

void take_arrays(const py::dict& arrays, NamedArrays& named) {
  for (const auto& [name, values] : arrays) {
    const auto holder = values.cast<Array>();
    const ScalarView array = scalars(holder);
    named.arrays.push_back({name.cast<std::string>(), {array.begin(), array.end()}});
  }
}

py::dict layout_of(const Simulator& simulator) {
  py::dict arrays;
  // With other values of parameters the method or its solver may be another one, whose memory is dropped.
  for (const auto& layout : {StageHessian::memory_arrays(), simulator.integrator().memory_layout()})
    for (const MemoryArray& array : layout)
      arrays[py::str(std::string(array.name))] =
          array.is_list
              ? py::make_tuple(py::none(), true)
              : py::make_tuple(array.size(simulator.state().positions.size()), array.is_differentiable);
  return arrays;
}

py::dict memory_of(const State& state) {
  return arrays_of(state.memory);
}

}  // namespace electret::python
