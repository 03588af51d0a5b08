#pragma once
/// \file
/// The exceptions that the library throws. The library prints nothing and never aborts.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Where a finding is in a user's input. `line` and `column` count from 1; 0 means unknown.
struct Location {
  std::string file;  ///< Path as the user wrote it, or "--set KEY".
  Count line = 0;
  Count column = 0;
};

/// "scene.toml:LINE:COL" as printable text. A line or column that is 0 is left out.
std::string to_string(const Location& where);

/// One thing that is wrong with a user's input.
struct Finding {
  Location where;
  std::string message;  ///< What is wrong; quotes the key, value, group or file as written.
  std::string allowed;  ///< What is allowed instead.
};

/// "scene.toml:LINE:COL: error: what is wrong; what is allowed". A line or column that is 0 is left out. The
/// text is printable, whatever the user's file contains.
std::string to_string(const Finding& finding);

/// The input is wrong. Holds all findings at once. The command line exits with 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Finding> findings);
  explicit InputError(Finding finding) : InputError(std::vector<Finding>{std::move(finding)}) {}
  [[nodiscard]] const std::vector<Finding>& findings() const noexcept { return findings_; }

 private:
  std::vector<Finding> findings_;
};

/// The simulation diverged: its state, its energy or a derivative of a loss is not finite, or its energy
/// exceeds the bound of Simulator::check_energy. The command line exits with 1.
class DivergenceError : public std::runtime_error {
 public:
  DivergenceError(Count step, Index vertex, std::string cause, std::string advice);
  /// The step that failed, from 1.
  [[nodiscard]] Count step() const noexcept { return step_; }
  /// The vertex that the cause names, else the one that moves fastest; -1 if none is known.
  [[nodiscard]] Index vertex() const noexcept { return vertex_; }
  [[nodiscard]] const std::string& cause() const noexcept { return cause_; }
  [[nodiscard]] const std::string& advice() const noexcept { return advice_; }

 private:
  Count step_;
  Index vertex_;
  std::string cause_, advice_;
};

/// A file could not be read or written during a run (for example: disk full, folder deleted). The command
/// line exits with 1.
class IoError : public std::runtime_error {
 public:
  /// The message is kept as one printable line. `path` names the file or folder that could not be read or
  /// written, as the caller of the library named it.
  explicit IoError(std::string_view message, std::string path = {});
  /// Its bytes are those of the file's name; empty if none is known.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// A stop was requested through a `std::stop_token`. The state is that of the last completed step.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

/// A broken invariant: a defect in Electret, never the user's fault.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InternalError with `message` unless `condition` holds. It is checked in every build.
inline void require(bool condition, const char* message) {
  if (!condition) throw InternalError(message);
}

}  // namespace electret
