#include <electret/record/version.hpp>

namespace electret {

std::string version() {
  return ELECTRET_VERSION;
}

}  // namespace electret
