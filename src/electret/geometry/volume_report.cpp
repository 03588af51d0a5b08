#include <electret/core/tree_sum.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/geometry/volume_report.hpp>

namespace electret {

VolumeReport volume_report(const Mesh& mesh, VectorView vertices) {
  VolumeReport report{mesh.tetrahedra.size(), mesh.hexahedra.size()};
  TreeSum volume;
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    volume.add(element_volume(mesh, vertices, e));
    const double quality = element_quality(mesh, vertices, e);
    if (e > 0 && quality >= report.worst_quality) continue;
    report.worst_quality = quality;
    report.worst_element = e;
  }
  report.volume = volume.total();
  return report;
}

}  // namespace electret
