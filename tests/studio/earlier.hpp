#pragma once
/// \file
/// A session that dies, and what the next start makes of what it left.

#include <chrono>
#include <filesystem>
#include <string>

#include <electret/scene/read.hpp>

#include "studio/handled.hpp"

namespace electret::test {

class Earlier : public Handled {
 public:
  using Handled::Handled;

  [[nodiscard]] std::string file(const std::string& name) const { return options.output + "/" + name; }
  /// Works until session.toml has the present step, and dies.
  void killed() {
    const Count step = state().step;
    const auto is_written = [&] {
      return std::filesystem::exists(session()) && read_scene(session()).time.steps == step &&
             std::filesystem::exists(file("session.text.toml")) &&
             read_regular_file(file("session.text.toml")) == heard.last<studio::DocumentInfo>()->text;
    };
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!is_written()) {
      if (std::chrono::steady_clock::now() > late) throw InternalError("the session is not written");
      machine->work();
    }
    machine.reset();
  }
  /// Starts anew.
  void again() {
    heard = {};
    machine.reset();
    loaded();
  }
  [[nodiscard]] const studio::EarlierInfo& offer() const { return *heard.last<studio::EarlierInfo>(); }
  void take() {
    must(studio::TakeUp{});
    work_while(studio::Phase::loading);
    work_while(studio::Phase::rewinding);
  }
  [[nodiscard]] const studio::DocumentInfo& document() const { return *heard.last<studio::DocumentInfo>(); }
  /// Types a text and applies it.
  void type(const std::string& text) {
    const std::size_t told = heard.all<studio::TextChecked>().size();
    must(studio::TypedText{1, document().revision, text, true});
    while (heard.all<studio::TextChecked>().size() == told) machine->work();
  }
};

}  // namespace electret::test
