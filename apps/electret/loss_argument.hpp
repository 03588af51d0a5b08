#pragma once
/// \file
/// The losses that `--loss` and fitting jobs name (fit/loss_forms.hpp), made from their text.

#include <memory>
#include <string>

#include <electret/core/errors.hpp>
#include <electret/dynamics/loss.hpp>
#include <electret/scene/assembly.hpp>

namespace electret::app {

/// The loss that `text` names, of runs of `assembly`; `where` is the place of `text`, relative paths start
/// from `folder`. Throws InputError: an unknown form, an unreadable file, a target of another size than the
/// scene, a number that is not finite, a trajectory without a frame at one of the run's steps.
std::unique_ptr<Loss> parse_loss(const std::string& text, const Assembly& assembly, const Location& where,
                                 const std::string& folder = ".");

}  // namespace electret::app
