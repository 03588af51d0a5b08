#pragma once
/// \file
/// index.html: a run to look at in a browser, without a server, a network or a script.

#include <string>
#include <vector>

#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>

namespace electret {

/// What the page shows. Every text may hold anything.
struct RunPage {
  std::string name;                     ///< The scene's; empty: none.
  RunResult result;                     ///< What summary.json says.
  std::string energy_plot = {};         ///< An SVG document of ours; empty: none.
  std::string scene = {};               ///< The scene file's text.
  std::string overrides = {};           ///< What was put over it, a line each.
  std::vector<std::string> files = {};  ///< In the folder.
  /// Paths from the folder: pictures (.png) and movies (.mp4).
  std::vector<std::string> pictures = {};
};

/// The HTML document. It allows itself no script and no address but those of its own folder's files.
[[nodiscard]] std::string run_page_text(const RunPage& page);

/// Writes the page of a run, finished or not, anew with these pictures (paths of files, anywhere). Throws
/// InputError where the folder holds no run, IoError.
void renew_run_page(const RunDirectory& folder, const std::vector<std::string>& pictures);

}  // namespace electret
