#include "standard_streams.hpp"

#include <initializer_list>

#include <fcntl.h>
#include <unistd.h>

namespace electret::app {

void hold_closed_streams() {
  // Whatever is opened gets the lowest free number. The wrong direction makes each use fail, as on a closed
  // stream.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool is_standard_input_closed() {
  const int flags = fcntl(STDIN_FILENO, F_GETFL);
  return flags < 0 || (flags & O_ACCMODE) == O_WRONLY;
}

}  // namespace electret::app
