#pragma once
/// \file
/// The one list of the losses that `--loss` and fitting jobs can name: their forms, what they are, and how
/// they are made. Help, findings and documents follow from it.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/dynamics/loss.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

/// What a loss is made from.
struct LossArgument {
  std::string_view text;     ///< Behind the colon; empty without one.
  const Assembly& assembly;  ///< The loss is for runs of it.
  std::string_view folder;   ///< From which relative paths start.
  const Location& where;     ///< The place of the whole text, for findings,
  std::string_view whole;    ///< and the text itself.
};

struct LossForm {
  std::string_view name;      ///< Before the colon.
  std::string_view argument;  ///< What users write after the colon; empty if there is no argument.
  std::string_view is;        ///< What the loss is.
  /// Throws InputError for an argument that is wrong, as `parse_loss` says.
  std::unique_ptr<Loss> (*make)(const LossArgument&);
  /// The groups, "BODY.GROUP", that an argument from which the loss can be made names. Null: it names none.
  std::vector<std::string> (*groups)(const LossArgument&) = nullptr;
  bool may_be_negative = false;
};

/// The rows, in the order of the documents.
[[nodiscard]] std::span<const LossForm> loss_forms();

/// "trajectory:FILE.h5"
[[nodiscard]] std::string written(const LossForm& form);
/// All of them: "final_position:FILE, trajectory:FILE.h5, …".
[[nodiscard]] std::string written_loss_forms();
/// The reference part of docs/gradients.md: one Markdown table.
[[nodiscard]] std::string loss_reference();

/// The loss that `text` names, for runs of `assembly`. `where` is the place of `text`. Relative paths start
/// from `folder`. Throws InputError for an unknown form, an unreadable file, a target of another size than
/// the scene, a number that is not finite, or a trajectory without a frame at one of the run's steps.
[[nodiscard]] std::unique_ptr<Loss> parse_loss(const std::string& text, const Assembly& assembly,
                                               const Location& where, const std::string& folder = ".");

/// Whether the loss named by `text` has values below 0 in some scenes. False for an unknown one.
[[nodiscard]] bool may_be_negative(std::string_view text);

/// The groups, "BODY.GROUP", that the loss named by `text` uses. Arguments and exceptions as `parse_loss`.
[[nodiscard]] std::vector<std::string> groups_of_loss(const std::string& text, const Assembly& assembly,
                                                      const Location& where, const std::string& folder = ".");

}  // namespace electret
