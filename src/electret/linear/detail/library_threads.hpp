#pragma once
/// \file
/// BLAS and OpenMP on one thread while CHOLMOD factors.

#include <mutex>

namespace electret::detail {

/// While it lives, OpenBLAS computes on one thread, so that a factor has the same bits whatever
/// OPENBLAS_NUM_THREADS says. OpenBLAS is found by its symbols; other BLAS libraries are left alone. If it
/// lacks openblas_set_num_threads_local, as 0.3.21 does, there is one setting for the whole process. That
/// setting is restored afterwards, and two factorisations take turns.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  std::unique_lock<std::mutex> turn_;
  int before_ = 0;
};

/// While it lives, OpenMP loops run on the calling thread. In a forked child, teams would wait for ever for
/// threads that stayed behind in the parent; and many simulators side by side need no teams. The runtime is
/// found by its symbols; without one there is nothing to do.
class WithoutOpenMpTeams {
 public:
  WithoutOpenMpTeams();
  ~WithoutOpenMpTeams();
  WithoutOpenMpTeams(const WithoutOpenMpTeams&) = delete;
  WithoutOpenMpTeams& operator=(const WithoutOpenMpTeams&) = delete;

 private:
  int before_ = -1;
};

}  // namespace electret::detail
