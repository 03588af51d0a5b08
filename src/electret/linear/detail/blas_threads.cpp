#include <dlfcn.h>

#include <electret/linear/detail/blas_threads.hpp>

namespace electret::detail {
namespace {

/// A function of the BLAS this process runs with, or null. Which BLAS that is (Debian's alternatives) is
/// known only at run time.
template <class Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

std::mutex& turns() {
  static std::mutex mutex;
  return mutex;
}

/// Sets the number of threads of this thread's BLAS calls, or of the process's, and returns the old one.
int set_threads(int count) {
  if (auto* set_local = blas_function<int(int)>("openblas_set_num_threads_local")) return set_local(count);
  auto* set = blas_function<void(int)>("openblas_set_num_threads");
  auto* get = blas_function<int()>("openblas_get_num_threads");
  if (set == nullptr || get == nullptr) return 0;
  const int before = get();
  if (before != count) set(count);
  return before;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() : turn_(turns()), before_(set_threads(1)) {}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (before_ > 0) set_threads(before_);
}

}  // namespace electret::detail
