#pragma once
/// \file
/// What `electret check SCENE --parameters` prints.

#include <electret/scene/assembly.hpp>

namespace electret::app {

/// The parameters of the scene, one per line after a header: name, unit, count, value or range of the values.
void print_parameters(const Assembly& assembly);

}  // namespace electret::app
