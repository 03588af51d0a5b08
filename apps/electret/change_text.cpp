#include "change_text.hpp"

namespace electret::app {

std::string change_text(const Change& change) {
  std::string what;
  const auto add = [&](const std::string& text) { what += (what.empty() ? "" : ", ") + text; };
  for (const std::string& key : change.unset) add("--unset " + key);
  for (const std::string& assignment : change.set) add(assignment);
  return "before the step from state " + std::to_string(change.step) + ": " + what;
}

}  // namespace electret::app
