#include <dlfcn.h>

#include <electret/linear/detail/library_threads.hpp>

namespace electret::detail {
namespace {

/// A function of a library that this process runs with, or null. It is known only at run time which BLAS that
/// is (Debian's alternatives), and whether there is an OpenMP runtime.
template <class Function>
Function* loaded_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

std::mutex& turns() {
  static std::mutex mutex;
  return mutex;
}

/// Sets the number of threads of this thread's BLAS calls, or of the process's, and returns the old one.
int set_threads(int count) {
  if (auto* set_local = loaded_function<int(int)>("openblas_set_num_threads_local")) return set_local(count);
  auto* set = loaded_function<void(int)>("openblas_set_num_threads");
  auto* get = loaded_function<int()>("openblas_get_num_threads");
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

WithoutOpenMpTeams::WithoutOpenMpTeams() {
  auto* get = loaded_function<int()>("omp_get_max_active_levels");
  auto* set = loaded_function<void(int)>("omp_set_max_active_levels");
  if (get == nullptr || set == nullptr) return;
  before_ = get();
  set(0);
}

WithoutOpenMpTeams::~WithoutOpenMpTeams() {
  if (before_ >= 0) loaded_function<void(int)>("omp_set_max_active_levels")(before_);
}

}  // namespace electret::detail
