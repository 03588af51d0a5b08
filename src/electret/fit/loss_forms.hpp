#pragma once
/// \file
/// The one list of the losses that `--loss` and fitting jobs can name. Help, findings and documents are made
/// from it, and the command reads what it names.

#include <array>
#include <string>
#include <string_view>

namespace electret {

struct LossForm {
  std::string_view name;      ///< Before the colon.
  std::string_view argument;  ///< What users write after the colon; empty if there is no argument.
  std::string_view is;        ///< What the loss is.
};

inline constexpr auto loss_forms = std::to_array<LossForm>(
    {{"final_position", "FILE",
      "mean over vertices of |x - x*|² at the end; x* from a mesh or a CSV file (columns x,y,z) with one "
      "place per vertex"},
     {"trajectory", "FILE.h5",
      "mean over frames and vertices of |x - x*|²; x* from the frames of another run that fall on a step of "
      "this one"},
     {"centre_of_mass", "x,y,z", "squared distance of the mass-weighted centre from (x, y, z) at the end"},
     {"energy", "", "the total energy at the end, J"}});

/// "final_position:FILE", "energy".
std::string written(const LossForm& form);

/// All of them: "final_position:FILE, …, energy".
std::string written_loss_forms();

/// The table of losses in docs/gradients.md.
std::string loss_reference();

}  // namespace electret
