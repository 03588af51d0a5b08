#include "state.hpp"

#include <stdexcept>
#include <string>

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
  for (const auto& [name, values] : memory) {
    const ScalarView array = scalars(values.cast<Array>());
    state.memory.arrays.push_back({name.cast<std::string>(), {array.begin(), array.end()}});
  }
  return state;
}

py::dict memory_of(const State& state) {
  py::dict arrays;
  for (const auto& array : state.memory.arrays)
    arrays[py::str(array.name)] = copied(ScalarView(array.values));
  return arrays;
}

}  // namespace electret::python
