#pragma once
/// \file
/// The commands. Each has a file of its own.

#include <array>

#include "command_line.hpp"

namespace electret::app {

/// Adds a command with its options and what it does.
using AddCommand = void(CommandLine&);
AddCommand add_run, add_check, add_edit, add_studio, add_field, add_devices, add_gradient, add_fit, add_sweep,
    add_info, add_compare, add_export, add_render, add_reproduce, add_completion;

/// In the order of the help.
inline constexpr auto commands = std::to_array<AddCommand*>(
    {add_run, add_check, add_edit, add_studio, add_field, add_devices, add_gradient, add_fit, add_sweep,
     add_info, add_compare, add_export, add_render, add_reproduce, add_completion});

}  // namespace electret::app
