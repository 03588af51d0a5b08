#pragma once
/// \file
/// A small run with every kind of array, and its folder, which fuzzers of a run's files change.

#include <filesystem>
#include <memory>
#include <string>

#include <electret/dynamics/system.hpp>

#include "record/temporary_folder.hpp"

namespace electret::test {

/// Springs, tetrahedra, hexahedra with a muscle, a body filled from a surface, pins, groups, key-framed
/// charges.
std::unique_ptr<System> fuzzed_system();
/// A chain of three vertices with a pin: single precision, no velocities.
std::unique_ptr<System> fuzzed_chain();

/// Runs the first `steps` of the system's steps into `folder`; the others are left to be resumed.
void run_some_steps(std::unique_ptr<System> system, const std::string& folder, Count steps);

/// Replaces the file's contents.
void put_file(const std::string& path, std::string_view bytes);

/// Removes what an export of an input left.
void remove_export(const std::string& out);

}  // namespace electret::test
