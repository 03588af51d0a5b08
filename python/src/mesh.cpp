/// \file
/// Meshes of files as arrays.

#include <pybind11/stl.h>

#include <electret/geometry/read.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

py::list polygons(const Mesh& mesh) {
  py::list list;
  for (std::size_t p = 0; p < mesh.polygons.size(); ++p) {
    py::tuple polygon(mesh.polygons[p].size());
    for (std::size_t k = 0; k < mesh.polygons[p].size(); ++k) polygon[k] = py::int_(mesh.polygons[p][k]);
    list.append(polygon);
  }
  return list;
}

py::dict arrays_of(const Mesh& mesh) {
  py::dict result, groups, attributes;
  for (const auto& [name, members] : mesh.groups) groups[shown(name)] = copied_indices(members);
  for (const auto& [name, values] : mesh.attributes) attributes[shown(name)] = copied(ScalarView(values));
  result["vertices"] = copied(VectorView(mesh.vertices));
  result["faces"] = polygons(mesh);
  result["triangles"] = copied_rows(triangulated(mesh.polygons));
  result["lines"] = copied_rows(mesh.lines);
  result["tetrahedra"] = copied_rows(mesh.tetrahedra);
  result["hexahedra"] = copied_rows(mesh.hexahedra);
  result["groups"] = groups;
  result["attributes"] = attributes;
  return result;
}

py::dict read(const FileName& path) {
  const DefaultFloats floats;
  Mesh mesh;
  {
    const ReleasedGil release;
    mesh = read_mesh(path.bytes);
  }
  return arrays_of(mesh);
}

}  // namespace

void bind_mesh(py::module_& module) {
  module.def("read_mesh", read);
}

}  // namespace electret::python
