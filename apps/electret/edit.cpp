/// \file
/// `electret edit SCENE`: changes values in a scene's file and keeps its comments.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/edit.hpp>
#include <electret/scene/read.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "scene_options.hpp"
#include "sign_of_life.hpp"
#include "standard_input.hpp"

namespace electret::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* edit_footer =
    R"(Comments, order, indentation and line ends stay as they are. A new key becomes the last one of its table, a new table
comes below the table to which it belongs. --unset takes whole lines, but none that has only a comment; it comes before
--set, and one edit sees those before it.

The new scene is checked as by check before anything is written; if it has findings, the file stays as it was. The file
is written beside and then renamed. If SCENE is -, or OUT is -, the text goes to standard output.

Examples:
  electret edit scene.toml --set time.step=0.005 body.0.charge=8e-6
  electret edit scene.toml --unset time.duration --set time.steps=100 -o longer.toml
  electret edit scene.toml --set external_charge.0.charge=2e-6 external_charge.0.position=[0,0,1] -o - | electret check -)";

struct EditCommand {
  SceneOptions scene;
  std::optional<std::string> output;
  bool overwrite = false;
};

/// What is edited and where it goes.
class EditedFile {
 public:
  explicit EditedFile(const EditCommand& options)
      : options_(options.scene),
        source_(options.scene.scene),
        output_(options.output.value_or(source_)),
        is_piped_(is_standard_input(source_)),
        may_replace_(options.overwrite) {}

  void edit() {
    const std::string before = read();
    check_output();
    std::vector<TextEdit> edits;
    for (const std::string& override_text : options_.overrides())
      edits.push_back(edit_of_override(override_text));
    const std::string after = edited_text(before, name(), edits);
    check_scene(before, after);
    if (output_ == "-") return put(stdout, after);
    if (!is_piped_ && read() != before)
      throw InputError(Finding{{source_, 0, 0}, "has changed meanwhile", "nothing was written: try again"});
    if (!is_in_place() || after != before) write_file_whole(output_, after);
  }

 private:
  [[nodiscard]] std::string name() const { return is_piped_ ? std::string(standard_input) : source_; }
  [[nodiscard]] std::string read() const {
    return is_piped_ ? text_of_standard_input() : read_whole_file(source_);
  }

  [[nodiscard]] bool is_in_place() const {
    std::error_code error;
    return !is_piped_ && (source_ == output_ || fs::equivalent(source_, output_, error));
  }

  /// No other file is replaced unasked.
  void check_output() const {
    if (output_ == "-" || may_replace_ || is_in_place() || !fs::exists(fs::symlink_status(output_))) return;
    throw InputError(Finding{{output_, 0, 0}, "is there already", "take another file, or --overwrite"});
  }

  /// Files that the scene names lead from the folder where it will be.
  [[nodiscard]] std::string folder() const {
    const fs::path place = output_ == "-" ? (is_piped_ ? fs::path() : fs::path(source_)) : fs::path(output_);
    const std::string folder = place.parent_path().string();
    return folder.empty() ? "." : folder;
  }

  /// The new text is read as `check` reads it. Findings name the file and the options that the user knows.
  void check_scene(const std::string& before, const std::string& after) const {
    const SignOfLife sign(preparing);
    try {
      static_cast<void>(load_scene_text(after, name(), folder(), {}, read_regular_file));
    } catch (const InputError&) {
      static_cast<void>(load_scene_text(before, name(), folder(), options_.overrides(), read_regular_file));
      throw;
    }
  }

  const SceneOptions& options_;
  std::string source_, output_;
  bool is_piped_, may_replace_;
};

int run_edit(const EditCommand& options) {
  if (options.scene.overrides().empty())
    throw InputError(Finding{{}, "no edit is given", "write for example --set time.step=0.01"});
  EditedFile(options).edit();
  return Status::done;
}

}  // namespace

void add_edit(CommandLine& line) {
  auto options = std::make_shared<EditCommand>();
  Command command = line.add("edit", "Change values in a scene's file; comments stay");
  add_scene_and_overrides(command, options->scene);
  command.option("-o,--output", options->output, "File to write instead of SCENE; - is standard output")
      .not_empty()
      .type_name("OUT");
  command.flag("--overwrite", options->overwrite, "Replace OUT if it is another file that is there already");
  command.footer(edit_footer);
  command.does([options] { return run_edit(*options); });
}

}  // namespace electret::app
