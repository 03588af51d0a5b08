#include "reproduce_options.hpp"

#include <memory>

namespace electret::app {
namespace {

constexpr const char* reproduce_footer =
    R"(Without NAME, reproduce lists the experiments; --all runs every one.
Each experiment writes to DIR/NAME (default reproduce/NAME):
  report.md     each claim of the paper: reproduced, not reproduced or not measured; our figure; the settings chosen
  *.csv         the numbers
  *.svg, *.png  the charts
  inputs/       the charges and scenes it ran on; report.md has commands that run parts of it by hand
--data DIR is for who has the papers' own bodies, which Electret may not give: bunny_watertight.bin,
lock.bin and bob.obj of [DiffPD]. Bodies that are not there are replaced by ones of ours. cow needs
spot.obj, the original Spot by Keenan Crane. tennis-balls takes a clip of yours, soft-starfish the
recordings of the robot with its body, starfish_half.obj (docs/reproduce.md).
An earlier report there is replaced. Any other non-empty folder is refused. An experiment writes
nothing before it is done.

Examples:
  electret reproduce
  electret reproduce ddef-error
  electret reproduce --all --quick -o /tmp/try)";

}  // namespace

void add_reproduce(CommandLine& line, const std::function<int(const ReproduceOptions&)>& action) {
  auto options = std::make_shared<ReproduceOptions>();
  Command command = line.add("reproduce", "Run experiments of the papers: tables and charts");
  command.option("NAME", options->names, "Experiments to run; absent: list them").type_name("");
  command.option("-o,--output", options->directory, "Folder of the reports")
      .type_name("DIR")
      .not_empty()
      .shows_default();
  command.option("--data", options->data, "Folder with the papers' own bodies").type_name("DIR").not_empty();
  command.flag("--all", options->all, "Run every experiment");
  command.flag("--quick", options->quick, "Run a small version of each, to see that it works");
  command.option("--threads", options->threads, "Number of threads; 0: all").type_name("N").between(0, 4096);
  command.footer(reproduce_footer);
  command.does([options, action] { return action(*options); });
}

std::vector<std::string> words_of(const ReproduceOptions& options) {
  std::vector<std::string> words{"reproduce", "--output", options.directory, "--threads",
                                 std::to_string(options.threads)};
  if (!options.data.empty()) words.insert(words.end(), {"--data", options.data});
  if (options.all) words.emplace_back("--all");
  if (options.quick) words.emplace_back("--quick");
  words.emplace_back("--");
  words.insert(words.end(), options.names.begin(), options.names.end());
  return words;
}

}  // namespace electret::app
