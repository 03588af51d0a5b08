#pragma once
/// \file
/// What one page is told because it asked: a scene that was saved, a field, what the session has.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::studio {

/// The scene was saved under a name. It is told to the page that asked.
struct SavedInfo {
  std::string path;                   ///< Of the scene's new file.
  std::string copy{};                 ///< What Open takes to open it; "" where it is what is open.
  std::vector<std::string> tables{};  ///< Files of charges that were written with it.
};

/// A file of the session's folder.
struct SessionFile {
  std::string name;
  std::uint64_t bytes = 0;
};
/// Something that was done: an edit, a pull, a charge in the hand.
struct JournalEntry {
  Count step = 0;                ///< The state before its first step.
  double time = 0.0;             ///< s.
  std::string what{};            ///< For people.
  std::optional<Count> until{};  ///< The step with which it ended; absent of edits, and of what goes on.
};
/// What the session's folder holds, and what was done since the start, in the order of steps.
struct SessionInfo {
  std::string folder;  ///< Of the session, or of the run.
  std::vector<SessionFile> files{};
  std::vector<JournalEntry> journal{};  ///< The last ones
  Count all = 0;                        ///< of so many.
};

/// The electric field that a page asked for.
struct FieldValues {
  std::uint32_t number = 0;                         ///< As in AskField.
  std::uint32_t generation = 0;                     ///< Of the frame
  Count step = 0;                                   ///< of this step.
  std::shared_ptr<const std::vector<float>> field;  ///< 3 × points, N/C.
};

}  // namespace electret::studio
