#pragma once
/// \file
/// index.html: a run to look at in a browser, without a server, a network or a script.

#include <string>
#include <vector>

#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>

namespace electret {

/// What the page shows. Texts may hold any characters.
struct RunPage {
  std::string name;                     ///< The scene's name; empty: none.
  RunResult result;                     ///< What summary.json says.
  std::string energy_plot = {};         ///< An SVG document made by Electret; empty: none.
  std::string scene = {};               ///< The scene file's text.
  std::string overrides = {};           ///< The overrides of the scene, one per line.
  std::vector<std::string> files = {};  ///< Names of the files in the folder.
  /// Paths from the folder: pictures (.png) and movies (.mp4).
  std::vector<std::string> pictures = {};
};

/// The HTML document. It forbids scripts and all addresses except those of files in its own folder.
[[nodiscard]] std::string run_page_text(const RunPage& page);

/// Writes energy.svg again from energy.csv. Throws InputError if the folder holds no run, and IoError.
void renew_energy_plot(const RunDirectory& folder);

/// Writes the page of a run, finished or not, again with these pictures (paths of files anywhere). Throws
/// InputError if the folder holds no run, and IoError.
void renew_run_page(const RunDirectory& folder, const std::vector<std::string>& pictures);

}  // namespace electret
