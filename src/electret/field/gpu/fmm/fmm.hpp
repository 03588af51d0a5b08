#pragma once
/// \file
/// The fast multipole method on a device, behind the contract of field solvers.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/fmm/plan.hpp>
#include <electret/field/gpu/fmm/interactions.hpp>
#include <electret/field/solver.hpp>

namespace electret::gpu {

/// The finest accuracy of the method in float32.
inline constexpr double best_fmm_accuracy = 1e-6;

/// Makes a solver for the requested accuracy (1e-3 if it is absent). It works like the CPU's, with the same
/// orders and rule of acceptance. Fields and derivative products are summed on the device. Adjoints are those
/// of a CPU solver, which is made when it is first needed, because they ask for float64. Throws InputError
/// for an accuracy finer than best_fmm_accuracy. `threads` must outlive the solver.
std::unique_ptr<FieldSolver> make_device_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                          std::unique_ptr<Device> device);

/// Makes a solver with the caller's settings, for tests.
std::unique_ptr<FieldSolver> make_device_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                          std::unique_ptr<Device> device,
                                                          const fmm::Plan& plan);

}  // namespace electret::gpu
