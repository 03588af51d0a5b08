#pragma once
/// \file
/// Other programs, used where they are installed.

#include <string>
#include <vector>

#include <sys/types.h>

namespace electret::app {

/// The path of the first program called `name` in the folders of PATH; empty where there is none.
std::string find_program(const std::string& name);

/// A file's descriptor, which is closed with it; -1 for none.
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

/// Where a program reads from and writes to: descriptors of ours, or -1 for nothing.
struct Streams {
  int input = -1, output = -1, errors = -1;
};

/// Starts `words[0]`, a path, with the others as its arguments; it gets no other descriptor of ours, if those
/// are closed on execution, and SIGPIPE as a program expects it. `variables` ("NAME=VALUE") are put over our
/// environment. Throws IoError.
pid_t start_program(std::vector<std::string> words, const Streams& streams,
                    const std::vector<std::string>& variables = {});

/// This process goes on as `words[0]`, a path, with the others as its arguments. Throws IoError.
[[noreturn]] void become_program(std::vector<std::string> words);

}  // namespace electret::app
