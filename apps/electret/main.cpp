/// \file
/// The command line: `electret COMMAND …`.

#include <string>
#include <vector>

#include "command.hpp"
#include "commands.hpp"
#include "signals.hpp"
#include "standard_streams.hpp"

namespace electret::app {
namespace {

constexpr const char* program_footer = R"(Examples:
  electret run examples/charged_torus.toml
  electret run scene.toml -o runs/soft --set body.0.springs.0.stiffness=2
  electret check scene.toml
  electret studio examples/charged_torus.toml
  electret devices
  electret field charges.csv --at points.csv -o field.csv
  electret gradient scene.toml --loss energy --wrt body.torus.charge
  electret fit job.toml
  electret render runs/charged_torus
  electret COMMAND --help          what a command does, its options and examples

Exit status:
  0 done; 1 a run that failed (diverged, disk full, GPU lost) or a fit that has not converged; 2 bad input or usage;
  130, 143, 129 interrupted

Results go to stdout or to files, progress and findings to stderr.)";

int run_command_line(const std::vector<std::string>& arguments) {
  CommandLine line("electret", "Electret: a simulator of charged, deformable bodies.", version_text);
  line.footer(program_footer);
  for (AddCommand* add : commands) add(line);
  return line.parse(with_repeated_set(arguments))();
}

}  // namespace
}  // namespace electret::app

int main(int argc, char** argv) {
  electret::app::hold_closed_streams();
  electret::app::let_writes_fail();
  // If memory is limited, it may not even suffice for the options' names.
  return electret::app::guarded([&] { return electret::app::run_command_line({argv + 1, argv + argc}); });
}
