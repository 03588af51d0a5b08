#pragma once
/// \file
/// The whole public interface: `#include <electret/electret.hpp>`.

#include <electret/adjoint/gradient.hpp>
#include <electret/core/control.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/version.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/field/field.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/identifiability.hpp>
#include <electret/fit/losses.hpp>
#include <electret/fit/signs.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/render/labelled.hpp>
#include <electret/render/run_pictures.hpp>
#include <electret/render/trace.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>
