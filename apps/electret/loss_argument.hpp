#pragma once
/// \file
/// Makes the losses that `--loss` and fitting jobs name (fit/loss_forms.hpp) from their text.

#include <memory>
#include <string>

#include <electret/core/errors.hpp>
#include <electret/dynamics/loss.hpp>
#include <electret/scene/assembly.hpp>

namespace electret::app {

/// The loss that `text` names, for runs of `assembly`. `where` is the place of `text`. Relative paths start
/// from `folder`. Throws InputError for an unknown form, an unreadable file, a target of another size than
/// the scene, a number that is not finite, or a trajectory without a frame at one of the run's steps.
std::unique_ptr<Loss> parse_loss(const std::string& text, const Assembly& assembly, const Location& where,
                                 const std::string& folder = ".");

}  // namespace electret::app
