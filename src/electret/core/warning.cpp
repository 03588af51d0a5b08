#include <electret/core/text.hpp>
#include <electret/core/warning.hpp>

namespace electret {

std::string_view name_of(WarningKind kind) {
  switch (kind) {
    case WarningKind::unused_setting:
      return "unused_setting";
    case WarningKind::loose_vertices:
      return "loose_vertices";
    case WarningKind::free_vertices:
      return "free_vertices";
    case WarningKind::unused_charges:
      return "unused_charges";
    case WarningKind::unused_group:
      return "unused_group";
    case WarningKind::late_key_frames:
      return "late_key_frames";
    case WarningKind::too_many_neighbours:
      return "too_many_neighbours";
    case WarningKind::locking_material:
      return "locking_material";
    case WarningKind::negative_activation:
      return "negative_activation";
    case WarningKind::obstacle:
      return "obstacle";
    case WarningKind::resolution:
      return "resolution";
    case WarningKind::water:
      return "water";
    case WarningKind::shapeless:
      return "shapeless";
    case WarningKind::time_step:
      return "time_step";
    case WarningKind::charge_step:
      return "charge_step";
    case WarningKind::device:
      return "device";
    case WarningKind::memory:
      return "memory";
    case WarningKind::disk:
      return "disk";
  }
  throw InternalError("a kind of warning without a name");
}

std::string to_string(const Warning& warning, std::string_view word) {
  const std::string place = to_string(warning.where);
  std::string text =
      (place.empty() ? "electret" : place) + ": " + std::string(word) + ": " + printable(warning.message);
  if (!warning.advice.empty()) text += "; " + printable(warning.advice);
  return text;
}

std::vector<std::string> texts_of(const std::vector<Warning>& warnings) {
  std::vector<std::string> texts;
  for (const Warning& warning : warnings) texts.push_back(to_string(warning));
  return texts;
}

}  // namespace electret
