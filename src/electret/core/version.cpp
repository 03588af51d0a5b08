#include <electret/core/version.hpp>

namespace electret {

const char* const version = ELECTRET_VERSION;

}  // namespace electret
