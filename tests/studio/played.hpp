#pragma once
/// \file
/// A session that a test plays: scenes, a listener that remembers, and waiting for states.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/studio/session/machine.hpp>

#include "record/temporary_folder.hpp"

namespace electret::test {

/// A charged chain that hangs from a moved pin, with key-framed charges: some of every input.
inline std::string chain_scene(const std::string& method, int steps = 400) {
  return "[scene]\nname = \"chain\"\n[time]\nstep = 0.002\nsteps = " + std::to_string(steps) +
         "\n[integrator]\nmethod = \"" + method + "\"\n[coulomb]\nsoftening = 0.05\n" + R"(
[gravity]
acceleration = [0.0, 0.0, -9.81]

[damping]
drag = 0.1
spring = 0.05

[[body]]
name = "chain"
generate = { shape = "chain", length = 1.0, vertices = 12 }
mass = 0.01
charge = 1e-7

  [[body.springs]]
  from = "edges"
  stiffness = 100.0

  [[body.group]]
  name = "top"
  indices = [0]

  [[body.group]]
  name = "tip"
  indices = [10, 11]

  [[body.group_charge]]
  group = "tip"
  times = [0.0, 0.1, 0.3]
  values = [1e-7, 4e-7, -2e-7]

  [[body.pin]]
  group = "top"
  times = [0.0, 0.2, 0.4]
  offsets = [[0, 0, 0], [0.1, 0, 0], [-0.1, 0, 0]]

[[external_charge]]
charge = 1e-6
times = [0.0, 0.5]
positions = [[-1.0, 0.0, -1.3], [2.0, 0.0, -1.3]]
width = 0.1

[[obstacle]]
name = "ball"
shape = "sphere"
centre = [0.0, 0.0, -5.0]
radius = 0.5
law = "penalty"
stiffness = 10.0
)";
}

/// Springs that the step is far too long for.
inline std::string diverging_scene() {
  return R"([time]
step = 0.1
steps = 1000

[integrator]
method = "explicit_euler"

[gravity]
acceleration = [0.0, 0.0, -9.81]

[[body]]
name = "stiff"
generate = { shape = "chain", length = 1.0, vertices = 5 }
mass = 0.001

  [[body.springs]]
  from = "edges"
  stiffness = 1e6

  [[body.group]]
  name = "top"
  indices = [0]

  [[body.pin]]
  group = "top"
)";
}

inline void put_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// `text` with `to` in the first place of `from`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw InternalError("the text has no such part");
  return text.replace(at, from.size(), to);
}

/// Remembers what it is told.
struct Listening : studio::Listener {
  void tell(int page, const studio::Event& event) override { events.emplace_back(page, event); }
  void show(std::shared_ptr<const studio::Frame> frame) override { frames.push_back(std::move(frame)); }

  /// The last event of a kind; null if there was none.
  template <class Kind>
  const Kind* last() const {
    for (auto at = events.rbegin(); at != events.rend(); ++at)
      if (const auto* found = std::get_if<Kind>(&at->second)) return found;
    return nullptr;
  }
  template <class Kind>
  std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const auto& [page, event] : events)
      if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
    return found;
  }

  std::vector<std::pair<int, studio::Event>> events;
  std::vector<std::shared_ptr<const studio::Frame>> frames;
};

/// A machine in a folder of its own.
class Played {
 public:
  explicit Played(const std::string& scene = "", studio::PastLimits past = {}, int threads = 1) {
    options.threads = threads;
    options.past = past;
    options.folder = folder.path();
    options.keep_running = true;
    options.output = folder.path() + "/out";
    if (scene.empty()) return;
    options.target = folder.path() + "/scene.toml";
    put_text(options.target, scene);
  }

  /// Begins, and loads what is to be loaded.
  Played& begun() {
    machine = std::make_unique<studio::Machine>(options, heard);
    machine->begin();
    machine->prepare_output();
    return *this;
  }
  Played& loaded() {
    begun();
    work_while(studio::Phase::loading);
    return *this;
  }

  /// The answer: "" for yes, else why not.
  std::string ask(studio::Command command, int page = 1) {
    machine->handle({page, ++id, std::move(command)});
    const studio::Answer* answer = heard.last<studio::Answer>();
    return answer != nullptr && answer->id == id ? answer->error : "no answer";
  }
  /// The same for what must be done.
  void must(studio::Command command, int page = 1) {
    if (const std::string why = ask(std::move(command), page); !why.empty()) throw InternalError(why.c_str());
  }
  /// Works until the phase is another.
  void work_while(studio::Phase phase) {
    using Clock = std::chrono::steady_clock;
    const auto late = Clock::now() + std::chrono::minutes(2);
    while (machine->phase() == phase) {
      if (Clock::now() > late) throw InternalError("the session does not leave its state");
      machine->work();
    }
  }
  /// Takes `steps` steps and waits for them.
  void step(Count steps) {
    must(studio::Step{steps});
    work_while(studio::Phase::running);
  }
  void seek(Count step) {
    must(studio::Seek{step, false});
    work_while(studio::Phase::rewinding);
  }
  [[nodiscard]] studio::Phase phase() const { return machine->phase(); }
  [[nodiscard]] const State& state() const { return machine->live()->simulator().state(); }

  TemporaryFolder folder;
  studio::SessionOptions options;
  Listening heard;
  std::unique_ptr<studio::Machine> machine;
  double id = 0.0;
};

}  // namespace electret::test
