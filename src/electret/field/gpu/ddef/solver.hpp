#pragma once
/// \file
/// The solver `ddef` on a device.

#include <memory>

#include <electret/field/ddef/ddef.hpp>
#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// Makes the solver for `solver = "ddef"` on a device. The host tessellates the box, and locates and sorts
/// charges and targets, with the code of the CPU's solver; `field` sums on the device. It sums in float32.
/// Differences of coordinates are plain, and compensated where pairs are close, or everywhere if an accuracy
/// below 2e-4 is requested; they are exact where pairs are very close. Two charges closer than 2^-62 of the
/// box count as one place.
///
/// Derivative products at the charges (`transposed_jacobian_product`, `charge_gradient`, `products`,
/// `field_and_products`) are summed on the device, too, with compensated differences. `target_adjoint` is the
/// CPU's: float64 sums by `threads`.
///
/// Throws InputError for options out of range, if the build has no Qhull, and if the device's compiler
/// refuses the kernels. `prepare` and `field` throw DeviceError if the device fails. `threads` must outlive
/// the solver.
std::unique_ptr<DdefFieldSolver> make_device_ddef_field_solver(const FieldOptions& options, Threads& threads,
                                                               std::unique_ptr<Device> device);

}  // namespace electret::gpu
