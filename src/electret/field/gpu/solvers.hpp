#pragma once
/// \file
/// Makes the solvers that run on a device.

#include <memory>
#include <string>
#include <string_view>

#include <electret/core/parallel.hpp>
#include <electret/field/solver.hpp>

namespace electret::gpu {

/// Whether no solver has run yet on the device that `open_device(device)` opens, with its driver and these
/// kernels. Making the first one takes seconds: kernels are compiled, and the device is tested. False if
/// there is no such device.
bool is_first_use(std::string_view device);

/// Makes `solver` ("direct", "fmm" or "ddef") on the device that `open_device(device)` opens. If
/// options.solver is "auto", it aims at the default accuracy where none is requested. `threads` must outlive
/// the solver. Throws InputError as `open_device` and `require_self_test` do.
std::unique_ptr<FieldSolver> make_field_solver(std::string_view solver, const FieldOptions& options,
                                               Threads& threads, std::string_view device);

}  // namespace electret::gpu
