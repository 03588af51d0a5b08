#pragma once
/// \file
/// The whole public interface: `#include <electret/electret.hpp>`, or any of the headers below by itself.
///
/// Only the headers below are the interface. `cmake --install` installs them and the headers that they
/// include; what those others declare may change from version to version. docs/architecture.md says what each
/// is for.

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/rollout.hpp>
#include <electret/adjoint/step_gradient.hpp>
#include <electret/core/control.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>
#include <electret/core/version.hpp>
#include <electret/core/warning.hpp>
#include <electret/dynamics/controls.hpp>
#include <electret/dynamics/loss.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/field/field.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/field/solver.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/identifiability.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/fit/losses.hpp>
#include <electret/fit/run_job.hpp>
#include <electret/fit/signs.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/geometry/npy.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/driven_run.hpp>
#include <electret/record/export.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/render/labelled.hpp>
#include <electret/render/run_pictures.hpp>
#include <electret/render/trace.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/edit.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/scene/write.hpp>
