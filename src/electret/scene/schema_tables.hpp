#pragma once
/// \file
/// The rows of the scene format.

#include <vector>

#include <electret/scene/schema.hpp>

namespace electret {

/// `[[body]]` and the tables within it.
std::vector<SchemaTable> body_tables();

/// All tables in the order of the documentation: settings, bodies, what acts on the bodies, output.
std::vector<SchemaTable> schema_tables();

}  // namespace electret
