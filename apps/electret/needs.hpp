#pragma once
/// \file
/// What a run of a scene takes, and what this machine has.

#include <optional>
#include <string>

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/system.hpp>

namespace electret::app {

/// About what the arrays of a run take, bytes; the factor of an implicit method is estimated from the
/// springs.
[[nodiscard]] double memory_needed(const System& system, const Integrator& integrator);

/// Bytes of memory that this process may still take: what is free, or less by a limit of the process or of
/// its control group. None where the system does not say.
[[nodiscard]] std::optional<double> memory_available();

/// Bytes that may still be written to `directory`, there or not: what is free on its file system and what an
/// earlier run in it takes. None where the system does not say.
[[nodiscard]] std::optional<double> disk_available(const std::string& directory);

}  // namespace electret::app
