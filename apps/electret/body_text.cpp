#include "body_text.hpp"

#include <fmt/format.h>

#include <electret/core/text.hpp>

namespace electret::app {

std::string body_size_text(const BodySize& size) {
  const auto& [x, y, z] = size.extent;
  std::string box = fmt::format("{:.4g} × {:.4g} × {:.4g} m", x, y, z);
  if (size.shortest == 0.0 && size.mean == 0.0) return box;  // A single vertex.
  return fmt::format("{}; {}: {:.4g} m the shortest, {:.4g} m on average", box,
                     size.is_cloud ? "from vertex to nearest vertex" : "edges", size.shortest, size.mean);
}

std::string element_counts(Count tetrahedra, Count hexahedra) {
  return counted(tetrahedra, "tetrahedron", "tetrahedra") + ", " +
         counted(hexahedra, "hexahedron", "hexahedra");
}

}  // namespace electret::app
