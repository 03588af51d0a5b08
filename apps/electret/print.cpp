#include "print.hpp"

namespace electret::app {

void put(std::FILE* stream, std::string_view text) {
  [[maybe_unused]] const auto written = std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace electret::app
