#pragma once
/// \file
/// The settings of `electret field`, checked in the words of the command line.

#include <electret/field/options.hpp>

namespace electret::app {

/// Throws InputError with every finding about the options --solver, --accuracy, --grid-points and
/// --half-taylor: a solver that there is not, an accuracy that the solver does not promise, settings of
/// another solver than the one asked for.
void check_field_arguments(const FieldOptions& options);

}  // namespace electret::app
