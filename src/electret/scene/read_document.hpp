#pragma once
/// \file
/// Reads a document into a scene.

#include <electret/scene/document.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// Reads and checks every table. Findings go to `report`. The scene's folder, text and overrides are the
/// caller's. If `known_time` is given, the length of the run and its legs are those.
void read_document(Scene& scene, const Document& document, Report& report,
                   const TimeOptions* known_time = nullptr);

}  // namespace electret
