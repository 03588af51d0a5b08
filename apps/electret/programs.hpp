#pragma once
/// \file
/// Other programs, which are used if they are installed.

#include <string>
#include <vector>

#include <sys/types.h>

namespace electret::app {

/// The path of the first program called `name` in the folders of PATH; empty if there is none.
std::string find_program(const std::string& name);

/// Owns a file descriptor and closes it; -1 for none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void reset(int number = -1);
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// The descriptors that a program reads from and writes to; -1 for none.
struct Streams {
  int input = -1, output = -1, errors = -1;
};

/// Starts the program at the path `words[0]` with the other words as its arguments. It inherits none of this
/// process's other descriptors that are closed on execution, and gets SIGPIPE as programs expect it.
/// `variables` ("NAME=VALUE") are added to the environment and override it. Throws IoError.
pid_t start_program(std::vector<std::string> words, const Streams& streams,
                    const std::vector<std::string>& variables = {});

/// Replaces this process by the program at the path `words[0]`, with the other words as its arguments. Throws
/// IoError.
[[noreturn]] void become_program(std::vector<std::string> words);

}  // namespace electret::app
