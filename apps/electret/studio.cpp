/// \file
/// `electret studio [SCENE|DIR]`: a page in the browser where a scene runs in real time.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/studio/server/server.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "programs.hpp"
#include "scene_options.hpp"
#include "signals.hpp"

namespace electret::app {
namespace {

constexpr const char* studio_footer =
    R"(stdout has one line, the page's address. Whoever has this address may use the page; it can be reached from this
machine only. A browser is opened if there is a display. Without SCENE the page offers the scenes and runs below the
current folder, and the examples. A recorded run is shown, and Continue in the page makes a session of it.

Written to the output folder, once a second and at the end:
  session.toml       a scene that repeats the session: electret run session.toml gives the same bits
  checkpoint.h5      the last state

Exit status: 0 after Quit in the page; 130, 143, 129 after a signal, with the session written; 1 if the port or the
output folder cannot be had; 2 for bad usage or a path that is not there.

Examples:
  electret studio examples/charged_torus.toml
  electret studio scene.toml --set time.step=0.01 -o runs/played
  electret studio runs/charged_torus
  electret studio --port 8808 --no-open)";

struct StudioCommand {
  SceneOptions scene;
  int port = 0;
  bool no_open = false, keep_running = false;
};

bool has_display() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

/// Nothing is said if there is no browser: the address is on stdout.
void open_in_browser(const std::string& url) {
  const std::string program = find_program("xdg-open");
  try {
    if (!program.empty()) start_program({program, url}, {});
  } catch (const IoError&) {
  }
}

int run_studio(const StudioCommand& options) {
  if (const std::string why = studio::why_no_server(); !why.empty()) {
    tell("electret: error: {}\n", why);
    return Status::failed;
  }
  studio::SessionOptions session;
  session.target = options.scene.scene;
  session.overrides = options.scene.overrides();
  if (session.target.empty() && !(session.overrides.empty() && options.scene.directory.empty()))
    throw InputError(
        Finding{{}, "--set, --unset and -o are given without a scene", "give one: electret studio SCENE"});
  session.output = options.scene.directory;
  session.keep_running = options.keep_running;
  // The page's sockets and the browser need a processor, too.
  session.threads = options.scene.threads > 0 ? options.scene.threads : std::max(1, Threads(0).count() - 1);
  const SignalStop signals;
  studio::Server server(session, {static_cast<unsigned short>(options.port)});
  say("{}\n", server.url());
  std::fflush(stdout);
  if (!options.no_open && has_display()) open_in_browser(server.url());
  server.serve(signals.token());
  return signals.received() == 0 ? static_cast<int>(Status::done) : ended_by(signals.received());
}

}  // namespace

void add_studio(CommandLine& line) {
  auto options = std::make_shared<StudioCommand>();
  Command command = line.add("studio", "See a scene move, in a page of the browser");
  command
      .option("SCENE", options->scene.scene,
              "A scene file (TOML), or the folder of a run; without it the page offers some")
      .type_name("")
      .not_empty();
  add_overrides(command, options->scene);
  command
      .option("--threads", options->scene.threads,
              "Number of threads; default: all processors but one; the motion does not depend on it")
      .type_name("N")
      .between(1, 4096);
  add_instructions_option(command);
  command
      .option("-o,--output", options->scene.directory,
              "Directory of the session; default runs/SCENE-STEM.studio")
      .type_name("DIR")
      .not_empty();
  command.option("--port", options->port, "Port on 127.0.0.1; 0: one that is free")
      .type_name("N")
      .between(0, 65535);
  command.flag("--no-open", options->no_open, "Open no browser");
  command.flag("--keep-running", options->keep_running, "Run on when no page has been open for 30 s");
  command.footer(studio_footer);
  command.does([options] { return run_studio(*options); });
}

}  // namespace electret::app
